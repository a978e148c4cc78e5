#include "engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <limits>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "engine/on_host.hpp"
#include "stile/error.hpp"
#include "tensor/describe.hpp"
#include "trace/file.hpp"

namespace stile::engine {
namespace {

using detail::BufferPtr;
using detail::HostValues;
using detail::Node;
using detail::NodePtr;
using detail::Uploads;
namespace prim = detail::prim;

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
// clang++ deduces aggregates without it from version 17 on.
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// The error in flight with the operation and its shapes in front.
std::exception_ptr named(const Node& node, const std::exception_ptr& error) {
    std::string what = fmt::format("{} → {} {}", node.name, name(node.dtype), toString(node.shape));
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        what += fmt::format("{}{}", i == 0 ? " of " : ", ", toString(node.inputs[i]->shape));
    }
    try {
        std::rethrow_exception(error);
    } catch (const Error& e) {
        return std::make_exception_ptr(Error(e.code(), what + ": " + detail::words(e)));
    } catch (const std::bad_alloc&) {
        return std::make_exception_ptr(Error(errc::out_of_memory, what + ": host memory"));
    } catch (...) {
        return error;
    }
}

/// The result of a reduction over no elements, as bits.
std::uint32_t identity(prim::Reduction kind, DType dtype) {
    const bool real = dtype == DType::float32;
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    constexpr float infinity = std::numeric_limits<float>::infinity();
    switch (kind) {
        case prim::Reduction::mean: return bits(std::numeric_limits<float>::quiet_NaN());
        case prim::Reduction::prod: return real ? bits(1) : 1U;
        case prim::Reduction::max: return real ? bits(-infinity) : 0x80000000U;
        case prim::Reduction::min: return real ? bits(infinity) : 0x7fffffffU;
        case prim::Reduction::all: return 1;
        default: return 0;
    }
}

bool isNumber(const Node& node) {
    return std::holds_alternative<prim::Fill>(node.primitive) || (node.host && node.shape.size() == 1);
}

std::uint32_t numberOf(const Node& node) {
    if (const auto* fill = std::get_if<prim::Fill>(&node.primitive)) return fill->bits;
    std::uint32_t bits = 0;
    std::memcpy(&bits, node.host->bytes.data(), sizeof bits);
    return bits;
}

/// Gathers the nodes that a root's kernel computes into an expression. The depth of the recursion is bounded by the number of
/// members of a kernel.
class Gatherer {
  public:
    Gatherer(const Node& root, kernels::Expression& out, auto&& operandOf) : root_(root), out_(out), operandOf_(operandOf) {}

    /// The step or leaf that holds a node's value.
    int value(Node& node) {
        if (const auto found = known_.find(&node); found != known_.end()) return found->second;
        const bool inside = !Planner::isDone(node) && (node.plan.root == &root_ || !node.plan.root);
        const int at = !inside ? leaf(node) : isProduct(node) ? own(node) : step(node);
        known_.emplace(&node, at);
        if (inside) members_.push_back(&node);
        return at;
    }
    int step(Node& node) {
        const auto& what = std::get<prim::Elementwise>(node.primitive);
        kernels::Expression::Step step{.op = what.op, .params = what.params, .computed = what.computed, .result = node.dtype};
        for (std::size_t i = 0; i < node.inputs.size(); ++i) step.operands[i] = value(*node.inputs[i]);
        // What was recorded twice is computed once.
        const auto isSame = [&](const kernels::Expression::Step& other) { return computeTheSame(step, other); };
        const auto at = std::ranges::find_if(out_.steps, isSame) - out_.steps.begin();
        if (std::cmp_equal(at, out_.steps.size())) out_.steps.push_back(step);
        return static_cast<int>(at);
    }

    /// What the kernel computes beside the chain; null if nothing.
    [[nodiscard]] Node* product() const noexcept { return product_; }
    /// The nodes that are computed inside the root's kernel.
    [[nodiscard]] const std::vector<Node*>& members() const noexcept { return members_; }

  private:
    int own(Node& node) {
        product_ = &node;
        out_.leaves.push_back({.dtype = node.dtype, .shape = node.shape, .own = true});
        return -static_cast<int>(out_.leaves.size());
    }
    int leaf(Node& node) {
        kernels::Expression::Leaf leaf{.dtype = node.dtype, .shape = node.shape};
        if (isNumber(node)) {
            leaf.bits = numberOf(node);
        } else {
            leaf.buffer = operandOf_(node).buffer;
        }
        out_.leaves.push_back(std::move(leaf));
        return -static_cast<int>(out_.leaves.size());
    }

    [[nodiscard]] bool computeTheSame(const kernels::Expression::Step& a, const kernels::Expression::Step& b) const {
        const auto bits = [](const kernels::Expression::Step& s) {
            return std::bit_cast<std::array<std::uint32_t, 2>>(s.params);
        };
        if (a.op != b.op || a.computed != b.computed || a.result != b.result || bits(a) != bits(b)) return false;
        return std::ranges::equal(a.operands, b.operands, [this](int x, int y) { return x == y || areTheSameNumber(x, y); });
    }
    [[nodiscard]] bool areTheSameNumber(int x, int y) const {
        if (x >= 0 || y >= 0) return false;
        const auto &a = out_.leaves[static_cast<std::size_t>(-x - 1)], &b = out_.leaves[static_cast<std::size_t>(-y - 1)];
        return !a.buffer && !b.buffer && !a.own && !b.own && a.bits == b.bits && a.dtype == b.dtype && a.shape == b.shape;
    }

    const Node& root_;
    kernels::Expression& out_;
    std::function<kernels::Operand(Node&)> operandOf_;
    std::unordered_map<const Node*, int> known_;
    std::vector<Node*> members_;
    Node* product_ = nullptr;
};

/// Has kernels note programs while it lives.
class Noting {
  public:
    Noting(gl::Gpu& gpu, std::deque<gl::Rehearsal>& out) : gpu_(gpu) { gpu_.rehearsals = &out; }
    ~Noting() { gpu_.rehearsals = nullptr; }
    Noting(const Noting&) = delete;
    Noting& operator=(const Noting&) = delete;

  private:
    gl::Gpu& gpu_;
};

}  // namespace

void Slice::ran(const gl::Step& step) {
    constexpr double least = 5000;  // whatever it does, somebody has recorded, planned and submitted it
    work_ += std::max(step.estimate(), least);
    if (speeds_.empty() || speeds_.back() != step.speed) speeds_.push_back(step.speed);
}

void Slice::took(std::chrono::nanoseconds time) const {
    if (work_ <= 0) return;
    const double factor = static_cast<double>(time.count()) / work_;
    for (const auto& speed : speeds_) speed->correct(factor);
}

bool Submission::isSettled(std::size_t target) const {
    const Node& node = *targets_[target];
    return Planner::isDone(node) || failed_.contains(&node);
}

bool Submission::isWanted() const {
    const long own = plan_ ? 2 : 1;  // the plan holds it too
    return std::ranges::any_of(targets_, [own](const NodePtr& target) { return target.use_count() > own; });
}

BufferPtr Engine::copyOf(const std::shared_ptr<Uploads>& uploads, std::size_t bytes, Submission* submission,
                         const std::function<void(const gl::Buffer&)>& write) {
    const std::lock_guard lock(uploads->mutex);
    for (const auto& [home, buffer] : uploads->copies) {
        if (home == home_ && buffer->pool() == gpu_.buffers.get()) return buffer;
    }
    BufferPtr buffer = gpu_.buffers->take(bytes);
    trace::Slice slice("gl", "upload");
    if (slice.isOn()) slice.args(fmt::format(R"("bytes":{})", bytes));
    const auto begin = std::chrono::steady_clock::now();
    write(*buffer);
    std::erase_if(uploads->copies, [this](const auto& entry) { return entry.first == home_; });
    uploads->copies.emplace_back(home_, buffer);
    if (submission) submission->uploaded_.push_back(uploads);
    gpu_.counters.uploadNanoseconds += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
    if (recorder_ && submission) recorder_->uploaded(submission->kernel_);
    return buffer;
}

BufferPtr Engine::upload(const std::shared_ptr<HostValues>& host, Submission* submission) {
    return copyOf(host->uploads, host->bytes.size(), submission,
                  [&](const gl::Buffer& buffer) { gpu_.buffers->write(buffer, host->bytes); });
}

BufferPtr Engine::fill(const Node& node, Submission* submission) {
    const auto uploads = node.uploads ? node.uploads : std::make_shared<Uploads>();
    return copyOf(uploads, node.bytes(), submission, [&](const gl::Buffer& buffer) {
        if (buffer.mapped()) {
            const auto count = static_cast<std::size_t>(node.shape.size());
            std::fill_n(reinterpret_cast<std::uint32_t*>(buffer.mapped()), count, numberOf(node));
        } else {
            gpu_.buffers->write(buffer, detail::hostValues(node)->bytes);
        }
    });
}

BufferPtr Engine::bufferOf(Node& node, Submission* submission) {
    std::exception_ptr failure = node.failure;
    if (submission) {
        const auto found = submission->failed_.find(&node);
        if (found != submission->failed_.end()) failure = found->second;
        submission->inherited_ = submission->inherited_ || failure;
    }
    if (failure) std::rethrow_exception(failure);
    if (gpu_.rehearsals) return gpu_.take(std::max<std::size_t>(node.bytes(), 4));
    if (node.shape.size() == 0) return gpu_.buffers->take(4);  // kernels want something to bind
    if (node.host) return upload(node.host, submission);
    if (node.isLeaf()) return fill(node, submission);
    if (node.buffer && node.buffer->pool() == gpu_.buffers.get()) return node.buffer;
    if (node.saved) return upload(node.saved, submission);
    if (node.buffer && node.buffer->pool()->isLost()) {
        throw Error(errc::device_lost,
                    fmt::format("{} {} {} was computed before the context was lost, and was kept nowhere else", node.name,
                                name(node.dtype), toString(node.shape)));
    }
    throw Error(errc::invalid_argument, fmt::format("{} {} is not on this device", node.name, toString(node.shape)));
}

void Engine::prepare(Submission& submission, Node& root) {
    const auto operandOf = [&](Node& node) { return kernels::Operand{bufferOf(node, &submission), node.shape, node.dtype}; };
    if (root.shape.size() == 0) return;
    if (std::holds_alternative<prim::Alias>(root.primitive)) {
        submission.result_ = bufferOf(*root.inputs.front(), &submission);
        return;
    }
    const auto* reduction = std::get_if<prim::Reduce>(&root.primitive);
    if (reduction && root.inputs.front()->shape.size() == 0) {
        const Node empty(prim::Fill{identity(reduction->kind, root.dtype)}, root.name, root.shape, root.dtype, nullptr, {});
        if (!gpu_.rehearsals) submission.result_ = fill(empty, &submission);
        return;
    }
    const kernels::Operand out{gpu_.take(root.bytes()), root.shape, root.dtype};
    const bool fused = reduction || std::holds_alternative<prim::Elementwise>(root.primitive);
    if (fused) {
        kernels::Expression expression{.shape = reduction ? root.inputs.front()->shape : root.shape, .leaves = {}, .steps = {}};
        Gatherer gatherer(root, expression, operandOf);
        (void)(reduction ? gatherer.value(*root.inputs.front()) : gatherer.step(root));
        // If the kernel fails they have buffers of their own the next time.
        for (Node* member : gatherer.members()) member->inlined = member->inlined || !gpu_.rehearsals;
        if (reduction) {
            onHost(gpu_, expression, out, [what = *reduction](const auto& e, const auto& leaves, const auto& to) {
                host::reduce(what, e, leaves, to);
            });
            kernels::reduce(gpu_, *reduction, expression, out);
        } else if (Node* product = gatherer.product()) {
            prepareProduct(submission, *product, expression, out);
        } else {
            onHost(gpu_, expression, out,
                   [](const auto& e, const auto& leaves, const auto& to) { host::elementwise(e, leaves, to); });
            kernels::elementwise(gpu_, expression, out);
        }
    } else {
        std::vector<kernels::Operand> in;
        for (const NodePtr& input : root.inputs) in.push_back(operandOf(*input));
        if (!prepareOnCpu(root.primitive, in, out)) {
            std::visit(Overloaded{[](const prim::Host&) {}, [](const prim::Fill&) {}, [](const prim::Alias&) {},
                                  [](const prim::Elementwise&) {}, [](const prim::Reduce&) {},  // all of these above
                                  [&](const auto& what) {
                                      onHost(gpu_, what, in, out);
                                      kernels::run(gpu_, what, in, out);
                                  }},
                       root.primitive);
        }
    }
    if (!gpu_.rehearsals) ++gpu_.counters.kernels;
    submission.result_ = out.buffer;
}

bool Engine::prepareOnCpu(const detail::Primitive& what, kernels::Operands in, const kernels::Operand& out) {
    cpu::Steps steps = cpu_.prepare(what, in, out);
    for (cpu::Step& step : steps) {
        if (gpu_.rehearsals) break;
        std::shared_ptr<gl::Speed>& speed = cpuSpeeds_[what.index()];
        if (!speed) speed = std::make_shared<gl::Speed>();
        gpu_.steps.push_back({std::move(step.run), speed, step.work});
    }
    return !steps.empty();
}

void Engine::prepareProduct(Submission& submission, Node& product, const kernels::Expression& epilogue,
                            const kernels::Operand& out) {
    std::vector<kernels::Operand> in;
    for (const NodePtr& input : product.inputs) in.push_back({bufferOf(*input, &submission), input->shape, input->dtype});
    const kernels::Operand own{out.buffer, product.shape, product.dtype};
    if (prepareOnCpu(product.primitive, in, own)) {
        // In place: an invocation reads the same elements that it writes.
        kernels::elementwise(gpu_, kernels::withOwn(epilogue, out.buffer), out);
        return;
    }
    const auto run = [&](const auto& what) {
        onHost(gpu_, what, in, own, epilogue, out);
        kernels::run(gpu_, what, in, own, &epilogue);
    };
    if (const auto* what = std::get_if<prim::MatMul>(&product.primitive)) run(*what);
    if (const auto* what = std::get_if<prim::Conv2d>(&product.primitive)) run(*what);
}

void Engine::begin(Submission& s, NodePtr node) {
    s.inherited_ = false;
    if (recorder_) s.kernel_ = recorder_->begin(*node);
    gpu_.steps.clear();  // of a kernel that failed while it was prepared
    try {
        prepare(s, *node);
        s.current_ = std::move(node);
        s.steps_.swap(gpu_.steps);
    } catch (...) {
        // An input's failure is handed on as it is: its message names the operation where it began.
        const std::exception_ptr error = std::current_exception();
        s.failed_.emplace(node.get(), s.inherited_ ? error : named(*node, error));
        if (recorder_) recorder_->end(*node, s.kernel_);
    }
}

void Engine::end(Submission& s) {
    const NodePtr node = std::move(s.current_);  // an intermediate value dies as soon as nobody needs it
    node->finish(std::move(s.result_));
    s.done_.push_back(node);
    if (recorder_) recorder_->end(*node, s.kernel_);
}

void Engine::perform(Submission& s, Slice& slice) {
    const gl::Step step = std::move(s.steps_.front());
    s.steps_.pop_front();
    const double estimate = step.estimate();
    slice.ran(step);
    const auto begin = std::chrono::steady_clock::now();
    try {
        step.run();
    } catch (...) {
        fail(s, std::current_exception());
        return;
    }
    const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - begin;
    if (gpu_.driver.immediate && estimate > 0) step.speed->correct(static_cast<double>(time.count()) / estimate);
}

/// The current node has failed.
void Engine::fail(Submission& s, const std::exception_ptr& error) {
    const NodePtr node = std::exchange(s.current_, nullptr);
    s.result_ = nullptr;
    s.steps_.clear();
    s.failed_.emplace(node.get(), named(*node, error));
    if (recorder_) recorder_->end(*node, s.kernel_);
}

Engine::Progress Engine::advance(Submission& s, Slice& slice) {
    if (!s.plan_) {
        s.plan_ = planner_.plan(s.targets_, gpu_.driver.maxInputs(), fuse_);
        if (!s.plan_) return Progress::blocked;
        ++gpu_.counters.submissions;
    }
    trace::Slice traced("gl", "run");
    const std::int64_t kernelsBefore = gpu_.counters.kernels;
    const std::size_t from = s.next_;
    gpu_.errors.keep();
    if (recorder_ && s.current_) recorder_->resume(*s.current_);
    Progress progress = Progress::more;
    while (progress == Progress::more) {
        if (!s.steps_.empty()) {
            if (slice.isOver()) break;
            perform(s, slice);
        } else if (s.current_) {
            end(s);
        } else if (s.next_ == s.plan_->nodes.size()) {
            progress = Progress::finished;
        } else if (NodePtr node = std::move(s.plan_->nodes[s.next_++]); node->plan.root != node.get()) {
            if (recorder_) recorder_->inlined(*node);
        } else {
            begin(s, std::move(node));
        }
    }
    if (recorder_) recorder_->pause();
    if (traced.isOn()) {
        traced.args(fmt::format(R"("operations":{},"kernels":{})", s.next_ - from, gpu_.counters.kernels - kernelsBefore));
    }
    distrust(s);
    if (progress == Progress::finished) planner_.end(*s.plan_);
    return progress;
}

/// Errors of the commands themselves: whatever this submission has written cannot be trusted.
void Engine::distrust(Submission& s) {
    const std::string words = gpu_.errors.take();
    if (words.empty()) return;
    const auto broken = std::make_exception_ptr(Error(gl::codeOf(words), "running recorded operations: " + words));
    for (const auto& weak : s.done_) {
        if (const NodePtr node = weak.lock()) node->failure = named(*node, broken);
    }
    if (s.current_) fail(s, broken);
    for (const auto& weak : s.uploaded_) {
        const auto uploads = weak.lock();
        if (!uploads) continue;
        const std::lock_guard lock(uploads->mutex);
        std::erase_if(uploads->copies, [this](const auto& entry) { return entry.first == home_; });
    }
}

std::optional<std::deque<gl::Rehearsal>> Engine::rehearse(std::span<const NodePtr> targets) {
    const std::optional<Plan> plan = planner_.plan(targets, gpu_.driver.maxInputs(), fuse_);
    if (!plan) return std::nullopt;
    planner_.end(*plan);
    std::deque<gl::Rehearsal> out;
    Submission notes({targets.begin(), targets.end()});
    const Noting noting(gpu_, out);
    for (const NodePtr& node : plan->nodes) {
        if (node->plan.root != node.get()) continue;
        try {
            prepare(notes, *node);
        } catch (...) {
            std::rethrow_exception(named(*node, std::current_exception()));
        }
    }
    return out;
}

void Engine::curtail(Submission& s) {
    if (!s.plan_) s.plan_.emplace();
    if (recorder_) {
        for (std::size_t i = s.next_; i < s.plan_->nodes.size(); ++i) recorder_->leftOut(*s.plan_->nodes[i]);
    }
    s.plan_->nodes.resize(s.next_);
}

void Engine::abandon(Submission& s) {
    if (s.plan_) planner_.end(*s.plan_);
    s.steps_.clear();
    s.current_ = nullptr;
}

std::exception_ptr Engine::errorOf(Submission& s, std::size_t target) {
    Node& node = *s.targets_[target];
    if (const auto found = s.failed_.find(&node); found != s.failed_.end()) return found->second;
    if (node.isLeaf() || !node.ran || node.shape.size() == 0) return node.failure;
    // What has run before may have gone with its context since.
    try {
        (void)bufferOf(node, &s);
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

std::vector<NodePtr> Engine::endsOf(std::span<const std::weak_ptr<Node>> recorded) {
    std::vector<NodePtr> wanted;
    std::unordered_set<const Node*> used;
    for (const auto& weak : recorded) {
        NodePtr node = weak.lock();
        if (!node || Planner::isDone(*node)) continue;
        for (const NodePtr& input : node->inputs) used.insert(input.get());
        wanted.push_back(std::move(node));
    }
    // The ends of the chains; the rest runs on the way or inside their kernels.
    std::erase_if(wanted, [&used](const NodePtr& node) { return used.contains(node.get()); });
    return wanted;
}

}  // namespace stile::engine
