"""The server's answers, right ones and refusals, seen by a client that speaks bytes: server_test.py SERVER PHOTO."""

import json
import math
import signal
import socket
import struct
import subprocess
import sys
import time
import unittest

from server_client import Client, Server, png

program, photo = sys.argv[1:3]


def eigenvalue(steps):
    return json.dumps({"matrix": [[2, 1], [1, 2]], "steps": steps})


FOREVER = eigenvalue(1_000_000)


class Tests(unittest.TestCase):
    """Each has a server with limits that a test can reach; one server serves all that do not stop it."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server(program, "--max-connections", "8", "--max-running", "2", "--max-waiting", "1", "--max-headers", "2048",
                            "--max-body", "20000", "--max-pixels", "10000", "--request-timeout", "100")

    @classmethod
    def tearDownClass(cls):
        status = cls.server.stop()
        cls.server.kill()
        assert status == 0, status

    def setUp(self):
        # Connections of the test before may still be on their way out.
        self.server.wait(lambda h: h["connections"]["open"] == 1)
        self.client = Client(self.server)

    def tearDown(self):
        self.client.socket.close()

    def start(self, *options):
        """A server for one test."""
        server = Server(program, *options)
        self.addCleanup(server.kill)
        return server

    def refused(self, status, *request, says, close=False):
        answer = self.client.ask(*request)
        self.assertEqual(answer.status, status, answer.json)
        self.assertIn(says, answer.json["error"])
        self.assertEqual(answer.headers["connection"], "close" if close else "keep-alive")
        if close:
            self.assertTrue(self.client.closed())
        else:
            self.assertEqual(self.client.ask("GET /health").status, 200)
        return answer

    # What is computed

    def test_stats_are_those_of_the_numbers(self):
        numbers = [3, -1.5, 0.25, 8, 8, 2e-3]
        got = self.client.ask("POST /stats", json.dumps(numbers)).json
        mean = sum(numbers) / 6
        self.assertEqual((got["count"], got["min"], got["max"]), (6, -1.5, 8))
        self.assertAlmostEqual(got["mean"], mean, 5)
        self.assertAlmostEqual(got["deviation"], math.sqrt(sum((x - mean) ** 2 for x in numbers) / 6), 5)
        self.assertEqual(got["softmax"]["index"], 3)
        self.assertAlmostEqual(got["softmax"]["probability"], 1 / sum(math.exp(x - 8) for x in numbers), 5)

    def test_one_number_is_enough(self):
        got = self.client.ask("POST /stats", "[7]").json
        self.assertEqual(got, {"count": 1, "mean": 7, "deviation": 0, "min": 7, "max": 7, "softmax": {"index": 0, "probability": 1}})

    def test_an_image_is_measured(self):
        # Two halves, red and white: the edge between them is two columns wide.
        got = self.client.ask("POST /image", png(16, 8, lambda x, y: (255, 0, 0) if x < 8 else (255, 255, 255)), "image/png").json
        self.assertEqual((got["width"], got["height"]), (16, 8))
        for channel, value in enumerate((1, 0.5, 0.5)):
            self.assertAlmostEqual(got["mean"][channel], value, 5)
        red = 0.2126
        self.assertEqual(got["histogram"], [64 if i in (int(red * 16), 15) else 0 for i in range(16)])
        self.assertEqual(got["grid"], [["#ff0000"] * 4 + ["#ffffff"] * 4] * 8)
        self.assertGreater(got["edges"], 0)

    def test_a_grey_image_has_edges_at_its_border_only(self):
        got = self.client.ask("POST /image", png(8, 8, lambda x, y: (255, 255, 255)), "image/png").json
        # Outside counts as black: 24 pixels of the border have a slope of 4, the four corners one of 3·√2.
        self.assertAlmostEqual(got["edges"], (24 * 4 + 4 * 3 * math.sqrt(2)) / 64, 4)

    def test_a_jpeg_is_read(self):
        small = self.start("--request-timeout", "100")
        with open(photo, "rb") as file:
            got = Client(small).ask("POST /image", file.read(), "image/jpeg").json
        self.assertEqual((got["width"], got["height"], sum(got["histogram"])), (1024, 768, 1024 * 768))
        self.assertEqual([len(row) for row in got["grid"]], [8] * 8)
        self.assertEqual(small.stop(), 0)

    def test_the_dominant_eigenvalue_is_found(self):
        got = self.client.ask("POST /eigenvalue", json.dumps({"matrix": [[2, 1], [1, 3]], "steps": 60})).json
        self.assertAlmostEqual(got["value"], (5 + math.sqrt(5)) / 2, 4)
        self.assertEqual(got["steps"], 60)

    def test_health_tells_of_device_loop_and_memory(self):
        self.client.ask("POST /stats", "[1, 2]")
        got = self.client.ask("GET /health").json
        self.assertEqual(got["status"], "ok")
        self.assertGreater(got["device"]["fences"], 0)
        self.assertEqual((got["device"]["fences_in_flight"], got["memory"]["recorded"]), (0, 0))
        self.assertGreater(got["lateness_ms"]["beats"], 0)
        self.assertGreater(got["rss"], 1 << 20)

    # How requests may come

    def test_head_is_get_without_the_body(self):
        self.client.request("HEAD /health")
        answer = self.client.answer(head_only=True)
        self.assertEqual(answer.status, 200)
        self.assertGreater(int(answer.headers["content-length"]), 100)
        self.assertEqual(self.client.ask("GET /health").status, 200)

    def test_pipelined_requests_are_answered_in_order(self):
        for number in range(20):
            self.client.request("POST /stats", f"[{number}]")
        self.assertEqual([self.client.answer().json["mean"] for _ in range(20)], list(range(20)))

    def test_a_request_may_come_byte_by_byte(self):
        for byte in b"POST /stats HTTP/1.1\r\nHost: a\r\nX-Empty:\r\nContent-Type: Application/JSON ; charset=utf-8\r\nContent-Length: 3\r\n\r\n[4]":
            self.client.send(bytes([byte]))
        self.assertEqual(self.client.answer().json["mean"], 4)

    def test_a_body_may_come_in_chunks(self):
        self.client.send("POST /stats HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        for piece in ("2\r\n[1\r\n", "4;note=x\r\n, 2]\r\n", "0\r\nTrailer: x\r\n\r\n"):
            self.client.send(piece)
            time.sleep(0.02)
        self.assertEqual(self.client.answer().json["mean"], 1.5)
        self.assertEqual(self.client.ask("GET /health").status, 200)

    def test_a_client_that_expects_100_is_told_to_go_on(self):
        head = "POST /stats HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n"
        self.client.send(head.format(3))
        self.assertEqual(self.client.answer().status, 100)
        self.client.send("[5]")
        self.assertEqual(self.client.answer().json["mean"], 5)
        self.client.send(head.format(30000))
        self.assertEqual(self.client.answer().status, 413)
        self.assertTrue(self.client.closed())

    def test_another_expectation_is_417(self):
        self.refused(417, "GET /health", b"", "", "Expect: miracles", says="100-continue", close=True)

    def test_connection_close_is_obeyed(self):
        answer = self.client.ask("GET /health", b"", "", "Connection: close")
        self.assertEqual(answer.headers["connection"], "close")
        self.assertTrue(self.client.closed())

    def test_http_1_0_closes_unless_asked(self):
        self.client.send("GET /health HTTP/1.0\r\n\r\n")
        self.assertEqual(self.client.answer().status, 200)
        self.assertTrue(self.client.closed())

    def test_a_whole_url_is_a_path_too(self):
        self.assertEqual(self.client.ask("GET http://here/health?verbose=1").status, 200)

    # What is refused

    def test_an_unknown_path_is_404(self):
        self.refused(404, "GET /nowhere", says="/nowhere")

    def test_a_wrong_method_is_405_and_says_which_would_do(self):
        self.assertEqual(self.refused(405, "GET /stats", says="POST").headers["allow"], "POST")
        self.assertEqual(self.refused(405, "DELETE /health", says="GET").headers["allow"], "GET, HEAD")

    def test_another_media_type_is_415(self):
        self.refused(415, "POST /stats", "[1]", "text/plain", says="application/json", close=True)

    def test_an_image_of_another_kind_is_415(self):
        self.refused(415, "POST /image", "GIF89a", "image/gif", says="image/png or image/jpeg", close=True)

    def test_bad_bodies_are_400_and_say_why(self):
        for body, says in {
            "[1, 2": "not JSON",
            "[1, NaN]": "not JSON",
            "[1, 1e999]": "not JSON",
            "[1, -1e39]": "number 1 does not fit float32",
            "[]": "at least one number",
            '{"a": 1}': "list of at least one number",
            '[1, "2"]': 'number 1 is not a number: "2"',
            "[[1, 2], [3, 4]]": "number 0 is not a number: [1,2]",
            "\xff[": "not JSON",
        }.items():
            with self.subTest(body):
                self.refused(400, "POST /stats", body.encode("latin-1"), says=says)

    def test_matrices_of_wrong_shape_are_400(self):
        for body, says in {
            "[[1]]": "is wanted",
            '{"matrix": []}': "not a list of rows",
            '{"matrix": [[1, 2], [3]]}': "row 1 is not a list of 2 numbers",
            '{"matrix": [[1, 2, 3], [4, 5, 6]]}': "not square",
            '{"matrix": [[1, null], [3, 4]]}': "number 1 of row 0 is not a number",
            '{"matrix": [[1]], "steps": 0}': "steps is a count",
            '{"matrix": [[1]], "steps": -3}': "steps is a count",
            '{"matrix": [[1]], "steps": 1.5}': "steps is a count",
        }.items():
            with self.subTest(body):
                self.refused(400, "POST /eigenvalue", body, says=says)

    def test_bytes_that_are_no_image_are_400(self):
        self.refused(400, "POST /image", "hello", "image/png", says="not an image")
        self.refused(400, "POST /image", png(8, 8, lambda x, y: (1, 2, 3))[:60], "image/png", says="not an image")

    def test_a_small_file_with_many_pixels_is_413(self):
        self.refused(413, "POST /image", png(200, 200, lambda x, y: (0, 0, 0)), "image/png", says="200 x 200")

    def test_a_large_body_is_413_before_it_is_sent(self):
        self.client.send("POST /stats HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 20001\r\n\r\n")
        self.assertEqual(self.client.answer().status, 413)
        self.assertTrue(self.client.closed())

    def test_the_answer_reaches_a_client_that_goes_on_sending(self):
        self.refused(413, "POST /stats", b" " * 500_000, says="20000 bytes", close=True)

    def test_a_large_body_in_chunks_is_413(self):
        self.client.send("POST /stats HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(21):
            self.client.send(b"3e8\r\n" + b" " * 1000 + b"\r\n")
        self.assertEqual(self.client.answer().status, 413)
        self.assertTrue(self.client.closed())

    def test_large_headers_are_431(self):
        self.refused(431, "GET /health", b"", "", "X-Long: " + "x" * 3000, says="header", close=True)

    def test_many_headers_are_431(self):
        self.refused(431, "GET /health", b"", "", *(f"X-{i}: {i}" for i in range(500)), says="header", close=True)

    def test_what_is_not_http_is_refused(self):
        for text, status in {
            "hello\r\n\r\n": 501,
            "GET /health\r\n\r\n": 505,
            "BREW /health HTTP/1.1\r\nHost: a\r\n\r\n": 501,
            "GET /health HTTP/2.0\r\nHost: a\r\n\r\n": 505,
            "GET /health HTTP/1.1\r\n\r\n": 400,
            "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n": 400,
            "POST /stats HTTP/1.1\r\nHost: a\r\nContent-Length: 1x\r\n\r\n": 400,
            "POST /stats HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n": 400,
            "POST /stats HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n": 400,
            "\x16\x03\x01\x02\x00\x01\x00": 501,
        }.items():
            with self.subTest(text):
                self.client.socket.close()
                self.client = Client(self.server)
                self.client.send(text.encode("latin-1"))
                self.assertEqual(self.client.answer().status, status)
                self.assertTrue(self.client.closed())

    # Time, and clients that leave

    def test_a_slow_request_is_408(self):
        client = Client(self.start("--read-timeout", "0.5"))
        client.send("POST /stats HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[")
        for _ in range(4):
            client.send("1")
            time.sleep(0.1)
        self.assertEqual(client.answer().status, 408)
        self.assertTrue(client.closed())

    def test_a_quiet_connection_is_closed_without_a_word(self):
        self.assertTrue(Client(self.start("--idle-timeout", "0.3")).closed())

    def test_half_a_request_and_then_nothing_harms_nobody(self):
        for _ in range(20):
            broken = Client(self.server)
            broken.send("POST /stats HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[1, 2")
            broken.socket.close()
        self.assertEqual(self.client.ask("POST /stats", "[1, 2]").json["mean"], 1.5)
        self.assertEqual(self.server.wait(lambda h: h["connections"]["open"] == 2)["connections"]["buffered"], 0)

    def test_an_answer_that_takes_too_long_is_504_and_its_work_is_dropped(self):
        server = self.start("--request-timeout", "0.5")
        client = Client(server)
        self.assertEqual(client.ask("POST /eigenvalue", FOREVER).status, 504)
        health = client.ask("GET /health").json
        self.assertEqual((health["running"], health["waiting"]), (0, 0))
        server.wait(lambda h: h["memory"]["recorded"] == 0 and h["device"]["fences_in_flight"] == 0)

    def test_the_download_of_a_client_that_leaves_is_cancelled_and_the_others_are_unharmed(self):
        before = self.client.ask("GET /health").json
        leaving = [Client(self.server) for _ in range(2)]
        for client in leaving:
            client.request("POST /eigenvalue", FOREVER)
        self.server.wait(lambda h: h["running"] == 2)
        leaving[0].socket.close()
        # A reset instead of an orderly end.
        leaving[1].socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.client.request("POST /stats", "[1, 2]")
        leaving[1].socket.close()
        self.assertEqual(self.client.answer().json["mean"], 1.5)
        health = self.server.wait(lambda h: h["running"] == 0 and h["memory"]["recorded"] == 0 and h["device"]["fences_in_flight"] == 0)
        self.assertEqual(health["connections"]["disconnected"] - before["connections"]["disconnected"], 2)
        self.server.wait(lambda h: h["memory"]["live"] <= before["memory"]["live"])

    # Too much

    def test_too_many_connections_are_503(self):
        clients = [Client(self.server) for _ in range(7)]
        for client in clients:
            self.assertEqual(client.ask("GET /health").status, 200)
        surplus = Client(self.server)
        self.assertEqual(surplus.answer().status, 503)
        self.assertTrue(surplus.closed())
        self.assertEqual(self.client.ask("GET /health").json["connections"]["open"], 8)
        for client in clients:
            client.socket.close()

    def test_too_many_requests_are_503_and_may_be_tried_again(self):
        # Two run, one waits, the fourth is refused.
        clients = [Client(self.server) for _ in range(3)]
        for client in clients:
            client.request("POST /eigenvalue", FOREVER)
        self.server.wait(lambda h: (h["running"], h["waiting"]) == (2, 1))
        answer = self.refused(503, "POST /stats", "[1]", says="too many")
        self.assertEqual(answer.headers["retry-after"], "1")
        for client in clients:
            client.socket.close()
        self.server.wait(lambda h: (h["running"], h["waiting"]) == (0, 0))
        self.assertEqual(self.client.ask("POST /stats", "[1]").status, 200)

    def test_too_many_bytes_of_bodies_are_503(self):
        server = self.start("--max-buffered", "1000", "--request-timeout", "100")
        head = "POST /stats HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 600\r\n\r\n"
        first, second = Client(server), Client(server)
        first.send(head)
        server.wait(lambda h: h["connections"]["buffered"] == 600)
        second.send(head)
        self.assertEqual(second.answer().status, 503)
        first.send(("[" + "1," * 298 + "1]").ljust(600))
        self.assertEqual(first.answer().status, 200)
        self.assertEqual(server.health()["connections"]["buffered"], 0)
        self.assertEqual(server.stop(), 0)

    # The end

    def test_a_server_that_is_stopped_finishes_what_runs(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            server = self.start("--grace", "60", "--request-timeout", "60")
            idle, busy = Client(server), Client(server)
            self.assertEqual(idle.ask("GET /health").status, 200)
            busy.request("POST /eigenvalue", eigenvalue(2000))
            server.wait(lambda h: h["running"] == 1)
            server.process.send_signal(how)
            self.assertTrue(idle.closed())
            answer = busy.answer()
            self.assertAlmostEqual(answer.json["value"], 3, 4)
            self.assertEqual(answer.headers["connection"], "close")
            self.assertEqual(server.process.wait(60), 0)
            with self.assertRaises(OSError):
                Client(server)

    def test_a_server_that_is_stopped_does_not_wait_forever(self):
        server = self.start("--grace", "0.3")
        busy, half = Client(server), Client(server)
        busy.request("POST /eigenvalue", FOREVER)
        half.send("POST /stats HTTP/1.1\r\n")
        server.wait(lambda h: h["running"] == 1)
        began = time.monotonic()
        self.assertEqual(server.stop(), 0)
        self.assertLess(time.monotonic() - began, 20)
        self.assertTrue(busy.closed())

    def test_a_second_signal_ends_it_at_once(self):
        server = self.start("--grace", "60", "--request-timeout", "60")
        Client(server)
        busy = Client(server)
        busy.request("POST /eigenvalue", FOREVER)
        server.wait(lambda h: h["running"] == 1)
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.process.stdout.readline(), "stopping\n")
        began = time.monotonic()
        self.assertEqual(server.stop(), 0)
        self.assertLess(time.monotonic() - began, 20)

    # The command line

    def test_options_are_explained_and_checked(self):
        def run(*arguments):
            done = subprocess.run([program, *arguments], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

        status, text = run("--help")
        self.assertEqual(status, 0)
        for option in ("--port", "--max-connections", "--max-body", "--request-timeout", "--grace"):
            self.assertIn(option, text)
        self.assertEqual(run("--max-body", "many"), (2, "server: --max-body takes a number from 0 to 1000000000, not 'many'; see server --help\n"))
        self.assertEqual(run("--colour", "red")[0], 2)
        self.assertEqual(run("--port")[0], 2)
        status, text = run("--port", str(self.server.port))
        self.assertEqual(status, 1)
        self.assertIn("in use", text)


unittest.main(argv=sys.argv[:1] + sys.argv[3:], warnings="ignore")
