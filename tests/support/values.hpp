#pragma once

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <stile/create.hpp>
#include <stile/device.hpp>
#include <stile/error.hpp>
#include <stile/ops.hpp>
#include <stile/random.hpp>
#include <stile/tensor.hpp>

/// What the tests of the operations share. They are about values, not about waiting: they use the blocking downloads and stay
/// clear of Asio, which keeps them quick to compile.
namespace test {

inline constexpr float NaN = std::numeric_limits<float>::quiet_NaN();
inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr std::int32_t leastInt = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int32_t greatestInt = std::numeric_limits<std::int32_t>::max();

/// One device for a test program, which allows blocking downloads; at the end the driver must have had no complaint.
struct ValueDevice {
    void setup();
    void teardown();
};
[[nodiscard]] stile::Device& valueDevice();

/// float32 of this shape, equal to the last bit (a NaN to any NaN, zeros by sign), or within a relative bound.
void expectFloats(const stile::Tensor& x, const stile::Shape& shape, const std::vector<double>& expected, double relative = 0);
void expectInts(const stile::Tensor& x, const stile::Shape& shape, const std::vector<std::int32_t>& expected);
/// bool of this shape; 0 and 1.
void expectBools(const stile::Tensor& x, const stile::Shape& shape, const std::vector<int>& expected);

/// The call throws an Error with this code whose text has all the parts: the operation's name, the shapes.
void expectError(stile::errc code, const std::vector<std::string>& parts, const std::function<void()>& call);

[[nodiscard]] stile::Tensor floats(std::vector<float> values);
[[nodiscard]] stile::Tensor ints(std::vector<std::int32_t> values);
[[nodiscard]] stile::Tensor bools(const std::vector<int>& values);
/// 0, 1, 2, … in this shape.
[[nodiscard]] stile::Tensor counting(const stile::Shape& shape, stile::DType dtype = stile::DType::float32);
/// The tensor as something that a kernel has computed, so that a leaf's shortcuts do not apply.
[[nodiscard]] stile::Tensor computed(const stile::Tensor& x);

}  // namespace test
