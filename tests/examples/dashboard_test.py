"""The dashboard's frames, compared with a simulation in Python: dashboard_test.py DASHBOARD."""

import math
import re
import signal
import subprocess
import sys
import unittest

program = sys.argv[1]
SIZE, STEPS, FRAMES = 24, 3, 6
FIELDS = ["u", "v", "reaction", "growth", "slope"]
NAMES = ["mean", "deviation", "min", "max", "x", "y", "NW", "NE", "SW", "SE"]


def run(*arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=200)
    return done.returncode, done.stdout, done.stderr


def frames(text):
    """For each frame: its status line, the four images as rows of text, and the numbers by field."""
    out = []
    for block in re.split(r"^(?=frame )", text, flags=re.M)[1:]:
        lines = block.split("\n")
        images = [[line[34 * i : 34 * i + 32] for line in lines[2:34]] for i in range(4)]
        assert lines[34].split() == NAMES, lines[34]
        numbers = {line.split()[0]: [float(word) for word in line.split()[1:]] for line in lines[35:40]}
        assert list(numbers) == FIELDS
        out.append((lines[0], images, numbers))
    return out


def simulate():
    """The fields after each frame's steps, by the same equations in double precision."""
    n = range(SIZE)
    used = [[0.0] * SIZE for _ in n]
    v = [[0.0] * SIZE for _ in n]
    width = SIZE // 10 + 1
    for row, column in ((0.3, 0.3), (0.6, 0.45), (0.4, 0.7)):
        for y in range(int(row * SIZE), int(row * SIZE) + width):
            for x in range(int(column * SIZE), int(column * SIZE) + width):
                used[y][x], v[y][x] = 0.5, 0.25

    def at(field, y, x):
        return field[y][x] if 0 <= y < SIZE and 0 <= x < SIZE else 0.0

    def laplace(f, y, x):
        near = at(f, y - 1, x) + at(f, y + 1, x) + at(f, y, x - 1) + at(f, y, x + 1)
        far = at(f, y - 1, x - 1) + at(f, y - 1, x + 1) + at(f, y + 1, x - 1) + at(f, y + 1, x + 1)
        return 0.2 * near + 0.05 * far - f[y][x]

    def slope(f, y, x):
        g = lambda dy, dx: at(f, y + dy, x + dx)
        across = g(-1, 1) + 2 * g(0, 1) + g(1, 1) - g(-1, -1) - 2 * g(0, -1) - g(1, -1)
        down = g(1, -1) + 2 * g(1, 0) + g(1, 1) - g(-1, -1) - 2 * g(-1, 0) - g(-1, 1)
        return math.hypot(across, down)

    while True:
        for _ in range(STEPS):
            rate = [[(1 - used[y][x]) * v[y][x] ** 2 for x in n] for y in n]
            before = v
            used, v = (
                [[used[y][x] + laplace(used, y, x) + rate[y][x] - 0.055 * used[y][x] for x in n] for y in n],
                [[v[y][x] + 0.5 * laplace(v, y, x) + rate[y][x] - 0.117 * v[y][x] for x in n] for y in n],
            )
        yield {
            "u": [[1 - used[y][x] for x in n] for y in n],
            "v": v,
            "reaction": [[(1 - used[y][x]) * v[y][x] ** 2 for x in n] for y in n],
            "growth": [[v[y][x] - before[y][x] for x in n] for y in n],
            "slope": [[slope(v, y, x) for x in n] for y in n],
        }


def measure(field):
    values = [value for row in field for value in row]
    mean = sum(values) / len(values)
    half = SIZE // 2
    quarter = lambda top, left: sum(sum(row[left : left + half]) for row in field[top : top + half]) / half**2
    # growth adds up to nearly nothing, which makes the middle of its mass a matter of rounding
    mass = sum(values)
    x = sum(value * i / (SIZE - 1) for row in field for i, value in enumerate(row)) / mass
    y = sum(sum(row) * i / (SIZE - 1) for i, row in enumerate(field)) / mass
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return [mean, deviation, min(values), max(values), x, y, quarter(0, 0), quarter(0, half), quarter(half, 0), quarter(half, half)]


class Tests(unittest.TestCase):
    def test_the_numbers_of_each_frame_are_those_of_the_simulation(self):
        status, text, errors = run("--plain", "--fps", "0", "--frames", str(FRAMES), "--size", str(SIZE), "--steps", str(STEPS))
        self.assertEqual((status, errors), (0, ""))
        shown = frames(text)
        self.assertEqual(len(shown), FRAMES)
        for frame, ((_, _, numbers), fields) in enumerate(zip(shown, simulate())):
            for name in FIELDS:
                for what, got, expected in zip(NAMES, numbers[name], measure(fields[name])):
                    with self.subTest(f"frame {frame + 1}, {what} of {name}"):
                        tolerance = 1e-2 if (name, what) in (("growth", "x"), ("growth", "y")) else 1e-5
                        self.assertAlmostEqual(got, expected, delta=tolerance * max(1, abs(expected)))

    def test_a_frame_takes_one_fence(self):
        _, text, _ = run("--plain", "--fps", "0", "--frames", "40")
        shown = frames(text)
        self.assertEqual(len(shown), 40)
        for number, (status, _, _) in enumerate(shown, 1):
            self.assertRegex(status, rf"^frame {number}  [\d.]+ frames/s  {number} fences, 1.00 a frame  loop lateness p50 ")

    def test_the_images_grow_as_the_reaction_spreads(self):
        _, text, _ = run("--plain", "--fps", "0", "--frames", "30", "--steps", "10")
        shown = frames(text)
        dark = lambda frame, image: sum(row.count(" ") for row in shown[frame][1][image])
        for image in (1, 2, 3):
            self.assertEqual({len(row) for row in shown[0][1][image]}, {32})
            self.assertLess(dark(29, image), dark(0, image) - 50)
        # Where there is v, u is used up.
        u, v = ("".join(shown[0][1][image]) for image in (0, 1))
        self.assertGreater(v.count("@"), 0)
        self.assertNotIn("@", [u[i] for i in range(len(v)) if v[i] == "@"])

    def test_colours_come_with_escapes_that_are_taken_back(self):
        _, text, _ = run("--fps", "0", "--frames", "2")
        self.assertTrue(text.startswith("\x1b[?1049h\x1b[?25l"))
        self.assertTrue(text.endswith("\x1b[?25h\x1b[?1049l"))
        pixels = re.findall(r"\x1b\[38;2;(\d+);(\d+);(\d+)m\x1b\[48;2;(\d+);(\d+);(\d+)m▀", text)
        self.assertEqual(len(pixels), 2 * 4 * 32 * 16)
        self.assertTrue(all(int(value) < 256 for pixel in pixels for value in pixel))
        self.assertGreater(len(set(pixels)), 50)

    def test_an_interrupt_ends_it(self):
        process = subprocess.Popen([program, "--plain", "--fps", "20"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        self.assertTrue(process.stdout.readline().startswith("frame 1 "))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)

    def test_options_are_explained_and_checked(self):
        self.assertIn("--plain", run("--help")[1])
        self.assertEqual(run("--size", "1"), (2, "", "dashboard: --size takes a number from 16 to 2048, not '1'; see dashboard --help\n"))
        self.assertEqual(run("--frames")[0], 2)
        self.assertEqual(run("--colour")[0], 2)


unittest.main(argv=sys.argv[:1] + sys.argv[2:])
