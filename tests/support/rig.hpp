#pragma once

#include <boost/test/unit_test.hpp>

#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <stile/attach.hpp>
#include <stile/stile.hpp>

#include "error_of.hpp"
#include "own_context.hpp"

namespace test {

/// A loop and a device. With STILE_TEST_MODE=attached the device is the loop's own context; else it has a GL thread.
struct Rig {
    explicit Rig(stile::DeviceOptions options = {}) {
        options.debug = true;
        if (attached()) {
            context.emplace();
            device.emplace(stile::Device::attach(loop->get_executor(), OwnContext::load, options));
        } else {
            device.emplace(stile::Device::open(options));
        }
    }
    ~Rig() {
        if (device->isOpen()) BOOST_TEST(device->stats().debugErrors == 0);
    }
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;

    [[nodiscard]] static bool attached() {
        const char* mode = std::getenv("STILE_TEST_MODE");
        return mode && std::string_view(mode) == "attached";
    }

    /// Runs the loop until the condition holds; fails the test after a minute.
    template <class Condition>
    void until(Condition holds) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (!holds()) {
            BOOST_TEST_REQUIRE((std::chrono::steady_clock::now() < end), "the condition holds within a minute");
            loop->restart();
            loop->run_for(std::chrono::milliseconds(1));
        }
    }
    /// Runs a coroutine on the loop; gives its result or throws its exception.
    template <class T>
    T get(asio::awaitable<T> coroutine) {
        std::exception_ptr error;
        bool done = false;
        if constexpr (std::is_void_v<T>) {
            asio::co_spawn(*loop, std::move(coroutine), [&](std::exception_ptr e) { error = e, done = true; });
            until([&] { return done; });
            if (error) std::rethrow_exception(error);
        } else {
            std::optional<T> result;
            asio::co_spawn(*loop, std::move(coroutine), [&](std::exception_ptr e, T value) {
                error = e, done = true;
                result.emplace(std::move(value));
            });
            until([&] { return done; });
            if (error) std::rethrow_exception(error);
            return std::move(*result);
        }
    }

    std::optional<asio::io_context> loop{std::in_place, 1};
    std::optional<OwnContext> context;
    std::optional<stile::Device> device;
};

/// Work that takes a while: a chain of matrix products. About `length` times 5 ms on two cores.
inline stile::Tensor job(int length) {
    const stile::Tensor weights = stile::fill({512, 512}, 1.0 / 512);
    stile::Tensor x = stile::ones({512, 512}) + 0.0F;
    for (int i = 0; i < length; ++i) x = x.matMul(weights);
    return stile::max(x);
}

inline const std::error_code aborted = asio::error::make_error_code(asio::error::operation_aborted);

}  // namespace test
