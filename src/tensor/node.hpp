#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "stile/dtype.hpp"
#include "stile/shape.hpp"
#include "tensor/home.hpp"
#include "tensor/primitive.hpp"

namespace stile::gl {
class Buffer;
}

namespace stile::detail {

using BufferPtr = std::shared_ptr<gl::Buffer>;

/// The copies that devices have made of a leaf.
struct Uploads {
    std::mutex mutex;
    std::vector<std::pair<const Home*, BufferPtr>> copies;
};

/// Values in host memory as a device stores them; of a string tensor an array of std::string.
struct HostValues {
    std::shared_ptr<const void> owner;
    std::span<const std::byte> bytes;
    std::shared_ptr<Uploads> uploads = std::make_shared<Uploads>();
};

/// The bytes of an element in HostValues and on a device.
[[nodiscard]] constexpr std::size_t bytesOf(DType dtype) noexcept {
    return dtype == DType::string ? sizeof(std::string) : dtype == DType::complex64 ? 8 : 4;
}

/// A recorded operation, or a leaf. What a Tensor points at.
///
/// Who may touch what: the first group never changes and may be read by any thread; the second belongs to the executor on
/// which the home calls GL.
struct Node {
    Primitive primitive;
    const char* name;  ///< the public operation, for messages
    Shape shape;
    DType dtype;
    HomePtr home;                      ///< null while bound to no device
    std::shared_ptr<HostValues> host;  ///< set for prim::Host
    std::shared_ptr<Uploads> uploads;  ///< set for prim::Fill, unless it is a single number

    std::vector<std::shared_ptr<Node>> inputs;  ///< dropped once the node has run
    BufferPtr buffer;                           ///< the result, once it has run; null if it has no elements
    std::shared_ptr<HostValues> saved;          ///< a copy of the result that outlives the context; null for most
    std::exception_ptr failure;                 ///< why there is no result although the inputs are gone
    std::atomic<bool> ran{false};               ///< the only one of this group that others read

    /// The engine's notes while it plans a submission.
    struct Plan {
        std::uint64_t round = 0;  ///< the submission that these notes are of
        Node* root = nullptr;     ///< the node whose kernel computes this one; itself unless fused
        bool target = false;      ///< has to get a buffer
        int members = 0;          ///< of a root: how many nodes its kernel computes
        int reads = 0;            ///< of a root: at most so many buffers its kernel reads
    } plan;
    bool inlined = false;  ///< has been computed inside another kernel once; the next time it gets a buffer of its own

    Node(Primitive primitive, const char* name, const Shape& shape, DType dtype, HomePtr home, std::vector<NodePtr> inputs);
    /// Releases a long chain without recursion.
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    /// Drops the inputs without recursion, and counts the node as run.
    void finish(BufferPtr result);

    [[nodiscard]] bool isLeaf() const noexcept {
        return std::holds_alternative<prim::Host>(primitive) || std::holds_alternative<prim::Fill>(primitive);
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(shape.size()) * bytesOf(dtype); }
};

/// A leaf from values that something else owns.
[[nodiscard]] NodePtr hostNode(const char* name, const Shape& shape, DType dtype, std::shared_ptr<const void> owner,
                               std::span<const std::byte> bytes, HomePtr home = nullptr);

/// The values of a leaf (a Fill gets memory now); null for a node that has to be computed.
[[nodiscard]] std::shared_ptr<HostValues> hostValues(const Node& node);

/// Records an operation: works out the home, makes the node and tells the home.
/// \throws Error `invalid_argument` if the inputs are on different devices, `wrong_dtype` for strings, and for complex64 unless the
/// primitive takes them for pairs of floats.
[[nodiscard]] NodePtr record(Primitive primitive, const char* name, const Shape& shape, DType dtype,
                             std::vector<NodePtr> inputs);

}  // namespace stile::detail
