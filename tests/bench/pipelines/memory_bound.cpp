#include "memory_bound.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace bench {
namespace {

struct Free {
    void operator()(void* memory) const noexcept { std::free(memory); }
};
/// From malloc: values that nobody reads are not written beforehand.
using Memory = std::unique_ptr<std::byte, Free>;

Memory allocate(std::size_t bytes) {
    Memory memory(static_cast<std::byte*>(std::malloc(std::max<std::size_t>(bytes, 1))));
    if (!memory) throw std::bad_alloc();
    return memory;
}

/// Keeps the compiler from leaving out what wrote this memory.
void use(const void* memory) { asm volatile("" : : "g"(memory) : "memory"); }

void copyFresh(const std::byte* from, std::size_t bytes) {
    const Memory to = allocate(bytes);
    std::memcpy(to.get(), from, bytes);
    use(to.get());
}

class Triad {
  public:
    explicit Triad(std::size_t bytes)
        : length_(bytes / sizeof(float) / 3), a_(length_, 0.0F), b_(length_, 1.0F), c_(length_, 2.0F) {}

    void run() {
        const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
        const std::size_t share = (length_ + cores - 1) / cores;
        std::vector<std::jthread> others;
        // Threads cost more than they gain for what fits a cache.
        const std::size_t helpers = length_ > (1U << 16) ? cores - 1 : 0;
        for (std::size_t i = 1; i <= helpers; ++i) others.emplace_back([this, i, share] { part(i * share, (i + 1) * share); });
        part(0, helpers > 0 ? share : length_);
    }

  private:
    void part(std::size_t first, std::size_t last) {
        last = std::min(last, length_);
        float* __restrict a = a_.data();
        const float *b = b_.data(), *c = c_.data();
        for (std::size_t i = first; i < last; ++i) a[i] = b[i] + 3.0F * c[i];
        use(a);
    }

    std::size_t length_;
    std::vector<float> a_, b_, c_;
};

}  // namespace

Side triadThenCopy(std::size_t bytes, std::size_t result) {
    const auto triad = std::make_shared<Triad>(bytes);
    const auto source = std::make_shared<std::vector<std::byte>>(result, std::byte{1});
    return timed([triad, source] {
        triad->run();
        copyFresh(source->data(), source->size());
    });
}

Side copyIntoFresh(std::size_t bytes) {
    const auto source = std::make_shared<std::vector<std::byte>>(bytes, std::byte{1});
    return timed([source] { copyFresh(source->data(), source->size()); });
}

}  // namespace bench
