"""Compiles a file that must not compile, and looks for the words that its first line expects among the compiler's:
compile_fail.py FILE INCLUDE CXX…. A file without such a line must compile: it shows that the others fail for their own reasons."""

import pathlib
import re
import subprocess
import sys

file, include, compiler = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
expected = re.match(r"// expect: (.*)\n", file.read_text())
command = [*compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{include}", "-fsyntax-only", str(file)]
done = subprocess.run(command, capture_output=True, text=True)
words = done.stderr.replace("‘", "'").replace("’", "'")
if not expected:
    sys.exit(words if done.returncode else 0)
if done.returncode == 0:
    sys.exit(f"{file.name} compiled")
if not re.search(expected.group(1), words):
    sys.exit(f"{file.name}: none of the compiler's words match {expected.group(1)}\n{words}")
