#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace stile::detail {

struct Node;
using NodePtr = std::shared_ptr<Node>;

/// Where a recorded node will run: what the graph knows of a device. All of it may be called from any thread.
class Home {
  public:
    virtual ~Home() = default;
    /// Told of every new node. Never blocks; may post the record for submission when it has grown long.
    virtual void recorded(const NodePtr& node) = 0;
    /// The device's name in messages.
    [[nodiscard]] virtual const std::string& label() const noexcept = 0;

    /// Nodes that wait to be run, and that hold a buffer.
    std::atomic<std::int64_t> recordedNodes{0};
    std::atomic<std::int64_t> residentNodes{0};
    std::atomic<std::size_t> residentBytes{0};  ///< of the elements of the latter
};

using HomePtr = std::shared_ptr<Home>;

/// The device for work that is bound to none: the first open one. Null if there is none.
[[nodiscard]] HomePtr defaultHome();
/// Offers a device as the default; taken if there is none. Withdrawing it leaves the next one offered.
void offerDefaultHome(const HomePtr& home);
void withdrawDefaultHome(const Home* home);

}  // namespace stile::detail
