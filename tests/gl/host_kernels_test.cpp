#define BOOST_TEST_MODULE host_kernels
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <stile/stile.hpp>

// Where the renderer is the CPU some operations have kernels of their own beside the shaders: both give the same.

using namespace stile;

namespace {

std::optional<Device> usual, shaders;

struct Devices {
    void setup() {
        usual.emplace(Device::open({.sync = SyncPolicy::allow}));
        shaders.emplace(Device::open({.sync = SyncPolicy::allow, .hostKernels = false}));
    }
    void teardown() {
        usual.reset();
        shaders.reset();
    }
};

/// Small whole numbers in no order, so that sums are exact in any order.
std::vector<float> numbers(const Shape& shape, std::uint32_t seed) {
    std::vector<float> out(static_cast<std::size_t>(shape.size()));
    std::uint32_t state = seed;
    for (float& value : out) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<float>(static_cast<int>(state >> 16U) % 7 - 3);
    }
    return out;
}

using Operation = std::function<Tensor(const Tensor&, const Tensor&)>;

void expectSame(const std::string& what, const Operation& operation, const Shape& a, const std::vector<float>& first,
                const Shape& b, const std::vector<float>& second) {
    const auto on = [&](const Device& device) {
        return operation(tensor(first, a).on(device), tensor(second, b).on(device)).dataSync();
    };
    const std::vector<float> expected = on(*shaders), got = on(*usual);
    BOOST_TEST_REQUIRE(got.size() == expected.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i]))) continue;
        if (wrong++ == 0) BOOST_ERROR(what << ": element " << i << " is " << got[i] << ", not " << expected[i]);
    }
    BOOST_TEST(wrong == 0U, what);
}

void expectSame(const std::string& what, const Operation& operation, const Shape& a, const Shape& b) {
    expectSame(what, operation, a, numbers(a, 1), b, numbers(b, 2));
}

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Devices);

BOOST_AUTO_TEST_CASE(products) {
    const auto product = [](bool transposeA, bool transposeB) {
        return [=](const Tensor& a, const Tensor& b) { return matMul(a, b, transposeA, transposeB); };
    };
    expectSame("plain", product(false, false), {37, 53}, {53, 19});
    expectSame("a transposed", product(true, false), {53, 37}, {53, 19});
    expectSame("b transposed", product(false, true), {37, 53}, {19, 53});
    expectSame("both transposed", product(true, true), {53, 37}, {19, 53});
    expectSame("one row", product(false, false), {1, 300}, {300, 5});
    expectSame("one column", product(false, false), {5, 300}, {300, 1});
    expectSame("one term", product(false, false), {6, 1}, {1, 9});
    expectSame("batches", product(false, true), {3, 4, 5, 6}, {3, 4, 7, 6});
    expectSame("batches by one matrix", product(false, false), {3, 4, 5, 6}, {6, 7});
    expectSame("batches, transposed, by one matrix", product(true, false), {3, 6, 5}, {6, 7});
    expectSame("one matrix by batches", product(false, false), {5, 6}, {3, 6, 7});
    expectSame("both stretched", product(false, false), {3, 1, 2, 5, 6}, {4, 1, 6, 7});
    expectSame("no terms", product(false, false), {5, 0}, {0, 3});
    expectSame("in bands", product(false, false), {1100, 1000}, {1000, 1003});
    expectSame("in bands, transposed", product(true, false), {1000, 1100}, {1000, 1003});
}

BOOST_AUTO_TEST_CASE(long_sums_lose_nothing) {
    constexpr std::int64_t k = 1'000'000;
    std::vector<float> a(k), b(k);
    double expected = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<float>(i * 7919 % 1000) / 1000;
        b[i] = static_cast<float>(i * 104729 % 997) / 997;
        expected += static_cast<double>(a[i]) * b[i];
    }
    const auto relative = [&](const Tensor& y) { return std::abs(y.dataSync().front() / expected - 1); };
    BOOST_TEST(relative(matMul(tensor(a, {1, k}).on(*usual), tensor(b, {k, 1}).on(*usual))) < 5e-6);
    const Tensor image = tensor(a, {1, 1000, 1000, 1}).on(*usual), filter = tensor(b, {1000, 1000, 1, 1}).on(*usual);
    BOOST_TEST(relative(conv2d(image, filter)) < 5e-6);
}

BOOST_AUTO_TEST_CASE(products_of_what_is_no_number) {
    const auto product = [](const Tensor& a, const Tensor& b) { return matMul(a, b); };
    constexpr float infinity = INFINITY;
    expectSame("NaN and infinity", product, {2, 3}, {NAN, 1, 2, infinity, 0, 1}, {3, 2}, {1, 2, 0, infinity, -infinity, 1});
}

BOOST_AUTO_TEST_CASE(convolutions) {
    const auto convolve = [](const ConvOptions& options) {
        return [=](const Tensor& x, const Tensor& filter) { return conv2d(x, filter, options); };
    };
    expectSame("valid", convolve({}), {2, 9, 11, 5}, {3, 3, 5, 7});
    expectSame("same", convolve({.padding = Padding::same()}), {2, 9, 11, 16}, {3, 3, 16, 24});
    expectSame("strides", convolve({.strides = {2, 3}, .padding = Padding::same()}), {1, 17, 19, 8}, {5, 4, 8, 8});
    expectSame("a stride that leaves some over", convolve({.strides = Pair(3)}), {1, 12, 13, 8}, {2, 2, 8, 8});
    expectSame("a stride that passes over taps", convolve({.strides = Pair(4)}), {1, 13, 13, 3}, {1, 1, 3, 4});
    expectSame("dilations", convolve({.padding = Padding::same(), .dilations = {2, 3}}), {1, 17, 19, 8}, {3, 3, 8, 8});
    expectSame("amounts", convolve({.padding = Padding::amounts(3, 1, 0, 2)}), {1, 6, 6, 4}, {3, 3, 4, 4});
    expectSame("more padding than window", convolve({.padding = Padding::amounts(5, 6, 7, 8)}), {1, 4, 4, 4}, {3, 3, 4, 4});
    expectSame("one channel", convolve({}), {1, 12, 12, 1}, {3, 3, 1, 1});
    expectSame("no channels", convolve({}), {1, 5, 5, 0}, {3, 3, 0, 2});
    expectSame("a line", convolve({.padding = Padding::same()}), {1, 1, 40, 8}, {1, 7, 8, 8});
    expectSame("many images", convolve({.padding = Padding::same()}), {65, 6, 6, 8}, {3, 3, 8, 8});
    expectSame("in groups of images", convolve({.padding = Padding::same()}), {7, 64, 64, 64}, {3, 3, 64, 128});
    expectSame("in bands of rows", convolve({.strides = Pair(2), .padding = Padding::same()}), {2, 301, 300, 64},
               {5, 5, 64, 64});
}

BOOST_AUTO_TEST_CASE(what_is_no_number_in_a_filter_does_not_meet_the_padding) {
    const auto convolve = [](const Tensor& x, const Tensor& filter) { return conv2d(x, filter, {.padding = Padding::same()}); };
    std::vector<float> filter = numbers({3, 3, 8, 8}, 3);
    filter[0] = INFINITY;
    filter[8 * 8 * 9 - 1] = NAN;
    expectSame("convolution", convolve, {1, 7, 9, 8}, std::vector<float>(7 * 9 * 8, 1), {3, 3, 8, 8}, filter);
}

BOOST_AUTO_TEST_CASE(transposed_convolutions) {
    const auto transposed = [](const Shape& shape, const ConvOptions& options) {
        return [=](const Tensor& x, const Tensor& filter) { return conv2dTranspose(x, filter, shape, options); };
    };
    expectSame("valid", transposed({2, 11, 13, 8}, {}), {2, 9, 11, 16}, {3, 3, 8, 16});
    expectSame("strides", transposed({1, 18, 21, 8}, {.strides = {2, 3}, .padding = Padding::same()}), {1, 9, 7, 16},
               {3, 5, 8, 16});
    expectSame("some left over", transposed({1, 12, 13, 8}, {.strides = Pair(3)}), {1, 4, 4, 16}, {2, 2, 8, 16});
    expectSame("dilations", transposed({1, 13, 15, 8}, {.dilations = Pair(2)}), {1, 9, 11, 16}, {3, 3, 8, 16});
}

BOOST_AUTO_TEST_CASE(orders) {
    const auto first = [](std::int64_t count, bool ascending, DType dtype) {
        return [=](const Tensor& x, const Tensor&) {
            const Tensor values = cast(x, dtype);
            // The largest in their order; of the negative ones, the smallest.
            return cast(topk(ascending ? neg(values) : values, count).indices, DType::float32);
        };
    };
    for (const DType dtype : {DType::float32, DType::int32}) {
        for (const bool ascending : {false, true}) {
            for (const std::int64_t count : {1, 7, 100, 3000, 5000}) {
                const std::string what = std::to_string(count) + " of 5000 " + (dtype == DType::int32 ? "int32" : "float32");
                expectSame(what, first(count, ascending, dtype), {3, 5000}, {1});
            }
            expectSame("few", first(5, ascending, dtype), {40, 5}, {1});
        }
    }
    // Wider numbers than those of seven values, and what is no number.
    std::vector<float> wide = numbers({2, 6000}, 5);
    for (std::size_t i = 0; i < wide.size(); ++i) wide[i] *= std::ldexp(1.0F, static_cast<int>(i * 7919 % 61) - 30);
    for (const std::size_t i : {17U, 18U, 700U, 6100U, 11999U}) wide[i] = NAN;
    wide[3] = wide[5000] = wide[6003] = INFINITY;
    wide[4] = wide[5001] = wide[6004] = -INFINITY;
    wide[9] = wide[10] = -0.0F;
    for (const std::int64_t count : {50, 6000}) {
        expectSame("floats of all sizes", first(count, false, DType::float32), {2, 6000}, wide, {1}, {0});
        expectSame("floats of all sizes, backwards", first(count, true, DType::float32), {2, 6000}, wide, {1}, {0});
    }
}

BOOST_AUTO_TEST_CASE(depthwise_convolutions) {
    const auto depthwise = [](const ConvOptions& options) {
        return [=](const Tensor& x, const Tensor& filter) { return depthwiseConv2d(x, filter, options); };
    };
    expectSame("same", depthwise({.padding = Padding::same()}), {2, 9, 11, 32}, {3, 3, 32, 1});
    expectSame("few channels", depthwise({.padding = Padding::same()}), {2, 9, 11, 3}, {3, 3, 3, 1});
    expectSame("strides", depthwise({.strides = {2, 3}, .padding = Padding::same()}), {1, 17, 19, 16}, {5, 4, 16, 1});
    expectSame("several of each", depthwise({.padding = Padding::same()}), {2, 9, 11, 8}, {3, 3, 8, 3});
    expectSame("dilations", depthwise({.dilations = {2, 3}}), {1, 17, 19, 8}, {3, 3, 8, 1});
}
