#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "gl/gpu.hpp"
#include "stile/detail/gl_executor.hpp"
#include "stile/detail/waiter.hpp"
#include "tensor/describe.hpp"

namespace stile::detail {

/// Makes programs ready that somebody will need, one in each turn of the executor: whatever else the device has to do goes on
/// between them. Everything on the GL executor.
class WarmUps : public std::enable_shared_from_this<WarmUps> {
  public:
    WarmUps(gl::Gpu& gpu, engine::Engine& engine, GlExecutor& executor) : gpu_(gpu), engine_(engine), executor_(executor) {}

    /// Takes a request for programs.
    void add(const Request& request);
    /// Ends all of them.
    void fail(const Failure& failure);

  private:
    struct Work {
        std::shared_ptr<Waiter> waiter;
        std::string what;
        std::vector<NodePtr> targets;
        std::optional<std::deque<gl::Rehearsal>> programs{};  ///< once they are known
        std::size_t begun = 0;                                ///< so many of them are being compiled
    };

    /// Has `turn` called, if there is something to do.
    void goOn();
    void turn();
    enum class Progress : std::uint8_t { done, more, busy };
    /// Does a little, if what comes next is not still being compiled, or run by somebody else.
    Progress advance(Work& work);

    gl::Gpu& gpu_;
    engine::Engine& engine_;
    GlExecutor& executor_;
    std::deque<Work> works_;
    bool posted_ = false;
};

}  // namespace stile::detail
