#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "gl/api.hpp"
#include "stile/testing.hpp"
#include "testing/memory_gl.hpp"

namespace stile::testing {

struct ScriptedContext::State {
    std::shared_ptr<GlContext> real;
    MemoryGl memory;  ///< where there is no real one
    gl::Api inner{};
    bool loaded = false;

    mutable std::mutex mutex;
    Script script;
    std::map<std::string, int, std::less<>> calls;
    int fencesMade = 0, allocations = 0, shadersCompiled = 0;
    GLsizeiptr refused = 0;  ///< the size of the allocation that was refused last, until it has been tried again
    std::map<GLsync, FenceScript> fences;
    std::set<GLuint> brokenShaders;
    GlObjects objects;
    GLenum error = GL_NO_ERROR;
    bool held = false, lost = false;
    enum class Freeze { no, next, now } freeze = Freeze::no;
    std::condition_variable thawed;

    static State*& current() noexcept {
        thread_local State* state = nullptr;
        return state;
    }

    /// Counts a call; true if it fails. With the mutex held.
    bool fails(std::string_view function, GLenum code) {
        const auto counted = calls.try_emplace(std::string(function), 0).first;
        const int number = ++counted->second;
        if (lost) {
            error = GL_CONTEXT_LOST;
            return true;
        }
        const auto found = script.failingCalls.find(function);
        if (found == script.failingCalls.end() || !found->second.contains(number)) return false;
        error = code;
        return true;
    }
    /// Counts an allocation; true if it finds no memory. With the mutex held.
    bool refuses(GLsizeiptr size) {
        const bool again = std::exchange(refused, 0) == size && size > 0;
        if (!again && !script.failingAllocations.contains(++allocations)) return false;
        if (!again) refused = size;
        error = GL_OUT_OF_MEMORY;
        return true;
    }
};

namespace {

using gl::Api;
using State = ScriptedContext::State;

template <std::size_t Size>
struct Name {
    char text[Size];
    constexpr Name(const char (&literal)[Size]) { std::copy_n(literal, Size, text); }
};

/// A GL function that can fail: asks the script, then calls the one behind. A failed one gives 0.
template <Name name, auto Member, GLenum code, class Function>
struct Fallible;
template <Name name, auto Member, GLenum code, class Result, class... Arguments>
struct Fallible<name, Member, code, Result (*)(Arguments...)> {
    static Result call(Arguments... arguments) {
        State* const state = State::current();
        if (!state) return Result();
        {
            const std::lock_guard lock(state->mutex);
            if (state->fails(name.text, code)) return Result();
        }
        return (state->inner.*Member)(arguments...);
    }
};

using Address = void (*)();
struct Hook {
    std::string_view name;
    Address address;
    bool fails;  ///< is one that a script can have fail
};

template <auto Member>
using FunctionOf = std::remove_cvref_t<decltype(std::declval<Api&>().*Member)>;

template <Name name, auto Member, GLenum code>
Hook fallible() {
    return {name.text, reinterpret_cast<Address>(Fallible<name, Member, code, FunctionOf<Member>>::call), true};
}
template <auto Member, class Function>
Hook special(std::string_view name, bool fails, Function function) {
    FunctionOf<Member> address = function;
    return {name, reinterpret_cast<Address>(address), fails};
}

/// Runs `make` unless the call fails, and counts what it makes.
template <class Make>
auto made(std::string_view name, int GlObjects::* kind, int count, Make make) {
    State& state = *State::current();
    const std::lock_guard lock(state.mutex);
    if (state.fails(name, GL_OUT_OF_MEMORY)) return decltype(make(state.inner))();
    state.objects.*kind += count;
    return make(state.inner);
}
void generate(std::string_view name, int GlObjects::* kind, GLsizei count, GLuint* out,
              void (*Api::*generator)(GLsizei, GLuint*)) {
    std::fill_n(out, count, 0U);
    made(name, kind, count, [&](const Api& inner) { (inner.*generator)(count, out); });
}
void unmade(int GlObjects::* kind, GLsizei count, const GLuint* names) {
    State& state = *State::current();
    const std::lock_guard lock(state.mutex);
    state.objects.*kind -= static_cast<int>(std::count_if(names, names + count, [](GLuint name) { return name != 0; }));
}
template <auto Member>
void allocate(std::string_view name, GLsizeiptr size, auto... arguments) {
    State& state = *State::current();
    {
        const std::lock_guard lock(state.mutex);
        if (state.fails(name, GL_OUT_OF_MEMORY) || state.refuses(size)) return;
    }
    (state.inner.*Member)(arguments...);
}

GLsync insertFence(GLenum condition, GLbitfield flags) {
    State& state = *State::current();
    const std::lock_guard lock(state.mutex);
    if (state.fails("glFenceSync", GL_OUT_OF_MEMORY)) return nullptr;
    const auto found = state.script.fences.find(++state.fencesMade);
    const GLsync fence = state.inner.FenceSync(condition, flags);
    state.fences[fence] = found == state.script.fences.end() ? state.script.otherFences : found->second;
    ++state.objects.fences;
    return fence;
}

GLenum waitForFence(GLsync fence, GLbitfield flags, GLuint64 timeout) {
    State& state = *State::current();
    bool pending = false;
    {
        std::unique_lock lock(state.mutex);
        if (state.freeze == State::Freeze::next) {
            state.freeze = State::Freeze::now;
            state.thawed.wait(lock, [&state] { return state.freeze == State::Freeze::no; });
            timeout = std::max(timeout, GLuint64{1'000'000'000});
        }
        if (state.lost) return GL_ALREADY_SIGNALED;
        if (state.fails("glClientWaitSync", GL_INVALID_OPERATION)) return GL_WAIT_FAILED;
        const auto found = state.fences.find(fence);
        if (found != state.fences.end()) {
            FenceScript& script = found->second;
            pending = state.held || script.polls == FenceScript::never || script.polls > 0;
            if (!state.held && script.polls > 0) --script.polls;
            if (!pending && script.end == FenceEnd::lost) {
                state.lost = true;
                return GL_ALREADY_SIGNALED;
            }
            if (!pending && script.end == FenceEnd::failed) {
                state.error = GL_INVALID_OPERATION;
                return GL_WAIT_FAILED;
            }
        }
    }
    if (!pending) return state.inner.ClientWaitSync(fence, flags, timeout);
    // A caller that waits gets some of the time that it is ready to spend.
    std::this_thread::sleep_for(std::min(std::chrono::nanoseconds(timeout), std::chrono::nanoseconds(1'000'000)));
    return GL_TIMEOUT_EXPIRED;
}

constexpr std::string_view brokenLog = "this shader fails because the script says so";

const std::vector<Hook>& hooks() {
    static const std::vector<Hook> table{
        special<&Api::GetError>("glGetError", false,
                                [] {
                                    State* const state = State::current();
                                    if (!state) return GLenum{GL_NO_ERROR};
                                    const std::lock_guard lock(state->mutex);
                                    const GLenum own = std::exchange(state->error, GLenum{GL_NO_ERROR});
                                    return own != GL_NO_ERROR || state->lost ? own : state->inner.GetError();
                                }),
        special<&Api::GetGraphicsResetStatus>("glGetGraphicsResetStatus", false,
                                              [] {
                                                  State& state = *State::current();
                                                  const std::lock_guard lock(state.mutex);
                                                  if (state.lost) return GLenum{GL_UNKNOWN_CONTEXT_RESET};
                                                  return state.inner.GetGraphicsResetStatus
                                                             ? state.inner.GetGraphicsResetStatus()
                                                             : GLenum{GL_NO_ERROR};
                                              }),
        special<&Api::GetIntegerv>("glGetIntegerv", false,
                                   [](GLenum what, GLint* out) {
                                       // Its loss is reported, whatever the context behind does.
                                       if (what == GL_RESET_NOTIFICATION_STRATEGY) {
                                           *out = GL_LOSE_CONTEXT_ON_RESET;
                                       } else {
                                           State::current()->inner.GetIntegerv(what, out);
                                       }
                                   }),
        special<&Api::FenceSync>("glFenceSync", true, insertFence),
        special<&Api::ClientWaitSync>("glClientWaitSync", true, waitForFence),
        special<&Api::DeleteSync>("glDeleteSync", false,
                                  [](GLsync fence) {
                                      State& state = *State::current();
                                      const std::lock_guard lock(state.mutex);
                                      state.objects.fences -= static_cast<int>(state.fences.erase(fence));
                                      state.inner.DeleteSync(fence);
                                  }),
        special<&Api::GenBuffers>(
            "glGenBuffers", true,
            [](GLsizei count, GLuint* out) { generate("glGenBuffers", &GlObjects::buffers, count, out, &Api::GenBuffers); }),
        special<&Api::DeleteBuffers>("glDeleteBuffers", false,
                                     [](GLsizei count, const GLuint* names) {
                                         unmade(&GlObjects::buffers, count, names);
                                         State::current()->inner.DeleteBuffers(count, names);
                                     }),
        special<&Api::GenTextures>(
            "glGenTextures", true,
            [](GLsizei count, GLuint* out) { generate("glGenTextures", &GlObjects::textures, count, out, &Api::GenTextures); }),
        special<&Api::DeleteTextures>("glDeleteTextures", false,
                                      [](GLsizei count, const GLuint* names) {
                                          unmade(&GlObjects::textures, count, names);
                                          State::current()->inner.DeleteTextures(count, names);
                                      }),
        special<&Api::CreateShader>("glCreateShader", true,
                                    [](GLenum type) {
                                        return made("glCreateShader", &GlObjects::shaders, 1,
                                                    [&](const Api& inner) { return inner.CreateShader(type); });
                                    }),
        special<&Api::DeleteShader>("glDeleteShader", false,
                                    [](GLuint shader) {
                                        unmade(&GlObjects::shaders, 1, &shader);
                                        State::current()->inner.DeleteShader(shader);
                                    }),
        special<&Api::CreateProgram>("glCreateProgram", true,
                                     [] {
                                         return made("glCreateProgram", &GlObjects::programs, 1,
                                                     [](const Api& inner) { return inner.CreateProgram(); });
                                     }),
        special<&Api::DeleteProgram>("glDeleteProgram", false,
                                     [](GLuint program) {
                                         unmade(&GlObjects::programs, 1, &program);
                                         State::current()->inner.DeleteProgram(program);
                                     }),
        special<&Api::BufferData>("glBufferData", true,
                                  [](GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
                                      allocate<&Api::BufferData>("glBufferData", size, target, size, data, usage);
                                  }),
        special<&Api::BufferStorage>("glBufferStorage", true,
                                     [](GLenum target, GLsizeiptr size, const void* data, GLbitfield flags) {
                                         allocate<&Api::BufferStorage>("glBufferStorage", size, target, size, data, flags);
                                     }),
        special<&Api::BufferStorageEXT>("glBufferStorageEXT", true,
                                        [](GLenum target, GLsizeiptr size, const void* data, GLbitfield flags) {
                                            allocate<&Api::BufferStorageEXT>("glBufferStorageEXT", size, target, size, data,
                                                                             flags);
                                        }),
        special<&Api::CompileShader>("glCompileShader", true,
                                     [](GLuint shader) {
                                         State& state = *State::current();
                                         const std::lock_guard lock(state.mutex);
                                         const bool broken = state.script.failingShaders.contains(++state.shadersCompiled);
                                         if (broken) state.brokenShaders.insert(shader);
                                         if (state.fails("glCompileShader", GL_OUT_OF_MEMORY) || broken) return;
                                         state.inner.CompileShader(shader);
                                     }),
        special<&Api::GetShaderiv>("glGetShaderiv", false,
                                   [](GLuint shader, GLenum what, GLint* out) {
                                       State& state = *State::current();
                                       const std::lock_guard lock(state.mutex);
                                       if (!state.brokenShaders.contains(shader))
                                           return state.inner.GetShaderiv(shader, what, out);
                                       *out = what == GL_INFO_LOG_LENGTH ? static_cast<GLint>(brokenLog.size() + 1) : GL_FALSE;
                                   }),
        special<&Api::GetShaderInfoLog>("glGetShaderInfoLog", false,
                                        [](GLuint shader, GLsizei size, GLsizei* length, GLchar* out) {
                                            State& state = *State::current();
                                            const std::lock_guard lock(state.mutex);
                                            if (!state.brokenShaders.contains(shader))
                                                return state.inner.GetShaderInfoLog(shader, size, length, out);
                                            const std::size_t count =
                                                std::min(brokenLog.size(), static_cast<std::size_t>(std::max(size, 1) - 1));
                                            std::copy_n(brokenLog.data(), count, out);
                                            out[count] = '\0';
                                            if (length) *length = static_cast<GLsizei>(count);
                                        }),
        fallible<"glBufferSubData", &Api::BufferSubData, GL_OUT_OF_MEMORY>(),
        fallible<"glCopyBufferSubData", &Api::CopyBufferSubData, GL_OUT_OF_MEMORY>(),
        fallible<"glMapBufferRange", &Api::MapBufferRange, GL_OUT_OF_MEMORY>(),
        fallible<"glUnmapBuffer", &Api::UnmapBuffer, GL_INVALID_OPERATION>(),
        fallible<"glTexBuffer", &Api::TexBuffer, GL_OUT_OF_MEMORY>(),
        fallible<"glBindBufferBase", &Api::BindBufferBase, GL_OUT_OF_MEMORY>(),
        fallible<"glLinkProgram", &Api::LinkProgram, GL_OUT_OF_MEMORY>(),
        fallible<"glGetProgramBinary", &Api::GetProgramBinary, GL_OUT_OF_MEMORY>(),
        fallible<"glProgramBinary", &Api::ProgramBinary, GL_OUT_OF_MEMORY>(),
        fallible<"glUseProgram", &Api::UseProgram, GL_OUT_OF_MEMORY>(),
        fallible<"glUniform1iv", &Api::Uniform1iv, GL_OUT_OF_MEMORY>(),
        fallible<"glDispatchCompute", &Api::DispatchCompute, GL_OUT_OF_MEMORY>(),
    };
    return table;
}

void* addressOf(const State& state, const char* name) {
    void* const behind = state.real ? state.real->procAddress(name) : MemoryGl::procAddress(name);
    const auto found = std::ranges::find(hooks(), std::string_view(name), &Hook::name);
    // What the context behind lacks stays lacking, but for the answer to whether it is lost.
    if (found == hooks().end() || (!behind && found->name != "glGetGraphicsResetStatus")) return behind;
    return reinterpret_cast<void*>(found->address);
}

}  // namespace

ScriptedContext::ScriptedContext(Script script, std::shared_ptr<GlContext> real) : state_(std::make_shared<State>()) {
    state_->real = std::move(real);
    state_->script = std::move(script);
}
ScriptedContext::~ScriptedContext() {
    if (State::current() == state_.get()) doneCurrent();
}

void ScriptedContext::makeCurrent() {
    if (state_->real) {
        state_->real->makeCurrent();
    } else {
        MemoryGl::current() = &state_->memory;
    }
    State::current() = state_.get();
    if (std::exchange(state_->loaded, true)) return;
    const GlContext* const real = state_->real.get();
    state_->inner =
        gl::loadApi([real](const char* name) { return real ? real->procAddress(name) : MemoryGl::procAddress(name); }, es());
}
void ScriptedContext::doneCurrent() noexcept {
    State::current() = nullptr;
    if (state_->real) {
        state_->real->doneCurrent();
    } else {
        MemoryGl::current() = nullptr;
    }
}
void* ScriptedContext::procAddress(const char* name) const { return addressOf(*state_, name); }
bool ScriptedContext::es() const noexcept { return state_->real && state_->real->es(); }
std::function<void*(const char*)> ScriptedContext::loader() {
    return [state = state_](const char* name) { return addressOf(*state, name); };
}

void ScriptedContext::set(Script script) {
    const std::lock_guard lock(state_->mutex);
    state_->script = std::move(script);
    state_->calls.clear();
    state_->fencesMade = state_->allocations = state_->shadersCompiled = 0;
    state_->refused = 0;
}
void ScriptedContext::hold() {
    const std::lock_guard lock(state_->mutex);
    state_->held = true;
}
void ScriptedContext::freeze() {
    const std::lock_guard lock(state_->mutex);
    state_->freeze = State::Freeze::next;
}
bool ScriptedContext::isFrozen() const {
    const std::lock_guard lock(state_->mutex);
    return state_->freeze == State::Freeze::now;
}
void ScriptedContext::release() {
    const std::lock_guard lock(state_->mutex);
    state_->held = false;
    state_->freeze = State::Freeze::no;
    state_->thawed.notify_all();
}
void ScriptedContext::lose() {
    const std::lock_guard lock(state_->mutex);
    state_->lost = true;
}
int ScriptedContext::calls(std::string_view function) const {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->calls.find(function);
    return found == state_->calls.end() ? 0 : found->second;
}
std::vector<std::string> ScriptedContext::functions() {
    std::vector<std::string> out;
    for (const Hook& hook : hooks()) {
        if (hook.fails) out.emplace_back(hook.name);
    }
    return out;
}
GlObjects ScriptedContext::objects() const {
    const std::lock_guard lock(state_->mutex);
    // The loss of a context ends all that was in it.
    return state_->lost ? GlObjects{} : state_->objects;
}

}  // namespace stile::testing
