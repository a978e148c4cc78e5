"""quickstart.py PROGRAM: the README's example prints what its comment says."""

import subprocess
import sys

done = subprocess.run([sys.argv[1]], capture_output=True, text=True, timeout=120)
if done.returncode != 0 or done.stdout != "[[1, 2], [3, 4]]\n":
    sys.exit(f"exit status {done.returncode}, output {done.stdout!r}\n{done.stderr}")
