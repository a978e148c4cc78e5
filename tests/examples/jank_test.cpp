#define BOOST_TEST_MODULE jank
#include <boost/test/unit_test.hpp>

#include <sys/wait.h>

#include <stb_image.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

// The program under test is named by the environment variable JANK.

namespace {

struct Output {
    int status;
    std::string text;
};

/// A folder of this process's own that is removed at the end.
struct Folder {
    std::filesystem::path path;
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "jank-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path); }
};

Output jank(const Folder& folder, const std::string& arguments) {
    const std::string log = folder.path / "log";
    const int status = std::system((std::string(std::getenv("JANK")) + " " + arguments + " >" + log + " 2>&1").c_str());
    std::ifstream in(log);
    return {WEXITSTATUS(status), std::string(std::istreambuf_iterator<char>(in), {})};
}

/// How many shades a picture has, or 0 if it cannot be read or has another size.
std::size_t shades(const std::filesystem::path& file, int width, int height) {
    int w = 0, h = 0, channels = 0;
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(stbi_load(file.c_str(), &w, &h, &channels, 1),
                                                                      stbi_image_free);
    if (!pixels || w != width || h != height) return 0;
    return std::set<int>(pixels.get(), pixels.get() + w * h).size();
}

/// The numbers of one row of the table.
std::vector<double> row(const std::string& table, const std::string& name) {
    const std::size_t at = table.find(name);
    if (at == std::string::npos) return {};
    std::vector<double> numbers;
    const char* text = table.c_str() + at + name.size();
    for (char* end = nullptr;; text = end) {
        const double number = std::strtod(text, &end);
        if (end == text || std::find(text, static_cast<const char*>(end), '\n') != end) return numbers;
        numbers.push_back(number);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_trials_give_the_same_bits_and_the_pictures_are_written) {
    const Folder folder;
    const Output output = jank(folder, "--seconds 1 --height 120 --load 128 --out " + (folder.path / "out").string());
    BOOST_TEST_MESSAGE(output.text);
    BOOST_TEST(output.status == 0);
    BOOST_TEST(output.text.find("yes, every bit") != std::string::npos);
    BOOST_TEST(shades(folder.path / "out/edges.png", 160, 120) > 50U);
    BOOST_TEST(shades(folder.path / "out/blur.png", 160, 120) > 50U);
    BOOST_TEST(shades(folder.path / "out/timeline.png", 1500, 1020) >= 5U);
}

BOOST_AUTO_TEST_CASE(the_blocking_trial_is_late_by_a_job_and_the_awaiting_one_is_not) {
    const Folder folder;
    const Output output = jank(folder, "--seconds 2 --out " + folder.path.string());
    BOOST_TEST_MESSAGE(output.text);
    const auto worst = row(output.text, "loop lateness, worst, ms");
    const auto median = row(output.text, "loop lateness, median, ms");
    const auto job = row(output.text, "length of a job, median, ms");
    const auto downloads = row(output.text, "downloads done");
    BOOST_TEST_REQUIRE((worst.size() == 2 && median.size() == 2 && job.size() == 2 && downloads.size() == 2));
    // A beat falls due within a millisecond of the start of the wait.
    BOOST_TEST(worst[0] >= job[0] - 1.1);
    BOOST_TEST(median[1] < 2.0);
    BOOST_TEST(median[1] * 10 < median[0]);
    BOOST_TEST(downloads[0] >= 6);
    BOOST_TEST(downloads[1] >= 6);
}

BOOST_AUTO_TEST_CASE(a_missing_image_is_named) {
    const Folder folder;
    const Output output = jank(folder, "/nowhere/cat.jpg");
    BOOST_TEST(output.status == 1);
    BOOST_TEST(output.text == "jank: there is no file /nowhere/cat.jpg\n");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_image_is_named) {
    const Folder folder;
    std::ofstream(folder.path / "text.jpg") << "hello\n";
    const Output output = jank(folder, (folder.path / "text.jpg").string());
    BOOST_TEST(output.status == 1);
    BOOST_TEST(output.text.find("text.jpg is not a picture") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_gl_the_attempts_are_listed) {
    const Folder folder;
    const Output output = jank(folder, "--seconds 1 --device 99");
    BOOST_TEST(output.status == 1);
    BOOST_TEST(output.text.find("there is no EGL device 99") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_wrong_option_is_named) {
    const Folder folder;
    for (const std::string arguments :
         {"--spin", "--seconds", "--seconds soon", "--height 0", "a.png b.png", "--screenshot x.png"}) {
        const Output output = jank(folder, arguments);
        BOOST_TEST(output.status == 2, arguments);
        BOOST_TEST(output.text.find("see jank --help") != std::string::npos, arguments);
    }
}

BOOST_AUTO_TEST_CASE(help_defines_the_measure) {
    const Folder folder;
    const Output output = jank(folder, "--help");
    BOOST_TEST(output.status == 0);
    BOOST_TEST(output.text.find("How lateness is measured") != std::string::npos);
}
