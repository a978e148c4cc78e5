#include "gl/workarounds.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

#include "gl/driver.hpp"

namespace stile::gl {
namespace {

bool isZink(const Driver& driver) { return driver.renderer.find("zink") != std::string::npos; }

constexpr std::array table{
    WorkaroundInfo{Workaround::lowerThreadPriority, "lower-thread-priority",
                   "Software renderers run kernels on the CPU's own cores, in threads that inherit the priority of the thread\n"
                   "that made the context. At equal priority they crowd out the application's loop: on two cores its lateness\n"
                   "reaches milliseconds at the 99th percentile. The GL thread therefore lowers its priority before it makes\n"
                   "the context, and is scheduled as batch work: the loop then waits for it a third as often.",
                   [](const Driver& driver) { return driver.software; }},
    WorkaroundInfo{
        Workaround::readThroughTextures, "read-through-textures",
        "llvmpipe loads from storage blocks lane by lane but gathers texels in whole vectors: reading the same\n"
        "memory through a texture buffer is three to five times faster. Not on zink (Mesa 22.3): the last texels of\n"
        "what was uploaded just before are now and then read as they were, from storage blocks never.",
        [](const Driver& driver) { return driver.software && driver.textureBuffer && !isZink(driver); }},
    WorkaroundInfo{
        Workaround::opaqueParameters, "opaque-parameters",
        "zink on a CPU (Mesa 22.3) compiles a shader again for the values of the uniforms that decide its loops and\n"
        "branches, and now and then runs the variant of other values: after a product with one term, one with\n"
        "seven terms of the same width gave its first term alone. An index that only looks variable keeps it from that.",
        isZink},
    WorkaroundInfo{
        Workaround::copiedParameters, "copied-parameters",
        "llvmpipe (Mesa 22.3) gathers a uniform lane by lane, some thirty instructions, each time that it is used, in\n"
        "loops too. So an invocation copies the parameters to variables first, which stay in registers.",
        [](const Driver& driver) { return driver.software && !isZink(driver); }},
    WorkaroundInfo{
        Workaround::noWaitingThread, "no-waiting-thread",
        "zink (Mesa 22.3, later ones read the same) has one record for a batch and its fences, and uses it again for a\n"
        "later batch. A thread that waits for an EGL fence notes the end there after its wait: if it is late, in the\n"
        "record of the later batch, whose fences, GL's too, have then signalled at once and whose memory counts as\n"
        "idle. What is copied to staging memory is read before it is there: the bytes of another request. So no thread\n"
        "waits, and a timer looks.",
        isZink},
    WorkaroundInfo{
        Workaround::twoFences, "two-fences",
        "zink (Mesa 22.3) takes a fence that no command stands before since the last flush for one of a batch that has\n"
        "ended long ago: it has signalled at once, whatever runs. And the driver flushes by itself after every\n"
        "so many commands, rarely just between a copy and its fence: then the copy is read before it is there, and a\n"
        "request gets the bytes of another. So two fences are made, a copy of 4 bytes before each, and both have to\n"
        "signal: within so few commands the driver does not flush twice.",
        isZink},
};

}  // namespace

std::span<const WorkaroundInfo> workarounds() noexcept { return table; }

bool isOn(Workaround id, const Driver& driver) {
    for (const WorkaroundInfo& info : table) {
        if (info.id != id) continue;
        const char* text = std::getenv("STILE_DISABLE_WORKAROUNDS");
        std::string_view disabled = text ? text : "";
        while (!disabled.empty()) {
            const std::size_t comma = disabled.find(',');
            if (disabled.substr(0, comma) == info.name) return false;
            if (comma == std::string_view::npos) break;
            disabled.remove_prefix(comma + 1);
        }
        return info.applies(driver);
    }
    return false;
}

}  // namespace stile::gl
