#define BOOST_TEST_MODULE testing
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <stile/stile.hpp>
#include <stile/testing.hpp>

#include "error_of.hpp"

// The fake device as its users use it: no driver, no GL thread, no waiting.

using namespace std::chrono_literals;
using stile::Tensor;
using stile::testing::FakeDevice;
using stile::testing::FenceEnd;
using stile::testing::FenceScript;
using stile::testing::ScriptedContext;
using test::codeOf;
using test::wordsOf;
using Floats = std::vector<float>;

namespace {

Tensor roots() { return stile::sqrt(stile::tensor({{1, 4}, {9, 16}})); }

struct Seen {
    int calls = 0;
    std::exception_ptr error;
    Floats values;

    auto on(asio::io_context& loop) {
        return asio::bind_executor(loop.get_executor(), [this](std::exception_ptr e, Floats v) {
            ++calls;
            error = e;
            values = std::move(v);
        });
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_fake_device_computes_the_right_values) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Seen product, sum, image;
    const Tensor x = stile::tensor({{1, 2}, {3, 4}});
    stile::matMul(x, x).data(product.on(loop));
    stile::sum(x * 2.0F + 1.0F).data(sum.on(loop));
    stile::transpose(x).data(image.on(loop));
    fake.run();
    BOOST_TEST(product.values == (Floats{7, 10, 15, 22}), boost::test_tools::per_element());
    BOOST_TEST(sum.values == (Floats{24}), boost::test_tools::per_element());
    BOOST_TEST(image.values == (Floats{1, 3, 2, 4}), boost::test_tools::per_element());
    BOOST_TEST(fake.device().stats().fences == 1);
}

BOOST_AUTO_TEST_CASE(fence_three_signals_after_five_polls_and_then_the_context_is_lost) {
    asio::io_context loop;
    FakeDevice fake(loop, {.fences = {{3, {.polls = 5, .end = FenceEnd::lost}}}});
    std::vector<Seen> seen(4);
    for (Seen& s : seen) {
        roots().data(s.on(loop));
        fake.run();
    }
    BOOST_TEST(seen[0].values == (Floats{1, 2, 3, 4}), boost::test_tools::per_element());
    BOOST_TEST(seen[1].values == (Floats{1, 2, 3, 4}), boost::test_tools::per_element());
    BOOST_TEST(codeOf(seen[2].error) == stile::errc::device_lost);
    BOOST_TEST(codeOf(seen[3].error) == stile::errc::device_lost);
    BOOST_TEST(wordsOf(seen[2].error).find("sqrt [2, 2]") != std::string::npos, wordsOf(seen[2].error));
    BOOST_TEST(seen[3].calls == 1);
    // Five looks took their time: 50 µs at least each.
    BOOST_CHECK(fake.now() >= 250us);
}

BOOST_AUTO_TEST_CASE(allocation_seven_fails_and_the_next_try_works) {
    asio::io_context loop;
    // The first six are for inputs, results and staging memory of three downloads; nothing is reused while tensors live.
    FakeDevice fake(loop, {.failingAllocations = {7}});
    std::vector<Tensor> tensors;
    Seen last;
    int downloads = 0;
    for (; downloads < 20 && !last.error; ++downloads) {
        tensors.push_back(stile::sqrt(stile::tensor(Floats(static_cast<std::size_t>(downloads + 1) * 1000, 4))));
        tensors.back().data(last.on(loop));
        fake.run();
    }
    BOOST_TEST(codeOf(last.error) == stile::errc::out_of_memory);
    BOOST_TEST(downloads < 7);
    last.error = nullptr;
    tensors.back().data(last.on(loop));
    fake.run();
    BOOST_TEST(!last.error);
    BOOST_TEST(last.values == Floats(static_cast<std::size_t>(downloads) * 1000, 2), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_shader_fails_once_with_the_drivers_words) {
    asio::io_context loop;
    FakeDevice fake(loop, {.failingShaders = {1}});
    Seen first, second;
    const Tensor y = roots();
    y.data(first.on(loop));
    fake.run();
    BOOST_TEST(codeOf(first.error) == stile::errc::shader_failed);
    BOOST_TEST(wordsOf(first.error).find("because the script says so") != std::string::npos, wordsOf(first.error));
    y.data(second.on(loop));
    fake.run();
    BOOST_TEST(second.values == (Floats{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(deadlines_pass_in_no_time) {
    asio::io_context loop;
    FakeDevice fake(loop, {.otherFences = {.polls = FenceScript::never}}, {.deadline = 1h});
    Seen call, device;
    roots().data(stile::DownloadOptions{.deadline = 10min}, call.on(loop));
    roots().data(device.on(loop));
    fake.advance(9min);
    BOOST_TEST(call.calls == 0);
    fake.advance(2min);
    BOOST_TEST(codeOf(call.error) == stile::errc::timed_out);
    BOOST_TEST(wordsOf(call.error).find("sqrt [2, 2]") != std::string::npos, wordsOf(call.error));
    BOOST_TEST(device.calls == 0);
    fake.advance(1h);
    BOOST_TEST(codeOf(device.error) == stile::errc::timed_out);
    BOOST_TEST(call.calls == 1);
}

BOOST_AUTO_TEST_CASE(held_fences_keep_downloads_pending) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Seen seen;
    fake.context().hold();
    roots().data(seen.on(loop));
    fake.advance(1s);
    BOOST_TEST(seen.calls == 0);
    BOOST_TEST(fake.device().stats().fencesInFlight == 1);
    fake.context().release();
    fake.advance(10ms);
    BOOST_TEST(seen.values == (Floats{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_failing_call_is_an_error_of_what_asked_for_it) {
    asio::io_context loop;
    FakeDevice fake(loop, {.failingCalls = {{"glDispatchCompute", {1}}}});
    Seen first, second;
    roots().data(first.on(loop));
    fake.run();
    BOOST_TEST(codeOf(first.error) == stile::errc::out_of_memory);
    roots().data(second.on(loop));
    fake.run();
    BOOST_TEST(second.values == (Floats{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_closed_device_leaves_no_gl_objects) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Seen seen;
    const Tensor y = roots();
    y.data(seen.on(loop));
    fake.run();
    BOOST_TEST(fake.context().objects().total() > 0);
    BOOST_TEST(fake.context().calls("glDispatchCompute") == 1);
    fake.device().close();
    BOOST_TEST(fake.context().objects().total() == 0);
}

BOOST_AUTO_TEST_CASE(a_fake_context_serves_a_device_with_a_thread) {
    const auto context = std::make_shared<ScriptedContext>();
    {
        stile::Device device = stile::Device::open({.context = context, .diskCache = false});
        asio::io_context loop;
        Seen seen;
        roots().data(seen.on(loop));
        loop.run();
        BOOST_TEST(seen.values == (Floats{1, 2, 3, 4}), boost::test_tools::per_element());
    }
    BOOST_TEST(context->objects().total() == 0);
}

BOOST_AUTO_TEST_CASE(waiting_for_everything_has_a_deadline_too) {
    asio::io_context loop;
    FakeDevice fake(loop);
    Seen seen;
    fake.context().hold();
    roots().data(seen.on(loop));
    std::exception_ptr late;
    fake.device().idle(stile::DownloadOptions{.deadline = 5s},
                       asio::bind_executor(loop.get_executor(), [&](std::exception_ptr error) { late = error; }));
    fake.advance(6s);
    BOOST_TEST(codeOf(late) == stile::errc::timed_out);
    BOOST_TEST(wordsOf(late).find("5000 ms") != std::string::npos, wordsOf(late));
    BOOST_TEST(seen.calls == 0);
    fake.context().release();
    fake.advance(10ms);
    BOOST_TEST(seen.calls == 1);
}

BOOST_AUTO_TEST_CASE(a_negative_deadline_throws_at_the_call) {
    BOOST_CHECK_THROW(roots().data(stile::DownloadOptions{.deadline = -1ns}, asio::detached), stile::Error);
}

BOOST_AUTO_TEST_CASE(what_is_asked_of_a_device_whose_loop_is_gone_ends) {
    const auto context = std::make_shared<ScriptedContext>();
    context->makeCurrent();
    std::optional<asio::io_context> loop(std::in_place);
    stile::Device device = stile::Device::attach(loop->get_executor(), context->loader(), {.diskCache = false});
    const Tensor y = roots();
    loop.reset();
    auto future = y.data(asio::use_future);
    BOOST_TEST_REQUIRE((future.wait_for(10s) == std::future_status::ready));
    try {
        future.get();
        BOOST_ERROR("no error");
    } catch (const stile::Error& error) {
        BOOST_TEST(error.code() == stile::errc::device_closed);
        BOOST_TEST(std::string(error.what()).find("whose loop is gone, waiting for sqrt [2, 2]") != std::string::npos,
                   error.what());
    }
}

BOOST_AUTO_TEST_CASE(a_list_of_tensors_comes_behind_one_fence) {
    asio::io_context loop;
    FakeDevice fake(loop);
    std::vector<Floats> values;
    std::vector<Tensor> tensors{roots(), stile::sum(roots()), stile::zeros({0})};
    stile::data(tensors,
                asio::bind_executor(loop.get_executor(), [&](const std::exception_ptr& error, std::vector<Floats> got) {
                    BOOST_TEST(!error);
                    values = std::move(got);
                }));
    fake.run();
    BOOST_TEST_REQUIRE(values.size() == 3U);
    BOOST_TEST(values[0] == (Floats{1, 2, 3, 4}), boost::test_tools::per_element());
    BOOST_TEST(values[1] == (Floats{10}), boost::test_tools::per_element());
    BOOST_TEST(values[2].empty());
    BOOST_TEST(fake.device().stats().fences == 1);
    std::vector<Tensor> none;
    bool called = false;
    stile::data(none,
                asio::bind_executor(loop.get_executor(), [&](const std::exception_ptr& error, const std::vector<Floats>& got) {
                    called = !error && got.empty();
                }));
    fake.run();
    BOOST_TEST(called);
}
