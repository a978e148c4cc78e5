#define BOOST_TEST_MODULE warm_up
#include <boost/test/unit_test.hpp>

#include <asio/bind_cancellation_slot.hpp>
#include <asio/bind_executor.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/detached.hpp>

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <stile/stile.hpp>
#include <stile/testing.hpp>

#include "error_of.hpp"
#include "every_operation.hpp"
#include "rig.hpp"

using stile::Tensor;
using test::Rig;

namespace {

stile::DeviceOptions fromScratch() { return {.maxRecorded = 1U << 20, .maxPrograms = 1U << 20, .diskCache = false}; }

asio::awaitable<void> warm(const stile::Device& device, std::vector<Tensor> tensors) {
    co_await device.warmUp(std::move(tensors));
}
asio::awaitable<void> evaluate(std::vector<Tensor> tensors) { co_await stile::eval(std::move(tensors)); }
asio::awaitable<std::vector<float>> download(Tensor x) { co_return co_await x.data(); }

/// Of each kind of kernel one: with one pass and several, with scratch memory, with indices.
std::vector<Tensor> various() {
    const Tensor x = stile::range(0, 4096).reshape({64, 64}), rows = stile::tensor({{1.0F}, {5.0F}}, stile::DType::int32);
    return {
        stile::exp(x) * 2.0F,
        stile::matMul(x, x),
        stile::sum(x.flatten()),
        stile::argMax(x, 1),
        stile::cumsum(x),
        stile::topk(x, 3).values,
        stile::gather(x, rows.flatten(), 1),
        stile::scatterND(rows, stile::ones({2, 64}), {64, 64}),
        stile::conv2d(x.reshape({1, 64, 64, 1}), stile::ones({3, 3, 1, 2})),
        stile::real(stile::fft(stile::complex(x, x))),
    };
}

Tensor product() { return stile::matMul(stile::ones({4, 4}) + 1.0F, stile::ones({4, 4})); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_use_after_a_warm_up_compiles_nothing) {
    Rig rig(fromScratch());
    const std::vector<Tensor> all = various();
    rig.get(warm(*rig.device, all));
    const std::int64_t warmed = rig.device->stats().compiled;
    BOOST_TEST(warmed > 10);
    rig.get(evaluate(all));
    BOOST_TEST(rig.device->stats().compiled == warmed);
    BOOST_TEST(rig.get(download(all[2])).at(0) == 4096.0F * 4095 / 2);
}

BOOST_AUTO_TEST_CASE(no_operation_compiles_anything_after_a_warm_up) {
    // Without a driver, which would take minutes for all of them.
    asio::io_context loop;
    stile::testing::FakeDevice fake(loop, {}, fromScratch());
    std::vector<Tensor> all;
    test::everyOperation([&all](const Tensor& x) {
        if (x.dtype() != stile::DType::string) all.push_back(x);
    });
    int done = 0;
    const auto count = [&] {
        return asio::bind_executor(loop.get_executor(), [&done](std::exception_ptr error) { done += error ? 0 : 1; });
    };
    fake.device().warmUp(all, count());
    fake.run();
    const std::int64_t warmed = fake.device().stats().compiled;
    BOOST_TEST(warmed > 200);
    stile::eval(all, count());
    fake.run();
    BOOST_TEST(done == 2);
    BOOST_TEST(fake.device().stats().compiled == warmed);
}

BOOST_AUTO_TEST_CASE(a_warm_up_computes_nothing_and_keeps_no_memory) {
    Rig rig(fromScratch());
    const Tensor y = product();
    rig.get(warm(*rig.device, {y}));
    BOOST_TEST(rig.device->stats().kernels == 0);
    BOOST_TEST(rig.device->memory().tensors == 0);
    BOOST_TEST(rig.device->memory().live == 0U);
    BOOST_TEST((rig.get(download(y)) == std::vector<float>(16, 8.0F)));
}

BOOST_AUTO_TEST_CASE(one_batch_size_warms_up_all) {
    Rig rig(fromScratch());
    const Tensor weights = stile::ones({8, 4});
    rig.get(warm(*rig.device, {stile::relu(stile::matMul(stile::ones({2, 8}) + 1.0F, weights))}));
    const std::int64_t warmed = rig.device->stats().compiled;
    for (const std::int64_t batch : {1, 3, 50}) {
        const Tensor y = stile::relu(stile::matMul(stile::ones({batch, 8}) + 1.0F, weights));
        BOOST_TEST((rig.get(download(y)) == std::vector<float>(static_cast<std::size_t>(batch) * 4, 16.0F)));
    }
    BOOST_TEST(rig.device->stats().compiled == warmed);
}

BOOST_AUTO_TEST_CASE(a_second_warm_up_has_nothing_to_do) {
    Rig rig(fromScratch());
    rig.get(warm(*rig.device, {product()}));
    const stile::DeviceStats first = rig.device->stats();
    rig.get(warm(*rig.device, {product(), product()}));
    BOOST_TEST(rig.device->stats().compiled == first.compiled);
    BOOST_TEST(rig.device->stats().dispatches == first.dispatches);
}

BOOST_AUTO_TEST_CASE(what_is_computed_already_and_what_is_on_the_host_needs_no_programs) {
    Rig rig(fromScratch());
    const Tensor y = product();
    rig.get(evaluate({y}));
    const stile::DeviceStats before = rig.device->stats();
    rig.get(warm(*rig.device, {y, stile::ones({3}), stile::zeros({0, 3})}));
    BOOST_TEST(rig.device->stats().compiled == before.compiled);
    BOOST_TEST(rig.device->stats().dispatches == before.dispatches);
}

BOOST_AUTO_TEST_CASE(a_download_does_not_wait_for_a_warm_up_asked_for_before) {
    Rig rig(fromScratch());
    const Tensor x = stile::ones({4}) + 1.0F;
    rig.get(evaluate({x}));
    std::vector<std::string> order;
    rig.device->warmUp(various(), asio::bind_executor(rig.loop->get_executor(), [&](std::exception_ptr error) {
                           order.push_back(error ? "failed" : "warm");
                       }));
    x.data(asio::bind_executor(rig.loop->get_executor(), [&](std::exception_ptr, const std::vector<float>& values) {
        order.push_back(values == std::vector<float>(4, 2.0F) ? "data" : "wrong");
    }));
    rig.until([&] { return order.size() == 2; });
    BOOST_TEST(order == (std::vector<std::string>{"data", "warm"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_cancelled_warm_up_leaves_out_what_it_has_not_begun) {
    Rig rig(fromScratch());
    const std::vector<Tensor> all = various();
    asio::cancellation_signal signal;
    std::exception_ptr error;
    bool done = false;
    rig.device->warmUp(all, asio::bind_cancellation_slot(
                                signal.slot(), asio::bind_executor(rig.loop->get_executor(), [&](std::exception_ptr e) {
                                    error = std::move(e);
                                    done = true;
                                })));
    const std::int64_t before = rig.device->stats().compiled;
    rig.until([&] { return rig.device->stats().compiled > before; });
    signal.emit(asio::cancellation_type::total);
    rig.until([&] { return done; });
    BOOST_TEST(test::codeOf(error) == test::aborted);
    // Whoever comes next does not wait for the rest, either.
    BOOST_TEST((rig.get(download(stile::ones({2}) + 1.0F)) == std::vector<float>{2, 2}));
    BOOST_TEST(rig.device->stats().compiled < before + 10);
}

BOOST_AUTO_TEST_CASE(closing_the_device_ends_a_warm_up) {
    Rig rig(fromScratch());
    std::exception_ptr error;
    rig.device->warmUp(various(),
                       asio::bind_executor(rig.loop->get_executor(), [&](std::exception_ptr e) { error = std::move(e); }));
    rig.device->close();
    rig.until([&] { return error != nullptr; });
    BOOST_TEST(test::codeOf(error) == make_error_code(stile::errc::device_closed));
}

BOOST_AUTO_TEST_CASE(tensors_of_another_device_are_refused) {
    Rig rig(fromScratch());
    const stile::Device other = stile::Device::open();
    const Tensor x = (stile::ones({2}).on(other) + 1.0F);
    BOOST_TEST(test::thrown([&] { rig.device->warmUp(x, asio::detached); }) == make_error_code(stile::errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_shader_that_does_not_compile_fails_the_warm_up_alone) {
    asio::io_context loop;
    stile::testing::FakeDevice fake(loop, {}, {.diskCache = false});
    fake.context().set({.failingShaders = {1}});
    std::exception_ptr first;
    bool second = false;
    fake.device().warmUp(product(),
                         asio::bind_executor(loop.get_executor(), [&](std::exception_ptr e) { first = std::move(e); }));
    fake.run();
    BOOST_TEST(test::codeOf(first) == make_error_code(stile::errc::shader_failed));
    fake.device().warmUp(product(), asio::bind_executor(loop.get_executor(), [&](std::exception_ptr e) { second = !e; }));
    fake.run();
    BOOST_TEST(second);
}

BOOST_AUTO_TEST_CASE(a_lost_context_ends_a_warm_up) {
    asio::io_context loop;
    stile::testing::FakeDevice fake(loop, {}, {.diskCache = false});
    std::exception_ptr error;
    fake.device().warmUp(product(),
                         asio::bind_executor(loop.get_executor(), [&](std::exception_ptr e) { error = std::move(e); }));
    fake.context().lose();
    fake.run();
    BOOST_TEST(test::codeOf(error) == make_error_code(stile::errc::device_lost));
}
