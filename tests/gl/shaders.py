"""Compiles every shader that a program makes with the reference compiler too: shaders.py PROGRAM VALIDATOR SHADER_FOLDER

Drivers accept much that the language does not allow, each something else. Fails as well if a file of the shader folder was
not among them.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

program, validator, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])

with tempfile.TemporaryDirectory() as dump:
    subprocess.run([program], check=True, env=os.environ | {"STILE_DUMP_SHADERS": dump})
    files = sorted(pathlib.Path(dump).glob("*.comp"))
    texts = {file: file.read_text() for file in files}
    rejected = 0
    for start in range(0, len(files), 50):
        part = files[start : start + 50]
        result = subprocess.run([validator, "-S", "comp", *part], capture_output=True, text=True)
        if result.returncode == 0:
            continue
        for file in part:
            single = subprocess.run([validator, "-S", "comp", file], capture_output=True, text=True)
            if single.returncode != 0:
                rejected += 1
                print(single.stdout, texts[file])

missing = []
for shader in sorted(folder.glob("*.comp")):
    # The first line of a file that is its own: includes are replaced by what they name.
    line = next(text for text in shader.read_text().splitlines() if not text.startswith("#include"))
    if not any(line in text for text in texts.values()):
        missing.append(shader.name)

print(f"{len(files)} shaders, {rejected} rejected, {len(missing)} files of {folder.name}/ unused: {missing}")
sys.exit(1 if rejected or missing or not files else 0)
