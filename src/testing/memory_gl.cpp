#include "testing/memory_gl.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string>

namespace stile::testing {

MemoryGl*& MemoryGl::current() noexcept {
    thread_local MemoryGl* gl = nullptr;
    return gl;
}

MemoryGl::MemoryPtr MemoryGl::bound(GLenum target, GLintptr offset, GLsizeiptr size) {
    const auto found = buffers.find(bindings[target]);
    if (found == buffers.end() || !found->second) {
        fail(GL_INVALID_OPERATION);
        return nullptr;
    }
    if (offset < 0 || size < 0 || static_cast<std::size_t>(offset + size) > found->second->size()) {
        fail(GL_INVALID_VALUE);
        return nullptr;
    }
    return found->second;
}

void MemoryGl::doUntil(std::uint64_t command) {
    while (finished < command) {
        ++finished;
        const auto next = std::move(commands.front());
        commands.pop_front();
        next();
    }
}

/// The functions, named as GL names them.
struct MemoryGlFunctions {
    using Address = void (*)();
    struct Entry {
        std::string_view name;
        Address address;
    };

    /// A row of the table; the compiler checks the function against GL's own type.
    template <auto Member, class Function>
    static Entry entry(std::string_view name, Function function) {
        std::remove_reference_t<decltype(std::declval<gl::Api&>().*Member)> address = function;
        return {name, reinterpret_cast<Address>(address)};
    }
    static MemoryGl& gl() { return *MemoryGl::current(); }

    static void allocate(GLenum target, GLsizeiptr size, const void* data) {
        MemoryGl& g = gl();
        const auto found = g.buffers.find(g.bindings[target]);
        if (found == g.buffers.end()) return g.fail(GL_INVALID_OPERATION);
        // What nobody has written must not look like something.
        found->second = std::make_shared<MemoryGl::Memory>(static_cast<std::size_t>(size), std::byte{0xA7});
        if (data) std::memcpy(found->second->data(), data, static_cast<std::size_t>(size));
    }
    static void command(std::function<void()> what) {
        gl().commands.push_back(std::move(what));
        ++gl().issued;
    }
    static void make(GLsizei count, GLuint* out, std::set<GLuint>& names) {
        for (GLsizei i = 0; i < count; ++i) names.insert(out[i] = gl().name());
    }
    static void hostKernel(gl::HostKernel kernel, std::span<const GLuint> buffers) {
        MemoryGl& g = gl();
        g.kernel = std::move(kernel);
        g.kernelMemory.clear();
        for (const GLuint name : buffers) g.kernelMemory.push_back(name == 0 ? nullptr : g.buffers.at(name));
    }
    static void dispatch(GLuint x, GLuint y, GLuint z) {
        MemoryGl& g = gl();
        if (std::max({x, y, z}) > 65535) return g.fail(GL_INVALID_VALUE);
        if (!g.kernel) return;  // a later pass of a kernel that has been done in one
        command([kernel = std::exchange(g.kernel, nullptr), memory = std::exchange(g.kernelMemory, {})] {
            std::vector<std::byte*> places;
            for (const MemoryGl::MemoryPtr& place : memory) places.push_back(place ? place->data() : nullptr);
            kernel(places);
        });
    }
    static GLint64 number(GLenum what) {
        switch (what) {
            case GL_NUM_EXTENSIONS: return 1;
            case GL_RESET_NOTIFICATION_STRATEGY: return GL_LOSE_CONTEXT_ON_RESET;
            case GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS: return 16;
            case GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS: return 16;
            case GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS: return 1024;
            case GL_MAX_SHADER_STORAGE_BLOCK_SIZE: return GLint64{1} << 27;
            case GL_MAX_TEXTURE_BUFFER_SIZE: return GLint64{1} << 27;
            default: return 0;
        }
    }
    static const GLubyte* string(GLenum what) {
        if (!MemoryGl::current()) return nullptr;
        switch (what) {
            case GL_EXTENSIONS: return reinterpret_cast<const GLubyte*>("GL_ARB_buffer_storage");
            case GL_VENDOR: return reinterpret_cast<const GLubyte*>("stile");
            case GL_RENDERER: return reinterpret_cast<const GLubyte*>("the computer's memory");
            case GL_VERSION: return reinterpret_cast<const GLubyte*>("4.5 (Core Profile) stile::testing");
            default: return nullptr;
        }
    }

    static const std::vector<Entry>& table();
};

const std::vector<MemoryGlFunctions::Entry>& MemoryGlFunctions::table() {
    using Api = gl::Api;
    static const std::vector<Entry> entries{
        {"stileHostKernel", reinterpret_cast<Address>(hostKernel)},
        entry<&Api::GetString>("glGetString", string),
        entry<&Api::GetStringi>("glGetStringi", [](GLenum what, GLuint) { return string(what); }),
        entry<&Api::GetError>("glGetError", [] { return std::exchange(gl().error, GLenum{GL_NO_ERROR}); }),
        entry<&Api::GetIntegerv>("glGetIntegerv",
                                 [](GLenum what, GLint* out) {
                                     const auto found = gl().bindings.find(what);
                                     *out = static_cast<GLint>(found == gl().bindings.end() ? number(what) : found->second);
                                 }),
        entry<&Api::GetInteger64v>("glGetInteger64v", [](GLenum what, GLint64* out) { *out = number(what); }),
        entry<&Api::GetIntegeri_v>("glGetIntegeri_v", [](GLenum, GLuint, GLint* out) { *out = 0; }),
        entry<&Api::GetInteger64i_v>("glGetInteger64i_v", [](GLenum, GLuint, GLint64* out) { *out = 0; }),
        entry<&Api::GetGraphicsResetStatus>("glGetGraphicsResetStatus", [] { return GLenum{GL_NO_ERROR}; }),
        entry<&Api::Flush>("glFlush", [] {}),
        entry<&Api::MemoryBarrier>("glMemoryBarrier", [](GLbitfield) {}),

        entry<&Api::GenBuffers>("glGenBuffers",
                                [](GLsizei count, GLuint* out) {
                                    for (GLsizei i = 0; i < count; ++i) gl().buffers[out[i] = gl().name()] = nullptr;
                                }),
        entry<&Api::DeleteBuffers>("glDeleteBuffers",
                                   [](GLsizei count, const GLuint* names) {
                                       for (GLsizei i = 0; i < count; ++i) gl().buffers.erase(names[i]);
                                   }),
        entry<&Api::BindBuffer>("glBindBuffer", [](GLenum target, GLuint buffer) { gl().bindings[target] = buffer; }),
        entry<&Api::BindBufferBase>("glBindBufferBase",
                                    [](GLenum target, GLuint, GLuint buffer) { gl().bindings[target] = buffer; }),
        entry<&Api::BindBufferRange>("glBindBufferRange", [](GLenum target, GLuint, GLuint buffer, GLintptr,
                                                             GLsizeiptr) { gl().bindings[target] = buffer; }),
        entry<&Api::BufferData>("glBufferData",
                                [](GLenum target, GLsizeiptr size, const void* data, GLenum) { allocate(target, size, data); }),
        entry<&Api::BufferStorage>("glBufferStorage", [](GLenum target, GLsizeiptr size, const void* data,
                                                         GLbitfield) { allocate(target, size, data); }),
        entry<&Api::BufferSubData>("glBufferSubData",
                                   [](GLenum target, GLintptr offset, GLsizeiptr size, const void* data) {
                                       const auto memory = gl().bound(target, offset, size);
                                       if (!memory) return;
                                       const auto* bytes = static_cast<const std::byte*>(data);
                                       command([memory, offset, copy = MemoryGl::Memory(bytes, bytes + size)] {
                                           std::ranges::copy(copy, memory->begin() + offset);
                                       });
                                   }),
        entry<&Api::CopyBufferSubData>("glCopyBufferSubData",
                                       [](GLenum from, GLenum to, GLintptr readAt, GLintptr writeAt, GLsizeiptr size) {
                                           const auto source = gl().bound(from, readAt, size);
                                           const auto target = gl().bound(to, writeAt, size);
                                           if (!source || !target) return;
                                           command([source, target, readAt, writeAt, size] {
                                               std::copy_n(source->begin() + readAt, size, target->begin() + writeAt);
                                           });
                                       }),
        entry<&Api::MapBufferRange>("glMapBufferRange",
                                    [](GLenum target, GLintptr offset, GLsizeiptr size, GLbitfield flags) -> void* {
                                        // Memory that is not mapped for good is had when all is done that may write it.
                                        if ((flags & GL_MAP_PERSISTENT_BIT) == 0) gl().doUntil(gl().issued);
                                        const auto memory = gl().bound(target, offset, size);
                                        return memory ? memory->data() + offset : nullptr;
                                    }),
        entry<&Api::UnmapBuffer>("glUnmapBuffer", [](GLenum) { return GLboolean{GL_TRUE}; }),

        entry<&Api::GenTextures>("glGenTextures", [](GLsizei count, GLuint* out) { make(count, out, gl().textures); }),
        entry<&Api::DeleteTextures>("glDeleteTextures",
                                    [](GLsizei count, const GLuint* names) {
                                        for (GLsizei i = 0; i < count; ++i) gl().textures.erase(names[i]);
                                    }),
        entry<&Api::ActiveTexture>("glActiveTexture", [](GLenum) {}),
        entry<&Api::BindTexture>("glBindTexture", [](GLenum, GLuint) {}),
        entry<&Api::TexBuffer>("glTexBuffer", [](GLenum, GLenum, GLuint) {}),

        entry<&Api::CreateShader>("glCreateShader", [](GLenum) { return *gl().shaders.insert(gl().name()).first; }),
        entry<&Api::ShaderSource>("glShaderSource", [](GLuint, GLsizei, const GLchar* const*, const GLint*) {}),
        entry<&Api::CompileShader>("glCompileShader", [](GLuint) {}),
        entry<&Api::GetShaderiv>("glGetShaderiv",
                                 [](GLuint, GLenum what, GLint* out) { *out = what == GL_COMPILE_STATUS ? GL_TRUE : 0; }),
        entry<&Api::GetShaderInfoLog>("glGetShaderInfoLog",
                                      [](GLuint, GLsizei, GLsizei* length, GLchar*) {
                                          if (length) *length = 0;
                                      }),
        entry<&Api::DeleteShader>("glDeleteShader", [](GLuint shader) { gl().shaders.erase(shader); }),
        entry<&Api::CreateProgram>("glCreateProgram", [] { return *gl().programs.insert(gl().name()).first; }),
        entry<&Api::AttachShader>("glAttachShader", [](GLuint, GLuint) {}),
        entry<&Api::DetachShader>("glDetachShader", [](GLuint, GLuint) {}),
        entry<&Api::ProgramParameteri>("glProgramParameteri", [](GLuint, GLenum, GLint) {}),
        entry<&Api::LinkProgram>("glLinkProgram", [](GLuint) {}),
        entry<&Api::GetProgramiv>("glGetProgramiv",
                                  [](GLuint, GLenum what, GLint* out) { *out = what == GL_LINK_STATUS ? GL_TRUE : 0; }),
        entry<&Api::GetProgramInfoLog>("glGetProgramInfoLog",
                                       [](GLuint, GLsizei, GLsizei* length, GLchar*) {
                                           if (length) *length = 0;
                                       }),
        entry<&Api::DeleteProgram>("glDeleteProgram", [](GLuint program) { gl().programs.erase(program); }),
        entry<&Api::UseProgram>("glUseProgram",
                                [](GLuint program) {
                                    if (program != 0 && !gl().programs.contains(program)) gl().fail(GL_INVALID_VALUE);
                                }),
        entry<&Api::Uniform1iv>("glUniform1iv", [](GLint, GLsizei, const GLint*) {}),
        entry<&Api::DispatchCompute>("glDispatchCompute", dispatch),

        entry<&Api::FenceSync>("glFenceSync",
                               [](GLenum, GLbitfield) {
                                   // Of no other context, as with a driver, where it is an address.
                                   static std::atomic<std::uintptr_t> made{0};
                                   const std::uintptr_t fence = ++made;
                                   gl().fences.emplace(fence, gl().issued);
                                   return reinterpret_cast<GLsync>(fence);
                               }),
        entry<&Api::ClientWaitSync>("glClientWaitSync",
                                    [](GLsync sync, GLbitfield, GLuint64) {
                                        const auto found = gl().fences.find(reinterpret_cast<std::uintptr_t>(sync));
                                        if (found == gl().fences.end()) {
                                            gl().fail(GL_INVALID_VALUE);
                                            return GLenum{GL_WAIT_FAILED};
                                        }
                                        gl().doUntil(found->second);
                                        return GLenum{GL_ALREADY_SIGNALED};
                                    }),
        entry<&Api::IsSync>("glIsSync",
                            [](GLsync sync) -> GLboolean {
                                return gl().fences.contains(reinterpret_cast<std::uintptr_t>(sync)) ? GL_TRUE : GL_FALSE;
                            }),
        entry<&Api::DeleteSync>("glDeleteSync", [](GLsync sync) { gl().fences.erase(reinterpret_cast<std::uintptr_t>(sync)); }),
    };
    return entries;
}

void* MemoryGl::procAddress(std::string_view name) {
    const auto& table = MemoryGlFunctions::table();
    const auto found = std::ranges::find(table, name, &MemoryGlFunctions::Entry::name);
    return found == table.end() ? nullptr : reinterpret_cast<void*>(found->address);
}

}  // namespace stile::testing
