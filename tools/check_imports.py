"""Imports below src/ run one way: check_imports.py ROOT. The picture is in docs/architecture.md."""

import pathlib
import re
import sys

# What the files of a folder may include beside their own folder and the public headers.
ALLOWED = {
    "log": set(),
    "tensor": set(),
    "ops": {"tensor", "host"},
    "gl": {"log"},
    "kernels": {"gl", "tensor", "log"},
    "host": {"kernels", "tensor"},
    "trace": {"gl", "tensor", "log"},
    "cpu": {"kernels", "gl", "tensor"},
    "engine": {"cpu", "host", "kernels", "gl", "tensor", "log", "trace"},
    "download": {"engine", "gl", "tensor", "log", "trace"},
    "device": {"download", "engine", "gl", "tensor", "log", "trace"},
    "testing": {"gl"},
    "glfw": {"gl", "log"},
}
# Headers of the system that only these files may name: everybody else speaks through them.
SYSTEM = {
    r"<glad/.*>": {"gl/api.hpp"},
    r"<EGL/.*>": {"gl/context.cpp", "gl/egl_fences.cpp"},
    r"<GLFW/.*>": {"glfw/glfw.cpp"},
    r"<spdlog/.*>": {"log/log.cpp"},
    r"<farmhash\.h>": {"ops/strings.cpp"},
    r"<pcre2\.h>": {"host/regex.cpp"},
    r"<dnnl\.(h|hpp)>": {"cpu/onednn/convolution.hpp", "cpu/onednn/matmul.cpp"},
}

# Calls in which a thread may wait for the GPU: only these files make them.
WAITS = r"\.(?:ClientWaitSync|Finish|GetBufferSubData|MapBufferRange|MapBuffer|ReadPixels|GetTexImage)\("
WAITERS = {"gl/blocking.cpp", "testing/scripted_context.cpp"}

src = pathlib.Path(sys.argv[1]) / "src"
wrong = []
files = [*src.rglob("*.hpp"), *src.rglob("*.cpp")]
for file in sorted(files):
    name = file.relative_to(src).as_posix()
    folder = name.split("/")[0]
    for include in re.findall(r'^\s*#\s*include\s*([<"][^>"]+[>"])', file.read_text(), re.MULTILINE):
        target = include.strip('<>"')
        room = target.split("/")[0]
        if include.startswith('"') and room != "stile" and room != folder:
            if folder not in ALLOWED or room not in ALLOWED[folder]:
                wrong.append(f"src/{name} includes {target}: {folder} does not know {room}")
        for pattern, users in SYSTEM.items():
            if re.fullmatch(pattern, include) and name not in users:
                wrong.append(f"src/{name} includes {target}: only {', '.join(sorted(users))} may")
    if name not in WAITERS and re.search(WAITS, file.read_text()):
        wrong.append(f"src/{name} calls {re.search(WAITS, file.read_text())[0]}…): only {', '.join(sorted(WAITERS))} may wait for the GPU")
print("\n".join(wrong) or f"{len(files)} files")
sys.exit(1 if wrong or not files else 0)
