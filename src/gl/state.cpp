#include "gl/state.hpp"

#include "log/log.hpp"

namespace stile::gl {
namespace {

GLint get(const Api& gl, GLenum what) {
    GLint value = 0;
    gl.GetIntegerv(what, &value);
    return value;
}

}  // namespace

ForeignErrors::ForeignErrors(const Api& gl) : gl_(gl) {
    // A lost context may answer with an error for ever.
    for (GLenum code = gl.GetError(); code != GL_NO_ERROR && codes_.size() < 8; code = gl.GetError()) {
        if (code == GL_CONTEXT_LOST) setLost(gl);
        codes_.push_back(code);
    }
}

ForeignErrors::~ForeignErrors() {
    if (codes_.empty()) return;
    // The application's debug callback has heard of them already.
    const bool debug = gl_.DebugMessageCallback && gl_.IsEnabled(GL_DEBUG_OUTPUT);
    if (debug) gl_.Disable(GL_DEBUG_OUTPUT);
    for (const GLenum code : codes_) raise(code);
    if (debug) gl_.Enable(GL_DEBUG_OUTPUT);
}

void ForeignErrors::raise(GLenum code) const {
    switch (code) {
        case GL_INVALID_ENUM: gl_.Enable(GL_NONE); break;
        case GL_INVALID_VALUE: gl_.LineWidth(-1); break;
        case GL_INVALID_OPERATION: {
            const GLint bound = get(gl_, GL_COPY_READ_BUFFER_BINDING);
            gl_.BindBuffer(GL_COPY_READ_BUFFER, 0);
            gl_.UnmapBuffer(GL_COPY_READ_BUFFER);
            gl_.BindBuffer(GL_COPY_READ_BUFFER, static_cast<GLuint>(bound));
            break;
        }
        default: log::warn("the application's GL error 0x{:04x} could not be left in its context", code);
    }
}

StateGuard::StateGuard(const Api& gl, const Driver& driver, ErrorLedger& errors)
    : gl_(gl),
      errors_(errors),
      foreign_(gl),
      textureBuffer_(driver.textureBuffer),
      program_(get(gl, GL_CURRENT_PROGRAM)),
      activeTexture_(get(gl, GL_ACTIVE_TEXTURE)),
      copyRead_(get(gl, GL_COPY_READ_BUFFER_BINDING)),
      copyWrite_(get(gl, GL_COPY_WRITE_BUFFER_BINDING)),
      storage_(get(gl, GL_SHADER_STORAGE_BUFFER_BINDING)) {
    blocks_.resize(static_cast<std::size_t>(driver.storageBlocks));
    for (GLuint i = 0; i < blocks_.size(); ++i) {
        gl_.GetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, i, &blocks_[i].buffer);
        gl_.GetInteger64i_v(GL_SHADER_STORAGE_BUFFER_START, i, &blocks_[i].start);
        gl_.GetInteger64i_v(GL_SHADER_STORAGE_BUFFER_SIZE, i, &blocks_[i].size);
    }
    if (!textureBuffer_) return;
    textures_.resize(static_cast<std::size_t>(driver.textureUnits));
    for (GLuint i = 0; i < textures_.size(); ++i) {
        gl_.ActiveTexture(GL_TEXTURE0 + i);
        textures_[i] = get(gl_, GL_TEXTURE_BINDING_BUFFER);
    }
}

StateGuard::~StateGuard() {
    errors_.keep();
    for (GLuint i = 0; i < textures_.size(); ++i) {
        gl_.ActiveTexture(GL_TEXTURE0 + i);
        gl_.BindTexture(GL_TEXTURE_BUFFER, static_cast<GLuint>(textures_[i]));
    }
    for (GLuint i = 0; i < blocks_.size(); ++i) {
        const Range& range = blocks_[i];
        const auto buffer = static_cast<GLuint>(range.buffer);
        if (range.size > 0) {
            gl_.BindBufferRange(GL_SHADER_STORAGE_BUFFER, i, buffer, range.start, range.size);
        } else {
            gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffer);
        }
    }
    gl_.BindBuffer(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(storage_));
    gl_.BindBuffer(GL_COPY_READ_BUFFER, static_cast<GLuint>(copyRead_));
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, static_cast<GLuint>(copyWrite_));
    gl_.ActiveTexture(static_cast<GLenum>(activeTexture_));
    gl_.UseProgram(static_cast<GLuint>(program_));
    // A program that was deleted while it was current has gone for good.
    if (const std::string words = takeError(gl_); !words.empty()) log::warn("the application's GL state: {}", words);
}

}  // namespace stile::gl
