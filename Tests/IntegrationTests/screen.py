"""A terminal with contextdiffctl on it, seen as a person sees it: rows of characters."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unicodedata

from conftest import PATIENCE, PROGRAMS, environment

SEQUENCE = re.compile(r"\x1b(?:\[([?0-9;]*)([A-Za-z~])|[=>78])")


class Screen:
    """The program on a pseudo-terminal of that size."""

    def __init__(self, *arguments, rows=24, columns=80, **variables):
        self.primary, secondary = pty.openpty()
        self.secondary = secondary
        self.resize(rows, columns, tell=False)
        self.before = termios.tcgetattr(secondary)
        self.process = subprocess.Popen(
            [PROGRAMS / "contextdiffctl", *map(str, arguments)], env=environment(**variables), stdin=secondary,
            stdout=secondary, stderr=subprocess.PIPE, start_new_session=True)
        self.written = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stderr.close()
        os.close(self.primary)
        os.close(self.secondary)

    def resize(self, rows, columns, tell=True):
        self.rows, self.columns = rows, columns
        fcntl.ioctl(self.secondary, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if tell:
            self.process.send_signal(signal.SIGWINCH)

    def type(self, keys):
        os.write(self.primary, keys.encode() if isinstance(keys, str) else keys)

    def read(self):
        """Takes what has been written by now."""
        while select.select([self.primary], [], [], 0.02)[0]:
            try:
                self.written += os.read(self.primary, 65536)
            except OSError:
                return

    def lines(self):
        """What stands on the screen: the last frame that is whole."""
        self.read()
        text = self.written.decode(errors="ignore")
        frames = text.split("\x1b[?25l\x1b[H")
        if len(frames) < 2:
            return []
        whole = [frame for frame in frames[1:] if "\x1b[?25h" in frame]
        return [SEQUENCE.sub("", line) for line in whole[-1].split("\r\n")] if whole else []

    def until(self, condition):
        """Waits until the screen's lines are as they should be, and returns them."""
        deadline = time.monotonic() + PATIENCE
        while True:
            lines = self.lines()
            if lines and condition(lines):
                return lines
            assert self.process.poll() is None, (self.process.returncode, self.process.stderr.read(), lines)
            assert time.monotonic() < deadline, "\n".join(lines)

    def shows(self, *texts):
        """Waits until each text stands in a line, and returns the lines."""
        return self.until(lambda lines: all(any(text in line for line in lines) for text in texts))

    def plain(self):
        """All that was written, without what only marks it."""
        self.read()
        return SEQUENCE.sub("", self.written.decode(errors="ignore"))

    def says(self, text, stream="stdout"):
        """Waits until that text has been written, one line after the other."""
        deadline = time.monotonic() + PATIENCE
        told = b""
        while True:
            if stream == "stderr" and select.select([self.process.stderr], [], [], 0.02)[0]:
                told += os.read(self.process.stderr.fileno(), 4096)
            if text in (self.plain() if stream == "stdout" else told.decode()):
                return
            assert time.monotonic() < deadline, (self.plain(), told)

    def end(self, keys="\x04"):
        """Ends it by its own key; its exit status."""
        self.type(keys)
        return self.wait()

    def wait(self):
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            self.read()
            assert time.monotonic() < deadline
        self.read()
        return self.process.returncode

    def is_restored(self):
        """Whether the terminal is as it was before."""
        text = self.written.decode(errors="ignore")
        return (termios.tcgetattr(self.secondary) == self.before and text.endswith("\x1b[?2004l\x1b[?1049l"))


def width(line):
    """How many columns a line takes."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in line)
