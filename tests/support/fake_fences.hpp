#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gl/fence.hpp"

namespace test {

/// Fences that do what a script says, and remember what was done to them.
class FakeFences : public stile::gl::FenceSource {
  public:
    static constexpr int never = -1;
    struct Script {
        int polls = 0;  ///< looks that find it pending, or `never`
        stile::gl::FenceState end = stile::gl::FenceState::signalled;
        int descriptor = -1;  ///< none: only a timer can look
    };

    /// What the next fences do; after these, `usual`.
    std::vector<Script> scripts;
    Script usual;
    bool failsToInsert = false;

    stile::gl::Fence insert() override {
        if (failsToInsert) return 0;
        const Script script = inserted < scripts.size() ? scripts[inserted] : usual;
        alive.emplace(++inserted, script);
        return inserted;
    }
    stile::gl::FenceState look(stile::gl::Fence fence) override {
        looks.push_back(fence);
        Script& script = alive.at(fence);
        if (script.polls == never) return stile::gl::FenceState::pending;
        return script.polls-- > 0 ? stile::gl::FenceState::pending : script.end;
    }
    stile::gl::FenceState wait(stile::gl::Fence fence, std::uint64_t) override {
        alive.at(fence).polls = 0;
        return alive.at(fence).end;
    }
    void remove(stile::gl::Fence fence) override { alive.erase(fence); }
    int descriptor(stile::gl::Fence fence) override { return alive.contains(fence) ? alive.at(fence).descriptor : -1; }

    /// A fence that was never to signal does now.
    void signal(stile::gl::Fence fence) { alive.at(fence).polls = 0; }

    std::size_t inserted = 0;
    std::vector<stile::gl::Fence> looks;
    std::map<stile::gl::Fence, Script> alive;  ///< not removed yet
};

}  // namespace test
