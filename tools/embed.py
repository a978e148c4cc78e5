"""Writes a C++ file that holds the shader sources as strings: embed.py OUT ROOT FILE…"""

import pathlib
import sys

out, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
with out.open("w") as f:
    f.write('#include "kernels/shader_source.hpp"\n\n#include <array>\n#include <utility>\n\n')
    f.write("namespace stile::kernels {\n\nstd::string_view shaderSource(std::string_view name) noexcept {\n")
    f.write(f"    static constexpr std::array<std::pair<std::string_view, std::string_view>, {len(sys.argv) - 3}> files{{{{\n")
    for argument in sys.argv[3:]:
        path = pathlib.Path(argument)
        f.write(f'        {{"{path.resolve().relative_to(root.resolve()).as_posix()}", R"glsl({path.read_text()})glsl"}},\n')
    f.write("    }};\n    for (const auto& [file, text] : files) {\n        if (file == name) return text;\n    }\n")
    f.write("    return {};\n}\n\n}  // namespace stile::kernels\n")
