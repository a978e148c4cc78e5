#define BOOST_TEST_MODULE faults
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <chrono>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <stile/stile.hpp>
#include <stile/testing.hpp>

#include "scripted.hpp"

// Every GL function that can fail fails once at each of its calls in a run of work: whatever was asked for gets its right
// values or an error, is right when asked for again, and nothing is left behind.

using namespace std::chrono_literals;
using stile::Tensor;
using stile::testing::Script;
using stile::testing::ScriptedContext;
using Floats = std::vector<float>;

namespace {

/// The work: several kernels, chained and alone, of several passes, with uploads, in several submissions.
std::vector<std::function<Tensor()>> work() {
    const auto counting = [](const stile::Shape& shape) {
        return stile::reshape(stile::range(0, static_cast<double>(shape.size())), shape);
    };
    return {
        [=] { return stile::sqrt(stile::tensor({1, 4, 9, 16})); },
        [=] { return stile::sum(stile::square(counting({3000})) * 0.001F); },
        [=] { return stile::matMul(counting({4, 8}), counting({8, 4})); },
        [=] { return stile::concat({counting({4}), stile::neg(counting({3}) + 1.0F)}); },
        [=] { return stile::softmax(counting({3, 5})); },
        [=] { return stile::matMul(stile::ones({1, 70000}), stile::ones({70000, 2})); },
        [=] { return stile::conv2d(counting({1, 5, 5, 2}), counting({3, 3, 2, 2})); },
        [=] { return stile::maxPool(counting({1, 6, 6, 1}), 2); },
        [=] { return stile::gather(counting({4, 3}) + 1.0F, stile::cast(stile::tensor({2, 0}), stile::DType::int32), 0); },
        [=] { return stile::pad(counting({2, 2}) * 2.0F, {{1, 0}, {0, 1}}, 7); },
        [=] { return stile::transpose(counting({3, 4}) + 1.0F); },
        [=] { return stile::slice(counting({6, 2}) + 1.0F, {2, 0}, {3, 2}); },
        [=] { return stile::image::resizeBilinear(counting({1, 3, 3, 1}), {5, 5}); },
        [=] { return stile::randomUniform({7}, 0, 1, 3); },
        [=] { return stile::cast(stile::argMax(counting({4, 5}), 1), stile::DType::float32); },
    };
}

/// A download that is taken in one of several ways.
struct Pending {
    Tensor tensor;
    std::shared_ptr<Floats> into;
    std::future<void> done;
    std::future<Floats> data;
    std::future<stile::Mapped<float>> mapped;

    explicit Pending(Tensor asked, std::size_t way) : tensor(std::move(asked)) {
        if (way % 3 == 0) {
            data = tensor.data(asio::use_future);
        } else if (way % 3 == 1) {
            into = std::make_shared<Floats>(static_cast<std::size_t>(tensor.size()), -1.0F);
            done = tensor.dataInto(std::span<float>(*into), asio::use_future);
        } else {
            mapped = tensor.map(asio::use_future);
        }
    }
    Floats get() {
        const auto wait = [](auto& future) {
            BOOST_TEST_REQUIRE((future.wait_for(60s) == std::future_status::ready), "a download ends");
            return future.get();
        };
        if (data.valid()) return wait(data);
        if (done.valid()) {
            wait(done);
            return *into;
        }
        const stile::Mapped<float> lease = wait(mapped);
        return Floats(lease.begin(), lease.end());
    }
};

struct Run {
    int failures = 0;             ///< downloads that ended with an error
    std::vector<Floats> results;  ///< in the end, of all
};

Run run(const std::shared_ptr<ScriptedContext>& context) {
    Run out;
    {
        stile::Device device = stile::Device::open({.context = context, .diskCache = false});
        // In twos, so that one may fail beside another; the second round meets pools and programs that are there already.
        for (int round = 0; round < 2; ++round) {
            const auto makers = work();
            std::vector<Tensor> tensors;
            std::vector<Floats> results;
            for (std::size_t i = 0; i < makers.size(); i += 2) {
                std::vector<Pending> pending;
                for (std::size_t k = i; k < std::min(i + 2, makers.size()); ++k) {
                    tensors.push_back(makers[k]());
                    pending.emplace_back(tensors.back(), k + static_cast<std::size_t>(round));
                }
                for (Pending& one : pending) {
                    try {
                        results.push_back(one.get());
                    } catch (const stile::Error& error) {
                        BOOST_TEST((error.code().category() == stile::category()), error.what());
                        ++out.failures;
                        results.emplace_back();
                    }
                }
            }
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                if (results[i].empty()) {
                    // A failed tensor may have lost its inputs with its memory; then it is recorded anew.
                    try {
                        results[i] = Pending(tensors[i], 0).get();
                    } catch (const stile::Error&) {
                        results[i] = Pending(makers[i](), 0).get();
                    }
                }
                out.results.push_back(std::move(results[i]));
            }
        }
        BOOST_TEST(device.stats().fencesInFlight == 0);
        BOOST_TEST(device.memory().leased == 0U);
    }
    BOOST_TEST(context->objects().total() == 0);
    return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_gl_function_fails_once_at_each_of_its_calls) {
    stile::setLogLevel(stile::LogLevel::off);
    const auto clean = test::scriptedContext();
    const Run expected = run(clean);
    BOOST_TEST(expected.failures == 0);
    int runs = 0, failures = 0;
    for (const std::string& function : ScriptedContext::functions()) {
        const int calls = clean->calls(function);
        for (int call = 1; call <= calls; ++call) {
            BOOST_TEST_CONTEXT(function << ", call " << call << " of " << calls) {
                // Opening fails with an error, or goes well; either way the next run is a clean one.
                try {
                    const Run seen = run(test::scriptedContext({.failingCalls = {{function, {call}}}}));
                    failures += seen.failures;
                    BOOST_TEST_REQUIRE(seen.results.size() == expected.results.size());
                    for (std::size_t i = 0; i < seen.results.size(); ++i) {
                        BOOST_TEST(seen.results[i] == expected.results[i], "result " << i << " is right");
                    }
                } catch (const stile::Error& error) {
                    BOOST_ERROR(error.what());
                }
            }
            ++runs;
        }
    }
    std::cout << runs << " runs with one failing call each, " << failures << " downloads ended with an error" << std::endl;
    BOOST_TEST(runs > 200);
    BOOST_TEST(failures > runs / 4);
}

BOOST_AUTO_TEST_CASE(a_result_that_could_not_be_bound_is_not_written_over_the_one_before) {
    stile::setLogLevel(stile::LogLevel::off);
    const auto context = test::scriptedContext();
    const stile::Device device = stile::Device::open({.context = context, .diskCache = false});
    const auto get = [](const Tensor& tensor) { return Pending(tensor, 0).get(); };
    const Tensor before = -stile::tensor({1, 2, 3, 4}), after = -stile::tensor({5, 6, 7, 8});
    BOOST_TEST((get(before) == Floats{-1, -2, -3, -4}));
    context->set({.failingCalls = {{"glBindBufferBase", {1}}}});
    BOOST_CHECK_THROW(get(after), stile::Error);
    context->set({});
    BOOST_TEST((get(before) == Floats{-1, -2, -3, -4}));
}
