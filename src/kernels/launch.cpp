#include "kernels/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "gl/workarounds.hpp"
#include "kernels/shader_source.hpp"
#include "stile/error.hpp"

namespace stile::kernels {
namespace {

/// `quotient(i, at)`: i / P[at] for i >= 0 without dividing, which neither a CPU's vectors nor GPUs have an instruction for.
/// Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI 1994.
constexpr std::string_view division =
    "int quotient(int i, int at) {\n    uint high, low;\n    umulExtended(uint(i), uint(P[at + 1]), high, low);\n"
    "    return P[at] == 1 ? i : int(high >> uint(P[at + 2]));\n}\n";

/// The text of a file with its includes.
std::string expand(std::string_view file) {
    const std::string_view text = shaderSource(file);
    if (text.empty()) throw Error(errc::shader_failed, fmt::format("there is no shader file {}", file));
    std::string out;
    constexpr std::string_view mark = "#include \"";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        if (line.starts_with(mark)) {
            out += expand(line.substr(mark.size(), line.find('"', mark.size()) - mark.size()));
        } else {
            out += line;
            out += '\n';
        }
        at = end + 1;
    }
    return out;
}

const char* elementType(gl::View view) {
    if (view.integer) return view.wide ? "ivec4" : "int";
    return view.wide ? "vec4" : "float";
}

bool throughTexture(const gl::Driver& driver, const Binding& input) {
    if (input.part.count > 0) return false;
    const std::size_t texel = input.view.wide ? 16 : 4;
    return driver.loadPath == gl::LoadPath::texture &&
           std::cmp_less_equal(input.buffer->capacity() / texel, driver.textureTexels);
}

/// Buffers end on 16 bytes, which may be more than the limit.
bool fitsBlock(const gl::Driver& driver, const gl::Buffer& buffer) {
    return std::cmp_less(buffer.capacity(), driver.storageBytes + 16);
}

/// A storage block as it will be bound.
struct Block {
    std::shared_ptr<gl::Buffer> buffer;
    GLintptr first = 0;
    GLsizeiptr bytes = 0;  ///< 0: all of it
};

struct Texture {
    std::shared_ptr<gl::Buffer> buffer;
    GLuint name = 0;
};

/// A launch with everything that it needs from the driver. Holds its buffers: scratch memory may be given back before it runs.
struct Dispatch {
    gl::ProgramPtr program;
    std::vector<Block> blocks;  ///< the output first
    std::vector<Texture> textures;
    std::vector<int> params;  ///< and the first group, at the end
};

Block blockOf(gl::Gpu& gpu, const Binding& binding) {
    gl::Buffer& buffer = *binding.buffer;
    if (binding.part.count > 0) {
        const std::int64_t first = binding.part.first * 4, bytes = (binding.part.count * 4 + 15) / 16 * 16;
        return {buffer.shared_from_this(), static_cast<GLintptr>(first), static_cast<GLsizeiptr>(bytes)};
    }
    if (!fitsBlock(gpu.driver, buffer)) {
        throw Error(errc::too_large, fmt::format("{} bytes in one piece; a storage block of this driver holds {}",
                                                 buffer.capacity(), gpu.driver.storageBytes));
    }
    return {buffer.shared_from_this()};
}

/// Runs a range of a dispatch's groups.
void perform(gl::Gpu& gpu, Dispatch& what, std::int64_t first, std::int64_t count, bool last) {
    const gl::Api& gl = gpu.api;
    gl.UseProgram(what.program->name);
    GLuint index = 0, unit = 0;
    for (const Block& block : what.blocks) {
        if (block.bytes == 0) {
            gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, index++, block.buffer->name());
        } else {
            gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, index++, block.buffer->name(), block.first, block.bytes);
        }
    }
    for (const Texture& texture : what.textures) {
        gl.ActiveTexture(GL_TEXTURE0 + unit++);
        gl.BindTexture(GL_TEXTURE_BUFFER, texture.name);
    }
    what.params.back() = static_cast<int>(first);
    gl.Uniform1iv(0, static_cast<GLsizei>(what.params.size()), what.params.data());
    const std::int64_t rows = (count + gpu.driver.groups - 1) / gpu.driver.groups;
    const std::int64_t columns = (count + rows - 1) / rows;
    gl.DispatchCompute(static_cast<GLuint>(columns), static_cast<GLuint>(rows), 1);
    ++gpu.counters.dispatches;
    // Should the next result not be bound, for want of memory, it must not be written over this one.
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    if (!last) return;  // the parts of a dispatch read nothing of each other
    gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

/// In how many steps a dispatch is done that takes so many times as long as a step should.
std::int64_t piecesOf(const gl::Driver& driver, std::int64_t groups, double length) {
    const std::int64_t leastGroups = driver.software ? 8 : 64;  // enough to keep all of it busy
    const auto most = static_cast<double>(std::max<std::int64_t>(groups / leastGroups, 1));
    const auto pieces = static_cast<std::int64_t>(std::clamp(std::ceil(length), 1.0, most));
    // A folded piece may have more groups than it was given, which would do again what the next piece does.
    return pieces == 1 ? 1 : std::max(pieces, (groups + driver.groups - 1) / driver.groups);
}

std::string prelude(const gl::Driver& driver, const Launch& l) {
    std::string out;
    if (driver.es) {
        out = driver.es32 ? "#version 320 es\n" : "#version 310 es\n";
        if (!driver.es32 && driver.loadPath == gl::LoadPath::texture) out += "#extension GL_EXT_texture_buffer : require\n";
        out += "precision highp float;\nprecision highp int;\n";
        if (driver.loadPath == gl::LoadPath::texture)
            out += "precision highp samplerBuffer;\nprecision highp isamplerBuffer;\n";
    } else {
        out = "#version 430 core\n";
    }
    out += driver.es && !driver.es32 ? "#define PRECISE\n" : "#define PRECISE precise\n";
    const std::size_t params = l.params.values().size() + 1;
    const bool opaque = gl::isOn(gl::Workaround::opaqueParameters, driver),
               copied = gl::isOn(gl::Workaround::copiedParameters, driver);
    out += fmt::format("layout(local_size_x = {}) in;\nlayout(location = 0) uniform int {}[{}];\n", groupSize,
                       opaque   ? "Q[1]"
                       : copied ? "Q"
                                : "P",
                       params);
    if (opaque) out += "#define P Q[gl_WorkGroupID.z]\n";  // always 0
    // Set to something at first, or Mesa warns.
    if (copied) {
        out += fmt::format("int P[{}] = int[]({});\n#define main kernel\n", params, fmt::join(std::vector(params, 0), ", "));
    }
    out += fmt::format("layout(std430, binding = 0) {}buffer ResultBlock {{ {} result[]; }};\n",
                       l.accumulates ? "" : "writeonly ", elementType(l.output.view));
    int block = 1, unit = 0;
    for (std::size_t i = 0; i < l.inputs.size(); ++i) {
        const gl::View view = l.inputs[i].view;
        if (throughTexture(driver, l.inputs[i])) {
            out += fmt::format("layout(binding = {}) uniform highp {}samplerBuffer T{};\n", unit++, view.integer ? "i" : "", i);
            out += fmt::format("#define in{0}(i) texelFetch(T{0}, i){1}\n", i, view.wide ? "" : ".x");
        } else {
            out += fmt::format("layout(std430, binding = {}) readonly buffer Block{} {{ {} d{}[]; }};\n", block++, i,
                               elementType(view), i);
            out += fmt::format("#define in{0}(i) d{0}[i]\n", i);
        }
    }
    // Groups are folded over two dimensions, because 65,535 is the most in one. The last parameter is the first group.
    out += fmt::format(
        "int group() {{\n    return P[{}] + int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x);\n}}\n"
        "int invocation() {{ return group() * {} + int(gl_LocalInvocationID.x); }}\n",
        l.params.values().size(), groupSize);
    out += division;
    return out;
}

std::string keyOf(const gl::Driver& driver, const Launch& l) {
    std::string key =
        fmt::format("{} P{}{} >{}", l.file, l.params.values().size(), l.accumulates ? "+" : "", elementType(l.output.view));
    for (const Binding& input : l.inputs) {
        key += fmt::format(" {}{}", throughTexture(driver, input) ? "t" : "b", elementType(input.view));
    }
    key += '\n';
    key += l.code;
    return key;
}

std::string sourceOf(const gl::Driver& driver, const Launch& l) {
    std::string out = prelude(driver, l) + (l.library.empty() ? "" : expand(l.library)) + l.code + expand(l.file);
    if (gl::isOn(gl::Workaround::copiedParameters, driver)) {
        out += "#undef main\nvoid main() {\n";
        for (std::size_t i = 0; i <= l.params.values().size(); ++i) out += fmt::format("    P[{0}] = Q[{0}];\n", i);
        out += "    kernel();\n}\n";
    }
    return out;
}

/// Runs one group of it in memory of the promised sizes. Numbers that may be indices are 0.
void rehearse(gl::Gpu& gpu, Launch l) {
    std::vector<std::shared_ptr<gl::Buffer>> memory;
    const auto keep = [&](Binding& binding) {
        memory.push_back(gpu.buffers->take(binding.buffer->capacity()));
        binding.buffer = memory.back().get();
    };
    for (Binding& input : l.inputs) {
        keep(input);
        if (input.view.integer) gpu.buffers->clear(*input.buffer);
    }
    keep(l.output);
    l.invocations = std::min<std::int64_t>(l.invocations, groupSize);
    launch(gpu, l);
    const gl::Step step = std::move(gpu.steps.back());
    gpu.steps.pop_back();
    step.run();
}

/// A launch that is not to run, with the promised memory that its bindings name.
struct Rehearsed {
    Launch launch;
    std::vector<std::shared_ptr<gl::Buffer>> promised;
};

/// Notes the program, if it is new.
void note(gl::Gpu& gpu, const Launch& l, std::string key) {
    if (gpu.programs.has(key) || std::ranges::find(*gpu.rehearsals, key, &gl::Rehearsal::key) != gpu.rehearsals->end()) return;
    const auto rehearsed = std::make_shared<Rehearsed>(Rehearsed{l, {}});
    for (const Binding& input : l.inputs) rehearsed->promised.push_back(input.buffer->shared_from_this());
    rehearsed->promised.push_back(l.output.buffer->shared_from_this());
    gpu.rehearsals->push_back({std::move(key), [&gpu, rehearsed] { return sourceOf(gpu.driver, rehearsed->launch); },
                               [&gpu, rehearsed] { rehearse(gpu, rehearsed->launch); }});
}

}  // namespace

std::vector<Part> partsOf(const gl::Driver& driver, std::int64_t elements) {
    const std::int64_t most = driver.storageBytes / 4;
    if (elements <= most) return {{0, elements}};
    // A part begins where every driver lets a block begin: GL 4.3 and GLES 3.1 ask for 256 bytes at most.
    const std::int64_t length = most / 64 * 64;
    std::vector<Part> parts;
    for (std::int64_t first = 0; first < elements; first += length)
        parts.push_back({first, std::min(length, elements - first)});
    return parts;
}

bool isReadable(const gl::Driver& driver, const Binding& input) {
    return throughTexture(driver, input) || fitsBlock(driver, *input.buffer);
}

int Params::addFloat(float value) { return addBits(std::bit_cast<std::uint32_t>(value)); }

int Params::addDivisor(std::int64_t divisor) {
    const auto d = static_cast<std::uint64_t>(std::max<std::int64_t>(divisor, 1));
    const int log = d > 1 ? static_cast<int>(std::bit_width(d - 1)) : 1;
    const int at = add(divisor);
    // Exact for dividends below 2^31: the factor is 2^(31 + log) / d, rounded up to 32 bits.
    addBits(static_cast<std::uint32_t>(((std::uint64_t{1} << (31 + log)) + d - 1) / d));
    add(log - 1);
    return at;
}

void launch(gl::Gpu& gpu, const Launch& l) {
    if (l.invocations <= 0) return;
    std::string key = keyOf(gpu.driver, l);
    if (gpu.rehearsals) return note(gpu, l, std::move(key));
    auto dispatch = std::make_shared<Dispatch>();
    dispatch->program = gpu.programs.get(key, [&] { return sourceOf(gpu.driver, l); });
    dispatch->params = l.params.values();
    dispatch->params.push_back(0);
    dispatch->blocks.push_back(blockOf(gpu, l.output));
    for (const Binding& input : l.inputs) {
        if (throughTexture(gpu.driver, input)) {
            dispatch->textures.push_back({input.buffer->shared_from_this(), input.buffer->texture(gpu.api, input.view)});
        } else {
            dispatch->blocks.push_back(blockOf(gpu, input));
        }
    }
    const std::int64_t groups = (l.invocations + groupSize - 1) / groupSize;
    const double work = l.work > 0 ? l.work : 4 * static_cast<double>(l.invocations);
    const std::shared_ptr<gl::Speed> speed(dispatch->program, &dispatch->program->speed);
    const std::int64_t pieces =
        piecesOf(gpu.driver, groups, speed->estimate(work) / static_cast<double>(gpu.longestStep.count()));
    for (std::int64_t i = 0; i < pieces; ++i) {
        const std::int64_t first = groups * i / pieces, count = groups * (i + 1) / pieces - first;
        gpu.steps.push_back(
            {.run = [&gpu, dispatch, first, count, last = i + 1 == pieces] { perform(gpu, *dispatch, first, count, last); },
             .speed = speed,
             .work = work * static_cast<double>(count) / static_cast<double>(groups)});
    }
}

void then(gl::Gpu& gpu, std::function<void()> what) {
    gpu.steps.push_back({.run = std::move(what), .speed = std::make_shared<gl::Speed>(), .work = 1});
}

std::vector<Axis> merged(const std::vector<Axis>& axes) {
    std::vector<Axis> out;
    for (const Axis& axis : axes) {
        if (axis.extent == 1) continue;
        if (!out.empty() && out.back().stride == axis.stride * axis.extent) {
            out.back() = {out.back().extent * axis.extent, axis.stride};
        } else {
            out.push_back(axis);
        }
    }
    return out;
}

std::vector<Axis> axesOf(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides) {
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < extents.size(); ++i) axes.push_back({extents[i], strides[i]});
    return merged(axes);
}

bool toQuads(std::vector<Axis>& axes) {
    if (axes.empty() || axes.back().extent % 4 != 0 || axes.back().stride != 1) return false;
    for (Axis& axis : axes) {
        if (&axis == &axes.back()) break;
        if (axis.stride % 4 != 0) return false;
        axis.stride /= 4;
    }
    axes.back().extent /= 4;
    return true;
}

std::string indexFunction(std::string_view name, const std::vector<Axis>& walk, Params& params) {
    const std::vector<Axis> axes = merged(walk);
    if (axes.empty()) return fmt::format("int {}(int i) {{ return 0; }}\n", name);
    if (axes.size() == 1) return fmt::format("int {}(int i) {{ return i * P[{}]; }}\n", name, params.add(axes[0].stride));
    std::string body;
    for (std::size_t i = axes.size(); i-- > 1;) {
        const int extent = params.addDivisor(axes[i].extent), stride = params.add(axes[i].stride);
        body += fmt::format("    q = quotient(i, {0}); o += (i - q * P[{0}]) * P[{1}]; i = q;\n", extent, stride);
    }
    return fmt::format("int {}(int i) {{\n    int q, o = 0;\n{}    return o + i * P[{}];\n}}\n", name, body,
                       params.add(axes[0].stride));
}

std::string indexFunction(std::string_view name, const std::vector<std::int64_t>& extents,
                          const std::vector<std::int64_t>& strides, Params& params) {
    return indexFunction(name, axesOf(extents, strides), params);
}

std::shared_ptr<gl::Buffer> scratch(gl::Gpu& gpu, std::int64_t elements) {
    return gpu.take(static_cast<std::size_t>(elements) * 4);
}

}  // namespace stile::kernels
