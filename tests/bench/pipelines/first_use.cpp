#include <stdlib.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <stile/stile.hpp>

#include "row.hpp"
#include "session.hpp"

namespace bench {
namespace {

using stile::Tensor;

/// Ten results, each of a program that nothing else here needs.
std::vector<Tensor> tenPrograms() {
    const Tensor x = stile::range(0, 64).reshape({8, 8}), image = x.reshape({1, 8, 8, 1});
    return {
        stile::exp(x) + 1.0F,
        stile::sum(x, 0),
        stile::matMul(x, x),
        stile::conv2d(image, stile::ones({3, 3, 1, 1})),
        stile::transpose(x) * 2.0F,
        stile::gather(x, stile::tensor({3, 1}, stile::DType::int32)),
        stile::cumsum(x),
        stile::topk(x, 3).values,
        stile::image::resizeBilinear(image, 5),
        stile::argMax(x, 1).cast(stile::DType::float32),
    };
}

asio::awaitable<double> firstUse() {
    const auto start = Clock::now();
    const std::vector<Tensor> results = tenPrograms();
    (void)co_await stile::data(results);
    co_return millisecondsSince(start);
}

/// What the library and Mesa keep on disk, for as long as it lives.
class CacheFolder {
  public:
    CacheFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "stile-bench-XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error("mkdtemp");
        path_ = name;
    }
    ~CacheFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    CacheFolder(const CacheFolder&) = delete;
    CacheFolder& operator=(const CacheFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  private:
    std::filesystem::path path_;
};

/// What the first use still takes after a warm-up.
asio::awaitable<double> useAfterWarmUp(const stile::Device& device) {
    const std::vector<Tensor> beforehand = tenPrograms();
    co_await device.warmUp(beforehand);
    co_return co_await firstUse();
}

/// Milliseconds of the ten programs in a process of its own, which has this to find.
double inChild(const CacheFolder& cache, const char* option) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string command = "XDG_CACHE_HOME='" + cache.path().string() + "' MESA_SHADER_CACHE_DIR='" +
                                cache.path().string() + "' '" + self + "' " + option;
    const auto close = [](FILE* pipe) { pclose(pipe); };
    const std::unique_ptr<FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
    double ms = 0;
    if (!pipe || std::fscanf(pipe.get(), "%lf", &ms) != 1) throw std::runtime_error("the child process has failed");
    return ms;
}

enum class Ready { nothing, onDisk, warmedUp };

Figures measure(const Effort& effort, Ready ready) {
    std::vector<double> cold, again;
    for (int round = 0; round < effort.rounds; ++round) {
        const CacheFolder cache, other;
        cold.push_back(inChild(cache, "--first-use"));
        if (ready == Ready::onDisk) again.push_back(inChild(cache, "--first-use"));
        if (ready == Ready::warmedUp) again.push_back(inChild(other, "--use-after-warm-up"));
    }
    if (ready == Ready::nothing) return {median(cold)};
    return {median(again), median(cold), "cold"};
}

}  // namespace

std::vector<Row> firstUseRows() {
    return {
        {"first use of ten programs", [](const Effort& effort) { return measure(effort, Ready::nothing); }},
        {"first use of ten programs, on disk", [](const Effort& effort) { return measure(effort, Ready::onDisk); }},
        {"first use of ten programs, after warmUp", [](const Effort& effort) { return measure(effort, Ready::warmedUp); }},
    };
}

void printFirstUse(bool warmUp) {
    Session session;
    std::printf("%f\n", runOn(session.loop, warmUp ? useAfterWarmUp(session.device) : firstUse()));
}

}  // namespace bench
