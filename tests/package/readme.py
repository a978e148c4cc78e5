"""The README shows examples/quickstart.cpp, and what it says that it prints is what it prints: readme.py README SOURCE PROGRAM."""

import pathlib
import re
import subprocess
import sys

readme, source = (pathlib.Path(path).read_text() for path in sys.argv[1:3])
blocks = re.findall(r"^```cpp\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
if source not in blocks:
    sys.exit("no block of the README is examples/quickstart.cpp")
# The comment behind the line that prints.
promised = re.search(r"std::cout << .*// (.*)$", source, re.MULTILINE).group(1) + "\n"
printed = subprocess.run([sys.argv[3]], capture_output=True, text=True, check=True).stdout
if printed != promised:
    sys.exit(f"it printed {printed!r}, not {promised!r}")
