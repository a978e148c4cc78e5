"""Runs the glad generator and lays its three files where Meson expects its outputs, and the headers again in the folders under
whose names the sources include them."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

glad, out = sys.argv[1], pathlib.Path(sys.argv[2])
with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([glad, *sys.argv[3:], "--quiet", "--out-path", folder, "c", "--mx"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    made = pathlib.Path(folder)
    shutil.copytree(made / "include", out, dirs_exist_ok=True)
    shutil.copy(made / "src/gl.c", out / "gl.c")
    shutil.copy(made / "include/glad/gl.h", out / "gl.h")
    shutil.copy(made / "include/KHR/khrplatform.h", out / "khrplatform.h")
