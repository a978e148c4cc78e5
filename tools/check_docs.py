"""Every public asynchronous function says what its users have to know: check_docs.py ROOT."""

import pathlib
import re
import sys

LABELS = ["**Completion signature.**", "**GL.**", "**Per-operation cancellation.**", "**Threads.**", "**Lifetime.**"]

include = pathlib.Path(sys.argv[1]) / "include" / "stile"
wrong, checked = [], 0
for file in sorted(include.glob("*.hpp")):
    lines = file.read_text().splitlines()
    comment, private = [], False
    for number, line in enumerate(lines, 1):
        text = line.strip()
        private = (private or text == "namespace detail {") and not text.startswith("}  // namespace detail")
        if text.startswith("///"):
            comment.append(text[3:].strip())
            continue
        # A declaration that gives whatever its completion token makes of it.
        if comment and not private and re.match(r"(?:inline )?auto \w+\(", text):
            words = " ".join(comment)
            if "\\copydoc" not in words and re.search(r"wait|token|Await|download", words):
                checked += 1
                missing = [label for label in LABELS if label not in words]
                if missing:
                    wrong.append(f"include/stile/{file.name}:{number}: no {', '.join(missing)}")
        if not re.match(r"template|requires", text):
            comment = []
print("\n".join(wrong) or f"{checked} asynchronous functions")
sys.exit(1 if wrong or checked < 8 else 0)
