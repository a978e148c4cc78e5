#define BOOST_TEST_MODULE window_jank
#include <boost/test/unit_test.hpp>

#include <stb_image.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

// The program under test is named by the environment variable JANK; a display must be there.

namespace {

using Pixel = std::array<unsigned char, 3>;
constexpr Pixel awaitColor{64, 200, 150}, syncColor{240, 96, 64};

/// The window's last frame, and what was said of it.
struct Screenshot {
    int width = 0, height = 0;
    std::vector<Pixel> pixels;
    int jobs = 0;
    double seconds = 0;  ///< when the frame was drawn

    explicit Screenshot(const std::string& arguments) {
        std::string folder = (std::filesystem::temp_directory_path() / "jank-XXXXXX").string();
        BOOST_TEST_REQUIRE(mkdtemp(folder.data()));
        const std::string command = std::string(std::getenv("JANK")) + " --window --height 120 --load 64 " + arguments +
                                    " --screenshot " + folder + "/window.png >" + folder + "/log";
        BOOST_TEST_REQUIRE(std::system(command.c_str()) == 0);
        std::ifstream log(folder + "/log");
        std::string driver, said;
        std::getline(log, driver);
        std::getline(log, said);
        BOOST_TEST_MESSAGE(said);
        BOOST_TEST_REQUIRE(
            std::sscanf(said.c_str(), "%*d frames due, %*d missed, %d jobs downloaded in %lf", &jobs, &seconds) == 2);
        int channels = 0;
        const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> data(
            stbi_load((folder + "/window.png").c_str(), &width, &height, &channels, 3), stbi_image_free);
        std::filesystem::remove_all(folder);
        BOOST_TEST_REQUIRE(data.get());
        for (int i = 0; i < width * height; ++i) {
            pixels.push_back({data.get()[3 * i], data.get()[3 * i + 1], data.get()[3 * i + 2]});
        }
    }

    [[nodiscard]] const Pixel& at(int x, int y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }

    /// The columns of the moving bar in the given colour: first and one past the last.
    [[nodiscard]] std::pair<int, int> bar(Pixel color) const {
        constexpr int row = 535;
        int first = 0;
        while (first < width && at(first, row) != color) ++first;
        int end = first;
        while (end < width && at(end, row) == color) ++end;
        return {first, end};
    }
};

/// Where the bar's left edge is after so long: to and fro over 860 pixels in two seconds.
double expectedBar(double seconds) {
    const double phase = std::fmod(seconds, 2);
    return 20 + 860 * (phase < 1 ? phase : 2 - phase);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_bar_is_where_its_time_puts_it) {
    const Screenshot early("--seconds 1.2"), late("--seconds 1.7");
    BOOST_TEST((early.width == 960 && early.height == 600));
    for (const Screenshot* shot : {&early, &late}) {
        const auto [first, end] = shot->bar(awaitColor);
        BOOST_TEST(std::abs(end - first - 60) <= 1);
        BOOST_TEST(std::abs(first - expectedBar(shot->seconds)) <= 2.0);
    }
    BOOST_TEST(early.bar(awaitColor).first != late.bar(awaitColor).first);
}

BOOST_AUTO_TEST_CASE(edges_graph_and_labels_are_drawn) {
    const Screenshot shot("--seconds 4");
    BOOST_TEST_REQUIRE(shot.jobs > 0);
    // The picture: many shades of pure grey, and not only dark ones.
    std::set<int> shades;
    for (int y = 80; y < 450; ++y) {
        for (int x = 30; x < 530; ++x) {
            const Pixel& pixel = shot.at(x, y);
            BOOST_TEST_REQUIRE((pixel[0] == pixel[1] && pixel[1] == pixel[2]));
            shades.insert(pixel[0]);
        }
    }
    BOOST_TEST(shades.size() > 60U);
    BOOST_TEST(*shades.rbegin() > 150);
    const auto count = [&](int left, int top, int right, int bottom, Pixel color) {
        int found = 0;
        for (int y = top; y < bottom; ++y) {
            for (int x = left; x < right; ++x) found += shot.at(x, y) == color ? 1 : 0;
        }
        return found;
    };
    BOOST_TEST(count(560, 90, 940, 460, awaitColor) > 2000);  // the graph of frame times
    BOOST_TEST(count(0, 0, 600, 60, awaitColor) > 500);       // the headline
}

BOOST_AUTO_TEST_CASE(blocking_downloads_are_drawn_in_another_colour) {
    const Screenshot shot("--sync --seconds 2");
    const auto [first, end] = shot.bar(syncColor);
    BOOST_TEST(end - first > 55);
    BOOST_TEST(shot.bar(awaitColor).first == shot.width);
}
