#define BOOST_TEST_MODULE lease
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <array>
#include <cstdlib>
#include <future>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <stile/stile.hpp>

#include "rig.hpp"

// `map`, `dataInto`, and what a slice costs.

using namespace std::chrono_literals;
using stile::Mapped;
using stile::Tensor;
using test::codeOf;
using test::Rig;
using Floats = std::vector<float>;

namespace {

Tensor roots() { return stile::sqrt(stile::tensor({{1, 4}, {9, 16}})); }

Tensor counting(const stile::Shape& shape) {
    return stile::reshape(stile::range(0, static_cast<double>(shape.size())), shape) + 0.0F;
}

std::size_t leased(const Rig& rig) { return rig.device->memory().leased; }

/// Whether tensors are read and lent where they lie.
bool readsInPlace(const Rig& rig) {
    const char* limits = std::getenv("STILE_LIMITS");
    return rig.device->driver().renderer.starts_with("llvmpipe") && !(limits && std::string(limits) == "minimum");
}

/// The GL thread may still be busy with the delivery.
void returned(Rig& rig) {
    rig.until([&] { return leased(rig) == 0; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_lease_has_the_values_and_the_shape_and_gives_its_memory_back) {
    Rig rig;
    {
        const Mapped<float> lease = rig.get(roots().map());
        BOOST_TEST(lease.shape() == (stile::Shape{2, 2}));
        BOOST_TEST(Floats(lease.begin(), lease.end()) == (Floats{1, 2, 3, 4}), boost::test_tools::per_element());
        BOOST_TEST(lease.span().size() == 4U);
        BOOST_TEST(lease[3] == 4.0F);
        BOOST_TEST(leased(rig) > 0U);
    }
    returned(rig);
    for (int i = 0; i < 50; ++i) (void)rig.get(roots().map());
    returned(rig);
    BOOST_TEST(rig.device->memory().staging <= 1024U);
}

BOOST_AUTO_TEST_CASE(leases_are_of_every_dtype) {
    Rig rig;
    const Tensor whole = stile::cast(roots(), stile::DType::int32), truth = roots() > 2.0F;
    const Mapped<std::int32_t> ints = rig.get(whole.map<std::int32_t>());
    const Mapped<bool> bools = rig.get(truth.map<bool>());
    BOOST_TEST(std::vector<int>(ints.begin(), ints.end()) == (std::vector<int>{1, 2, 3, 4}), boost::test_tools::per_element());
    BOOST_TEST(std::vector<int>(bools.begin(), bools.end()) == (std::vector<int>{0, 0, 1, 1}),
               boost::test_tools::per_element());
    BOOST_CHECK_THROW((void)roots().map<bool>(), stile::Error);
}

BOOST_AUTO_TEST_CASE(a_lease_moves_and_its_source_is_empty_then) {
    Rig rig;
    Mapped<float> lease = rig.get(roots().map());
    Mapped<float> other = std::move(lease);
    BOOST_TEST(lease.span().empty());
    BOOST_TEST(lease.shape() == (stile::Shape{0}));
    BOOST_TEST(other[2] == 3.0F);
    other = Mapped<float>();
    returned(rig);
}

BOOST_AUTO_TEST_CASE(what_a_lease_shows_is_not_overwritten_by_later_downloads) {
    Rig rig;
    const Mapped<float> lease = rig.get(roots().map());
    for (int i = 0; i < 50; ++i) {
        const Tensor other = roots() + static_cast<float>(i);
        (void)rig.get(other.data());
    }
    BOOST_TEST(Floats(lease.begin(), lease.end()) == (Floats{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(two_leases_of_one_tensor_in_one_turn_share_the_copy) {
    Rig rig;
    const Tensor y = roots();
    std::vector<Mapped<float>> leases(2);
    int calls = 0;
    for (Mapped<float>& lease : leases) {
        y.map(asio::bind_executor(rig.loop->get_executor(), [&](const std::exception_ptr&, Mapped<float> got) {
            lease = std::move(got);
            ++calls;
        }));
    }
    rig.until([&] { return calls == 2; });
    BOOST_TEST(rig.device->stats().copies == 1);
    BOOST_TEST(leases[0].span().data() == leases[1].span().data());
    leases[0] = {};
    BOOST_TEST(leases[1][3] == 4.0F);
    BOOST_TEST(leased(rig) > 0U);
}

BOOST_AUTO_TEST_CASE(where_tensors_stay_mapped_a_lease_is_on_the_tensors_own_memory_and_a_download_takes_no_staging) {
    Rig rig;
    if (!readsInPlace(rig)) return;
    const Tensor y = roots();
    const Mapped<float> one = rig.get(y.map()), two = rig.get(y.map());
    BOOST_TEST(one.span().data() == two.span().data());
    (void)rig.get(y.data());
    BOOST_TEST(rig.device->memory().staging == 0U);
}

BOOST_AUTO_TEST_CASE(a_lease_on_a_small_part_of_a_tensor_does_not_keep_all_of_it) {
    Rig rig;
    Mapped<float> rows;
    {
        const Tensor x = counting({1000, 256});
        rig.get(stile::eval(x));
        const Tensor part = stile::slice(x, {500, 0}, {2, 256});
        rows = rig.get(part.map());
    }
    BOOST_TEST(rows[511] == static_cast<float>(501 * 256 + 255));
    rig.until([&] { return rig.device->memory().live == 0; });
    BOOST_TEST(leased(rig) <= 4096U);
}

BOOST_AUTO_TEST_CASE(a_lease_ends_on_any_thread) {
    Rig rig;
    Mapped<float> lease = rig.get(roots().map());
    std::thread([ended = std::move(lease)] { BOOST_TEST(ended[0] == 1.0F); }).join();
    returned(rig);
    (void)rig.get(roots().data());
}

BOOST_AUTO_TEST_CASE(leases_do_not_count_against_the_staging_limit) {
    Rig rig({.stagingBytes = 4096});
    std::vector<Mapped<float>> leases;
    for (int i = 0; i < 10; ++i) {
        const Tensor y = stile::ones({1000}) + static_cast<float>(i);
        leases.push_back(rig.get(y.map()));
    }
    for (std::size_t i = 0; i < leases.size(); ++i) BOOST_TEST(leases[i][999] == static_cast<float>(i + 1));
    BOOST_TEST(leased(rig) >= 40000U);
}

BOOST_AUTO_TEST_CASE(a_lease_outlives_its_device) {
    Mapped<float> lease;
    {
        Rig rig;
        lease = rig.get(roots().map());
        if (Rig::attached()) return;  // there it ends with the application's context
        rig.device->close();
        BOOST_TEST(leased(rig) > 0U);
    }
    BOOST_TEST(Floats(lease.begin(), lease.end()) == (Floats{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(host_values_are_leased_without_a_copy_or_a_device) {
    asio::io_context loop;
    std::future<Mapped<float>> future;
    {
        const Tensor x = stile::tensor(Floats{1, 2, 3});
        future = x.map(asio::use_future);
    }
    const Mapped<float> lease = future.get();
    BOOST_TEST(Floats(lease.begin(), lease.end()) == (Floats{1, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST(stile::zeros({0, 3}).map(asio::use_future).get().span().empty());
}

BOOST_AUTO_TEST_CASE(data_into_fills_the_callers_memory) {
    Rig rig;
    std::array<float, 4> out{};
    rig.get(roots().dataInto(std::span<float>(out)));
    BOOST_TEST(out == (std::array<float, 4>{1, 2, 3, 4}), boost::test_tools::per_element());
    std::array<bool, 4> bits{};
    const Tensor truth = roots() > 2.0F;
    rig.get(truth.dataInto(std::span<bool>(bits)));
    BOOST_TEST(bits == (std::array<bool, 4>{false, false, true, true}), boost::test_tools::per_element());
    const Tensor empty = stile::zeros({0, 3}) + 1.0F;
    rig.get(empty.dataInto(std::span<float>()));
}

BOOST_AUTO_TEST_CASE(data_into_memory_of_another_size_throws_at_the_call) {
    Rig rig;
    std::array<float, 3> out{};
    try {
        roots().dataInto(std::span<float>(out), asio::detached);
        BOOST_ERROR("no error");
    } catch (const stile::Error& error) {
        const std::string words = error.what();
        BOOST_TEST(error.code() == stile::errc::invalid_argument);
        for (const char* part : {"dataInto", "[2, 2]", "4 elements", "room for 3"}) {
            BOOST_TEST(words.find(part) != std::string::npos, words);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_slice_of_rows_downloads_its_bytes_only_and_runs_no_kernel) {
    Rig rig;
    const Tensor x = counting({1000, 256});
    rig.get(stile::eval(x));
    const auto before = rig.device->stats();
    const std::size_t staging = rig.device->memory().staging;
    const Tensor rows = stile::slice(x, {500, 0}, {2, 256});
    const Floats got = rig.get(rows.data());
    BOOST_TEST(got.size() == 512U);
    for (std::size_t i = 0; i < got.size(); ++i) BOOST_TEST(got[i] == static_cast<float>(500 * 256 + i));
    BOOST_TEST(rig.device->stats().dispatches == before.dispatches);
    BOOST_TEST(rig.device->memory().staging - staging <= 4096U);
    // The same of a slice of a slice, in another shape.
    const Tensor part = stile::reshape(stile::slice(rows, {1, 0}, {1, 256}), {16, 16});
    const Floats second = rig.get(stile::slice(part, {15, 0}, {1, 16}).data());
    BOOST_TEST(second.size() == 16U);
    BOOST_TEST(second[15] == static_cast<float>(501 * 256 + 255));
    BOOST_TEST(rig.device->stats().dispatches == before.dispatches);
}

BOOST_AUTO_TEST_CASE(a_slice_of_columns_is_gathered_on_the_device) {
    Rig rig;
    const Tensor x = counting({100, 256});
    const std::size_t staging = rig.device->memory().staging;
    const Tensor columns = stile::slice(x, {0, 3}, {100, 2});
    const Floats got = rig.get(columns.data());
    BOOST_TEST(got.size() == 200U);
    for (std::size_t i = 0; i < got.size(); ++i) BOOST_TEST(got[i] == static_cast<float>(i / 2 * 256 + 3 + i % 2));
    BOOST_TEST(rig.device->memory().staging - staging <= 1024U);
}

BOOST_AUTO_TEST_CASE(downloads_at_the_limits_wait_their_turn_and_can_be_cancelled_there) {
    Rig rig({.maxFences = 1, .stagingBytes = 4096});
    constexpr std::size_t count = 40;
    std::vector<int> order;
    std::array<asio::cancellation_signal, count> signals;
    std::size_t aborted = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Tensor y = stile::ones({1000}) * static_cast<float>(i);
        const auto handler = [&, i](const std::exception_ptr& error, const Floats& values) {
            if (codeOf(error) == test::aborted) {
                ++aborted;
            } else {
                BOOST_TEST(!error);
                BOOST_TEST(values.at(999) == static_cast<float>(i));
                order.push_back(static_cast<int>(i));
            }
        };
        y.data(asio::bind_cancellation_slot(signals[i].slot(), asio::bind_executor(rig.loop->get_executor(), handler)));
    }
    for (std::size_t i = 1; i < count; i += 2) signals[i].emit(asio::cancellation_type::total);
    rig.until([&] { return order.size() + aborted == count; });
    BOOST_TEST(aborted == count / 2);
    BOOST_TEST(std::ranges::is_sorted(order));
}
