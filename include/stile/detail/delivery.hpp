#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <stile/detail/loop_registry.hpp>
#include <stile/detail/waiter.hpp>
#include <stile/export.hpp>

namespace stile::detail {

/// What a completion knows of the operation that it ends.
struct Delivery {
    std::shared_ptr<LoopRegistry> registry;
    const char* name;       ///< of the operation
    std::uint64_t traceId;  ///< 0 if there is no trace
};

/// Lives while a handler runs: its completion is not ready any more, and this thread is the one that runs the loop.
class STILE_EXPORT Delivering {
  public:
    explicit Delivering(const Delivery& delivery) noexcept;
    ~Delivering();
    Delivering(const Delivering&) = delete;
    Delivering& operator=(const Delivering&) = delete;

  private:
    const Delivery& delivery_;
    std::int64_t since_ = 0;  ///< on the steady clock
};

/// Tells the trace, if there is one, that an operation begins; gives its id there.
[[nodiscard]] STILE_EXPORT std::uint64_t traceStart(const char* name);
/// Tells the trace that it ends without a handler.
STILE_EXPORT void traceAbandoned(const char* name, std::uint64_t traceId) noexcept;

/// How many completions are ready on the loop that the calling thread runs. None if that is not known: no completion has run
/// here yet, or another thread runs the loop too.
[[nodiscard]] STILE_EXPORT std::optional<std::int64_t> readyHere() noexcept;

}  // namespace stile::detail
