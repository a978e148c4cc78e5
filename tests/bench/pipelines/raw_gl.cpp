#include "raw_gl.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute_program.hpp"
#include "gl/api.hpp"
#include "gl/context.hpp"

namespace bench {
namespace {

using stile::GlContext;
namespace gl = stile::gl;

bool wantsEs() {
    const char* api = std::getenv("STILE_API");
    return api && std::string_view(api) == "es";
}

/// A context that is current on the thread that makes it.
class Raw {
  public:
    Raw() : context_(gl::openHeadless({.es = wantsEs()})) {
        gl_ = gl::loadApi([this](const char* name) { return context_->procAddress(name); }, wantsEs());
        program_ = test::addOneProgram(gl_, wantsEs());
    }
    ~Raw() { context_->doneCurrent(); }
    Raw(const Raw&) = delete;
    Raw& operator=(const Raw&) = delete;

    GLuint buffer(GLenum target, std::size_t bytes, GLenum usage) {
        GLuint name = 0;
        gl_.GenBuffers(1, &name);
        gl_.BindBuffer(target, name);
        const std::vector<float> values(bytes / sizeof(float), 1.0F);
        gl_.BufferData(target, static_cast<GLsizeiptr>(bytes), values.data(), usage);
        return name;
    }

    void addOne(GLuint from, GLuint to, std::size_t elements) {
        gl_.UseProgram(program_);
        gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, to);
        gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, from);
        gl_.Uniform1i(0, static_cast<GLint>(elements / 4));
        gl_.DispatchCompute(static_cast<GLuint>((elements / 4 + 63) / 64), 1, 1);
        gl_.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    }

    void copy(GLuint from, GLuint staging, std::size_t offset, std::size_t bytes) {
        gl_.BindBuffer(GL_COPY_READ_BUFFER, from);
        gl_.BindBuffer(GL_COPY_WRITE_BUFFER, staging);
        gl_.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, static_cast<GLintptr>(offset),
                              static_cast<GLsizeiptr>(bytes));
    }

    /// Waits for everything before, then reads.
    [[nodiscard]] std::vector<float> read(GLuint staging, std::size_t bytes) {
        const GLsync fence = gl_.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        constexpr GLuint64 second = 1'000'000'000;
        while (gl_.ClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, second) == GL_TIMEOUT_EXPIRED) {
        }
        gl_.DeleteSync(fence);
        std::vector<float> out(bytes / sizeof(float));
        gl_.BindBuffer(GL_COPY_WRITE_BUFFER, staging);
        const void* memory = gl_.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(bytes), GL_MAP_READ_BIT);
        if (!memory) throw std::runtime_error("glMapBufferRange");
        std::memcpy(out.data(), memory, bytes);
        gl_.UnmapBuffer(GL_COPY_WRITE_BUFFER);
        return out;
    }

  private:
    std::unique_ptr<GlContext> context_;
    gl::Api gl_{};
    GLuint program_ = 0;
};

}  // namespace

Side rawRoundTrip(std::size_t elements) {
    const auto raw = std::make_shared<Raw>();
    const std::size_t bytes = elements * sizeof(float);
    const GLuint from = raw->buffer(GL_SHADER_STORAGE_BUFFER, bytes, GL_DYNAMIC_COPY);
    const GLuint to = raw->buffer(GL_SHADER_STORAGE_BUFFER, bytes, GL_DYNAMIC_COPY);
    const GLuint staging = raw->buffer(GL_COPY_WRITE_BUFFER, bytes, GL_STREAM_READ);
    return timed([=] {
        raw->addOne(from, to, elements);
        raw->copy(to, staging, 0, bytes);
        if (raw->read(staging, bytes).back() != 2.0F) throw std::runtime_error("the raw shader computes nothing");
    });
}

Side rawScalars(std::size_t count) {
    const auto raw = std::make_shared<Raw>();
    std::vector<GLuint> scalars;
    for (std::size_t i = 0; i < count; ++i) scalars.push_back(raw->buffer(GL_COPY_READ_BUFFER, 4, GL_DYNAMIC_COPY));
    const GLuint staging = raw->buffer(GL_COPY_WRITE_BUFFER, count * 4, GL_STREAM_READ);
    return timed([raw, scalars, staging] {
        for (std::size_t i = 0; i < scalars.size(); ++i) raw->copy(scalars[i], staging, 4 * i, 4);
        if (raw->read(staging, scalars.size() * 4).back() != 1.0F) throw std::runtime_error("the copies are wrong");
    });
}

}  // namespace bench
