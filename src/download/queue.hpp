#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "download/poller.hpp"
#include "download/staging.hpp"
#include "download/turns.hpp"
#include "engine/engine.hpp"
#include "gl/fence.hpp"
#include "gl/gpu.hpp"
#include "stile/detail/waiter.hpp"
#include "tensor/describe.hpp"

namespace stile::download {

/// Serves requests on one context: runs what they need, copies the results to staging memory, puts a fence behind and settles
/// the waiters when it has signalled. Requests that come together share a copy pass and a fence; a tensor that is being copied
/// already is not copied again. A buffer that stays mapped is not copied but read, and lent, where it lies. At the limits requests
/// wait, in order. Everything on the GL executor.
class Queue : public std::enable_shared_from_this<Queue> {
  public:
    struct Limits {
        std::size_t fences = 1;
        std::size_t stagingBytes = 0;
        Clock::duration deadline{};
        std::chrono::nanoseconds slice{};
    };

    Queue(gl::Gpu& gpu, engine::Engine& engine, gl::FenceSource& fences, detail::GlExecutor& executor, Limits limits);

    /// Takes requests in their order and starts what the limits allow.
    void add(std::vector<detail::Request> requests);
    /// Runs nodes that were recorded long ago and are still wanted. What fails is tried again when it is asked for.
    void addOverdue(std::vector<std::weak_ptr<detail::Node>> recorded);
    /// Runs everything that has been started: for callers that block by contract.
    void finishAll();
    /// The context is lost: settles everything with `errc::device_lost`, from now on too.
    void lose();
    /// Fails everything, then gives all GL names back. `context` lives until the last lease ends.
    void close(const detail::Failure& failure, std::shared_ptr<void> context);
    /// Waits in GL for the oldest fence: for callers that block by contract.
    void waitForOldest(Clock::duration atMost) { poller_->waitForOldest(atMost); }
    /// Whether it is inside one of its own calls, which must not be begun again from within.
    [[nodiscard]] bool isBusy() const noexcept { return busy_ > 0; }
    [[nodiscard]] const std::shared_ptr<Staging>& staging() const noexcept { return staging_; }

  private:
    /// Where a tensor's bytes are: on the host, in its own mapped buffer, or in a staging block.
    struct Source {
        detail::NodePtr node;  ///< kept alive, so that its address names it
        engine::Place place;   ///< kept alive, and its GL buffer with it
        std::shared_ptr<detail::HostValues> host;
        detail::BufferPtr mapped{};
        bool lease = false;  ///< gets a block of its own
        std::size_t block = 0, offset = 0;
    };
    /// A waiter and which sources are its values.
    struct Client {
        std::shared_ptr<detail::Waiter> waiter;
        std::string what;  ///< its operations, for messages
        bool lease = false;
        std::vector<std::size_t> sources;
    };
    /// What one fence guards.
    struct Flight {
        std::vector<std::shared_ptr<StagingBlock>> blocks;
        std::vector<Source> sources;
        std::vector<Client> clients;
        Clock::time_point since{};
        std::uint64_t traceId = 0;
        bool overdue = false;
    };
    using FlightPtr = std::shared_ptr<Flight>;

    /// Whose turn it is runs a slice.
    void takeTurn();
    void moved(Job& job, bool finished, const std::exception_ptr& error);
    /// A fence behind a slice has ended.
    void landed(FenceEnd end);
    void abandonJobs(const detail::Failure& failure);
    void pump();
    void startOverdue();
    void refuse();
    void tidy();
    /// Settles everything with this, from now on too.
    void fail(const detail::Failure& failure);
    [[nodiscard]] std::vector<detail::Request> nextBatch();
    void start(std::vector<detail::Request> batch);
    /// A job of their own for these.
    void begin(std::vector<Wanted> wanted, std::vector<std::weak_ptr<Job>> after);
    /// Copies what requests of a job wanted and puts a fence behind.
    void fly(Job& job, std::vector<Wanted> ready);
    [[nodiscard]] bool joinFlight(detail::Request& request);
    [[nodiscard]] std::size_t stagingOf(const detail::Request& request) const;
    [[nodiscard]] bool readsInPlace(Source& source);
    void copy(Flight& flight);
    [[nodiscard]] detail::Failure failureOf(FenceEnd end) const;
    void settle(Flight& flight, const detail::Failure& failure);
    void finish(const FlightPtr& flight, FenceEnd end);
    void deliver(Flight& flight);
    void deliver(Flight& flight, const Client& client);
    /// Counts and traces how a fence ended.
    void measure(Flight& flight, FenceEnd end);

    gl::Gpu& gpu_;
    engine::Engine& engine_;
    gl::FenceSource& fences_;
    Limits limits_;
    std::shared_ptr<Poller> poller_;
    std::shared_ptr<Staging> staging_;
    std::shared_ptr<Turns> turns_;
    std::size_t reserved_ = 0;  ///< staging memory that the requests of jobs will need
    std::vector<std::weak_ptr<detail::Node>> overdue_;
    std::weak_ptr<Job> overdueJob_;
    std::deque<detail::Request> waiting_;
    /// The flight that copies a tensor now, and which of its sources it is.
    std::unordered_map<const detail::Node*, std::pair<FlightPtr, std::size_t>> copying_;
    std::unordered_set<FlightPtr> flights_;
    std::optional<detail::Failure> failed_;
    Clock::time_point landed_{};  ///< when the last fence was seen signalled
    int pumping_ = 0;
    int busy_ = 0;
};

}  // namespace stile::download
