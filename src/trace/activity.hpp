#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "stile/detail/waiter.hpp"
#include "stile/profile_info.hpp"
#include "stile/shape.hpp"
#include "tensor/node.hpp"

namespace stile::trace {

class Activity;

/// How far a request has come.
enum class Stage : std::uint8_t {
    gathered,  ///< in the inbox, until its turn of the loop ends or the GL thread comes to it
    waiting,   ///< at a limit of fences or staging memory
    running,   ///< its operations are being run
    fenced,    ///< behind a fence
};

/// What is known of a request while somebody waits for it. Owned by its waiter.
class Ticket {
  public:
    Ticket(std::shared_ptr<Activity> activity, const detail::Request& request);
    ~Ticket();
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;

    /// The operations that are waited for, with their shapes.
    [[nodiscard]] std::string what() const;

    const std::weak_ptr<detail::Waiter> waiter;
    const std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
    std::atomic<Stage> stage{Stage::gathered};

  private:
    struct Target {
        const char* name = nullptr;
        Shape shape;
    };
    std::shared_ptr<Activity> activity_;
    std::array<Target, 3> targets_;  ///< the first ones
    std::size_t count_;
    bool read_;
    std::list<Ticket*>::iterator at_;
    friend class Activity;
};

/// Notes how far a request has come.
inline void reached(const detail::Waiter& waiter, Stage stage) noexcept {
    if (waiter.ticket) waiter.ticket->stage.store(stage, std::memory_order_relaxed);
}

/// The kernels that have run since somebody began to watch.
struct Session {
    std::mutex mutex;
    std::vector<KernelProfile> kernels;
    std::size_t untimed = 0;  ///< kernels whose time is not known yet
    bool timed = true;        ///< the driver tells times
};

/// What a device is doing: written by its GL executor and by whoever asks it for something, read from any thread without
/// waiting for either. Its mutex is held for moments only.
class Activity : public std::enable_shared_from_this<Activity> {
  public:
    /// Gives a request its ticket.
    void gather(const detail::Request& request) {
        request.waiter->ticket = std::make_shared<Ticket>(shared_from_this(), request);
    }

    /// The operation that runs on the GL executor now.
    struct Running {
        const char* name;
        Shape shape;
        std::chrono::steady_clock::time_point since;
    };
    void begin(const detail::Node& node);
    void end() noexcept;

    /// Someone who waits, as of now.
    struct Wait {
        std::string what;
        Stage stage;
        std::chrono::nanoseconds age;
    };
    struct Snapshot {
        std::optional<Running> running;
        std::array<std::size_t, 4> stages{};  ///< how many requests are at each
        std::vector<Wait> oldest;             ///< the first ones
    };
    [[nodiscard]] Snapshot look() const;

    /// From now on kernels are noted in a session, until `unwatch`.
    [[nodiscard]] std::shared_ptr<Session> watch();
    void unwatch(const std::shared_ptr<Session>& session) noexcept;
    [[nodiscard]] std::vector<std::shared_ptr<Session>> sessions() const;
    [[nodiscard]] bool isWatched() const noexcept { return watched_.load(std::memory_order_relaxed); }

  private:
    friend class Ticket;
    mutable std::mutex mutex_;
    std::list<Ticket*> tickets_;  ///< the oldest first
    std::optional<Running> running_;
    std::vector<std::shared_ptr<Session>> sessions_;
    std::atomic<bool> watched_{false};
};

}  // namespace stile::trace
