#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

#include <stile/export.hpp>

namespace stile {
/// For tests of programs that use the library.
namespace testing STILE_EXPORT {

/// How often any thread of this process has waited for the GPU inside the library so far: in a blocking download, in a wait
/// for a fence with a timeout, or in mapping memory before its fence has signalled. The library calls glFinish,
/// glGetBufferSubData and glReadPixels nowhere.
[[nodiscard]] std::int64_t blockingReads() noexcept;

/// Throws if there have been any since `before`.
/// \throws Error `sync_forbidden` with their number and the last one's kind and place.
void expectNoBlockingReads(std::int64_t before);

/// Calls `function`, which may well run a loop until it is out of work, and gives its result.
/// \throws Error `sync_forbidden` if any thread has read blocking meanwhile; or what the function throws.
template <class Function>
auto noBlockingReads(Function&& function) -> std::invoke_result_t<Function> {
    const std::int64_t before = blockingReads();
    if constexpr (std::is_void_v<std::invoke_result_t<Function>>) {
        std::invoke(std::forward<Function>(function));
        expectNoBlockingReads(before);
    } else {
        decltype(auto) result = std::invoke(std::forward<Function>(function));
        expectNoBlockingReads(before);
        return static_cast<decltype(result)&&>(result);
    }
}

}  // namespace testing
}  // namespace stile
