#define BOOST_TEST_MODULE shape
#include <boost/test/unit_test.hpp>

#include <stile/error.hpp>
#include <stile/shape.hpp>

using stile::Shape;

BOOST_AUTO_TEST_CASE(a_shape_without_extents_is_a_scalar) {
    BOOST_TEST(Shape().rank() == 0);
    BOOST_TEST(Shape().size() == 1);
    BOOST_TEST(toString(Shape()) == "[]");
}

BOOST_AUTO_TEST_CASE(negative_axes_count_from_the_last) {
    const Shape shape{2, 3, 4};
    BOOST_TEST(shape[-1] == 4);
    BOOST_TEST(shape[0] == 2);
    BOOST_CHECK_THROW((void)shape[3], stile::Error);
    BOOST_CHECK_THROW((void)shape[-4], stile::Error);
}

BOOST_AUTO_TEST_CASE(impossible_extents_are_refused) {
    BOOST_CHECK_THROW(Shape({-1}), stile::Error);
    BOOST_CHECK_THROW(Shape(1, 1, 1, 1, 1, 1, 1, 1, 1), stile::Error);
    BOOST_CHECK_THROW(Shape(65536, 65536), stile::Error);
    BOOST_CHECK_THROW(Shape(0, 65536, 65536), stile::Error);
    BOOST_TEST(Shape(0, 5).size() == 0);
}

BOOST_AUTO_TEST_CASE(broadcasting_aligns_at_the_last_axis) {
    BOOST_CHECK(stile::broadcastShapes({2, 1, 4}, {3, 1}) == Shape(2, 3, 4));
    BOOST_CHECK(stile::broadcastShapes({}, {2}) == Shape(2));
    BOOST_CHECK(stile::broadcastShapes({1}, {0}) == Shape(0));
    BOOST_CHECK_THROW((void)stile::broadcastShapes({2}, {3}), stile::Error);
}
