"""The shared library shows only what is its own: symbols.py LIBRARY. Templates of the standard library are shared by everybody."""

import re
import subprocess
import sys

listed = subprocess.run(["nm", "-DC", "--defined-only", sys.argv[1]], capture_output=True, text=True, check=True).stdout
names = [line.split(maxsplit=2)[2] for line in listed.splitlines()]
# A function template is listed with its result in front.
own = [name for name in names if re.match(r"(?:(?:typeinfo(?: name)?|vtable|VTT|guard variable|non-virtual thunk to) (?:for )?)?stile::", name) or re.search(r"\sstile::", name.split("(")[0])]
strange = [name for name in names if name not in own and re.search(r"\b(?:asio|fmt|spdlog|glad)\b|^gl[A-Z]", name.split("(")[0])]
print(f"{len(names)} symbols, {len(own)} of them the library's")
if len(own) < 100:
    sys.exit("the library shows next to nothing")
if strange:
    sys.exit("not the library's own:\n" + "\n".join(strange))
