#include "trace/activity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace stile::trace {

Ticket::Ticket(std::shared_ptr<Activity> activity, const detail::Request& request)
    : waiter(request.waiter), activity_(std::move(activity)), count_(request.targets.size()), read_(request.read) {
    for (std::size_t i = 0; i < std::min(count_, targets_.size()); ++i) {
        const detail::Node& node = *request.targets[i].node();
        targets_[i] = {node.name, node.shape};
    }
    const std::lock_guard lock(activity_->mutex_);
    at_ = activity_->tickets_.insert(activity_->tickets_.end(), this);
}

Ticket::~Ticket() {
    const std::lock_guard lock(activity_->mutex_);
    activity_->tickets_.erase(at_);
}

std::string Ticket::what() const {
    if (count_ == 0) return "everything submitted before";
    std::string out = read_ ? "values of " : "end of ";
    for (std::size_t i = 0; i < std::min(count_, targets_.size()); ++i) {
        out += fmt::format("{}{} {}", i == 0 ? "" : ", ", targets_[i].name, toString(targets_[i].shape));
    }
    if (count_ > targets_.size()) out += fmt::format(" and {} more", count_ - targets_.size());
    return out;
}

void Activity::begin(const detail::Node& node) {
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard lock(mutex_);
    running_ = Running{node.name, node.shape, now};
}

void Activity::end() noexcept {
    const std::lock_guard lock(mutex_);
    running_.reset();
}

Activity::Snapshot Activity::look() const {
    constexpr std::size_t most = 8;
    Snapshot out;
    const auto now = std::chrono::steady_clock::now();
    // They die after the mutex is free: the last owner of a waiter ends its ticket.
    std::vector<std::shared_ptr<detail::Waiter>> held;
    const std::lock_guard lock(mutex_);
    out.running = running_;
    for (const Ticket* ticket : tickets_) {
        const auto waiter = held.emplace_back(ticket->waiter.lock());
        if (!waiter || waiter->abandoned()) continue;
        const Stage stage = ticket->stage.load(std::memory_order_relaxed);
        ++out.stages[static_cast<std::size_t>(stage)];
        if (out.oldest.size() < most) out.oldest.push_back({ticket->what(), stage, now - ticket->since});
    }
    return out;
}

std::shared_ptr<Session> Activity::watch() {
    auto session = std::make_shared<Session>();
    const std::lock_guard lock(mutex_);
    sessions_.push_back(session);
    watched_ = true;
    return session;
}

void Activity::unwatch(const std::shared_ptr<Session>& session) noexcept {
    const std::lock_guard lock(mutex_);
    std::erase(sessions_, session);
    watched_ = !sessions_.empty();
}

std::vector<std::shared_ptr<Session>> Activity::sessions() const {
    const std::lock_guard lock(mutex_);
    return sessions_;
}

}  // namespace stile::trace
