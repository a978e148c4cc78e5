#define BOOST_TEST_MODULE find
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <stile/stile.hpp>

#include "rig.hpp"

// Results whose shape depends on values.

using stile::DType;
using stile::errc;
using stile::Shape;
using stile::Tensor;
using test::codeOf;
using test::Rig;
using test::thrown;
using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;
using Strings = std::vector<std::string>;

namespace {

Tensor ints(Ints values) { return stile::tensor(std::move(values)); }
Tensor computed(const Tensor& x) { return x + 0.0F; }

}  // namespace

BOOST_AUTO_TEST_CASE(where_gives_the_coordinates) {
    Rig rig;
    const Tensor found = rig.get(stile::whereAsync(computed(stile::tensor({{1, 0, 0}, {0, 1, 1}})) > 0));
    BOOST_TEST(found.shape() == Shape(3, 2));
    BOOST_TEST((rig.get(found.data<std::int32_t>()) == Ints{0, 0, 1, 1, 1, 2}));
    BOOST_TEST(rig.get(stile::whereAsync(stile::zeros({3, 0}, DType::boolean))).shape() == Shape(0, 2));
    BOOST_TEST(rig.get(stile::whereAsync(Tensor(true))).shape() == Shape(1, 0));
    BOOST_TEST(thrown([] { (void)stile::whereAsync(Tensor(1.0F)); }) == errc::wrong_dtype);
}

BOOST_AUTO_TEST_CASE(a_mask_picks_slices) {
    Rig rig;
    const Tensor x = computed(stile::tensor({{1, 2}, {3, 4}, {5, 6}}));
    const Tensor rows = rig.get(stile::booleanMaskAsync(x, stile::tensor({true, false, true})));
    BOOST_TEST(rows.shape() == Shape(2, 2));
    BOOST_TEST((rig.get(rows.data()) == Floats{1, 2, 5, 6}));
    BOOST_TEST((rig.get(rig.get(stile::booleanMaskAsync(x, x > 3.5F)).data()) == Floats{4, 5, 6}));
    const Tensor column = rig.get(stile::booleanMaskAsync(x, stile::tensor({false, true}), -1));
    BOOST_TEST(column.shape() == Shape(3, 1));
    BOOST_TEST((rig.get(column.data()) == Floats{2, 4, 6}));
    BOOST_TEST(thrown([&] { (void)stile::booleanMaskAsync(x, stile::tensor({true, false})); }) == errc::invalid_argument);
    BOOST_TEST(thrown([&] { (void)stile::booleanMaskAsync(x, Tensor(true)); }) == errc::invalid_argument);
}

BOOST_AUTO_TEST_CASE(differences_of_lists) {
    Rig rig;
    const auto [values, indices] =
        rig.get(stile::setdiff1dAsync(computed(stile::tensor({4, 1, NAN, 2, -0.0F})), stile::tensor({1, NAN, 0})));
    BOOST_TEST((rig.get(values.data()) == Floats{4, 2}));
    BOOST_TEST((rig.get(indices.data<std::int32_t>()) == Ints{0, 3}));
    const auto words = rig.get(stile::setdiff1dAsync(stile::tensor({"a", "b", "c"}), stile::tensor({"b"})));
    BOOST_TEST((rig.get(words.values.data<std::string>()) == Strings{"a", "c"}));
    BOOST_TEST(thrown([] { (void)stile::setdiff1dAsync(stile::zeros({1, 1}), stile::zeros({1})); }) == errc::invalid_argument);
    BOOST_TEST(thrown([] { (void)stile::setdiff1dAsync(stile::zeros({1}), ints({1})); }) == errc::wrong_dtype);
}

BOOST_AUTO_TEST_CASE(distinct_slices_in_the_order_of_their_first) {
    Rig rig;
    const auto list = rig.get(stile::uniqueAsync(computed(stile::tensor({3, 1, 3, NAN, NAN, 0, -0.0F}))));
    BOOST_TEST(list.values.shape() == Shape(4));
    BOOST_TEST((rig.get(list.indices.data<std::int32_t>()) == Ints{0, 1, 0, 2, 2, 3, 3}));
    const auto columns = rig.get(stile::uniqueAsync(computed(stile::tensor({{1, 0, 0, 1}, {1, 0, 0, 1}, {2, 0, 0, 2}})), 1));
    BOOST_TEST((rig.get(columns.values.data()) == Floats{1, 0, 1, 0, 2, 0}));
    BOOST_TEST((rig.get(columns.indices.data<std::int32_t>()) == Ints{0, 1, 1, 0}));
    const auto none = rig.get(stile::uniqueAsync(stile::zeros({0, 2})));
    BOOST_TEST((none.values.shape() == Shape(0, 2) && none.indices.shape() == Shape(0)));
    const auto words = rig.get(stile::uniqueAsync(stile::tensor({"b", "a", "b"})));
    BOOST_TEST((rig.get(words.values.data<std::string>()) == Strings{"b", "a"}));
    BOOST_TEST(thrown([] { (void)stile::uniqueAsync(Tensor(1.0F)); }) == errc::invalid_argument);
}

BOOST_AUTO_TEST_CASE(targets_among_the_largest) {
    Rig rig;
    const Tensor scores = computed(stile::tensor({{20, 10, 40, 30}, {30, 50, -20, 10}, {1, 1, 1, NAN}}));
    BOOST_TEST(
        (rig.get(rig.get(stile::inTopKAsync(scores, ints({2, 0, 1}))).data<bool>()) == std::vector<bool>{true, false, false}));
    BOOST_TEST((rig.get(rig.get(stile::inTopKAsync(scores, ints({3, 4, 1}), 2)).data<bool>()) ==
                std::vector<bool>{true, false, true}));
    BOOST_TEST(thrown([&] { (void)stile::inTopKAsync(scores, ints({2, 0, 1}), 5); }) == errc::invalid_argument);
    BOOST_TEST(thrown([&] { (void)stile::inTopKAsync(scores, ints({2})); }) == errc::invalid_argument);
}

BOOST_AUTO_TEST_CASE(they_are_operations_like_downloads) {
    Rig rig;
    // Cancelled before it begins.
    asio::cancellation_signal signal;
    std::error_code code;
    int calls = 0;
    const auto end = [&](std::exception_ptr error, const auto&) {
        ++calls;
        code = codeOf(error);
    };
    stile::whereAsync(computed(stile::zeros({4})) > 0,
                      asio::bind_cancellation_slot(signal.slot(), asio::bind_executor(*rig.loop, end)));
    signal.emit(asio::cancellation_type::total);
    rig.until([&] { return calls == 1; });
    BOOST_TEST(code == test::aborted);
    // The device goes first. It has nothing to do that the request could go with.
    rig.get(rig.device->idle());
    stile::uniqueAsync(computed(stile::ones({4})), 0, asio::bind_executor(*rig.loop, end));
    rig.device->close();
    rig.until([&] { return calls == 2; });
    BOOST_TEST(code == errc::device_closed);
}
