#pragma once

#include <stile/ops/complex.hpp>
#include <stile/ops/conv.hpp>
#include <stile/ops/elementwise.hpp>
#include <stile/ops/fused.hpp>
#include <stile/ops/image.hpp>
#include <stile/ops/index.hpp>
#include <stile/ops/matmul.hpp>
#include <stile/ops/normalize.hpp>
#include <stile/ops/pool.hpp>
#include <stile/ops/reduce.hpp>
#include <stile/ops/shape.hpp>
#include <stile/ops/spectral.hpp>
#include <stile/ops/strings.hpp>
