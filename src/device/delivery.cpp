#include "stile/detail/delivery.hpp"

namespace stile::detail {
namespace {

/// The loop of which this thread ran a completion last.
std::weak_ptr<LoopRegistry>& loopHere() noexcept {
    thread_local std::weak_ptr<LoopRegistry> loop;
    return loop;
}

}  // namespace

void ranHere(const std::shared_ptr<LoopRegistry>& registry) noexcept {
    registry->ready.fetch_sub(1, std::memory_order_relaxed);
    registry->runner.store(std::this_thread::get_id(), std::memory_order_relaxed);
    std::weak_ptr<LoopRegistry>& here = loopHere();
    if (here.owner_before(registry) || registry.owner_before(here)) here = registry;
}

std::optional<std::int64_t> readyHere() noexcept {
    const std::shared_ptr<LoopRegistry> loop = loopHere().lock();
    if (!loop || loop->runner.load(std::memory_order_relaxed) != std::this_thread::get_id()) return std::nullopt;
    return loop->ready.load(std::memory_order_relaxed);
}

}  // namespace stile::detail
