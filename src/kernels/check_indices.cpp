#include "kernels/check_indices.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "gl/blocking.hpp"
#include "stile/error.hpp"

namespace stile::kernels {

void checkIndices(gl::Gpu& gpu, const Operand& indices, std::int64_t extent) {
    const char* wanted = std::getenv("STILE_DEBUG");
    if (gpu.rehearsals || !wanted || std::string_view(wanted) == "0" || indices.shape.size() == 0) return;
    const gl::Api& gl = gpu.api;
    const std::byte* mapped = indices.buffer->mapped();
    gl.BindBuffer(GL_COPY_READ_BUFFER, indices.buffer->name());
    const auto bytes = static_cast<std::size_t>(indices.shape.size()) * 4;
    const std::byte* memory = mapped ? mapped : gl::mapToRead(gl, GL_COPY_READ_BUFFER, bytes, 0, false);
    if (!memory) {
        gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
        throw Error(errc::gl_error, fmt::format("the indices {} cannot be mapped to be looked at", toString(indices.shape)));
    }
    std::optional<std::int64_t> position;
    std::int32_t index = 0;
    for (std::int64_t i = 0; !position && i < indices.shape.size(); ++i) {
        std::memcpy(&index, memory + i * 4, 4);
        if (index < 0 || index >= extent) position = i;
    }
    if (!mapped) gl.UnmapBuffer(GL_COPY_READ_BUFFER);
    gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
    if (!position) return;
    throw Error(errc::invalid_argument, fmt::format("index {} at position {} of {} is not below {}", index, *position,
                                                    toString(indices.shape), extent));
}

}  // namespace stile::kernels
