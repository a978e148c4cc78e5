"""The shared library shows only what is its own: symbols.py LIBRARY."""

import re
import subprocess
import sys

listed = subprocess.run(["nm", "-DC", "--defined-only", sys.argv[1]], capture_output=True, text=True, check=True).stdout
names = [line.split(maxsplit=2)[2] for line in listed.splitlines()]
# A function template is listed with its result in front.
strange = [name for name in names if not re.match(r"(?:(?:typeinfo|typeinfo name|vtable) for |std::vector<.*> )?stile::", name)]
inside = [name for name in names if re.match(r"stile::(?:gl|kernels|engine|download|log|trace)::", name)]
print(f"{len(names)} symbols")
if len(names) < 100:
    sys.exit("the library shows next to nothing")
if strange or inside:
    sys.exit("not for users:\n" + "\n".join(strange + inside))
