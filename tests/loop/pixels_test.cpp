#define BOOST_TEST_MODULE pixels
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

#include <stile/stile.hpp>

#include "rig.hpp"

using Bytes = std::vector<std::uint8_t>;
using Ints = std::vector<std::int32_t>;
using stile::errc;
using stile::Shape;
using stile::Tensor;
using test::Rig;
using test::thrown;

BOOST_AUTO_TEST_CASE(bytes_become_the_channels_that_are_asked_for) {
    Rig rig;
    const Bytes bytes{1, 2, 3, 255, 5, 6, 7, 128};
    const stile::browser::PixelData pixels{.data = bytes, .width = 1, .height = 2};
    const Tensor x = stile::browser::fromPixels(pixels);
    BOOST_TEST(x.shape() == Shape(2, 1, 3));
    BOOST_TEST((rig.get(x.data<std::int32_t>()) == Ints{1, 2, 3, 5, 6, 7}));
    BOOST_TEST((rig.get(stile::browser::fromPixels(pixels, 1).data<std::int32_t>()) == Ints{1, 5}));
    BOOST_TEST(thrown([&] { (void)stile::browser::fromPixels(pixels, 5); }) == errc::invalid_argument);
    BOOST_TEST(thrown([&] { (void)stile::browser::fromPixels({.data = bytes, .width = 2, .height = 2}); }) ==
               errc::invalid_argument);
}

BOOST_AUTO_TEST_CASE(images_become_bytes) {
    Rig rig;
    const Tensor grey = stile::tensor({{0.0, 0.15}, {0.5, 1.0}}) + 0.0F;
    BOOST_TEST((rig.get(stile::browser::toPixels(grey)) ==
                Bytes{0, 0, 0, 255, 38, 38, 38, 255, 128, 128, 128, 255, 255, 255, 255, 255}));
    const Tensor colour = stile::tensor(Ints{1, 2, 3}, {1, 1, 3});
    BOOST_TEST((rig.get(stile::browser::toPixels(colour)) == Bytes{1, 2, 3, 255}));
    const Tensor all = stile::tensor(Ints{1, 2, 3, 4}, {1, 1, 4});
    BOOST_TEST((rig.get(stile::browser::toPixels(all)) == Bytes{1, 2, 3, 4}));
    BOOST_TEST(rig.get(stile::browser::toPixels(stile::zeros({0, 4, 3}))).empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_image_throws_at_the_call_and_what_is_out_of_range_when_awaited) {
    Rig rig;
    for (const Shape& shape : {Shape(), Shape(1), Shape(1, 1, 1, 1), Shape(1, 1, 2)}) {
        BOOST_TEST(thrown([&] { (void)stile::browser::toPixels(stile::zeros(shape)); }) == errc::invalid_argument);
    }
    BOOST_TEST(thrown([] { (void)stile::browser::toPixels(stile::zeros({1, 1}, stile::DType::boolean)); }) ==
               errc::wrong_dtype);
    for (const float value : {-0.1F, 1.1F, NAN}) {
        const Tensor x = stile::fill({1, 1}, static_cast<double>(value)) + 0.0F;
        BOOST_TEST(thrown([&] { (void)rig.get(stile::browser::toPixels(x)); }) == errc::invalid_argument);
    }
    for (const int value : {-1, 256}) {
        const Tensor x = stile::fill({1, 1}, value, stile::DType::int32);
        BOOST_TEST(thrown([&] { (void)rig.get(stile::browser::toPixels(x)); }) == errc::invalid_argument);
    }
}
