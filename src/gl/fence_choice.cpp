#include "gl/fence_choice.hpp"

#include <poll.h>

#include <cstdlib>
#include <string_view>
#include <utility>

#include "gl/workarounds.hpp"
#include "log/log.hpp"

namespace stile::gl {
namespace {

constexpr std::chrono::milliseconds testLimit{250};

}  // namespace

std::string testFences(FenceSource& fences, std::chrono::milliseconds limit) {
    const Fence fence = fences.insert();
    if (fence == 0) return "no fence could be made";
    const Descriptor descriptor(fences.descriptor(fence));
    std::string wrong;
    if (descriptor.get() < 0) {
        wrong = "a fence has no descriptor";
    } else {
        pollfd wait{descriptor.get(), POLLIN, 0};
        if (::poll(&wait, 1, static_cast<int>(limit.count())) != 1) {
            wrong = "nobody was woken within " + std::to_string(limit.count()) + " ms";
        } else if (fences.look(fence) != FenceState::signalled) {
            wrong = "woken before the fence had signalled";
        }
    }
    fences.remove(fence);
    return wrong;
}

std::unique_ptr<FenceSource> chooseFences(const Api& gl, const Driver& driver) {
    std::string why;
    EglSync egl = loadEglSync(gl, why);
    return chooseFences(gl, driver, std::getenv("STILE_WAITER"), std::move(egl), std::move(why));
}

std::unique_ptr<FenceSource> chooseFences(const Api& gl, const Driver& driver, const char* wanted, EglSync egl,
                                          std::string why) {
    std::string_view asked = wanted ? wanted : "";
    if (!asked.empty() && asked != "timer" && asked != "egl" && asked != "descriptor") {
        log::warn("STILE_WAITER is {}, which is none of timer, egl and descriptor", asked);
        asked = {};
    }
    // zink queues its work even where a CPU does it.
    const bool worksInCalls = driver.software && driver.renderer.find("zink") == std::string::npos;
    const bool any = asked.empty() && !worksInCalls && egl.create;
    const bool threadHarms = isOn(Workaround::noWaitingThread, driver);
    std::unique_ptr<FenceSource> fences;
    const char* how = "";
    if ((any || asked == "descriptor") && egl.duplicate) {
        fences = std::make_unique<NativeFences>(gl, driver, std::move(egl));
        how = "native ones, by their descriptors";
    } else if (threadHarms && (any || asked == "egl")) {
        why = "workaround no-waiting-thread";
    } else if ((any && egl.letsOthersIn) || (asked == "egl" && egl.create)) {
        fences = std::make_unique<EglFences>(gl, driver, std::move(egl));
        how = "a thread waits for EGL's";
    }
    if (fences) {
        why = testFences(*fences, testLimit);
        if (why.empty()) {
            log::info("fences: {}", how);
            return fences;
        }
    }
    if (asked == "egl" || asked == "descriptor") log::warn("STILE_WAITER={} is not available: {}", asked, why);
    if (asked == "timer") why = "STILE_WAITER";
    if (asked.empty() && worksInCalls) why = "they have signalled when the calls return";
    log::info("fences: a timer looks at them ({})", why.empty() ? "EGL may not let others in while a thread waits" : why);
    return std::make_unique<GlFences>(gl, driver);
}

}  // namespace stile::gl
