#define BOOST_TEST_MODULE programs
#include "values.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

// The cache of programs, in memory and on disk.
using namespace stile;
namespace fs = std::filesystem;

namespace {

/// A cache folder of its own, empty at first, for the devices opened while it lives.
struct CacheFolder {
    CacheFolder() : path(fs::temp_directory_path() / ("stile-programs-" + std::to_string(getpid()))) {
        fs::remove_all(path);
        fs::create_directories(path);
        if (const char* text = std::getenv("XDG_CACHE_HOME")) before = text;
        setenv("XDG_CACHE_HOME", path.c_str(), 1);
    }
    ~CacheFolder() {
        setenv("XDG_CACHE_HOME", before.c_str(), 1);
        fs::remove_all(path);
    }
    CacheFolder(const CacheFolder&) = delete;
    CacheFolder& operator=(const CacheFolder&) = delete;

    [[nodiscard]] std::vector<fs::path> files() const {
        std::vector<fs::path> out;
        for (const auto& entry : fs::recursive_directory_iterator(path / "stile")) {
            if (entry.is_regular_file()) out.push_back(entry.path());
        }
        return out;
    }

    fs::path path;
    std::string before;
};

Device open(std::size_t maxPrograms = 256) {
    return Device::open({.debug = true, .maxPrograms = maxPrograms, .sync = SyncPolicy::allow});
}

/// One program: element-wise, of a structure that `kind` decides.
void runProgram(const Device& device, int kind) {
    Tensor x = test::floats({1, 2}).on(device);
    for (int i = 0; i <= kind; ++i) x = x + 1.0F;
    const float by = static_cast<float>(kind) + 1;
    BOOST_TEST((x.dataSync() == std::vector<float>{1 + by, 2 + by}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_cache_keeps_at_most_its_limit_and_drops_the_least_recently_used) {
    const Device device = Device::open({.debug = true, .maxPrograms = 4, .diskCache = false, .sync = SyncPolicy::allow});
    for (int kind = 0; kind < 10; ++kind) {
        runProgram(device, kind);
        BOOST_TEST(device.stats().programs <= 4);
    }
    BOOST_TEST(device.stats().compiled == 10);
    runProgram(device, 6);  // still there, and now the most recent
    BOOST_TEST(device.stats().compiled == 10);
    runProgram(device, 0);  // was dropped
    runProgram(device, 1);
    runProgram(device, 2);
    BOOST_TEST(device.stats().compiled == 13);
    runProgram(device, 6);
    BOOST_TEST(device.stats().compiled == 13);
    BOOST_TEST(device.stats().programs == 4);
    BOOST_TEST(device.stats().debugErrors == 0);
}

BOOST_AUTO_TEST_CASE(a_second_device_loads_what_the_first_has_stored) {
    const CacheFolder folder;
    runProgram(open(), 3);
    if (folder.files().empty()) return;  // a driver without binaries
    const Device second = open();
    runProgram(second, 3);
    BOOST_TEST(second.stats().loaded == 1);
    BOOST_TEST(second.stats().compiled == 0);
    BOOST_TEST(second.stats().debugErrors == 0);
}

BOOST_AUTO_TEST_CASE(a_second_process_loads_what_the_first_has_stored) {
    // The process that is started below runs this case too.
    if (std::getenv("STILE_TEST_SECOND_PROCESS")) {
        const Device device = open();
        runProgram(device, 5);
        BOOST_TEST(device.stats().loaded == 1);
        BOOST_TEST(device.stats().compiled == 0);
        return;
    }
    const CacheFolder folder;
    runProgram(open(), 5);
    if (folder.files().empty()) return;  // a driver without binaries
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    const std::string command =
        "STILE_TEST_SECOND_PROCESS=1 '" + self + "' --run_test=a_second_process_loads_what_the_first_has_stored";
    BOOST_TEST(std::system(command.c_str()) == 0);
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_ignored_and_replaced) {
    const auto damages = std::to_array<void (*)(const fs::path&)>({
        [](const fs::path& file) { fs::resize_file(file, 0); },
        [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); },
        [](const fs::path& file) {
            std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
            stream.seekp(-5, std::ios::end);
            stream.write("stile", 5);
        },
        [](const fs::path& file) {
            std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
            stream.write("nonsense that is longer than a header of whatever size it may have, surely", 70);
        },
    });
    for (const auto damage : damages) {
        const CacheFolder folder;
        runProgram(open(), 3);
        const std::vector<fs::path> files = folder.files();
        if (files.empty()) return;  // a driver without binaries
        for (const fs::path& file : files) damage(file);
        {
            const Device second = open();
            runProgram(second, 3);
            BOOST_TEST(second.stats().loaded == 0);
            BOOST_TEST(second.stats().compiled == 1);
            BOOST_TEST(second.stats().debugErrors == 0);
        }
        const Device third = open();
        runProgram(third, 3);
        BOOST_TEST(third.stats().loaded == 1);
    }
}

namespace {

/// A variable of the environment, for as long as it lives.
struct Variable {
    Variable(const char* variable, const char* value) : name(variable) { setenv(variable, value, 1); }
    ~Variable() { unsetenv(name); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    const char* name;
};

/// A product that is worth measuring kernels for.
void multiply(const Device& device) {
    const Tensor y = matMul(ones({512, 512}).on(device), ones({512, 512}));
    BOOST_TEST(y.dataSync().back() == 512.0F);
}

std::string tuned(const CacheFolder& folder) {
    for (const fs::path& file : folder.files()) {
        if (file.parent_path().filename() != "tuning") continue;
        std::ifstream stream(file);
        std::string driver, choice;
        std::getline(stream, driver);
        std::getline(stream, choice);
        return choice;
    }
    return {};
}

/// Whether times can be told: not without a driver, nor with the least that one may offer.
bool measures() { return !std::getenv("STILE_TEST_DRIVER") && !std::getenv("STILE_LIMITS"); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_fastest_kernel_of_a_product_is_measured_once) {
    if (!measures()) return;
    const Variable shaders("STILE_HOST_KERNELS", "0");
    const CacheFolder folder;
    {
        const Device device = open();
        multiply(device);
        for (int i = 0; i < 20 && tuned(folder).empty(); ++i) multiply(device);
        BOOST_TEST(device.stats().debugErrors == 0);
    }
    const std::string choice = tuned(folder);
    BOOST_TEST((choice == "product 16x8" || choice == "product 8x4" || choice == "product shared"));
    const Device second = open();
    multiply(second);
    BOOST_TEST(second.stats().compiled + second.stats().loaded == 1);  // nothing beside the product
    BOOST_TEST(tuned(folder) == choice);
}

BOOST_AUTO_TEST_CASE(nothing_is_measured_where_tuning_is_off) {
    const Variable shaders("STILE_HOST_KERNELS", "0"), tuning("STILE_TUNING", "0");
    const CacheFolder folder;
    const Device device = open();
    for (int i = 0; i < 2; ++i) multiply(device);
    BOOST_TEST(tuned(folder).empty());
}

BOOST_AUTO_TEST_CASE(a_choice_that_makes_no_sense_is_made_again) {
    if (!measures()) return;
    const Variable shaders("STILE_HOST_KERNELS", "0");
    const CacheFolder folder;
    {
        const Device device = open();
        for (int i = 0; i < 20 && tuned(folder).empty(); ++i) multiply(device);
    }
    for (const fs::path& file : folder.files()) {
        if (file.parent_path().filename() != "tuning") continue;
        std::ofstream(file) << "another driver\nproduct 1x1\n";
    }
    const Device device = open();
    for (int i = 0; i < 20 && tuned(folder) == "product 1x1"; ++i) multiply(device);
    BOOST_TEST(tuned(folder) != "product 1x1");
}
