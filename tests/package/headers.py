"""Every public header compiles alone, as a user sees it, and names only the standard library, Asio and the library itself:
headers.py INCLUDE CXX…"""

import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

include, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
headers = sorted(header.relative_to(include) for header in include.rglob("*.hpp"))


def foreign(header):
    """What it includes beside the standard library (no slash, no ending), Asio and stile."""
    named = re.findall(r'^\s*#\s*include\s*([<"][^>"]*[>"])', (include / header).read_text(), re.MULTILINE)
    return [name for name in named if not re.fullmatch(r"<(?:[a-z_]+|asio\.hpp|asio/.*|stile/.*)>", name)]


def alone(header):
    command = [*compiler, "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", f"-I{include}", "-x", "c++", "-"]
    return subprocess.run(command, input=f"#include <{header}>\n", capture_output=True, text=True)


failed = [f"{header} includes {' '.join(foreign(header))}" for header in headers if foreign(header)]
with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
    for header, done in zip(headers, pool.map(alone, headers)):
        if done.returncode:
            failed.append(f"{header} does not compile alone:\n{done.stderr}")
if len(headers) < 20:
    failed.append(f"only {len(headers)} headers below {include}")
print("\n".join(failed) or f"{len(headers)} headers")
sys.exit(1 if failed else 0)
