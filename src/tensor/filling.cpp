#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstdint>

#include "stile/detail/filling.hpp"

namespace stile::detail {

void expectFilling([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
    // Only whole large pages inside; where there are none, or none are wanted, this changes nothing.
    constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = (begin + page - 1) / page * page;
    const std::uintptr_t last = (begin + bytes) / page * page;
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    if (first < last) (void)madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace stile::detail
