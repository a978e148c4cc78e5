#include "tensor/node.hpp"

#include <cstring>
#include <string>

#include "stile/error.hpp"

namespace stile::detail {
namespace {

/// Releases nodes one after another: a chain of a million would overflow the stack if each destroyed the next. While a
/// thread is at it, nodes that die hand their inputs to the same list.
void release(std::vector<NodePtr> pending) {
    thread_local std::vector<NodePtr>* releasing = nullptr;
    if (releasing) {
        for (NodePtr& node : pending) releasing->push_back(std::move(node));
        return;
    }
    releasing = &pending;
    while (!pending.empty()) {
        NodePtr node = std::move(pending.back());
        pending.pop_back();
        node.reset();
    }
    releasing = nullptr;
}

/// What reads a complex64 as two floats.
bool takesPairs(const Primitive& primitive) {
    return std::holds_alternative<prim::Alias>(primitive) || std::holds_alternative<prim::Strided>(primitive) ||
           std::holds_alternative<prim::Fft>(primitive);
}

}  // namespace

Node::Node(Primitive what, const char* opName, const Shape& extents, DType type, HomePtr device, std::vector<NodePtr> operands)
    : primitive(std::move(what)),
      name(opName),
      shape(extents),
      dtype(type),
      home(std::move(device)),
      inputs(std::move(operands)) {
    if (home && !isLeaf()) home->recordedNodes.fetch_add(1, std::memory_order_relaxed);
    if (std::holds_alternative<prim::Fill>(primitive) && shape.size() > 1) uploads = std::make_shared<Uploads>();
}

Node::~Node() {
    if (home && !isLeaf()) {
        if (ran.load(std::memory_order_relaxed)) {
            home->residentNodes.fetch_sub(1, std::memory_order_relaxed);
            home->residentBytes.fetch_sub(bytes(), std::memory_order_relaxed);
        } else {
            home->recordedNodes.fetch_sub(1, std::memory_order_relaxed);
        }
    }
    if (!inputs.empty()) release(std::move(inputs));
}

void Node::finish(BufferPtr result) {
    buffer = std::move(result);
    if (!ran.exchange(true, std::memory_order_release) && home) {
        home->recordedNodes.fetch_sub(1, std::memory_order_relaxed);
        home->residentNodes.fetch_add(1, std::memory_order_relaxed);
        home->residentBytes.fetch_add(bytes(), std::memory_order_relaxed);
    }
    release(std::exchange(inputs, {}));
}

NodePtr hostNode(const char* name, const Shape& shape, DType dtype, std::shared_ptr<const void> owner,
                 std::span<const std::byte> bytes, HomePtr home) {
    auto node = std::make_shared<Node>(prim::Host{}, name, shape, dtype, std::move(home), std::vector<NodePtr>{});
    node->host = std::make_shared<HostValues>();
    node->host->owner = std::move(owner);
    node->host->bytes = bytes;
    return node;
}

std::shared_ptr<HostValues> hostValues(const Node& node) {
    if (node.host) return node.host;
    const auto* fill = std::get_if<prim::Fill>(&node.primitive);
    if (!fill) return nullptr;
    auto memory = std::make_shared<std::vector<std::uint32_t>>(static_cast<std::size_t>(node.shape.size()), fill->bits);
    auto values = std::make_shared<HostValues>();
    values->bytes = std::as_bytes(std::span<const std::uint32_t>(*memory));
    values->owner = std::move(memory);
    return values;
}

NodePtr record(Primitive primitive, const char* name, const Shape& shape, DType dtype, std::vector<NodePtr> inputs) {
    HomePtr home;
    for (const NodePtr& input : inputs) {
        if (input->dtype == DType::string || (input->dtype == DType::complex64 && !takesPairs(primitive))) {
            throw Error(errc::wrong_dtype, std::string(name) + ": takes no " + std::string(stile::name(input->dtype)) + ": " +
                                               toString(input->shape));
        }
        if (!input->home || input->home == home) continue;
        if (home) {
            throw Error(errc::invalid_argument,
                        std::string(name) + ": operands on two devices, " + home->label() + " and " + input->home->label());
        }
        home = input->home;
    }
    if (!home) home = defaultHome();
    auto node = std::make_shared<Node>(std::move(primitive), name, shape, dtype, home, std::move(inputs));
    if (home) home->recorded(node);
    return node;
}

}  // namespace stile::detail
