"""Runs clang-tidy over src/, as many files at once as there are processors: tidy.py BUILD."""

import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

build = pathlib.Path(sys.argv[1])
root = pathlib.Path(__file__).resolve().parent.parent
listed = {(pathlib.Path(entry["directory"]) / entry["file"]).resolve() for entry in json.loads((build / "compile_commands.json").read_text())}
files = sorted(file for file in listed if file.is_relative_to(root / "src"))


def tidy(file):
    # The compile commands are those of g++, which knows warnings that clang does not.
    command = ["clang-tidy-19", "-p", str(build), "--quiet", "--extra-arg=-Wno-unknown-warning-option", str(file)]
    return subprocess.run(command, capture_output=True, text=True)


failed = 0
with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
    for file, done in zip(files, pool.map(tidy, files)):
        if done.returncode:
            failed += 1
            print(f"{file.relative_to(root)}:\n{done.stdout}{done.stderr if not done.stdout else ''}")
print(f"clang-tidy: {len(files)} files, {failed} with findings")
sys.exit(1 if failed or not files else 0)
