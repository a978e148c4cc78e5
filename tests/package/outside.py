"""Uses the library as an outsider does.

outside.py installed SOURCE BUILD CXX…    installs it into a folder, and builds a program through pkg-config, shared and static
outside.py subproject SOURCE              builds the same program in a Meson project that has stile as a subproject
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

EXPECTED = "[[1, 2], [3, 4]]\n6\n[7]1\n"


def run(*command, **settings):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **settings)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect_output(program, **settings):
    output = run(program, **settings)
    if output != EXPECTED:
        sys.exit(f"{program} wrote {output!r}, not {EXPECTED!r}")


def installed(folder, source, build, *compiler):
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir", folder)
    (pc_file,) = folder.rglob("stile.pc")
    library = pc_file.parent.parent
    environment = os.environ | {"PKG_CONFIG_PATH": str(pc_file.parent)}
    # The file tells where the library is meant to be, not where this test has put it.
    prefix = folder / run("pkg-config", "--variable=prefix", "stile", env=environment).strip().lstrip("/")

    def flags(*what):
        return run("pkg-config", f"--define-variable=prefix={prefix}", *what, "stile", env=environment).split()

    here = source / "tests/package/outside/main.cpp"
    compiled = folder / "main.o"
    run(*compiler, "-std=c++20", "-c", here, "-o", compiled, *flags("--cflags"))

    shared = folder / "shared"
    run(*compiler, compiled, "-o", shared, *flags("--libs"))
    expect_output(shared, env=environment | {"LD_LIBRARY_PATH": str(library)})

    static = folder / "static"
    # Without the shared library at hand, -lstile means the static one, which needs what --static adds.
    for file in library.glob("libstile.so*"):
        file.unlink()
    run(*compiler, compiled, "-o", static, *flags("--static", "--libs"))
    expect_output(static)


def subproject(folder, source):
    shutil.copytree(source / "tests/package/outside", folder, dirs_exist_ok=True)
    (folder / "subprojects").mkdir()
    (folder / "subprojects/stile").symlink_to(source)
    run("meson", "setup", "build", cwd=folder)
    run("ninja", "-C", "build", cwd=folder)
    expect_output(folder / "build/outside")


with tempfile.TemporaryDirectory() as name:
    kind, source, *rest = sys.argv[1:]
    {"installed": installed, "subproject": subproject}[kind](pathlib.Path(name), pathlib.Path(source), *rest)
