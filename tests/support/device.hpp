#pragma once

#include <boost/test/unit_test.hpp>

#include <optional>

#include <stile/stile.hpp>

namespace test {

/// One device for all tests of a program, on the driver that the environment chooses. At the end the driver must have had
/// nothing to complain about.
struct GlobalDevice {
    static inline std::optional<stile::Device> device;

    void setup() { device.emplace(stile::Device::open({.debug = true})); }
    void teardown() {
        BOOST_TEST(device->stats().debugErrors == 0);
        device.reset();
    }
};

inline stile::Device& device() { return *GlobalDevice::device; }

}  // namespace test
