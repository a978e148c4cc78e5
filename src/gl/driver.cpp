#include "gl/driver.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "gl/workarounds.hpp"
#include "log/log.hpp"

namespace stile::gl {
namespace {

std::string text(const Api& gl, GLenum what) {
    const GLubyte* value = gl.GetString(what);
    return value ? reinterpret_cast<const char*>(value) : "unknown";
}

std::int64_t number(const Api& gl, GLenum what) {
    GLint64 value = 0;
    gl.GetInteger64v(what, &value);
    return value;
}

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

bool isSoftware(std::string_view renderer) {
    for (const std::string_view name : {"llvmpipe", "softpipe", "swrast", "SwiftShader", "lavapipe"}) {
        if (renderer.find(name) != std::string_view::npos) return true;
    }
    return false;
}

}  // namespace

Driver inspect(const Api& gl, bool es, bool minimumLimits) {
    Driver d;
    d.vendor = text(gl, GL_VENDOR);
    d.renderer = text(gl, GL_RENDERER);
    d.version = text(gl, GL_VERSION);
    d.es = es;
    d.es32 = es && gl.ES_VERSION_3_2;
    d.software = isSoftware(d.renderer);
    d.immediate = d.renderer.starts_with("llvmpipe");  // zink on a software Vulkan has the word elsewhere
    GLint strategy = 0;
    if (gl.GetGraphicsResetStatus) gl.GetIntegerv(GL_RESET_NOTIFICATION_STRATEGY, &strategy);
    (void)takeError(gl);  // a context without robustness does not know the question
    d.robust = strategy == GL_LOSE_CONTEXT_ON_RESET;
    d.minimumLimits = minimumLimits || environment("STILE_LIMITS") == "minimum";
    if (d.minimumLimits) return d;

    d.bufferStorage = gl.BufferStorage && (es ? gl.EXT_buffer_storage : gl.VERSION_4_4 || gl.ARB_buffer_storage);
    // Only where the renderer itself is called so: zink on a CPU names llvmpipe too, but works behind its calls.
    d.hostVisible = d.bufferStorage && d.immediate;
    d.textureBuffer = gl.TexBuffer && (!es || d.es32 || gl.EXT_texture_buffer || gl.OES_texture_buffer);
    if (gl.QueryCounter && gl.GetQueryObjectui64v && gl.GetInteger64v) {
        GLint bits = 0;
        gl.GetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
        d.timerQueries = takeError(gl).empty() && bits > 0;
    }
    d.parallelCompile = gl.KHR_parallel_shader_compile && gl.MaxShaderCompilerThreadsKHR;
    d.storageBlocks = std::min(16, static_cast<int>(number(gl, GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS)));
    d.textureUnits = std::min(16, static_cast<int>(number(gl, GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS)));
    d.invocations = static_cast<int>(number(gl, GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS));
    d.storageBytes = number(gl, GL_MAX_SHADER_STORAGE_BLOCK_SIZE);
    if (d.textureBuffer) d.textureTexels = number(gl, GL_MAX_TEXTURE_BUFFER_SIZE);
    d.loadPath = isOn(Workaround::readThroughTextures, d) ? LoadPath::texture : LoadPath::storage;
    if (environment("STILE_LOAD_PATH") == "storage") d.loadPath = LoadPath::storage;
    if (environment("STILE_LOAD_PATH") == "texture" && d.textureBuffer) d.loadPath = LoadPath::texture;
    return d;
}

void logDriver(const Driver& d) {
    log::info("driver: {} ({}), {}", d.renderer, d.vendor, d.version);
    log::info("kernels read through {}; storage block {} MiB, {} blocks, {} invocations; {} mapping; loss is {}",
              d.loadPath == LoadPath::texture ? "texture buffers" : "storage blocks", d.storageBytes >> 20, d.storageBlocks,
              d.invocations, d.bufferStorage ? "persistent" : "temporary", d.robust ? "reported" : "not reported");
    if (d.hostVisible) log::info("tensors lie in this machine's memory, and stay mapped");
    for (const WorkaroundInfo& info : workarounds()) {
        if (isOn(info.id, d)) log::info("workaround {}: {}", info.name, info.story);
    }
}

}  // namespace stile::gl
