"""Counts the results in Meson's testlog.json: count_tests.py LOG. Names what failed and ends with one line, N passed, M failed.

Whatever did not pass has failed, a skipped test too: every driver that the tests need can be had in software.
"""

import json
import pathlib
import sys

log = pathlib.Path(sys.argv[1])
results = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
failed = [r for r in results if r["result"] not in ("OK", "EXPECTEDFAIL")]
for result in failed:
    print(f"{result['result']}: {result['name']}")
# No test at all means that Meson itself failed.
bad = len(failed) if results else 1
print(f"{len(results) - len(failed)} passed, {bad} failed")
sys.exit(1 if bad else 0)
