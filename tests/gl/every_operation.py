"""The tests that run every operation do run every one: every_operation.py ROOT."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
headers = [*(root / "include/stile/ops").glob("*.hpp"), root / "include/stile/create.hpp", root / "include/stile/random.hpp"]
names = {name for header in headers for name in re.findall(r"^\s*(?:\[\[nodiscard\]\] )?(?:inline )?Tensor (?!operator)(\w+)\(", header.read_text(), re.MULTILINE)}
run = (root / "tests/support/every_operation.cpp").read_text()
missing = sorted(name for name in names if not re.search(rf"\b{name}\b", run))
print(f"{len(names)} operations" + "".join(f"; {name} is not run" for name in missing))
sys.exit(1 if missing or len(names) < 100 else 0)
