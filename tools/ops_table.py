"""The table of the operations.

ops_table.py ROOT            writes docs/ops.md from docs/operations.json and docs/conformance.json
ops_table.py ROOT --check    changes nothing; fails if docs/ops.md is not up to date or the table is not true
ops_table.py ROOT --count REPLAY.json...  writes docs/conformance.json: the cases passed for each operation in these reports of replay
"""

import gzip
import json
import pathlib
import re
import sys

INTRO = """# Operations {#ops}

Written by `tools/ops_table.py` from `docs/operations.json`; a test compares it with the code. The names are those of TensorFlow.js 4.22, whose
operations stile has; `tf.x.y` is `stile::x::y`. A name with Async has a result whose shape depends on values: it is awaitable only.

*Runs on*: a kernel of its own on the GPU; other operations that are recorded instead (in whose kernels it then runs); the host, in plain C++, for
what is not made of numbers. *Fused*: it can be computed inside the kernel of what uses it. *Cases*: calls of `tests/conformance/data` that give the right
result; `tests/conformance/generate` tells where they come from. Definition, shapes, errors and costs stand in the header.
"""

FLAGS = {True: "yes", False: "no"}


def load(root):
    table = json.loads((root / "docs/operations.json").read_text())
    counts = root / "docs/conformance.json"
    return table["families"], table["operations"], json.loads(counts.read_text()) if counts.exists() else {}


def row(cells):
    return "| " + " | ".join(cells) + " |"


def cases(op, counts):
    passed = counts.get(op["name"], 0)
    return str(passed) if passed else ""


def render(families, operations, counts):
    out = [INTRO]
    present = [op for op in operations if "cpp" in op]
    for category in dict.fromkeys(op["category"] for op in present):
        out += [f"## {category}\n", row(["operation", "C++", "dtypes", "runs on", "fused", "awaitable", "gradient", "family", "definition", "cases"])]
        out.append(row(["---"] * 10))
        for op in (op for op in present if op["category"] == category):
            out.append(row([f"`{op['name']}`", f"`{op['cpp']}`", op["dtypes"], op["runs"], FLAGS[op["fused"]], FLAGS[op["awaitable"]],
                            FLAGS[op["gradient"]], f"[{op['family']}](#{op['family'].replace('_', '-')})", op["source"], cases(op, counts)]))
        out.append("")
    out += ["## Where each family is\n", row(["family", "declared in", "rules", "kernels", "shaders", "on the CPU", "tests", "generated cases"]), row(["---"] * 8)]
    for name, family in families.items():
        files = [", ".join(f"`{file}`" for file in family.get(part, [])) for part in ("headers", "rules", "kernels", "shaders", "host", "tests", "cases")]
        out.append(row([f'<a id="{name.replace("_", "-")}"></a>{name}', *files]))
    out += ["", "## What is not here, and what to use instead\n", row(["name", "reason", "instead"]), row(["---"] * 3)]
    for op in operations:
        if "cpp" not in op:
            out.append(row([f"`{op['name']}`", op["why"], op["instead"]]))
    total = sum(counts.get(op["name"], 0) for op in present)
    out += ["", f"{len(present)} names, {total} cases passed."]
    return "\n".join(out) + "\n"


# Headers beside include/stile/ops that declare operations.
OTHERS = ["buffer", "create", "find", "non_max_suppression", "pixels", "ragged", "random", "sparse"]
DECLARATION = re.compile(r"(?:\[\[nodiscard\]\] )?(?:inline )?[A-Za-z_][\w:<>, ]*?[&*]? ?\b(\w+)\(")
OBJECT = re.compile(r"inline constexpr [\w:<>, ]+ (\w+)\{\};")
ALIAS = re.compile(r"using stile::(\w+);")
OTHER_LINES = ("extern", "typedef", "requires", "static_assert", "return", "explicit", "friend", "constexpr", "if", "for")


def declared(root):
    """What the headers declare: {qualified name: (header, documented)}. One docstring serves all overloads."""
    found = {}
    include = root / "include/stile"
    for header in [*sorted((include / "ops").glob("*.hpp")), *(include / f"{name}.hpp" for name in OTHERS)]:
        namespaces, comment = [], False
        for line in header.read_text().splitlines() if header.exists() else []:
            text = line.strip()
            if opened := re.match(r"(?:inline )?namespace (\w+)", text):
                namespaces.append(opened[1])
            elif closed := re.match(r"}\s*// namespace (\w+)", text):
                del namespaces[namespaces.index(closed[1]):]
            elif text.startswith("///"):
                comment = True
            elif not line.startswith((" ", "#", "}", "template")) and "detail" not in namespaces and not text.startswith(OTHER_LINES):
                name = OBJECT.match(text) or DECLARATION.match(text) or ALIAS.match(text)
                if name and name[1] != "operator":
                    full = "::".join([*namespaces, name[1]])
                    alias = bool(ALIAS.match(text))
                    found[full] = (header, comment or alias or "///<" in text or found.get(full, (header, False))[1])
                comment = False
            elif not text.startswith(("template", "requires")):
                comment = False
    return found


def check(root, families, operations, counts):
    wrong = []
    headers = declared(root)
    listed = {op["cpp"] for op in operations if "cpp" in op}
    for full, (header, documented) in headers.items():
        if full not in listed:
            wrong.append(f"{full} of {header.relative_to(root)} is not in docs/operations.json")
        elif not documented:
            wrong.append(f"{full} has no docstring in {header.relative_to(root)}")
    for name, family in families.items():
        for part, files in family.items():
            wrong += [f"{name}: there is no {file}" for file in files if not (root / file).exists()]
    text = {}

    def mentions(file, word, name):
        if not (root / file).exists():
            return False
        if file.endswith(".gz"):
            text.setdefault(file, gzip.decompress((root / file).read_bytes()).decode())
            return f'"op":"{name}"' in text[file]
        text.setdefault(file, (root / file).read_text())
        return re.search(rf"\b{word}\b", text[file])

    for op in operations:
        if "cpp" not in op:
            wrong += [f"{op['name']}: no {part}" for part in ("why", "instead") if not op.get(part)]
            continue
        family = families.get(op["family"])
        if family is None:
            wrong.append(f"{op['name']}: there is no family {op['family']}")
            continue
        word = op["cpp"].split("::")[-1]
        for parts in [["headers"], ["rules"], ["tests", "cases"]]:
            files = [file for part in parts for file in family[part]]
            if not any(mentions(file, word, op["name"]) for file in files):
                wrong.append(f"{op['name']}: {word} is not in {', '.join(files) or 'any of the ' + parts[0]}")
    if (root / "docs/ops.md").read_text() != render(families, operations, counts):
        wrong.append("docs/ops.md is not what tools/ops_table.py writes: run it")
    return wrong


def count(root, reports):
    total = {}
    for report in reports:
        for name, result in json.loads(pathlib.Path(report).read_text())["operations"].items():
            total[name] = total.get(name, 0) + result["passed"]
    lines = ",\n".join(f"  {json.dumps(name)}: {total[name]}" for name in sorted(total))
    (root / "docs/conformance.json").write_text("{\n" + lines + "\n}\n")


def main():
    root = pathlib.Path(sys.argv[1])
    if sys.argv[2:3] == ["--count"]:
        count(root, sys.argv[3:])
    families, operations, counts = load(root)
    if sys.argv[2:3] == ["--check"]:
        wrong = check(root, families, operations, counts)
        print("\n".join(wrong) or f"{len(operations)} names, {len(families)} families")
        sys.exit(1 if wrong else 0)
    (root / "docs/ops.md").write_text(render(families, operations, counts))


main()
