#define BOOST_TEST_MODULE device
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <stile/stile.hpp>

#include "run.hpp"

using stile::Device;
using stile::Tensor;
using test::run;
using Floats = std::vector<float>;

namespace {

Tensor roots() { return stile::sqrt(stile::tensor({{1, 4}, {9, 16}})); }
const Floats expected{1, 2, 3, 4};

/// The message of the error with this code that a function throws.
template <class Function>
std::string messageOf(stile::errc code, Function function) {
    try {
        function();
    } catch (const stile::Error& e) {
        BOOST_TEST((e.code() == code), e.what());
        return e.what();
    }
    BOOST_ERROR("no error");
    return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_a_device_work_fails_with_no_device) {
    const Tensor y = roots();
    messageOf(stile::errc::no_device, [&] { (void)run(y.data()); });
    messageOf(stile::errc::no_device, [&] { (void)y.dataSync(); });
    BOOST_TEST(run(stile::tensor(Floats{1}).data()) == Floats{1});
    // What was recorded without a device runs once there is one.
    const Device device = Device::open();
    BOOST_TEST(run(y.data()) == expected);
}

BOOST_AUTO_TEST_CASE(a_record_without_a_device_can_be_bound_to_one) {
    const Tensor y = roots();
    const Device first = Device::open({.label = "first"});
    const Device second = Device::open({.label = "second"});
    BOOST_TEST(run(y.on(second).data()) == expected);
    BOOST_TEST(second.stats().dispatches == 1);
    BOOST_TEST(first.stats().dispatches == 0);
}

BOOST_AUTO_TEST_CASE(the_first_open_device_is_the_default_until_it_closes) {
    std::optional<Device> first(Device::open({.label = "first"}));
    const Device second = Device::open({.label = "second"});
    BOOST_TEST(run(roots().data()) == expected);
    BOOST_TEST(first->stats().submissions == 1);
    BOOST_TEST(second.stats().submissions == 0);
    first.reset();
    BOOST_TEST(run(roots().data()) == expected);
    BOOST_TEST(second.stats().submissions == 1);
}

BOOST_AUTO_TEST_CASE(each_device_works_on_what_is_bound_to_it) {
    const Device first = Device::open({.label = "first"});
    const Device second = Device::open({.label = "second"});
    const Tensor x = stile::tensor({{1, 4}, {9, 16}});
    const Tensor a = stile::sqrt(x.on(first)), b = stile::sqrt(x.on(second)) + 1.0F;
    BOOST_TEST(run(a.data()) == expected);
    BOOST_TEST(run(b.data()) == (Floats{2, 3, 4, 5}));
    BOOST_TEST(first.stats().dispatches == 1);
    BOOST_TEST(second.stats().dispatches == 1);
}

BOOST_AUTO_TEST_CASE(operands_on_two_devices_throw_at_the_call) {
    const Device first = Device::open({.label = "first"});
    const Device second = Device::open({.label = "second"});
    const Tensor a = roots().on(first), b = stile::tensor(Floats{1}).on(second);
    const std::string message = messageOf(stile::errc::invalid_argument, [&] { (void)(a + b); });
    BOOST_TEST(message.find("first") != std::string::npos);
    BOOST_TEST(message.find("second") != std::string::npos);
    messageOf(stile::errc::invalid_argument, [&] { (void)stile::data(a, b + 1.0F); });
    messageOf(stile::errc::invalid_argument, [&] { (void)a.on(second); });
}

BOOST_AUTO_TEST_CASE(memory_that_cannot_be_had_is_an_error_with_the_sizes_and_the_request_can_be_repeated) {
    constexpr std::size_t mebibyte = 1 << 20;
    const Device device = Device::open({.memoryLimit = 8 * mebibyte});
    std::optional<Tensor> big(stile::ones({1, 1 << 20}) + 1.0F);  // 4 MiB
    run(stile::eval(*big));
    const Tensor y = stile::fill({2, 1 << 20}, 2) * 3.0F;  // 8 MiB
    const std::string message = messageOf(stile::errc::out_of_memory, [&] { (void)run(y.data()); });
    BOOST_TEST(message.find("mul") != std::string::npos, message);
    BOOST_TEST(message.find("[2, 1048576]") != std::string::npos, message);
    BOOST_TEST(message.find("8388608") != std::string::npos, message);
    BOOST_TEST(message.find("4194304") != std::string::npos, message);
    // The device still works, and after something is freed the very same tensor can be had.
    BOOST_TEST(run(roots().data()) == expected);
    big.reset();
    BOOST_TEST(run(y.data()) == Floats(2 << 20, 6.0F));
}

BOOST_AUTO_TEST_CASE(what_needs_a_tensor_above_the_storage_block_limit_at_once_is_too_large) {
    const Device device = Device::open({.minimumLimits = true});
    const Tensor y = stile::reverse(stile::ones({40'000'000}) + 1.0F);  // 160 MB; a block holds 2^27 bytes
    const std::string message = messageOf(stile::errc::too_large, [&] { (void)run(y.data()); });
    for (const char* part : {"reverse", "[40000000]", "160000000", "134217728"}) {
        BOOST_TEST(message.find(part) != std::string::npos, message);
    }
}

BOOST_AUTO_TEST_CASE(an_unknown_egl_device_is_no_context_and_the_attempts_are_listed) {
    const std::string message = messageOf(stile::errc::no_context, [] { (void)Device::open({.deviceIndex = 77}); });
    BOOST_TEST(message.find("77") != std::string::npos, message);
}

BOOST_AUTO_TEST_CASE(a_device_that_fails_to_open_leaves_no_default_and_no_thread) {
    messageOf(stile::errc::no_context, [] { (void)Device::open({.deviceIndex = 77}); });
    messageOf(stile::errc::no_device, [] { (void)run(roots().data()); });
}

BOOST_AUTO_TEST_CASE(a_moved_from_device_is_closed_and_says_so) {
    Device device = Device::open();
    const Device other = std::move(device);
    BOOST_TEST(!device.isOpen());
    messageOf(stile::errc::no_device, [&] { (void)device.idle(); });
    BOOST_TEST(run(roots().data()) == expected);
    BOOST_TEST(other.isOpen());
}

BOOST_AUTO_TEST_CASE(devices_are_opened_used_and_closed_on_several_threads_at_once) {
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 3; ++i) {
                const Device device = Device::open();
                const Tensor x = stile::tensor({{1, 4}, {9, 16}}).on(device);
                right += run(stile::sqrt(x).data()) == expected;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    BOOST_TEST(right == 9);
}
