"""What STILE_TRACE writes is a trace that Chrome and Perfetto can show, whatever happens to the program: trace_test.py PROGRAM"""

import collections
import json
import os
import subprocess
import sys
import tempfile

program = sys.argv[1]


def run(case, path, **more):
    command = [program, f"--run_test={case}"]
    return subprocess.run(command, env={**os.environ, "STILE_TRACE": path, **more}, capture_output=True, text=True)


def check(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def nests(slices):
    """Slices of one thread lie in each other or beside each other."""
    open_until = []
    for begin, end, name in sorted(slices, key=lambda s: (s[0], -s[1])):
        while open_until and open_until[-1] <= begin:
            open_until.pop()
        check(not open_until or end <= open_until[-1], f"{name} at {begin} ends inside what surrounds it")
        open_until.append(end)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "trace.json")
    done = run("traced_work", path)
    check(done.returncode == 0, f"the traced program passes\n{done.stdout}{done.stderr}")
    with open(path) as file:
        events = json.load(file)

    slices, waits, flows = collections.defaultdict(list), collections.defaultdict(list), collections.defaultdict(list)
    names = {}
    for event in events:
        check("ph" in event and "pid" in event, f"every event has a phase and a process: {event}")
        if event["ph"] == "M":
            if event["name"] == "thread_name":
                names[event["tid"]] = event["args"]["name"]
            continue
        check(isinstance(event["ts"], float) and event["tid"], f"every event has a time and a thread: {event}")
        # A nanosecond count, so that sums are exact.
        at = round(event["ts"] * 1000)
        if event["ph"] == "X":
            slices[event["tid"]].append((at, at + round(event["dur"] * 1000), event["name"]))
        elif event["ph"] in "be":
            waits[event["cat"], event["id"]].append((event["ph"], at, event["name"]))
        elif event["ph"] in "stf":
            flows[event["id"]].append((event["ph"], at, event["tid"]))

    gl = [tid for tid, name in names.items() if name == "stile-gl"]
    gpu = [tid for tid, name in names.items() if name == "GPU of traced"]
    check(len(gl) == 1 and len(gpu) == 1, f"the GL thread and the GPU have a name: {names}")
    check(set(slices) <= set(names), "every thread has a name")
    for track, found in slices.items():
        if track not in gpu:
            nests(found)

    on_gl = collections.Counter(name for _, _, name in slices[gl[0]])
    kernels = ["sqrt+add", "matMul", "sum", "sqrt"] if os.environ.get("STILE_FUSION") != "0" else ["sqrt", "add", "matMul", "sum"]
    # Where the renderer is the CPU, values are read where they lie.
    copies = ["copy"] if "MESA_LOADER_DRIVER_OVERRIDE" in os.environ else []
    for name in ["submit", "run", "upload", *copies, "deliver", *kernels]:
        check(on_gl[name] > 0, f"the GL thread does {name}: {on_gl}")
    check(on_gl["matMul"] == 3, "each kernel is there")
    on_gpu = collections.Counter(name for _, _, name in slices[gpu[0]])
    check(on_gpu == collections.Counter({name: on_gl[name] for name in kernels}), f"the GPU runs the kernels: {on_gpu}")
    first = min(begin for begin, _, _ in slices[gl[0]])
    last = max(end for found in slices.values() for _, end, _ in found)
    slack = 5_000_000  # the clocks are compared once
    check(all(first - slack <= begin <= end <= last + slack for begin, end, _ in slices[gpu[0]]), "GPU times are on the same clock")

    elsewhere = collections.Counter(name for tid, found in slices.items() if tid not in gl + gpu for _, _, name in found)
    for name, count in {"ask for data": 3, "handler of data": 3, "ask for eval": 1, "handler of eval": 1, "dataSync": 1}.items():
        check(elsewhere[name] == count, f"the loop's thread does {name} {count} times: {elsewhere}")

    kinds = collections.Counter()
    for (category, number), ends in waits.items():
        check([phase for phase, _, _ in sorted(ends, key=lambda e: e[1])] == ["b", "e"], f"{category} {number} begins and ends: {ends}")
        kinds[category, ends[0][2]] += 1
    check(kinds["wait", "data"] == 3 and kinds["wait", "eval"] == 1, f"each operation is followed from request to delivery: {kinds}")
    check(kinds["turn", "turn of a loop"] >= 4 and kinds["fence", "fence"] >= 5, f"turns and fences are there: {kinds}")
    check(any(event["ph"] == "n" and "matMul [10, 10]" in event["args"]["of"] for event in events), "waits tell their operations")
    check(any(event["ph"] == "C" and "recorded" in event["args"] for event in events), "recorded operations are counted")

    complete = [steps for steps in flows.values() if [step for step, _, _ in sorted(steps, key=lambda s: s[1])] == ["s", "t", "f"]]
    check(len(complete) == 4, f"each operation's way goes over its submission: {dict(flows)}")
    for steps in flows.values():
        for step, at, tid in steps:
            check(any(begin <= at <= end for begin, end, _ in slices[tid]), f"the arrow's {step} lies in a slice")

    killed = os.path.join(folder, "killed.json")
    done = run("traced_until_the_process_is_killed", killed, STILE_TEST_KILL="1")
    check(done.returncode == 9, f"the program is killed\n{done.stdout}{done.stderr}")
    with open(killed) as file:
        check(len(json.load(file)) > 100, "what a killed program leaves is a whole file")

    done = run("traced_work", os.path.join(folder, "no", "such", "folder"))
    check(done.returncode == 0 and "STILE_TRACE: opening" in done.stderr, f"a file that cannot be made is logged, no more\n{done.stderr}")
    print(f"{len(events)} events, {len(waits)} waits, {sum(on_gpu.values())} kernels")
