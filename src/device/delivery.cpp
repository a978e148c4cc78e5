#include "stile/detail/delivery.hpp"

#include <chrono>
#include <string>

#include "trace/file.hpp"

namespace stile::detail {
namespace {

/// The loop of which this thread ran a completion last.
std::weak_ptr<LoopRegistry>& loopHere() noexcept {
    thread_local std::weak_ptr<LoopRegistry> loop;
    return loop;
}

}  // namespace

Delivering::Delivering(const Delivery& delivery) noexcept : delivery_(delivery) {
    const std::shared_ptr<LoopRegistry>& registry = delivery.registry;
    registry->ready.fetch_sub(1, std::memory_order_relaxed);
    registry->runner.store(std::this_thread::get_id(), std::memory_order_relaxed);
    std::weak_ptr<LoopRegistry>& here = loopHere();
    if (here.owner_before(registry) || registry.owner_before(here)) here = registry;
    if (delivery.traceId == 0) return;
    const auto now = std::chrono::steady_clock::now();
    since_ = now.time_since_epoch().count();
    trace::asyncEnd("wait", delivery.name, delivery.traceId, now);
    trace::flow(trace::Flow::end, delivery.traceId, now);
}

Delivering::~Delivering() {
    if (delivery_.traceId == 0) return;
    const auto end = std::chrono::steady_clock::now();
    trace::slice("loop", std::string("handler of ") + delivery_.name, trace::Time(trace::Time::duration(since_)), end);
}

std::uint64_t traceStart(const char* name) {
    if (!trace::on()) return 0;
    const std::uint64_t id = trace::nextId();
    const auto begin = std::chrono::steady_clock::now();
    trace::asyncBegin("wait", name, id, begin);
    trace::flow(trace::Flow::start, id, begin);
    trace::slice("loop", std::string("ask for ") + name, begin, std::chrono::steady_clock::now());
    return id;
}

void traceAbandoned(const char* name, std::uint64_t traceId) noexcept {
    if (traceId != 0) trace::asyncEnd("wait", name, traceId, std::chrono::steady_clock::now());
}

std::optional<std::int64_t> readyHere() noexcept {
    const std::shared_ptr<LoopRegistry> loop = loopHere().lock();
    if (!loop || loop->runner.load(std::memory_order_relaxed) != std::this_thread::get_id()) return std::nullopt;
    return loop->ready.load(std::memory_order_relaxed);
}

}  // namespace stile::detail
