#define BOOST_TEST_MODULE blocking
#include <boost/test/unit_test.hpp>

#include <asio/bind_executor.hpp>
#include <asio/io_context.hpp>

#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <stile/stile.hpp>
#include <stile/testing/no_blocking_reads.hpp>

#include "device.hpp"
#include "every_operation.hpp"

using stile::Tensor;

using test::GlobalDevice;
BOOST_TEST_GLOBAL_FIXTURE(GlobalDevice);

namespace {

/// Starts a download of any dtype; counts those that end with the right number of values.
template <class T>
void start(const Tensor& x, asio::io_context& loop, int& done) {
    x.data<T>(
        asio::bind_executor(loop, [&done, size = x.size()](const std::exception_ptr& error, const std::vector<T>& values) {
            if (!error && std::cmp_equal(values.size(), size)) ++done;
        }));
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_operation_and_no_download_reads_blocking) {
    asio::io_context loop(1);
    int asked = 0, done = 0;
    const std::int64_t before = stile::testing::blockingReads();
    stile::testing::noBlockingReads([&] {
        test::everyOperation([&](const Tensor& x) {
            ++asked;
            switch (x.dtype()) {
                case stile::DType::float32: start<float>(x, loop, done); break;
                case stile::DType::int32: start<std::int32_t>(x, loop, done); break;
                case stile::DType::boolean: start<bool>(x, loop, done); break;
                case stile::DType::complex64: start<std::complex<float>>(x, loop, done); break;
                case stile::DType::string: start<std::string>(x, loop, done); break;
            }
            loop.restart();
            loop.run();
        });
        const auto finished = [&] {
            return asio::bind_executor(loop, [&](const std::exception_ptr& error) { done += error ? 0 : 1; });
        };
        asked += 3;
        stile::eval(stile::ones({3}) + 1.0F, finished());
        test::device().idle(finished());
        (stile::ones({3}) + 1.0F).print(finished());
        loop.restart();
        loop.run();
    });
    BOOST_TEST_MESSAGE(asked << " downloads");
    BOOST_TEST(asked > 250);
    BOOST_TEST(done == asked);
    BOOST_TEST(stile::testing::blockingReads() == before);
}

BOOST_AUTO_TEST_CASE(a_blocking_read_is_reported_with_its_place) {
    const stile::SyncGuard quiet(stile::SyncPolicy::allow);
    const auto readsBlocking = [] {
        return stile::testing::noBlockingReads([] { return (stile::ones({2}) + 1.0F).dataSync(); });
    };
    BOOST_CHECK_EXCEPTION((void)readsBlocking(), stile::Error, [](const stile::Error& e) {
        return e.code() == stile::errc::sync_forbidden &&
               std::string(e.what()).find("blocking_test.cpp:") != std::string::npos &&
               std::string(e.what()).find("dataSync") != std::string::npos;
    });
    BOOST_TEST(stile::testing::noBlockingReads([] { return stile::tensor(std::vector<float>{7}).dataSync(); }).front() == 7.0F);
}
