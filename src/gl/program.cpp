#include "gl/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include "gl/replace_file.hpp"
#include "log/log.hpp"
#include "stile/error.hpp"

namespace stile::gl {
namespace {

constexpr std::array<char, 8> magic{'s', 't', 'i', 'l', 'e', 'P', 'B', '1'};

/// FNV-1a, 64 bits (Fowler, Noll, Vo).
std::uint64_t hash(std::string_view text, std::uint64_t value = 0xcbf29ce484222325U) {
    for (const char c : text) {
        value ^= static_cast<unsigned char>(c);
        value *= 0x100000001b3U;
    }
    return value;
}

std::uint64_t checksum(const std::vector<char>& bytes) { return hash(std::string_view(bytes.data(), bytes.size())); }

/// What stands before the binary in a cache file.
struct Header {
    std::array<char, 8> magic;
    std::uint64_t identity;  ///< of driver and source
    std::uint64_t checksum;  ///< of the binary
    std::uint32_t format;
    std::uint32_t length;
};

std::string programLog(const Api& gl, GLuint program) {
    GLint length = 0;
    gl.GetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
    std::string text(static_cast<std::size_t>(length), '\0');
    if (length > 0) gl.GetProgramInfoLog(program, length, &length, text.data());
    text.resize(static_cast<std::size_t>(length));
    return text;
}

std::string shaderLog(const Api& gl, GLuint shader) {
    GLint length = 0;
    gl.GetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string text(static_cast<std::size_t>(length), '\0');
    if (length > 0) gl.GetShaderInfoLog(shader, length, &length, text.data());
    text.resize(static_cast<std::size_t>(length));
    return text;
}

/// STILE_DUMP_SHADERS=folder writes each source before it is compiled, for looking at and for the shader test.
void dump(const std::string& source, bool es) {
    const char* folder = std::getenv("STILE_DUMP_SHADERS");
    if (!folder || !*folder) return;
    std::ofstream(fmt::format("{}/{:016x}.{}.comp", folder, hash(source), es ? "es" : "gl")) << source;
}

}  // namespace

Programs::Programs(const Api& gl, const Driver& driver, ErrorLedger& errors, std::size_t limit, std::filesystem::path folder,
                   Counters& counters)
    : gl_(gl), driver_(driver), errors_(errors), limit_(limit), folder_(std::move(folder)), counters_(counters) {
    GLint formats = 0;
    gl_.GetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
    if (formats == 0) folder_.clear();
    if (folder_.empty()) return;
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    if (failed) {
        log::info("no program cache at {}: {}", folder_.string(), failed.message());
        folder_.clear();
    }
}

void Speed::correct(double factor) noexcept {
    // Drivers compile in the first run. The second is believed; after that a thread that was interrupted must not spoil what is known.
    if (++measurements_ == 1) return;
    factor = std::clamp(factor, 1.0 / 64, 64.0);
    perUnit_ *= measurements_ == 2 ? factor : std::sqrt(std::sqrt(factor));
}

Program::~Program() {
    if (!isLost(gl)) gl.DeleteProgram(name);
}

void Programs::clear() noexcept {
    byKey_.clear();
    order_.clear();
    for (const auto& [key, begun] : std::exchange(begun_, {})) {
        if (isLost(gl_)) break;
        gl_.DeleteShader(begun.shader);
        gl_.DeleteProgram(begun.program);
    }
}

ProgramPtr Programs::get(std::string_view key, const std::function<std::string()>& source) {
    if (const auto found = byKey_.find(key); found != byKey_.end()) {
        order_.splice(order_.begin(), order_, found->second);
        return found->second->program;
    }
    const std::string text = source();
    dump(text, driver_.es);
    const auto begun = begun_.extract(std::string(key));
    GLuint program = begun ? 0 : load(text);
    if (program != 0) {
        ++counters_.loaded;
    } else {
        program = finish(begun ? begun.mapped() : compile(text), key, text);
        ++counters_.compiled;
        store(text, program);
    }
    order_.push_front({std::string(key), std::make_shared<Program>(gl_, program)});
    byKey_.emplace(order_.front().key, order_.begin());
    if (order_.size() > limit_) {
        byKey_.erase(order_.back().key);
        order_.pop_back();
    }
    counters_.programs = static_cast<std::int64_t>(order_.size());
    return order_.front().program;
}

void Programs::begin(const std::string& key, const std::function<std::string()>& source) {
    if (!driver_.parallelCompile || has(key) || begun_.contains(key) || begun_.size() >= limit_) return;
    const std::string text = source();
    std::error_code ignored;
    if (!folder_.empty() && std::filesystem::exists(fileOf(text), ignored)) return;
    gl_.MaxShaderCompilerThreadsKHR(~0U);  // as many as the driver likes
    begun_.emplace(key, compile(text));
}

bool Programs::isCompiling(const std::string& key) const {
    const auto found = begun_.find(key);
    if (found == begun_.end()) return false;
    GLint done = GL_TRUE;
    gl_.GetProgramiv(found->second.program, GL_COMPLETION_STATUS_KHR, &done);
    return done == GL_FALSE;
}

Programs::Begun Programs::compile(const std::string& source) const {
    const char* text = source.c_str();
    const Begun begun{gl_.CreateShader(GL_COMPUTE_SHADER), gl_.CreateProgram()};
    gl_.ShaderSource(begun.shader, 1, &text, nullptr);
    gl_.CompileShader(begun.shader);
    gl_.AttachShader(begun.program, begun.shader);
    if (!folder_.empty()) gl_.ProgramParameteri(begun.program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    gl_.LinkProgram(begun.program);
    return begun;
}

GLuint Programs::finish(const Begun& begun, std::string_view key, const std::string& source) const {
    const std::string_view title = key.substr(0, key.find('\n'));
    GLint compiled = 0, linked = 0;  // stay so if there is nothing to ask
    gl_.GetShaderiv(begun.shader, GL_COMPILE_STATUS, &compiled);
    gl_.GetProgramiv(begun.program, GL_LINK_STATUS, &linked);
    std::string words;
    if (!compiled || !linked) words = compiled ? programLog(gl_, begun.program) : shaderLog(gl_, begun.shader);
    gl_.DetachShader(begun.program, begun.shader);
    gl_.DeleteShader(begun.shader);
    if (compiled && linked) return begun.program;
    gl_.DeleteProgram(begun.program);
    if (!compiled) log::debug("source of {}:\n{}", title, source);
    throw Error(errc::shader_failed, fmt::format("{} {}: {}", compiled ? "linking" : "compiling", title, words));
}

std::filesystem::path Programs::fileOf(const std::string& source) const {
    return folder_ / fmt::format("{:016x}.bin", hash(source, hash(driver_.identity())));
}

GLuint Programs::load(const std::string& source) {
    if (folder_.empty()) return 0;
    std::ifstream file(fileOf(source), std::ios::binary);
    Header header{};
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return 0;
    const std::uint64_t identity = hash(driver_.identity(), hash(source));
    if (header.magic != magic || header.identity != identity || header.length > (1U << 26)) return 0;
    std::vector<char> binary(header.length);
    if (!file.read(binary.data(), header.length) || checksum(binary) != header.checksum) return 0;
    errors_.keep();
    const GLuint program = gl_.CreateProgram();
    gl_.ProgramBinary(program, header.format, binary.data(), static_cast<GLsizei>(header.length));
    GLint ok = 0;
    gl_.GetProgramiv(program, GL_LINK_STATUS, &ok);
    // A driver may refuse a binary at any time; then it is compiled as if there were none, and the refusal is no error.
    if (ok) return program;
    gl_.DeleteProgram(program);
    (void)takeError(gl_);
    return 0;
}

void Programs::store(const std::string& source, GLuint program) {
    if (folder_.empty()) return;
    GLint length = 0;
    gl_.GetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &length);
    if (length <= 0) return;
    errors_.keep();
    std::vector<char> binary(static_cast<std::size_t>(length));
    GLenum format = 0;
    gl_.GetProgramBinary(program, length, &length, &format, binary.data());
    if (!takeError(gl_).empty() || length <= 0) return;
    binary.resize(static_cast<std::size_t>(length));
    const Header header{magic, hash(driver_.identity(), hash(source)), checksum(binary), format,
                        static_cast<std::uint32_t>(length)};
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
    bytes.append(binary.begin(), binary.end());
    replaceFile(fileOf(source), bytes);
}

std::filesystem::path cacheFolder() {
    const char* enabled = std::getenv("STILE_DISK_CACHE");
    if (enabled && std::string_view(enabled) == "0") return {};
    const char* xdg = std::getenv("XDG_CACHE_HOME");
    if (xdg && *xdg) return std::filesystem::path(xdg) / "stile";
    const char* home = std::getenv("HOME");
    if (home && *home) return std::filesystem::path(home) / ".cache" / "stile";
    return {};
}

}  // namespace stile::gl
