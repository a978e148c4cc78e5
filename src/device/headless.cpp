#include "device/headless.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "device/gl_thread.hpp"
#include "gl/context.hpp"
#include "gl/driver.hpp"
#include "gl/workarounds.hpp"
#include "log/log.hpp"
#include "stile/error.hpp"

namespace stile::detail {
namespace {

/// What the options or STILE_API ask for; automatic if neither does.
GlApi wantedApi(GlApi asked) {
    if (asked != GlApi::automatic) return asked;
    const char* text = std::getenv("STILE_API");
    const std::string_view api = text ? text : "";
    if (api == "gl") return GlApi::gl;
    if (api == "es") return GlApi::es;
    if (!api.empty()) log::warn("STILE_API is {}, which is neither gl nor es", api);
    return GlApi::automatic;
}

}  // namespace

std::shared_ptr<GlContext> openHeadless(const DeviceOptions& options) {
    // The priority has to be low before the driver starts its workers: afterwards it is too late.
    gl::Driver expected;
    expected.software = gl::onlySoftware();
    if (gl::isOn(gl::Workaround::lowerThreadPriority, expected)) lowerThreadPriority();
    const GlApi api = wantedApi(options.api);
    const auto open = [&](bool es) {
        return gl::openHeadless({.deviceIndex = options.deviceIndex.value_or(-1), .es = es, .debug = options.debug});
    };
    if (api != GlApi::automatic) return open(api == GlApi::es);
    try {
        return open(false);
    } catch (const Error& withGl) {
        try {
            return open(true);
        } catch (const Error& withEs) {
            throw Error(errc::no_context, fmt::format("{}; {}; is a driver installed (Debian: libegl-mesa0, libgl1-mesa-dri)?",
                                                      withGl.what(), withEs.what()));
        }
    }
}

}  // namespace stile::detail
