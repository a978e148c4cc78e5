#include "values.hpp"

#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

#include <stile/testing.hpp>

namespace test {
namespace {

std::optional<stile::Device> device;

/// A negative bound: integers, which are equal or not.
bool same(double actual, double expected, double relative) {
    if (std::isnan(expected)) return std::isnan(actual);
    if (std::isinf(expected)) return actual == expected;
    if (relative < 0) return actual == expected;
    if (relative > 0) return std::abs(actual - expected) <= relative * std::abs(expected);
    const auto rounded = static_cast<double>(static_cast<float>(expected));
    return actual == rounded && std::signbit(actual) == std::signbit(rounded);
}

/// One check for the whole tensor: the first difference is what one wants to read.
template <class Actual, class Expected>
void compare(const stile::Shape& shape, const stile::Shape& wanted, const Actual& actual, const Expected& expected,
             double relative) {
    BOOST_CHECK_MESSAGE(shape == wanted, "shape " << toString(shape) << ", expected " << toString(wanted));
    BOOST_REQUIRE_EQUAL(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const auto a = static_cast<double>(actual[i]);
        const auto e = static_cast<double>(expected[i]);
        if (same(a, e, relative)) continue;
        BOOST_CHECK_MESSAGE(
            false, "[" << i << "] of " << toString(shape) << " is " << a << ", expected " << e << ", off by " << (a - e) / e);
        return;
    }
}

}  // namespace

void ValueDevice::setup() {
    stile::DeviceOptions options{.debug = true, .sync = stile::SyncPolicy::allow};
    // No driver at all: the library's own plain code computes.
    const char* driver = std::getenv("STILE_TEST_DRIVER");
    if (driver && std::string_view(driver) == "fake") options.context = std::make_shared<stile::testing::ScriptedContext>();
    device.emplace(stile::Device::open(options));
}
void ValueDevice::teardown() {
    BOOST_TEST(device->stats().debugErrors == 0);
    device.reset();
}
stile::Device& valueDevice() { return *device; }

void expectFloats(const stile::Tensor& x, const stile::Shape& shape, const std::vector<double>& expected, double relative) {
    compare(x.shape(), shape, x.dataSync<float>(), expected, relative);
}
void expectInts(const stile::Tensor& x, const stile::Shape& shape, const std::vector<std::int32_t>& expected) {
    compare(x.shape(), shape, x.dataSync<std::int32_t>(), expected, -1);
}
void expectBools(const stile::Tensor& x, const stile::Shape& shape, const std::vector<int>& expected) {
    compare(x.shape(), shape, x.dataSync<bool>(), expected, -1);
}

void expectError(stile::errc code, const std::vector<std::string>& parts, const std::function<void()>& call) {
    try {
        call();
    } catch (const stile::Error& e) {
        const std::string what = e.what();
        BOOST_CHECK_MESSAGE(e.code() == code, "code of: " << what);
        for (const std::string& part : parts) {
            BOOST_CHECK_MESSAGE(what.find(part) != std::string::npos, "\"" << part << "\" is missing in: " << what);
        }
        return;
    }
    BOOST_CHECK_MESSAGE(false, "no error; expected one about " << parts.front());
}

stile::Tensor floats(std::vector<float> values) { return stile::tensor(std::move(values)); }
stile::Tensor ints(std::vector<std::int32_t> values) { return stile::tensor(std::move(values)); }
stile::Tensor bools(const std::vector<int>& values) { return stile::tensor(std::vector<bool>(values.begin(), values.end())); }

stile::Tensor counting(const stile::Shape& shape, stile::DType dtype) {
    const auto flat =
        stile::range(0, static_cast<double>(shape.size()), 1, dtype == stile::DType::boolean ? stile::DType::int32 : dtype);
    return stile::cast(stile::reshape(flat, shape), dtype);
}

stile::Tensor computed(const stile::Tensor& x) { return stile::reverse(stile::reverse(x)); }

}  // namespace test
