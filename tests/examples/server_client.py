"""The example server as a process, and a client that speaks bytes."""

import json
import re
import signal
import socket
import struct
import subprocess
import time
import zlib


def png(width, height, pixel):
    """A PNG of pixel(x, y) → (r, g, b)."""
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in pixel(x, y)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Server:
    def __init__(self, program, *options):
        self.process = subprocess.Popen([program, "--port", "0", *options], stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)$", self.process.stdout.readline()).group(1))

    def stop(self, how=signal.SIGTERM):
        """Its exit status."""
        self.process.send_signal(how)
        return self.process.wait(60)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def health(self):
        client = Client(self)
        with client.socket:
            return client.ask("GET /health").json

    def wait(self, condition):
        """Waits until it holds for the health; the health then."""
        for _ in range(2000):
            health = self.health()
            # A server that is full says so.
            if "error" not in health and condition(health):
                return health
            time.sleep(0.025)
        raise AssertionError(f"still {health}")


class Answer:
    def __init__(self, head, body):
        lines = head.decode().split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in lines[1:])}
        self.body = body
        self.json = json.loads(body) if body else None


class Client:
    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), 100)
        self.buffer = b""

    def send(self, text):
        self.socket.sendall(text if isinstance(text, bytes) else text.encode())

    def request(self, line, body=b"", kind="application/json", *headers):
        body = body if isinstance(body, bytes) else body.encode()
        lines = [f"{line} HTTP/1.1", "Host: here", *headers]
        if body:
            lines += [f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def ask(self, *request):
        self.request(*request)
        return self.answer()

    def until(self, end):
        while end not in self.buffer:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError(self.buffer)
            self.buffer += more
        head, _, self.buffer = self.buffer.partition(end)
        return head

    def answer(self, head_only=False):
        head = self.until(b"\r\n\r\n")
        if b" 100 " in head.split(b"\r\n")[0]:
            return Answer(head, b"")
        size = 0 if head_only else int(re.search(rb"content-length: (\d+)", head, re.I).group(1))
        while len(self.buffer) < size:
            self.buffer += self.socket.recv(65536)
        body, self.buffer = self.buffer[:size], self.buffer[size:]
        return Answer(head, body)

    def closed(self):
        """Whether the server closes, and sends nothing more."""
        return self.buffer == b"" and self.socket.recv(1) == b""
