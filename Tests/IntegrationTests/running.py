"""What the tests of contextdiffctl have in common: its lines, and the program while it runs."""

import json
import os
import pty
import selectors
import signal
import subprocess
import time

from conftest import PATIENCE, PROGRAMS, ROOT, environment

# The scripted editing session that `make demo` shows.
SESSION = ROOT / "demo" / "session.jsonl"
# Stands where typed text stands, and must show nowhere else.
MARKER = "ひみつSECRETひみつ"


def pair(old, new, **more):
    return json.dumps({"old": {"before": old}, "new": {"before": new}, **more}, ensure_ascii=False)


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def interruptible():
    """Hears SIGINT, which shells keep from what they run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Running:
    """contextdiffctl while it runs, read line by line."""

    def __init__(self, *arguments, env=None, **options):
        self.process = subprocess.Popen(
            [PROGRAMS / "contextdiffctl", *map(str, arguments)], env=env or environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=interruptible, **options)
        self.buffer = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    def write(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def line(self, stream="stdout"):
        """The next line; fails where none comes."""
        pipe = getattr(self.process, stream)
        deadline = time.monotonic() + PATIENCE
        while b"\n" not in self.buffer.get(stream, b""):
            with selectors.DefaultSelector() as selector:
                selector.register(pipe, selectors.EVENT_READ)
                assert selector.select(deadline - time.monotonic()), f"no line on {stream}"
            chunk = os.read(pipe.fileno(), 65536)
            assert chunk, f"{stream} ended after {self.buffer.get(stream, b'')!r}"
            self.buffer[stream] = self.buffer.get(stream, b"") + chunk
        line, _, self.buffer[stream] = self.buffer[stream].partition(b"\n")
        return line.decode()

    def event(self):
        """The next line, as JSON; one that says only that the subscription stands is passed over."""
        while True:
            value = json.loads(self.line())
            if not (isinstance(value, dict) and value.get("ready")):
                return value


def in_terminal(*arguments, env, input=None):
    """What contextdiffctl writes to a terminal."""
    primary, secondary = pty.openpty()
    process = subprocess.Popen(
        [PROGRAMS / "contextdiffctl", *map(str, arguments)], env=env, stdin=subprocess.PIPE,
        stdout=secondary, stderr=subprocess.DEVNULL)
    os.close(secondary)
    process.stdin.write((input or "").encode())
    process.stdin.close()
    written = b""
    try:
        while chunk := os.read(primary, 65536):
            written += chunk
    except OSError:  # The terminal has no other end any more.
        pass
    os.close(primary)
    process.wait(PATIENCE)
    return written.decode()
