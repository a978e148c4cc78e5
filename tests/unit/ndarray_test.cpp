#define BOOST_TEST_MODULE ndarray
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <sstream>
#include <vector>

#include <stile/ndarray.hpp>

using stile::NdArray;

BOOST_AUTO_TEST_CASE(nested_vectors_convert_both_ways) {
    const std::vector<std::vector<float>> rows{{1, 2}, {3, 4}, {5, 6}};
    const NdArray<float> array(rows);
    BOOST_CHECK(array.shape() == stile::Shape(3, 2));
    BOOST_TEST(array.at(2, 1) == 6.0F);
    BOOST_CHECK(array.to<std::vector<std::vector<float>>>() == rows);
    BOOST_CHECK_THROW((void)array.to<std::vector<float>>(), stile::Error);
    const std::vector<std::vector<float>> ragged{{1, 2}, {3}};
    BOOST_CHECK_THROW(NdArray<float>{ragged}, stile::Error);
}

BOOST_AUTO_TEST_CASE(indexing_goes_from_part_to_element) {
    const NdArray<std::int32_t> array({2, 3}, {1, 2, 3, 4, 5, 6});
    BOOST_TEST(array[1][2] == 6);
    BOOST_CHECK(array[1].shape() == stile::Shape(3));
    BOOST_CHECK_THROW((void)array[2], stile::Error);
    BOOST_CHECK_THROW((void)array.at(0), stile::Error);
    BOOST_CHECK_THROW((void)array.at(0, 0, 0), stile::Error);
    std::int32_t total = 0;
    for (const std::int32_t value : array) total += value;
    BOOST_TEST(total == 21);
}

BOOST_AUTO_TEST_CASE(bools_are_kept_as_bytes_and_read_as_bools) {
    const NdArray<bool> array({2}, {1, 0});
    BOOST_TEST(array.at(0) == true);
    BOOST_TEST(array.at(1) == false);
    BOOST_CHECK(array.to<std::vector<bool>>() == std::vector<bool>({true, false}));
}

BOOST_AUTO_TEST_CASE(printing_nests_brackets_and_shortens_long_axes) {
    std::ostringstream out;
    out << NdArray<float>({2, 2}, {1, 2.5F, -0.0F, 4}) << ' ' << NdArray<float>({}, {7}) << ' ' << NdArray<bool>({1}, {1});
    BOOST_TEST(out.str() == "[[1, 2.5], [-0, 4]] 7 [true]");
    std::ostringstream longer;
    std::vector<std::int32_t> values(2000);
    for (int i = 0; i < 2000; ++i) values[static_cast<std::size_t>(i)] = i;
    longer << NdArray<std::int32_t>({2000}, values);
    BOOST_TEST(longer.str() == "[0, 1, 2, ..., 1997, 1998, 1999]");
}

BOOST_AUTO_TEST_CASE(equality_looks_at_shape_and_elements) {
    BOOST_CHECK(NdArray<float>({2}, {1, 2}) == NdArray<float>({2}, {1, 2}));
    BOOST_CHECK(!(NdArray<float>({2}, {1, 2}) == NdArray<float>({1, 2}, {1, 2})));
    BOOST_CHECK(!(NdArray<float>({1}, {NAN}) == NdArray<float>({1}, {NAN})));
}

BOOST_AUTO_TEST_CASE(the_number_of_values_must_fit) { BOOST_CHECK_THROW(NdArray<float>({3}, {1, 2}), stile::Error); }
