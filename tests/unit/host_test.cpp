#define BOOST_TEST_MODULE host
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "host/host.hpp"
#include "host/operations.hpp"
#include "philox.hpp"

using stile::DType;
using stile::Shape;
using stile::detail::Op;
using stile::kernels::Expression;
namespace host = stile::host;
namespace prim = stile::detail::prim;

namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

constexpr float NaN = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::int32_t leastInt = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t greatestInt = std::numeric_limits<std::int32_t>::max();

template <class T>
constexpr DType dtypeOf = std::is_same_v<T, float> ? DType::float32 : DType::int32;

template <class T>
host::Operand operand(std::vector<T>& values, const Shape& shape) {
    BOOST_TEST_REQUIRE(shape.size() == static_cast<std::int64_t>(values.size()));
    return {reinterpret_cast<std::byte*>(values.data()), shape, dtypeOf<T>};
}

template <class T>
const std::byte* bytes(const std::vector<T>& values) {
    return reinterpret_cast<const std::byte*>(values.data());
}

/// Equal in every bit, but for NaNs, which are all alike.
void same(const Floats& actual, const Floats& expected) {
    BOOST_TEST_REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const bool equal = std::isnan(expected[i])
                               ? std::isnan(actual[i])
                               : std::bit_cast<std::uint32_t>(actual[i]) == std::bit_cast<std::uint32_t>(expected[i]);
        BOOST_TEST(equal, "element " << i << " is " << actual[i] << ", not " << expected[i]);
    }
}
void same(const Ints& actual, const Ints& expected) { BOOST_TEST(actual == expected, boost::test_tools::per_element()); }

/// One operation on operands of one length.
template <class R, class T>
std::vector<R> apply(Op op, const std::vector<T>& a, const std::vector<T>& b = {}, std::array<float, 2> params = {}) {
    const Shape shape{a.size()};
    Expression e{.shape = shape, .leaves = {{.dtype = dtypeOf<T>, .shape = shape}}, .steps = {}};
    std::vector<const std::byte*> leaves{bytes(a)};
    if (!b.empty()) {
        e.leaves.push_back({.dtype = dtypeOf<T>, .shape = shape});
        leaves.push_back(bytes(b));
    }
    e.steps.push_back({op, {-1, -2, 0}, params, dtypeOf<T>, dtypeOf<R>});
    std::vector<R> out(a.size());
    host::elementwise(e, leaves, operand(out, shape));
    return out;
}

/// A reduction of the axes whose bits are set.
template <class R, class T>
std::vector<R> reduce(prim::Reduction kind, std::uint32_t axes, const std::vector<T>& x, const Shape& from, const Shape& to) {
    const Expression e{.shape = from, .leaves = {{.dtype = dtypeOf<T>, .shape = from}}, .steps = {}};
    const std::vector<const std::byte*> leaves{bytes(x)};
    std::vector<R> out(static_cast<std::size_t>(to.size()));
    host::reduce({kind, axes}, e, leaves, operand(out, to));
    return out;
}

template <class R, class What, class... T>
std::vector<R> run(const What& what, const Shape& to, std::pair<std::vector<T>, Shape>... in) {
    const std::vector<host::Operand> operands{operand(in.first, in.second)...};
    std::vector<R> out(static_cast<std::size_t>(to.size()));
    host::run(what, operands, operand(out, to));
    return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_row_of_the_table_is_computed_in_the_same_dtypes) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Op::count); ++i) {
        const auto op = static_cast<Op>(i);
        const stile::detail::Row& row = stile::detail::row(op);
        BOOST_TEST(row.real.empty() == !host::operation(op).real, row.name);
        BOOST_TEST(row.integer.empty() == !host::operation(op).integer, row.name);
    }
}

BOOST_AUTO_TEST_CASE(max_and_min_keep_nan) {
    same(apply<float>(Op::maximum, Floats{NaN, 1, -infinity}, Floats{1, NaN, -3}), {NaN, NaN, -3});
    same(apply<float>(Op::minimum, Floats{NaN, 1, -infinity}, Floats{1, NaN, -3}), {NaN, NaN, -infinity});
    same(apply<float>(Op::relu, Floats{NaN, -1, 2}), {NaN, 0, 2});
    same(apply<float>(Op::clipByValue, Floats{NaN, -9, 9}, {}, {-1, 2}), {NaN, -1, 2});
    same(apply<float>(Op::step, Floats{NaN, -9, 9, 0}, {}, {0.25F, 0}), {NaN, 0.25F, 1, 0.25F});
    same(apply<float>(Op::sign, Floats{NaN, -9, 9, -0.0F}), {0, -1, 1, 0});
}

BOOST_AUTO_TEST_CASE(halves_round_to_even) {
    same(apply<float>(Op::round, Floats{0.5F, 1.5F, 2.5F, -0.5F, -1.5F, 8388609, NaN}), {0, 2, 2, -0.0F, -2, 8388609, NaN});
    same(apply<float>(Op::ceil, Floats{-0.5F, 0.5F}), {-0.0F, 1});
}

BOOST_AUTO_TEST_CASE(quotients_of_whole_numbers_round_down) {
    const Ints a{7, -7, 7, -7, 5, leastInt}, b{2, 2, -2, -2, 0, -1};
    same(apply<std::int32_t>(Op::div, a, b), {3, -4, -4, 3, 0, leastInt});
    same(apply<std::int32_t>(Op::mod, a, b), {1, 1, -1, -1, 0, 0});
    same(apply<std::int32_t>(Op::floorDiv, Floats{7, -7, 1}, Floats{2, 2, 0}), {3, -4, 0});
}

BOOST_AUTO_TEST_CASE(the_remainder_of_floats_has_the_divisors_sign) {
    same(apply<float>(Op::mod, Floats{7, -7, 7, -7, 4, -4, 5, 5, -5, infinity, 1},
                      Floats{3, 3, -3, -3, -2, 2, infinity, -infinity, infinity, 2, 0}),
         {1, 2, -2, -1, -0.0F, 0, 5, -infinity, infinity, NaN, NaN});
    same(apply<float>(Op::mod, Floats{16777216}, Floats{0.1F}), {std::fmod(16777216.0F, 0.1F)});
}

BOOST_AUTO_TEST_CASE(powers) {
    same(apply<float>(Op::pow, Floats{NaN, 1, 1, -1, 2, -2, -8, 0, -0.0F, -infinity},
                      Floats{0, NaN, infinity, infinity, -1, 3, 0.5F, -1, -3, -3}),
         {1, NaN, NaN, NaN, 0.5F, -8, NaN, infinity, -infinity, -0.0F});
    same(apply<std::int32_t>(Op::pow, Ints{3, 2, 2, -1, 5, 0, 3}, Ints{4, 31, 32, -3, -1, -1, 40}),
         {81, leastInt, 0, -1, 0, 0, 689956897});
}

BOOST_AUTO_TEST_CASE(int32_wraps) {
    same(apply<std::int32_t>(Op::add, Ints{greatestInt, leastInt}, Ints{1, -1}), {leastInt, greatestInt});
    same(apply<std::int32_t>(Op::mul, Ints{65536, 65537}, Ints{65536, 65537}), {0, 131073});
    same(apply<std::int32_t>(Op::neg, Ints{leastInt, 5}), {leastInt, -5});
    same(apply<std::int32_t>(Op::abs, Ints{leastInt, -5}), {leastInt, 5});
    same(apply<std::int32_t>(Op::clipByValue, Ints{-9, 9, 3}, {}, {-1.5F, 1e10F}), {-1, 9, 3});
    BOOST_TEST(reduce<std::int32_t>(prim::Reduction::sum, 1, Ints{greatestInt, 1, 1}, {3}, {}) == (Ints{leastInt + 1}));
}

BOOST_AUTO_TEST_CASE(floats_become_whole_numbers_modulo_2_to_the_32) {
    same(apply<std::int32_t>(Op::toInt, Floats{-1.9F, 1.9F, 4294967296.0F, 3e9F, -3e9F, NaN, infinity, 1e20F}),
         {-1, 1, 0, -1294967296, 1294967296, 0, 0, 0});
    same(apply<std::int32_t>(Op::toBool, Floats{0, -0.0F, NaN, 1e-40F}), {0, 0, 1, 1});
    same(apply<float>(Op::toFloat, Ints{16777217, -3}), {16777216, -3});
}

BOOST_AUTO_TEST_CASE(comparisons_with_nan_are_false_but_for_notEqual) {
    const Floats a{NaN, 1, NaN}, b{1, NaN, NaN};
    for (const Op op : {Op::equal, Op::less, Op::lessEqual, Op::greater, Op::greaterEqual}) {
        same(apply<std::int32_t>(op, a, b), {0, 0, 0});
    }
    same(apply<std::int32_t>(Op::notEqual, a, b), {1, 1, 1});
}

BOOST_AUTO_TEST_CASE(a_chain_converts_and_broadcasts_its_leaves) {
    // where(x < 2, n + 0.5, m) with x [2, 1], n a number of int32, m [3].
    const Floats x{1, 3}, m{10, 20, 30};
    Expression e{.shape = {2, 3}, .leaves = {}, .steps = {}};
    e.leaves = {{.dtype = DType::float32, .shape = {2, 1}},
                {.bits = std::bit_cast<std::uint32_t>(2.0F), .dtype = DType::float32, .shape = {}},
                {.bits = 7, .dtype = DType::int32, .shape = {}},
                {.bits = std::bit_cast<std::uint32_t>(0.5F), .dtype = DType::float32, .shape = {}},
                {.dtype = DType::float32, .shape = {3}}};
    e.steps = {{Op::less, {-1, -2, 0}, {}, DType::float32, DType::boolean},
               {Op::add, {-3, -4, 0}, {}, DType::float32, DType::float32},
               {Op::where, {0, 1, -5}, {}, DType::float32, DType::float32}};
    const std::vector<const std::byte*> leaves{bytes(x), nullptr, nullptr, nullptr, bytes(m)};
    Floats out(6);
    host::elementwise(e, leaves, operand(out, {2, 3}));
    same(out, {7.5F, 7.5F, 7.5F, 10, 20, 30});
}

BOOST_AUTO_TEST_CASE(reductions) {
    const Floats x{1, 2, 3, 4, 5, NaN};
    same(reduce<float>(prim::Reduction::sum, 0b01, Floats{1, 2, 3, 4, 5, 6}, {2, 3}, {3}), {5, 7, 9});
    same(reduce<float>(prim::Reduction::mean, 0b10, Floats{1, 2, 3, 4, 5, 6}, {2, 3}, {2, 1}), {2, 5});
    same(reduce<float>(prim::Reduction::max, 0b10, x, {2, 3}, {2}), {3, NaN});
    same(reduce<float>(prim::Reduction::min, 0b11, x, {2, 3}, {}), {NaN});
    same(reduce<float>(prim::Reduction::prod, 0b101, Floats{1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}, {2}), {60, 672});
    same(reduce<std::int32_t>(prim::Reduction::all, 1, Ints{1, 0, 1}, {3}, {}), {0});
    same(reduce<std::int32_t>(prim::Reduction::any, 1, Ints{0, 0, 1}, {3}, {}), {1});
    // The first of the best; NaNs are passed over, and nothing but NaNs gives 0.
    same(reduce<std::int32_t>(prim::Reduction::argMax, 0b10, Floats{NaN, 3, 3, NaN, NaN, NaN}, {2, 3}, {2}), {1, 0});
    same(reduce<std::int32_t>(prim::Reduction::argMin, 0b01, Ints{4, 2, 1, 2}, {2, 2}, {2}), {1, 0});
    // A float would stand still at 2^24.
    same(reduce<float>(prim::Reduction::sum, 1, Floats(16777218, 1), {16777218}, {}), {16777218});
}

BOOST_AUTO_TEST_CASE(products_of_matrices) {
    const std::pair a(Floats{1, 2, 3, 4, 5, 6}, Shape{2, 3});
    same(run<float>(prim::MatMul{}, {2, 2}, a, std::pair(Floats{1, 0, 0, 1, 1, 1}, Shape{3, 2})), {4, 5, 10, 11});
    same(run<float>(prim::MatMul{true, false}, {3, 1}, a, std::pair(Floats{1, 10}, Shape{2, 1})), {41, 52, 63});
    same(run<float>(prim::MatMul{false, true}, {2, 1}, a, std::pair(Floats{1, 1, 2}, Shape{1, 3})), {9, 21});
    // Leading axes are stretched: [2, 1, 1, 1] by [2, 1, 1].
    same(run<std::int32_t>(prim::MatMul{}, {2, 2, 1, 1}, std::pair(Ints{3, 65536}, Shape{2, 1, 1, 1}),
                           std::pair(Ints{1, 65536}, Shape{2, 1, 1})),
         {3, 196608, 65536, 0});
    same(run<float>(prim::MatMul{}, {2, 1}, std::pair(Floats{}, Shape{2, 0}), std::pair(Floats{}, Shape{0, 1})), {0, 0});
}

BOOST_AUTO_TEST_CASE(windows_over_images) {
    const std::pair image(Floats{1, 2, 3, 4, 5, 6, 7, 8, 9}, Shape{1, 3, 3, 1});
    const prim::Window valid{.height = 2, .width = 2}, same3{.height = 3, .width = 3, .top = 1, .left = 1};
    same(run<float>(prim::Conv2d{valid}, {1, 2, 2, 1}, image, std::pair(Floats{1, 0, 0, 10}, Shape{2, 2, 1, 1})),
         {51, 62, 84, 95});
    same(run<float>(prim::Conv2d{{.strideY = 2, .strideX = 2}}, {1, 2, 2, 2}, image,
                    std::pair(Floats{1, -1}, Shape{1, 1, 1, 2})),
         {1, -1, 3, -3, 7, -7, 9, -9});
    same(run<float>(prim::DepthwiseConv2d{{}}, {1, 1, 1, 4}, std::pair(Floats{2, 3}, Shape{1, 1, 1, 2}),
                    std::pair(Floats{1, 10, 100, 1000}, Shape{1, 1, 2, 2})),
         {2, 20, 300, 3000});
    same(run<float>(prim::Pool{same3, prim::Pooling::average}, {1, 3, 3, 1}, image), {3, 3.5F, 4, 4.5F, 5, 5.5F, 6, 6.5F, 7});
    same(run<float>(prim::Pool{valid, prim::Pooling::max}, {1, 1, 2, 1},
                    std::pair(Floats{NaN, 2, 1, NaN, -5, NaN}, Shape{1, 2, 3, 1})),
         {2, 2});
    // A window that lies in the padding alone.
    const prim::Window outside{.top = 1};
    same(run<float>(prim::Pool{outside, prim::Pooling::average}, {1, 1, 1, 1}, std::pair(Floats{1}, Shape{1, 1, 1, 1})), {NaN});
    same(run<float>(prim::Pool{outside, prim::Pooling::max}, {1, 1, 1, 1}, std::pair(Floats{1}, Shape{1, 1, 1, 1})),
         {-infinity});
    same(run<std::int32_t>(prim::Pool{outside, prim::Pooling::max}, {1, 1, 1, 1}, std::pair(Ints{1}, Shape{1, 1, 1, 1})),
         {leastInt});
}

BOOST_AUTO_TEST_CASE(elements_are_moved_as_bits) {
    const std::pair x(Ints{1, 2, 3, 4, 5, 6}, Shape{2, 3});
    same(run<std::int32_t>(prim::Strided{{3, 2}, {1, 3}, 0}, {3, 2}, x), {1, 4, 2, 5, 3, 6});
    same(run<std::int32_t>(prim::Strided{{2, 2}, {-3, 1}, 4}, {2, 2}, x), {5, 6, 2, 3});
    same(run<std::int32_t>(prim::Strided{{2, 3}, {0, 1}, 3}, {6}, x), {4, 5, 6, 4, 5, 6});
    same(run<std::int32_t>(prim::Pad{{1, 0}, 9}, {3, 4}, x), {9, 9, 9, 9, 1, 2, 3, 9, 4, 5, 6, 9});
    same(run<std::int32_t>(prim::Concat{1}, {2, 4}, x, std::pair(Ints{7, 8}, Shape{2, 1})), {1, 2, 3, 7, 4, 5, 6, 8});
    same(run<std::int32_t>(prim::Gather{.batch = 1, .outer = 2, .extent = 3, .inner = 1, .picks = 4}, {2, 4}, x,
                           std::pair(Ints{2, 0, -1, 3}, Shape{4})),
         {3, 1, 0, 0, 6, 4, 0, 0});
    same(run<std::int32_t>(prim::Gather{.batch = 2, .outer = 1, .extent = 3, .inner = 1, .picks = 1}, {2, 1}, x,
                           std::pair(Ints{2, 0}, Shape{2, 1})),
         {3, 4});
}

BOOST_AUTO_TEST_CASE(lines_are_scanned) {
    const std::pair x(Ints{1, 2, 3, 4, 5, 6}, Shape{2, 3});
    same(run<std::int32_t>(prim::Scan{.outer = 2, .extent = 3}, {2, 3}, x), {1, 3, 6, 4, 9, 15});
    same(run<std::int32_t>(prim::Scan{.product = true, .reverse = true, .extent = 2, .inner = 3}, {2, 3}, x),
         {4, 10, 18, 4, 5, 6});
    same(run<float>(prim::Scan{.exclusive = true, .extent = 3}, {3}, std::pair(Floats{1, infinity, NaN}, Shape{3})),
         {0, 1, infinity});
}

BOOST_AUTO_TEST_CASE(updates_are_scattered) {
    const std::pair rows(Ints{1, 0, 1, 9, -1}, Shape{5}), one(Ints{7}, Shape{});
    const std::pair updates(Floats{1, 2, 3, 4, 5}, Shape{5}), two(Floats{10, 20}, Shape{2});
    same(run<float>(prim::Scatter{.extent = 2, .count = 5}, {2}, rows, updates), {2, 4});
    same(run<float>(prim::Scatter{.extent = 2, .count = 5}, {2}, rows, updates, two), {12, 24});
    same(run<float>(prim::Scatter{.combine = prim::Combine::last, .extent = 2, .count = 5}, {2}, rows, updates, two), {2, 3});
    same(run<std::int32_t>(prim::Scatter{.extent = 2, .inner = 2, .count = 5}, {2, 2}, rows, one), {7, 7, 14, 14});
}

BOOST_AUTO_TEST_CASE(values_are_ordered_and_found) {
    const std::pair x(Floats{2, NaN, 3, 3, -infinity, 1}, Shape{2, 3});
    same(run<std::int32_t>(prim::Sort{.descending = true, .rows = 2, .extent = 3, .kept = 3}, {2, 3}, x), {2, 0, 1, 0, 2, 1});
    same(run<std::int32_t>(prim::Sort{.rows = 2, .extent = 3, .kept = 1}, {2, 1}, x), {0, 1});
    const std::pair sorted(Ints{1, 3, 3, 5}, Shape{1, 4}), values(Ints{3, 0, 9}, Shape{1, 3});
    same(run<std::int32_t>(prim::Search{.extent = 4, .count = 3}, {1, 3}, sorted, values), {1, 0, 4});
    same(run<std::int32_t>(prim::Search{.upper = true, .extent = 4, .count = 3}, {1, 3}, sorted, values), {3, 0, 4});
}

BOOST_AUTO_TEST_CASE(images_are_resized) {
    const std::pair x(Floats{0, 10, 20, 30}, Shape{1, 2, 2, 1});
    same(run<float>(prim::Resize{true, true, false}, {1, 3, 3, 1}, x), {0, 5, 10, 10, 15, 20, 20, 25, 30});
    same(run<float>(prim::Resize{true, false, true}, {1, 1, 1, 1}, x), {15});
    same(run<float>(prim::Resize{true, false, false}, {1, 2, 4, 1}, x), {0, 5, 10, 10, 20, 25, 30, 30});
    same(run<float>(prim::Resize{false, false, false}, {1, 1, 4, 1}, x), {0, 0, 10, 10});
    same(run<float>(prim::Resize{false, true, false}, {1, 1, 3, 1}, x), {0, 10, 10});
    // An infinite neighbour whose weight is 0 does not count.
    same(run<float>(prim::Resize{true, false, false}, {1, 1, 2, 1}, std::pair(Floats{1, infinity}, Shape{1, 1, 2, 1})),
         {1, infinity});
    same(run<float>(prim::Resize{true, false, false}, {1, 1, 1, 1}, std::pair(Ints{16777217}, Shape{1, 1, 1, 1})), {16777216});
}

BOOST_AUTO_TEST_CASE(random_numbers_are_those_of_the_shaders) {
    constexpr std::uint64_t seed = 0x123456789abcdef0U;
    const auto draw = [&]<class R>(prim::Distribution kind, R first, R second, std::uint64_t from, R) {
        const prim::Random what{kind, from, std::bit_cast<std::uint32_t>(first), std::bit_cast<std::uint32_t>(second)};
        std::vector<R> out(1001);
        host::run(what, {}, operand(out, {1001}));
        return out;
    };
    const Ints integers = draw(prim::Distribution::uniformInt, 0, 1000, 0, 0);
    same(Ints(integers.begin(), integers.begin() + 5), {399, 880, 735, 605, 972});
    const Ints whole = draw(prim::Distribution::uniformInt, leastInt, greatestInt, seed, 0);
    const Floats uniform = draw(prim::Distribution::uniform, -0.3F, 0.7F, seed, 0.0F);
    const Floats normal = draw(prim::Distribution::normal, 0.0F, 1.0F, seed, 0.0F);
    const Floats truncated = draw(prim::Distribution::truncatedNormal, 1.0F, 0.5F, seed, 0.0F);
    double worst = 0;
    for (std::uint32_t i = 0; i < 1001; ++i) {
        const std::uint32_t word = test::randomWord(seed, i);
        BOOST_TEST(whole[i] ==
                   static_cast<std::int32_t>(leastInt + static_cast<std::int64_t>(std::uint64_t{word} * 0xffffffffU >> 32U)));
        const float scaled = static_cast<float>(word >> 8U) * 0x1p-24F * (0.7F - -0.3F);
        BOOST_TEST(uniform[i] == -0.3F + scaled);
        // The distribution function of what came out is the number that went in.
        const double u = (static_cast<double>(word >> 9U) + 0.5) * 0x1p-23;
        worst = std::max(worst, std::abs(0.5 * std::erfc(-static_cast<double>(normal[i]) * std::sqrt(0.5)) - u));
        BOOST_TEST((truncated[i] >= 0 && truncated[i] <= 2));
    }
    BOOST_TEST(worst < 3e-7);
}
