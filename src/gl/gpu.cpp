#include "gl/gpu.hpp"

#include <string_view>
#include <utility>

#include "log/log.hpp"

namespace stile::gl {
namespace {

void GLAD_API_PTR onDebugMessage(GLenum, GLenum type, GLuint, GLenum severity, GLsizei length, const GLchar* text,
                                 const void* user) {
    const std::string_view message(text, static_cast<std::size_t>(length));
    if (type == GL_DEBUG_TYPE_ERROR || severity == GL_DEBUG_SEVERITY_HIGH) {
        ++static_cast<Counters*>(const_cast<void*>(user))->debugErrors;
        log::error("GL: {}", message);
    } else if (severity == GL_DEBUG_SEVERITY_MEDIUM) {
        log::info("GL: {}", message);
    } else {
        log::debug("GL: {}", message);
    }
}

}  // namespace

Gpu::Gpu(const Loader& loader, const GpuOptions& options, Counters& count)
    : api(loadApi(loader, options.es, &health_)),
      foreign_(options.shared ? std::optional<ForeignErrors>(std::in_place, api) : std::nullopt),
      driver(inspect(api, options.es, options.minimumLimits)),
      errors(api),
      shared(options.shared),
      buffers(std::make_shared<BufferPool>(api, driver, errors, options.poolBytes, options.memoryLimit)),
      programs(api, driver, errors, options.programs, options.cache.empty() ? options.cache : options.cache / "programs",
               count),
      tuning(api, driver, options.cache.empty() ? options.cache : options.cache / "tuning"),
      counters(count),
      hostKernel(driver.vendor == "stile"
                     ? reinterpret_cast<void (*)(HostKernel, std::span<const GLuint>)>(loader("stileHostKernel"))
                     : nullptr) {
    logDriver(driver);
    if (shared && api.IsSync) {
        health_.mark = api.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        if (!health_.mark) (void)takeError(api);  // it does without
    }
    if (options.debug && !shared && api.DebugMessageCallback) {
        api.Enable(GL_DEBUG_OUTPUT);
        api.Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        api.DebugMessageCallback(onDebugMessage, &counters);
    }
    foreign_.reset();
}

Gpu::~Gpu() {
    const bool lost = isLost(api);
    programs.clear();  // while it can be told whether the context is still there
    if (lost) tuning.abandon();
    if (!lost && shared && health_.mark) api.DeleteSync(health_.mark);
    if (!lost && !shared && api.DebugMessageCallback) api.DebugMessageCallback(nullptr, nullptr);
    buffers->close(lost);
}

std::unique_ptr<StateGuard> Gpu::keepState() { return shared ? std::make_unique<StateGuard>(api, driver, errors) : nullptr; }

}  // namespace stile::gl
