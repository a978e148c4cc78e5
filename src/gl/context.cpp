#include "gl/context.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "log/log.hpp"
#include "stile/error.hpp"

namespace stile::gl {
namespace {

std::string eglError() {
    switch (const EGLint code = eglGetError()) {
        case EGL_SUCCESS: return "no error reported";
        case EGL_NOT_INITIALIZED: return "EGL_NOT_INITIALIZED";
        case EGL_BAD_ACCESS: return "EGL_BAD_ACCESS";
        case EGL_BAD_ALLOC: return "EGL_BAD_ALLOC";
        case EGL_BAD_ATTRIBUTE: return "EGL_BAD_ATTRIBUTE";
        case EGL_BAD_CONFIG: return "EGL_BAD_CONFIG";
        case EGL_BAD_CONTEXT: return "EGL_BAD_CONTEXT";
        case EGL_BAD_DISPLAY: return "EGL_BAD_DISPLAY";
        case EGL_BAD_MATCH: return "EGL_BAD_MATCH";
        case EGL_BAD_PARAMETER: return "EGL_BAD_PARAMETER";
        default: return fmt::format("EGL error 0x{:04x}", code);
    }
}

bool listed(const char* extensions, std::string_view name) {
    std::string_view rest = extensions ? extensions : "";
    while (!rest.empty()) {
        const std::size_t space = rest.find(' ');
        if (rest.substr(0, space) == name) return true;
        if (space == std::string_view::npos) break;
        rest.remove_prefix(space + 1);
    }
    return false;
}

/// A place to ask for a context.
struct Candidate {
    std::string what;
    EGLDisplay display;
};

void addDevices(std::vector<Candidate>& out, bool software, int onlyIndex) {
    const auto queryDevices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    const auto queryString = reinterpret_cast<PFNEGLQUERYDEVICESTRINGEXTPROC>(eglGetProcAddress("eglQueryDeviceStringEXT"));
    const auto getDisplay = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (!queryDevices || !queryString || !getDisplay) return;
    std::array<EGLDeviceEXT, 32> devices{};
    EGLint count = 0;
    if (!queryDevices(static_cast<EGLint>(devices.size()), devices.data(), &count)) return;
    for (EGLint i = 0; i < count; ++i) {
        const EGLDeviceEXT device = devices[static_cast<std::size_t>(i)];
        const bool isSoftware = listed(queryString(device, EGL_EXTENSIONS), "EGL_MESA_device_software");
        if (onlyIndex >= 0 ? i != onlyIndex : isSoftware != software) continue;
        out.push_back({fmt::format("EGL device {}", i), getDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr)});
    }
}

std::vector<Candidate> candidates(const HeadlessOptions& options) {
    const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const bool devices = listed(client, "EGL_EXT_platform_device") || listed(client, "EGL_EXT_device_base");
    std::vector<Candidate> out;
    if (options.deviceIndex >= 0) {
        if (devices) addDevices(out, false, options.deviceIndex);
        return out;
    }
    if (devices) addDevices(out, false, -1);
    if (listed(client, "EGL_MESA_platform_surfaceless")) {
        const auto getDisplay =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
        if (getDisplay) {
            out.push_back({"surfaceless", getDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr)});
        }
    }
    if (devices) addDevices(out, true, -1);
    out.push_back({"default display", eglGetDisplay(EGL_DEFAULT_DISPLAY)});
    return out;
}

class EglContext final : public GlContext {
  public:
    EglContext(EGLDisplay display, EGLContext context, bool es) : display_(display), context_(context), es_(es) {}
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;
    // The display stays initialised: EGL counts no initialisations, and another device may be using it.
    ~EglContext() override { eglDestroyContext(display_, context_); }

    void makeCurrent() override {
        bindApi();
        if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
            throw Error(errc::no_context, "eglMakeCurrent: " + eglError());
        }
    }
    void doneCurrent() noexcept override {
        bindApi();
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    [[nodiscard]] void* procAddress(const char* name) const override {
        return reinterpret_cast<void*>(eglGetProcAddress(name));
    }
    [[nodiscard]] bool es() const noexcept override { return es_; }

  private:
    // The bound API is per thread and starts at ES.
    void bindApi() const noexcept { eglBindAPI(es_ ? EGL_OPENGL_ES_API : EGL_OPENGL_API); }

    EGLDisplay display_;
    EGLContext context_;
    bool es_;
};

/// Asks one display for a context. On failure returns null and says why.
std::unique_ptr<GlContext> tryOpen(const Candidate& candidate, const HeadlessOptions& options, std::string& why) {
    if (candidate.display == EGL_NO_DISPLAY) {
        why = "no display";
        return nullptr;
    }
    EGLint major = 0, minor = 0;
    if (!eglInitialize(candidate.display, &major, &minor)) {
        why = "eglInitialize: " + eglError();
        return nullptr;
    }
    const char* extensions = eglQueryString(candidate.display, EGL_EXTENSIONS);
    if (!listed(extensions, "EGL_KHR_surfaceless_context")) {
        why = "no EGL_KHR_surfaceless_context";
        return nullptr;
    }
    if (!eglBindAPI(options.es ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) {
        why = "eglBindAPI: " + eglError();
        return nullptr;
    }
    const std::array<EGLint, 5> wanted{EGL_RENDERABLE_TYPE, options.es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                                       0, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(candidate.display, wanted.data(), &config, 1, &count) || count == 0) config = EGL_NO_CONFIG_KHR;

    std::vector<EGLint> attributes{EGL_CONTEXT_MAJOR_VERSION, options.es ? 3 : 4, EGL_CONTEXT_MINOR_VERSION,
                                   options.es ? 1 : 3};
    if (!options.es) {
        attributes.insert(attributes.end(), {EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT});
    }
    if (options.debug) attributes.insert(attributes.end(), {EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE});
    // Only a robust context reports its loss; not every driver makes one, so it is asked for first and done without then.
    std::vector<EGLint> robust = attributes;
    robust.insert(robust.end(), {EGL_CONTEXT_OPENGL_ROBUST_ACCESS, EGL_TRUE, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                 EGL_LOSE_CONTEXT_ON_RESET});
    for (std::vector<EGLint>* list : {&robust, &attributes}) {
        list->push_back(EGL_NONE);
        EGLContext context = eglCreateContext(candidate.display, config, EGL_NO_CONTEXT, list->data());
        if (context == EGL_NO_CONTEXT) {
            why = "eglCreateContext: " + eglError();
            continue;
        }
        auto made = std::make_unique<EglContext>(candidate.display, context, options.es);
        try {
            made->makeCurrent();
            return made;
        } catch (const Error& error) {
            why = error.what();
        }
    }
    return nullptr;
}

}  // namespace

bool onlySoftware() {
    const char* forced = std::getenv("LIBGL_ALWAYS_SOFTWARE");
    if (forced && std::string_view(forced) != "0" && std::string_view(forced) != "false") return true;
    if (!listed(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_EXT_device_enumeration") &&
        !listed(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_EXT_device_base")) {
        return false;
    }
    std::vector<Candidate> hardware, software;
    addDevices(hardware, false, -1);
    addDevices(software, true, -1);
    return hardware.empty() && !software.empty();
}

std::unique_ptr<GlContext> openHeadless(const HeadlessOptions& options) {
    std::string attempts;
    for (const Candidate& candidate : candidates(options)) {
        std::string why;
        if (auto context = tryOpen(candidate, options, why)) {
            log::info("context: {} on {}", options.es ? "GLES" : "GL", candidate.what);
            return context;
        }
        attempts += fmt::format("{}{}: {}", attempts.empty() ? "" : "; ", candidate.what, why);
    }
    if (attempts.empty()) attempts = fmt::format("there is no EGL device {}", options.deviceIndex);
    throw Error(errc::no_context, fmt::format("headless {}: {}", options.es ? "GLES 3.1" : "GL 4.3", attempts));
}

}  // namespace stile::gl
