#define BOOST_TEST_MODULE pipeline
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <stile/stile.hpp>

#include "device.hpp"
#include "pipeline.hpp"
#include "run.hpp"

using test::GlobalDevice;
BOOST_TEST_GLOBAL_FIXTURE(GlobalDevice);

namespace {

constexpr int width = 64, height = 48;

/// Black on the left, white on the right, but for a red upper quarter.
jank::Image photo() {
    jank::Image image{width, height, 3, {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const std::uint8_t white = x < width / 2 ? 0 : 255;
            const bool red = y < height / 4;
            image.pixels.insert(image.pixels.end(), {red ? std::uint8_t{255} : white, red ? std::uint8_t{0} : white,
                                                     red ? std::uint8_t{0} : white});
        }
    }
    return image;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_results_are_those_of_the_definitions) {
    const jank::Pipeline pipeline(photo(), height, 16);
    const jank::Results results = test::run(jank::download(pipeline.job(0)));
    const stile::Shape shape(height, width);
    BOOST_TEST((results.grey.shape() == shape && results.blur.shape() == shape && results.edges.shape() == shape));

    // The luminance weights of Rec. 709.
    BOOST_TEST(results.grey.at(2, 10) == 0.2126F, boost::test_tools::tolerance(1e-5F));
    BOOST_TEST(results.grey.at(40, 10) == 0.0F);
    BOOST_TEST(results.grey.at(40, 60) == 1.0F, boost::test_tools::tolerance(1e-5F));

    // A step of 1 has a Sobel slope of 4 on both of its sides, of which half is kept.
    BOOST_TEST(results.edges.at(40, width / 2) == 2.0F, boost::test_tools::tolerance(1e-4F));
    BOOST_TEST(results.edges.at(40, width / 2 - 1) == 2.0F, boost::test_tools::tolerance(1e-4F));
    BOOST_TEST(std::abs(results.edges.at(40, 10)) < 1e-5F);

    // Across the step the blur rises from nothing to 1, one half in the middle of the two pixels beside it.
    const float middle = (results.blur.at(30, width / 2 - 1) + results.blur.at(30, width / 2)) / 2;
    BOOST_TEST(middle == 0.5F, boost::test_tools::tolerance(1e-3F));
    BOOST_TEST(results.blur.at(30, 8) < 1e-4F);
    BOOST_TEST(results.blur.at(30, 40) > results.blur.at(30, 36));

    BOOST_TEST(results.means.at(0) == 0.625F, boost::test_tools::tolerance(1e-5F));
    BOOST_TEST(results.means.at(1) == 0.375F, boost::test_tools::tolerance(1e-5F));

    std::array<std::int32_t, 64> counted{};
    for (const float grey : results.grey.flat()) ++counted[static_cast<std::size_t>(std::clamp(grey * 64, 0.0F, 63.0F))];
    BOOST_TEST(std::ranges::equal(results.histogram.flat(), counted));
}

BOOST_AUTO_TEST_CASE(both_ways_of_downloading_give_the_same_bits_and_jobs_differ) {
    const jank::Pipeline pipeline(photo(), height, 16);
    const stile::SyncGuard quiet(stile::SyncPolicy::allow);
    const jank::Results blocking = jank::downloadSync(pipeline.job(3));
    BOOST_TEST(bitEqual(blocking, test::run(jank::download(pipeline.job(3)))));
    BOOST_TEST(!bitEqual(blocking, test::run(jank::download(pipeline.job(4)))));
}
