#define BOOST_TEST_MODULE linalg
#include "values.hpp"

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

BOOST_AUTO_TEST_CASE(dot_and_outer_products) {
    const Tensor v = floats({1, 2}), m = counting({2, 3});
    expectFloats(dot(v, v), {}, {5});
    expectFloats(dot(v, m), {3}, {6, 9, 12});
    expectFloats(dot(m, floats({1, 1, 2})), {2}, {5, 17});
    expectFloats(dot(m, counting({3, 1})), {2, 1}, {5, 14});
    expectInts(dot(ints({65536}), ints({65536})), {}, {0});
    expectFloats(dot(zeros({0}), zeros({0})), {}, {0});
    expectFloats(outerProduct(floats({2, 3}), floats({2, NaN})), {2, 2}, {4, NaN, 6, NaN});
    expectFloats(outerProduct(zeros({0}), v), {0, 2}, {});
    expectError(errc::invalid_argument, {"dot", "[2]", "[3]"}, [] { (void)dot(zeros({2}), zeros({3})); });
    expectError(errc::invalid_argument, {"dot", "[2, 3]", "[2, 1, 2]"}, [&] { (void)dot(m, zeros({2, 1, 2})); });
    expectError(errc::invalid_argument, {"outerProduct", "[2, 3]"}, [&] { (void)outerProduct(m, v); });
}

BOOST_AUTO_TEST_CASE(norms_of_vectors) {
    const Tensor x = floats({1, -2, 3, -4});
    expectFloats(norm(x), {}, {std::sqrt(30.0)}, 1e-6);
    expectFloats(euclideanNorm(x, 0, true), {1}, {std::sqrt(30.0)}, 1e-6);
    for (const auto& [order, expected] : std::vector<std::pair<NormOrder, double>>{{1, 10},
                                                                                   {2, std::sqrt(30.0)},
                                                                                   {3, std::cbrt(100.0)},
                                                                                   {0.5, 37.7766},
                                                                                   {-1, 0.48},
                                                                                   {0, 4},
                                                                                   {infinity, 4},
                                                                                   {-infinity, 1}}) {
        expectFloats(norm(x, order), {}, {expected}, 1e-4);
    }
    expectFloats(norm(floats({0, -5, 0}), 0), {}, {1});
    expectFloats(norm(tensor({{3, 4}, {6, 8}}), 2, 1), {2}, {5, 10}, 1e-6);
    expectFloats(norm(tensor({{3, 4}, {6, 8}}), infinity, {}, true), {1, 1}, {8});
    expectFloats(norm(floats({1, NaN})), {}, {NaN});
    expectFloats(norm(zeros({0, 2}), 1, 0), {2}, {0, 0});
    expectFloats(norm(Tensor(-3.0F)), {}, {3});
    expectFloats(norm(ints({3, -4})), {}, {5}, 1e-6);
    expectError(errc::invalid_argument, {"norm", "fro", "[4]"}, [&] { (void)norm(x, NormOrder::fro); });
    expectError(errc::invalid_argument, {"norm", "axis 1", "[4]"}, [&] { (void)norm(x, 1, 1); });
}

BOOST_AUTO_TEST_CASE(norms_of_matrices) {
    const Tensor x = tensor({{1, 2}, {-3, 1}, {1, 1}});
    expectFloats(norm(x, 1, {0, 1}), {}, {5});
    expectFloats(norm(x, 1, {1, 0}), {}, {4});
    expectFloats(norm(x, -1, {0, 1}), {}, {4});
    expectFloats(norm(x, infinity, {0, 1}), {}, {4});
    expectFloats(norm(x, -infinity, {-2, -1}, true), {1, 1}, {2});
    expectFloats(norm(x, NormOrder::fro, {0, 1}), {}, {std::sqrt(17.0)}, 1e-6);
    expectFloats(norm(x, NormOrder::fro), {}, {std::sqrt(17.0)}, 1e-6);
    expectFloats(norm(stack({x, x * 2.0F}), NormOrder::euclidean, {1, 2}), {2}, {std::sqrt(17.0), std::sqrt(68.0)}, 1e-6);
    expectFloats(norm(zeros({2, 0, 3}), infinity, {1, 2}), {2}, {-infinity, -infinity});
    expectError(errc::invalid_argument, {"norm", "order 2", "[3, 2]"}, [&] { (void)norm(x, 2, {0, 1}); });
    expectError(errc::invalid_argument, {"norm", "3 axes", "[1, 1, 1]"}, [] { (void)norm(zeros({1, 1, 1}), 1, {0, 1, 2}); });
}

BOOST_AUTO_TEST_CASE(einsum_sums_over_what_the_result_does_not_name) {
    const Tensor a = counting({2, 3}), b = counting({3, 2}), v = floats({1, 2, 3});
    expectFloats(einsum("ij->", {a}), {}, {15});
    expectFloats(einsum("ij->ji", {a}), {3, 2}, {0, 3, 1, 4, 2, 5});
    expectFloats(einsum("ij->j", {a}), {3}, {3, 5, 7});
    expectFloats(einsum("ij,jk->ik", {a, b}), {2, 2}, {10, 13, 28, 40});
    expectFloats(einsum("ij, ji ->", {a, b}), {}, {50});
    expectFloats(einsum("ij,kj->ki", {a, a}), {2, 2}, {5, 14, 14, 50});
    expectFloats(einsum("ij,j->i", {a, v}), {2}, {8, 26});
    expectFloats(einsum("ij,->ij", {a, Tensor(2.0F)}), {2, 3}, {0, 2, 4, 6, 8, 10});
    expectFloats(einsum("i,j->ij", {floats({1, 2}), v}), {2, 3}, {1, 2, 3, 2, 4, 6});
    expectFloats(einsum("bi,bj->bji", {counting({2, 2}), counting({2, 2})}), {2, 2, 2}, {0, 0, 0, 1, 4, 6, 6, 9});
    expectFloats(einsum("bij,bjk->bik", {counting({2, 1, 2}), counting({2, 2, 1})}), {2, 1, 1}, {1, 13});
    expectFloats(einsum("ij,jk,k->i", {a, b, floats({1, -1})}), {2}, {-3, -12});
    expectFloats(einsum(",->", {Tensor(2.0F), Tensor(3.0F)}), {}, {6});
    expectFloats(einsum("ij,jk->ik", {zeros({2, 0}), zeros({0, 2})}), {2, 2}, {0, 0, 0, 0});
    expectInts(einsum("ij,j->i", {ints({1, 2}).reshape({1, 2}), bools({1, 1})}), {1}, {3});
}

BOOST_AUTO_TEST_CASE(einsum_with_further_axes) {
    const Tensor batch = counting({2, 1, 2, 3}), b = counting({3, 2});
    expectFloats(einsum("...ij->...ji", {batch}), {2, 1, 3, 2}, {0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11});
    expectFloats(einsum("...ij,jk->...ik", {batch, b}), {2, 1, 2, 2}, {10, 13, 28, 40, 46, 67, 64, 94});
    expectFloats(einsum("...i,...i->...", {counting({2, 1, 2}), counting({3, 2})}), {2, 3}, {1, 3, 5, 3, 13, 23});
    expectFloats(einsum("i...,i...->...", {floats({1, 2}), counting({2, 2})}), {2}, {4, 7});
}

BOOST_AUTO_TEST_CASE(einsum_refuses_what_does_not_fit) {
    const Tensor a = counting({2, 3});
    const auto bad = errc::invalid_argument;
    expectError(bad, {"einsum", "ij,jk->ik"}, [&] { (void)einsum("ij,jk->ik", {a}); });
    expectError(bad, {"einsum", "extents 3 and 2"}, [&] { (void)einsum("ij,jk->ik", {a, a}); });
    expectError(bad, {"einsum", "no arrow"}, [&] { (void)einsum("ij", {a}); });
    expectError(bad, {"einsum", "more than one arrow"}, [&] { (void)einsum("ij->i->j", {a}); });
    expectError(bad, {"einsum", "[2, 3]"}, [&] { (void)einsum("i->i", {a}); });
    expectError(bad, {"einsum", "[2, 3]"}, [&] { (void)einsum("ijk->i", {a}); });
    expectError(bad, {"einsum", "axis k"}, [&] { (void)einsum("ij->k", {a}); });
    expectError(bad, {"einsum", "twice"}, [&] { (void)einsum("ii->i", {zeros({2, 2})}); });
    expectError(bad, {"einsum", "twice"}, [&] { (void)einsum("ij->ii", {a}); });
    expectError(bad, {"einsum", "'1'"}, [&] { (void)einsum("i1->i", {floats({1})}); });
    expectError(bad, {"einsum", "..."}, [&] { (void)einsum("...i->i", {a}); });
    expectError(bad, {"einsum"}, [] { (void)einsum("", {}); });
}

BOOST_AUTO_TEST_CASE(a_band_around_the_diagonal_is_kept) {
    const Tensor x = counting({3, 3}) + 1.0F;
    expectFloats(linalg::bandPart(x, 0, -1), {3, 3}, {1, 2, 3, 0, 5, 6, 0, 0, 9});
    expectFloats(linalg::bandPart(x, 1, 0), {3, 3}, {1, 0, 0, 4, 5, 0, 0, 8, 9});
    expectFloats(linalg::bandPart(x, Tensor(-1), Tensor(9)), {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    expectInts(linalg::bandPart(ones({2, 1, 2}, DType::int32), 0, 0), {2, 1, 2}, {1, 0, 1, 0});
    expectFloats(linalg::bandPart(fill({2, 2}, NaN), 0, 0), {2, 2}, {NaN, 0, 0, NaN});
    expectFloats(linalg::bandPart(zeros({0, 2}), 0, 0), {0, 2}, {});
    expectError(errc::invalid_argument, {"bandPart", "4 below", "[3, 3]"}, [&] { (void)linalg::bandPart(x, 4, 0); });
    expectError(errc::invalid_argument, {"bandPart", "[3]"}, [] { (void)linalg::bandPart(zeros({3}), 0, 0); });
}

BOOST_AUTO_TEST_CASE(gram_schmidt_makes_rows_orthonormal) {
    expectFloats(linalg::gramSchmidt(tensor({{3, 4}, {1, 0}})), {2, 2}, {0.6, 0.8, 0.8, -0.6}, 1e-6);
    const std::vector<Tensor> units = linalg::gramSchmidt({floats({0, 2, 0}), floats({1, 1, 0})});
    expectFloats(units[0], {3}, {0, 1, 0});
    expectFloats(units[1], {3}, {1, 0, 0});
    expectError(errc::invalid_argument, {"gramSchmidt", "[3, 2]"}, [] { (void)linalg::gramSchmidt(zeros({3, 2})); });
    expectError(errc::invalid_argument, {"gramSchmidt"}, [] { (void)linalg::gramSchmidt(std::vector<Tensor>{}); });
}

BOOST_AUTO_TEST_CASE(qr_gives_orthonormal_columns_and_a_triangle) {
    const linalg::QR small = linalg::qr(tensor({{1, 3}, {-2, -4}}));
    const double root = std::sqrt(5.0);
    expectFloats(small.q, {2, 2}, {-1 / root, -2 / root, 2 / root, -1 / root}, 1e-6);
    expectFloats(small.r, {2, 2}, {-root, -11 / root, 0, -2 / root}, 1e-6);
    const Tensor x = randomNormal({2, 3, 7, 5}, 0, 1, 1);
    for (const bool full : {false, true}) {
        for (const Tensor& matrices : {x, transpose(x, {0, 1, 3, 2})}) {
            const auto [q, r] = linalg::qr(matrices, full);
            const std::int64_t m = matrices.shape()[-2], k = full ? m : std::min<std::int64_t>(m, 5);
            BOOST_TEST((q.shape() == Shape{2, 3, m, k}));
            expectBools(all(abs(matMul(q, r) - matrices) < 1e-5F), {}, {1});
            expectBools(all(abs(matMul(q, q, true) - eye(k)) < 1e-5F), {}, {1});
            expectBools(all(linalg::bandPart(r, 0, -1) == r), {}, {1});
        }
    }
    // A column of zeros is reflected nowhere.
    const linalg::QR singular = linalg::qr(tensor({{0, 1}, {0, 0}}));
    expectFloats(singular.q, {2, 2}, {1, 0, 0, 1});
    expectFloats(singular.r, {2, 2}, {0, 1, 0, 0});
    BOOST_TEST((linalg::qr(zeros({0, 3}), true).r.shape() == Shape{0, 3}));
    expectFloats(linalg::qr(zeros({2, 0}), true).q, {2, 2}, {1, 0, 0, 1});
    expectError(errc::invalid_argument, {"qr", "[3]"}, [] { (void)linalg::qr(zeros({3})); });
}
