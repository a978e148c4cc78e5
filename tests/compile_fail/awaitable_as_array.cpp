// expect: conversion from .*awaitable.* to non-scalar type .*NdArray|no viable conversion from .*awaitable
#include <stile/download.hpp>

void wrong(const stile::Tensor& a) { const stile::NdArray<float> values = a.array(); }
