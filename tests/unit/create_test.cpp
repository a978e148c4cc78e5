#define BOOST_TEST_MODULE create
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <list>
#include <ranges>
#include <span>
#include <vector>

#include <stile/create.hpp>
#include <stile/error.hpp>
#include <stile/variable.hpp>

// Nothing here opens a device: what is on the CPU can be read without one.
using stile::DType;
using stile::Shape;
using stile::Tensor;
using stile::tensor;

namespace {

template <class T>
void expect(const Tensor& x, const Shape& shape, const std::vector<T>& values) {
    BOOST_CHECK(x.shape() == shape);
    BOOST_CHECK(x.dtype() == stile::dtypeOf<T>);
    BOOST_CHECK(x.dataSync<T>() == values);
}

bool isInvalid(const stile::Error& e) { return e.code() == stile::errc::invalid_argument; }

}  // namespace

BOOST_AUTO_TEST_CASE(nested_numbers_are_float32_and_nested_bools_bool) {
    expect<float>(tensor({{1, 2.5}, {3, 4}}), {2, 2}, {1, 2.5F, 3, 4});
    expect<bool>(tensor({true, false}), {2}, {true, false});
    expect<float>(tensor({true, 2}), {2}, {1, 2});
    expect<float>(tensor(7), {}, {7});
    expect<float>(tensor({}), {0}, {});
    expect<float>(tensor({{}, {}}), {2, 0}, {});
    expect<float>(tensor({{1}}), {1, 1}, {1});
    expect<std::int32_t>(tensor({1.9, -1.9, 3e9}, DType::int32), {3}, {1, -1, -1294967296});
    expect<float>(tensor({1, 2, 3, 4}, Shape(2, 2)), {2, 2}, {1, 2, 3, 4});
}

BOOST_AUTO_TEST_CASE(ragged_numbers_are_refused) {
    BOOST_CHECK_EXCEPTION((void)tensor({{1, 2}, {3}}), stile::Error, isInvalid);
    BOOST_CHECK_EXCEPTION((void)tensor({{1, 2}, 3}), stile::Error, isInvalid);
    BOOST_CHECK_EXCEPTION((void)tensor({1, {2}}), stile::Error, isInvalid);
    BOOST_CHECK_EXCEPTION((void)tensor({1, 2, 3}, Shape(2, 2)), stile::Error, isInvalid);
}

BOOST_AUTO_TEST_CASE(vectors_spans_views_and_lists_make_tensors) {
    expect<float>(tensor(std::vector<float>{1, 2}), {2}, {1, 2});
    expect<std::int32_t>(tensor(std::vector<std::int32_t>{1, 2}, {2, 1}), {2, 1}, {1, 2});
    expect<bool>(tensor(std::vector<bool>{true, false}), {2}, {true, false});
    const std::array<float, 3> numbers{1, 2, 3};
    expect<float>(tensor(std::span(numbers)), {3}, {1, 2, 3});
    expect<std::int32_t>(tensor(std::views::iota(0, 3)), {3}, {0, 1, 2});
    expect<float>(tensor(std::list<double>{0.5, 2}), {2}, {0.5F, 2});
    expect<std::int32_t>(tensor(std::vector<std::uint8_t>{0, 255}, Shape(1, 2)), {1, 2}, {0, 255});
    expect<float>(tensor(stile::NdArray<float>({2, 1}, {5, 6})), {2, 1}, {5, 6});
    expect<bool>(tensor(stile::NdArray<bool>({2}, {1, 0})), {2}, {true, false});
    BOOST_CHECK_EXCEPTION((void)tensor(std::vector<float>{1, 2}, {3}), stile::Error, isInvalid);
    BOOST_CHECK_EXCEPTION((void)tensor(std::vector<std::int64_t>{std::int64_t{1} << 40}), stile::Error, isInvalid);
}

BOOST_AUTO_TEST_CASE(a_vector_is_moved_in) {
    std::vector<float> values(1000, 1.0F);
    const Tensor x = tensor(std::move(values));
    BOOST_TEST(values.empty());  // NOLINT: what moving leaves behind is the point
    BOOST_TEST(x.size() == 1000);
}

BOOST_AUTO_TEST_CASE(numbers_convert_to_scalars) {
    expect<float>(Tensor(2.5), {}, {2.5F});
    expect<std::int32_t>(Tensor(-3), {}, {-3});
    expect<bool>(Tensor(true), {}, {true});
    BOOST_CHECK_EXCEPTION(Tensor(std::int64_t{1} << 31), stile::Error, isInvalid);
}

BOOST_AUTO_TEST_CASE(constants) {
    expect<float>(stile::zeros({2}), {2}, {0, 0});
    expect<std::int32_t>(stile::ones({2}, DType::int32), {2}, {1, 1});
    expect<bool>(stile::fill({1}, std::numeric_limits<double>::quiet_NaN(), DType::boolean), {1}, {true});
    expect<std::int32_t>(stile::scalar(-7.9, DType::int32), {}, {-7});
    expect<std::int32_t>(stile::onesLike(tensor({5, 6}, DType::int32)), {2}, {1, 1});
    expect<float>(stile::zerosLike(tensor({5})), {1}, {0});
    expect<float>(stile::eye(2, 3), {2, 3}, {1, 0, 0, 0, 1, 0});
    BOOST_CHECK(std::isnan(stile::fill({1}, NAN).dataSync()[0]));
}

BOOST_AUTO_TEST_CASE(ranges) {
    expect<float>(stile::range(0, 1, 0.25), {4}, {0, 0.25F, 0.5F, 0.75F});
    expect<std::int32_t>(stile::range(3, 0, -1, DType::int32), {3}, {3, 2, 1});
    expect<float>(stile::range(0, 1, -1), {0}, {});
    expect<float>(stile::linspace(0, 1, 5), {5}, {0, 0.25F, 0.5F, 0.75F, 1});
    expect<float>(stile::linspace(3, 9, 1), {1}, {3});
    BOOST_CHECK_EXCEPTION((void)stile::range(0, 1, 0), stile::Error, isInvalid);
    BOOST_CHECK_EXCEPTION((void)stile::range(0, NAN), stile::Error, isInvalid);
    BOOST_CHECK_EXCEPTION((void)stile::linspace(0, 1, 0), stile::Error, isInvalid);
}

BOOST_AUTO_TEST_CASE(a_variable_changes_its_tensor_and_nothing_else) {
    stile::Variable weights(tensor({1, 2}));
    const stile::Variable same = weights;
    const Tensor before = weights;
    weights.assign(tensor({3, 4}));
    expect<float>(same.value(), {2}, {3, 4});
    expect<float>(before, {2}, {1, 2});
    BOOST_CHECK_EXCEPTION(weights.assign(tensor({1})), stile::Error, isInvalid);
    BOOST_CHECK_EXCEPTION(weights.assign(tensor({1, 2}, DType::int32)), stile::Error,
                          [](const stile::Error& e) { return e.code() == stile::errc::wrong_dtype; });
}

BOOST_AUTO_TEST_CASE(reading_as_another_type_is_an_error) {
    BOOST_CHECK_EXCEPTION((void)tensor({1}).dataSync<std::int32_t>(), stile::Error,
                          [](const stile::Error& e) { return e.code() == stile::errc::wrong_dtype; });
}
