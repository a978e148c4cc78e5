#include "download/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "log/log.hpp"
#include "stile/error.hpp"
#include "trace/activity.hpp"
#include "trace/file.hpp"

namespace stile::download {
namespace {

using detail::Failure;
using detail::NodePtr;
using detail::Request;

constexpr std::size_t alignment = 64;
/// Copies share a block up to this size; a larger tensor gets a block of its own.
constexpr std::size_t sharedBlock = std::size_t{16} << 20;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// Counts the calls that are under way.
class Busy {
  public:
    explicit Busy(int& depth) : depth_(++depth) {}
    ~Busy() { --depth_; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

  private:
    int& depth_;
};

/// One of the queue's own calls from the executor: keeps the application's GL state, unless a call that it is inside of does.
class Inside {
  public:
    Inside(int& depth, gl::Gpu& gpu) : busy_(depth), state_(depth == 1 ? gpu.keepState() : nullptr) {}

  private:
    const Busy busy_;
    const std::unique_ptr<gl::StateGuard> state_;
};

}  // namespace

Queue::Queue(gl::Gpu& gpu, engine::Engine& engine, gl::FenceSource& fences, detail::GlExecutor& executor, Limits limits)
    : gpu_(gpu),
      engine_(engine),
      fences_(fences),
      limits_(limits),
      poller_(std::make_shared<Poller>(fences, executor, limits.deadline, gpu.counters)),
      staging_(std::make_shared<Staging>(gpu.api, gpu.driver, gpu.errors, limits.stagingBytes / 4)),
      turns_(std::make_shared<Turns>(
          gpu, engine, fences, executor, poller_, limits.slice,
          Turns::Callbacks{
              .moved = [this](Job& job, bool finished, const std::exception_ptr& error) { moved(job, finished, error); },
              .landed = [this](FenceEnd end) { landed(end); },
              .wake =
                  [this, &executor] {
                      executor.post([weak = weak_from_this()] {
                          if (const auto self = weak.lock()) self->takeTurn();
                      });
                  }})) {}

void Queue::add(std::vector<Request> requests) {
    const Busy busy(busy_);
    for (const Request& request : requests) trace::reached(*request.waiter, trace::Stage::waiting);
    std::ranges::move(requests, std::back_inserter(waiting_));
    pump();
    tidy();
}

void Queue::addOverdue(std::vector<std::weak_ptr<detail::Node>> recorded) {
    const Busy busy(busy_);
    std::ranges::move(recorded, std::back_inserter(overdue_));
    startOverdue();
}

/// One job of them at a time: a program that records faster than the device runs makes it longer, and no more of them.
void Queue::startOverdue() {
    if (failed_ || overdue_.empty() || !overdueJob_.expired()) return;
    std::vector<NodePtr> ends = engine::Engine::endsOf(std::exchange(overdue_, {}));
    if (ends.empty()) return;
    std::ranges::stable_sort(ends, {}, [](const NodePtr& end) { return engine::effortOf({&end, 1}); });
    const auto job = std::make_shared<Job>(Job{.submission = engine::Submission(std::move(ends))});
    overdueJob_ = job;
    turns_->start(job);
}

void Queue::takeTurn() {
    if (failed_) return;
    const Inside inside(busy_, gpu_);
    turns_->take();
    startOverdue();
    pump();
    tidy();
}

void Queue::finishAll() {
    const Inside inside(busy_, gpu_);
    turns_->finishAll();
    pump();
    tidy();
}

void Queue::landed(FenceEnd end) {
    if (end == FenceEnd::signalled) return;
    if (end == FenceEnd::lost) return lose();
    const Inside inside(busy_, gpu_);
    abandonJobs(failureOf(end));
    pump();
    tidy();
}

void Queue::abandonJobs(const Failure& failure) {
    reserved_ = 0;
    for (const JobPtr& job : turns_->abandon()) {
        for (const Wanted& wanted : job->wanted) {
            wanted.request.waiter->settle({.error = failure.waitingFor(detail::described(wanted.request.targets))});
        }
    }
}

void Queue::tidy() {
    if (!failed_) staging_->collect();
    gpu_.counters.requestsWaiting = static_cast<std::int64_t>(waiting_.size());
}

void Queue::pump() {
    // A flight that ends at once calls this from inside: the loop below goes on with what it has made room for.
    if (pumping_ > 0) return;
    const Busy pumping(pumping_);
    while (!failed_ && !waiting_.empty() && flights_.size() + turns_->jobs().size() < limits_.fences) {
        std::vector<Request> batch = nextBatch();
        if (batch.empty()) break;  // no staging memory; a flight that ends calls this again
        // Whatever goes wrong here, nobody is left waiting.
        std::vector<std::shared_ptr<detail::Waiter>> waiters;
        for (const Request& request : batch) waiters.push_back(request.waiter);
        try {
            start(std::move(batch));
        } catch (...) {
            for (const auto& waiter : waiters) waiter->settle({.error = std::current_exception()});
        }
    }
    refuse();
}

/// Ends what waits if its turn may never come.
void Queue::refuse() {
    // Without a failure: at a limit, behind a fence that may never signal.
    if (!failed_ && !poller_->isStuck()) return;
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(limits_.deadline).count();
    const Failure failure =
        failed_
            ? *failed_
            : Failure{errc::timed_out, fmt::format("the device has not answered for {} ms; {} fences and {} bytes of staging "
                                                   "memory are held by work before this",
                                                   ms, poller_->pending(), staging_->inUse())};
    for (const Request& request : std::exchange(waiting_, {})) {
        request.waiter->settle({.error = failure.waitingFor(detail::described(request.targets))});
    }
}

std::vector<Request> Queue::nextBatch() {
    std::vector<Request> batch;
    std::size_t bytes = staging_->inUse() + reserved_;
    while (!waiting_.empty()) {
        // Who waits for all that was begun keeps nobody waiting.
        if (!batch.empty() && batch.back().targets.empty() != waiting_.front().targets.empty()) break;
        const std::size_t more = stagingOf(waiting_.front());
        // A request that is larger than the limit is served alone.
        if (bytes > 0 && more > 0 && bytes + more > limits_.stagingBytes) break;
        bytes += more;
        batch.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
    }
    return batch;
}

/// The staging memory that a request may need.
std::size_t Queue::stagingOf(const Request& request) const {
    // Of mapped buffers only leases on small parts need any.
    if (!request.read || gpu_.buffers->isMapped()) return 0;
    std::size_t bytes = 0;
    for (const Tensor& target : request.targets) {
        if (!target.node()->isLeaf()) bytes += aligned(target.node()->bytes());
    }
    return bytes;
}

bool Queue::joinFlight(Request& request) {
    if (!request.read || request.targets.size() != 1) return false;
    const auto found = copying_.find(request.targets.front().node().get());
    if (found == copying_.end()) return false;
    const auto& [flight, source] = found->second;
    // A lease of what others share would keep all of it.
    if (request.lease && !flight->sources[source].lease) return false;
    trace::reached(*request.waiter, trace::Stage::fenced);
    flight->clients.push_back({std::move(request.waiter), detail::described(request.targets), request.lease, {source}});
    return true;
}

void Queue::start(std::vector<Request> batch) {
    std::erase_if(batch, [this](Request& request) { return request.waiter->abandoned() || joinFlight(request); });
    if (batch.empty()) return;
    trace::Slice slice("gl", "submit");
    if (slice.isOn()) slice.args(fmt::format(R"("requests":{})", batch.size()));
    std::vector<Wanted> wanted;
    std::vector<std::pair<double, std::size_t>> order;  // by effort
    std::vector<std::weak_ptr<Job>> after;
    for (Request& request : batch) {
        trace::reached(*request.waiter, trace::Stage::running);
        if (request.waiter->traceId != 0) trace::flow(trace::Flow::step, request.waiter->traceId, Clock::now());
        if (request.targets.empty()) after.assign(turns_->jobs().begin(), turns_->jobs().end());
        const std::size_t staging = stagingOf(request);
        reserved_ += staging;
        Wanted& one = wanted.emplace_back(Wanted{.request = std::move(request), .staging = staging});
        std::vector<NodePtr> targets;
        for (const Tensor& target : one.request.targets) {
            // Who only waits for a slice wants it computed; who reads it wants its bytes.
            one.places.push_back(one.request.read ? engine::placeOf(target.node()) : engine::Place{target.node(), 0});
            targets.push_back(one.places.back().node);
        }
        order.emplace_back(engine::effortOf(targets), order.size());
    }
    std::ranges::sort(order);
    // Another job may be at what the long ones need. The small ones do not wait for that.
    const std::size_t jobs = turns_->jobs().size();
    const bool apart = jobs > 0 && flights_.size() + jobs + 1 < limits_.fences;
    std::vector<Wanted> small, large;
    for (const auto& [effort, i] : order) (apart && std::isinf(effort) ? large : small).push_back(std::move(wanted[i]));
    if (!small.empty()) begin(std::move(small), after);
    if (!large.empty()) begin(std::move(large), std::move(after));
}

void Queue::begin(std::vector<Wanted> wanted, std::vector<std::weak_ptr<Job>> after) {
    std::vector<NodePtr> targets;
    for (Wanted& one : wanted) {
        one.first = targets.size();
        for (const engine::Place& place : one.places) targets.push_back(place.node);
    }
    turns_->start(std::make_shared<Job>(
        Job{.submission = engine::Submission(std::move(targets)), .wanted = std::move(wanted), .after = std::move(after)}));
}

void Queue::moved(Job& job, bool finished, const std::exception_ptr& error) {
    const bool over = finished || error;
    // Who wants no tensors waits for the whole job.
    const auto isSettled = [&](const Wanted& wanted) {
        std::size_t settled = 0;
        while (settled < wanted.places.size() && job.submission.isSettled(wanted.first + settled)) ++settled;
        return settled > 0 && settled == wanted.places.size();
    };
    std::vector<Wanted> ready, waiting;
    for (Wanted& wanted : job.wanted) {
        (over || isSettled(wanted) ? ready : waiting).push_back(std::move(wanted));
    }
    job.wanted = std::move(waiting);
    for (const Wanted& wanted : ready) {
        reserved_ -= wanted.staging;
        if (error) wanted.request.waiter->settle({.error = error});
    }
    if (error) return;
    if (!ready.empty() || finished) fly(job, std::move(ready));
}

void Queue::fly(Job& job, std::vector<Wanted> ready) {
    const auto flight = std::make_shared<Flight>();
    std::unordered_map<const detail::Node*, std::size_t> known;
    for (Wanted& wanted : ready) {
        Request& request = wanted.request;
        if (request.waiter->abandoned()) continue;
        std::exception_ptr error;
        for (std::size_t i = 0; !error && i < wanted.places.size(); ++i) {
            error = engine_.errorOf(job.submission, wanted.first + i);
        }
        if (error) {
            request.waiter->settle({.error = error});
            continue;
        }
        Client client{std::move(request.waiter), detail::described(request.targets), request.lease, {}};
        for (std::size_t i = 0; request.read && i < request.targets.size(); ++i) {
            const NodePtr& node = request.targets[i].node();
            const engine::Place& from = wanted.places[i];
            const auto [found, isNew] = known.try_emplace(node.get(), flight->sources.size());
            if (isNew) flight->sources.push_back({.node = node, .place = from, .host = detail::hostValues(*from.node)});
            if (request.lease) flight->sources[found->second].lease = true;
            client.sources.push_back(found->second);
        }
        flight->clients.push_back(std::move(client));
    }
    if (flight->clients.empty()) {
        gpu_.api.Flush();  // nobody puts a fence behind this
        return;
    }
    try {
        copy(*flight);
    } catch (...) {
        for (const Client& client : flight->clients) client.waiter->settle({.error = std::current_exception()});
        return;
    }
    const gl::Fence fence = fences_.insert();
    if (fence == 0) {
        finish(flight, gl::isLost(gpu_.api) ? FenceEnd::lost : FenceEnd::failed);
        return;
    }
    ++gpu_.counters.fences;
    flight->since = Clock::now();
    flight->traceId = trace::on() ? trace::nextId() : 0;
    if (flight->traceId != 0) trace::asyncBegin("fence", "fence", flight->traceId, flight->since);
    for (const Client& client : flight->clients) trace::reached(*client.waiter, trace::Stage::fenced);
    flights_.insert(flight);
    for (std::size_t i = 0; i < flight->sources.size(); ++i) {
        if (!flight->sources[i].host) copying_.emplace(flight->sources[i].node.get(), std::pair(flight, i));
    }
    poller_->watch(fence, [weak = weak_from_this(), flight](FenceEnd end) {
        if (const auto self = weak.lock()) self->finish(flight, end);
    });
}

/// Whether a source's bytes can be had where they lie.
bool Queue::readsInPlace(Source& source) {
    const detail::BufferPtr buffer = engine_.bufferOf(*source.place.node);
    if (!buffer->mapped()) return false;
    // A lease keeps all of the buffer: a small part of it is copied.
    if (source.lease && source.node->bytes() < source.place.node->bytes() / 2) return false;
    source.mapped = buffer;
    ++gpu_.counters.copies;
    return true;
}

void Queue::copy(Flight& flight) {
    struct Open {
        std::size_t used = 0;
        std::vector<std::size_t> sources;
    };
    // First the layout, then one block for each part of it.
    std::vector<Open> layout;
    for (std::size_t i = 0; i < flight.sources.size(); ++i) {
        Source& source = flight.sources[i];
        const std::size_t bytes = source.node->bytes();
        if (source.host || bytes == 0 || readsInPlace(source)) continue;
        const bool fits = !layout.empty() && layout.back().used + bytes <= sharedBlock;
        // Who keeps a block should keep no more than what he asked for.
        if (!fits || source.lease || flight.sources[layout.back().sources.front()].lease) layout.emplace_back();
        source.block = layout.size() - 1;
        source.offset = layout.back().used;
        layout.back().used += aligned(bytes);
        layout.back().sources.push_back(i);
    }
    if (layout.empty()) return;
    const trace::Slice slice("gl", "copy");
    const gl::Api& gl = gpu_.api;
    for (const Open& part : layout) {
        flight.blocks.push_back(staging_->take(part.used));
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, flight.blocks.back()->buffer());
        for (const std::size_t i : part.sources) {
            const Source& source = flight.sources[i];
            gl.BindBuffer(GL_COPY_READ_BUFFER, engine_.bufferOf(*source.place.node)->name());
            gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(source.place.offset),
                                 static_cast<GLintptr>(source.offset), static_cast<GLsizeiptr>(source.node->bytes()));
            ++gpu_.counters.copies;
        }
    }
    gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    if (const std::string words = gpu_.errors.take(); !words.empty()) {
        throw Error(gl::codeOf(words), "copying to staging memory: " + words);
    }
}

Failure Queue::failureOf(FenceEnd end) const {
    switch (end) {
        case FenceEnd::lost: return {errc::device_lost, "the GL context was lost"};
        case FenceEnd::timedOut:
            return {errc::timed_out,
                    fmt::format("the device's deadline of {} ms",
                                std::chrono::duration_cast<std::chrono::milliseconds>(limits_.deadline).count())};
        default: return {errc::fence_failed, "a GL fence"};
    }
}

void Queue::settle(Flight& flight, const Failure& failure) {
    for (const Client& client : std::exchange(flight.clients, {})) {
        client.waiter->settle({.error = failure.waitingFor(client.what)});
    }
}

void Queue::finish(const FlightPtr& flight, FenceEnd end) {
    const Inside inside(busy_, gpu_);  // within `add` the state is kept already
    measure(*flight, end);
    const trace::Slice slice("gl", "deliver");
    for (const Source& source : flight->sources) {
        const auto found = copying_.find(source.node.get());
        if (found != copying_.end() && found->second.first == flight) copying_.erase(found);
    }
    if (end == FenceEnd::signalled) {
        for (const auto& block : flight->blocks) block->land();
        deliver(*flight);
    } else {
        // The blocks and sources live on until the last reference to the flight goes: after a timeout, with the fence.
        settle(*flight, failureOf(end));
    }
    if (end == FenceEnd::timedOut) {
        pump();
        tidy();
        return;
    }
    flights_.erase(flight);
    flight->blocks.clear();
    flight->sources.clear();
    if (end == FenceEnd::lost) lose();
    pump();
    tidy();
}

void Queue::measure(Flight& flight, FenceEnd end) {
    const Clock::time_point now = Clock::now();
    if (end == FenceEnd::timedOut) {
        flight.overdue = true;
        ++gpu_.counters.fencesOverdue;
        return;
    }
    if (flight.overdue) --gpu_.counters.fencesOverdue;
    if (flight.traceId != 0) trace::asyncEnd("fence", "fence", flight.traceId, now);
    if (end != FenceEnd::signalled) return;
    if (engine_.recorder()) engine_.recorder()->poll();
    if (!flight.sources.empty() && flight.since != Clock::time_point{}) {
        // Flights overlap: time in which several wait counts once.
        gpu_.counters.waitNanoseconds += std::chrono::nanoseconds(now - std::max(flight.since, landed_)).count();
    }
    landed_ = now;
}

void Queue::deliver(Flight& flight) {
    for (const Client& client : std::exchange(flight.clients, {})) {
        try {
            deliver(flight, client);
        } catch (...) {
            client.waiter->settle({.error = std::current_exception()});
        }
    }
}

void Queue::deliver(Flight& flight, const Client& client) {
    std::vector<detail::RawValues> values;
    std::shared_ptr<const void> memory;
    for (const std::size_t index : client.sources) {
        const Source& source = flight.sources[index];
        const std::size_t bytes = source.node->bytes();
        if (bytes == 0) {
            values.emplace_back();
        } else if (source.host) {
            values.push_back(source.host->bytes.subspan(source.place.offset, bytes));
            memory = source.host;
        } else if (source.mapped) {
            values.emplace_back(source.mapped->mapped() + source.place.offset, bytes);
            if (client.lease) memory = std::make_shared<gl::BufferLease>(source.mapped);
        } else {
            const std::shared_ptr<StagingBlock>& block = flight.blocks[source.block];
            values.push_back(block->read().subspan(source.offset, bytes));
            memory = block;
            if (client.lease) block->lend();
        }
    }
    client.waiter->settle({.values = values, .memory = client.lease ? std::move(memory) : nullptr});
}

void Queue::lose() {
    if (failed_) return;
    log::error("the GL context was lost; everything on this device fails until it is reopened");
    gl::setLost(gpu_.api);
    fail({errc::device_lost, "the GL context was lost"});
}

void Queue::fail(const Failure& failure) {
    failed_ = failure;
    gpu_.counters.fencesOverdue = 0;
    copying_.clear();
    poller_->clear(gl::isLost(gpu_.api));
    for (const FlightPtr& flight : std::exchange(flights_, {})) settle(*flight, failure);
    abandonJobs(failure);
    overdue_.clear();
    refuse();
}

void Queue::close(const Failure& failure, std::shared_ptr<void> context) {
    fail(failure);
    staging_->close(gl::isLost(gpu_.api), context);
    gpu_.buffers->keepWhileLent(std::move(context));
}

}  // namespace stile::download
