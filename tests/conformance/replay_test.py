"""The replay tool tells right from wrong: replay_test.py REPLAY. Needs no driver."""

import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

program = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp())
failures = []


def tensor(shape, data, dtype="float32"):
    return {"shape": shape, "dtype": dtype, "data": data}


def case(op, args, result=None, **more):
    out = {"id": "case", "op": op, "args": args, **more}
    if result is not None:
        out["result"] = result
    return out


def replay(*lines, arguments=(), raw=None, name="cases.jsonl"):
    """Exit status, the lines but the last, and the counts of the last one."""
    file = folder / name
    text = raw if raw is not None else "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines).encode()
    file.write_bytes(text)
    done = subprocess.run([program, "--driver", "fake", *arguments, str(file)], capture_output=True, text=True, timeout=120)
    words = done.stdout.splitlines() or [""]
    last = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) not applicable, (\d+) unsupported(?:, (\d+) known deviations)?", words[-1])
    return done.returncode, words[:-1], [int(n or 0) for n in last.groups()] if last else done.stderr


def expect(what, got, status, counts, line=None):
    """`line` is a pattern for the only line before the counts."""
    good = got[0] == status and got[2] == counts
    good = good and (not got[1] if line is None else len(got[1]) == 1 and re.search(line, got[1][0]))
    if not good:
        failures.append(what)
        print(f"FAILED: {what}: {got}, expected status {status}, {counts}, {line}")


right = case("add", [tensor([2], [1, 2]), tensor([2], [3, 4])], tensor([2], [4, 6]))
wrong = case("add", [tensor([2], [1, 2]), tensor([2], [3, 4])], tensor([2], [4, 7]))
expect("a case that agrees passes", replay(right), 0, [1, 0, 0, 0, 0])
expect("a value that differs fails", replay(wrong), 1, [0, 1, 0, 0, 0], r"^case add failed: \[1\]: 6\.0 instead of 7$")
expect("a shape that differs fails", replay(case("neg", [tensor([1], [1])], tensor([], [-1]))), 1, [0, 1, 0, 0, 0], "shape")
expect("a dtype that differs fails", replay(case("neg", [tensor([1], [1])], tensor([1], [-1], "int32"))), 1, [0, 1, 0, 0, 0], "dtype")
expect("a number for NaN fails", replay(case("neg", [tensor([1], [1])], tensor([1], ["NaN"]))), 1, [0, 1, 0, 0, 0], "NaN")
expect("infinities have signs", replay(case("neg", [tensor([1], ["Infinity"])], tensor([1], ["Infinity"]))), 1, [0, 1, 0, 0, 0], "Infinity")
expect("NaN agrees with NaN", replay(case("neg", [tensor([1], ["NaN"])], tensor([1], ["NaN"]))), 0, [1, 0, 0, 0, 0])
expect("int32 is exact", replay(case("neg", [tensor([1], [100000], "int32")], tensor([1], [-100001], "int32"))), 1, [0, 1, 0, 0, 0], "-100001")
expect("float32 is not", replay(case("neg", [tensor([1], [100000])], tensor([1], [-100000.5]))), 1, [0, 1, 0, 0, 0], "100000")
expect("a rounding is allowed", replay(case("neg", [tensor([1], [3])], tensor([1], [-3.00001]))), 0, [1, 0, 0, 0, 0])
expect("a list that is too short fails", replay(case("unstack", [tensor([2], [1, 2])], [tensor([], [1])])), 1, [0, 1, 0, 0, 0], "2 items")
expect("an error where one is expected passes", replay(case("add", [tensor([2], [1, 2]), tensor([3], [1, 2, 3])], throws=True)), 0, [1, 0, 0, 0, 0])
expect("an error where none is fails", replay(case("add", [tensor([2], [1, 2]), tensor([3], [1, 2, 3])], tensor([2], [1, 2]))), 1, [0, 1, 0, 0, 0], "threw")
expect("no error where one is expected fails", replay(case("neg", [tensor([1], [1])], throws=True)), 1, [0, 1, 0, 0, 0], "returned")
expect("an untyped error is not applicable", replay(case("neg", [{}], throws=True, untyped=True)), 0, [0, 0, 1, 0, 0])
conv = [tensor([1, 1, 1, 1], [1]), tensor([1, 1, 1, 1], [1]), 1, "odd"]
expect("a name without an enumerator is not applicable where an error is expected", replay(case("conv2d", conv, throws=True)), 0, [0, 0, 1, 0, 0])
expect("and unsupported where values are", replay(case("conv2d", conv, tensor([1, 1, 1, 1], [1]))), 1, [0, 0, 0, 1, 0], "odd")
expect("an unknown operation is unsupported", replay(case("fly", [], tensor([], [1]))), 1, [0, 0, 0, 1, 0], "^case fly unsupported")
expect("also where an error is expected", replay(case("fly", [], throws=True)), 1, [0, 0, 0, 1, 0], "fly")
expect("an argument that cannot be read is unsupported", replay(case("neg", [{"odd": 1}], tensor([], [1]))), 1, [0, 0, 0, 1, 0], "odd")
expect("a garbled line is unsupported", replay(right, '{"op": "add", "args": [', right), 1, [2, 0, 0, 1, 0], r"cases\.jsonl:2 ")
expect("a line without a result is unsupported", replay(case("neg", [1])), 1, [0, 0, 0, 1, 0], "no case")
expect("an object of another kind is unsupported", replay({"what": 1}), 1, [0, 0, 0, 1, 0], "no kind")
expect("blank lines do not count", replay(right, "", " "), 0, [1, 0, 0, 0, 0])
expect("an empty file has no cases", replay(raw=b""), 0, [0, 0, 0, 0, 0])
kernel = {"id": "case", "kernel": "Multiply", "inputs": {"a": tensor([1], [2]), "b": tensor([1], [3])}, "attrs": {}, "outputs": [tensor([1], [6])]}
expect("a kernel is replayed as its operation", replay(kernel, arguments=["--kernels"]), 0, [1, 0, 0, 0, 0])
expect("a kernel without one is unsupported", replay(kernel | {"kernel": "EluGrad"}), 1, [0, 0, 0, 1, 0], "EluGrad")
drawn = case("randomUniform", [[100], 0, 2], tensor([100], [0] * 100))
expect("random values need not agree", replay(drawn), 0, [1, 0, 0, 0, 0])
expect("their shape does", replay(drawn | {"result": tensor([99], [0] * 99)}), 1, [0, 1, 0, 0, 0], "shape")
packed = gzip.compress((json.dumps(right) + "\n").encode() * 1000)
expect("files may be compressed", replay(raw=packed, name="cases.jsonl.gz"), 0, [1000, 0, 0, 0, 0])
cut = replay(raw=packed[: len(packed) // 2], name="cases.jsonl.gz")
expect("a compressed file that is cut off is an error", (cut[0], [], "cannot read" in str(cut[2])), 1, True)
gone = subprocess.run([program, "--driver", "fake", str(folder / "gone")], capture_output=True, text=True, timeout=60)
expect("so is one that is not there", (gone.returncode, [], "cannot read" in gone.stderr), 1, True)
odd = subprocess.run([program, "--odd", "x"], capture_output=True, text=True, timeout=60)
expect("and an unknown option", (odd.returncode, [], "--odd" in odd.stderr), 2, True)
counts = folder / "counts.json"
replay(right, wrong, arguments=["--json", str(counts)])
told = json.loads(counts.read_text())
expect("the counts of each operation are written", (0, [], [told["operations"]["add"]["passed"], told["findings"][0]["id"]]), 0, [1, "case"])

sys.exit(1 if failures else 0)
