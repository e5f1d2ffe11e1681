"""A headless Chromium with one page, driven by real key, mouse and composition events (DevTools over a pipe)."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from conftest import PATIENCE

SHIFT, CONTROL = 8, 2
KEYS = {"Backspace": 8, "Enter": 13, "ArrowLeft": 37, "ArrowRight": 39, "Delete": 46}


def missing():
    """Why no browser can be had here; None where one can."""
    return None if program() else "needs chromium"


def program():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """The page at that address."""

    def __init__(self, address):
        to_read, self.writer = os.pipe()
        self.reader, to_write = os.pipe()

        def descriptors():
            os.dup2(to_read, 3)
            os.dup2(to_write, 4)

        self.profile = tempfile.mkdtemp(prefix="contextdiff-chromium-")
        self.process = subprocess.Popen(
            [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--disable-dev-shm-usage", "--window-size=1000,800", "--no-first-run",
             "--user-data-dir=" + self.profile],
            preexec_fn=descriptors, pass_fds=(3, 4), start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.profile})
        os.close(to_read)
        os.close(to_write)
        os.set_blocking(self.reader, True)
        self.buffer, self.number, self.session = b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Page.navigate", url=address)
        self.until("document.readyState === 'complete' && !!document.getElementById('area')")
        self.call("Page.bringToFront")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, AssertionError, subprocess.TimeoutExpired):
            pass
        finally:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait(PATIENCE)
            os.close(self.reader)
            os.close(self.writer)
            shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.buffer:
                piece = os.read(self.reader, 1 << 16)
                assert piece, "Chromium went away"
                self.buffer += piece
            frame, self.buffer = self.buffer.split(b"\0", 1)
            reply = json.loads(frame)
            if reply.get("id") == self.number:
                assert "error" not in reply, f"{method}: {reply}"
                return reply["result"]

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def until(self, expression):
        """Waits until the page says so."""
        deadline = time.monotonic() + PATIENCE
        while not (value := self.evaluate(expression)):
            assert time.monotonic() < deadline, expression
            time.sleep(0.01)
        return value

    def key(self, name, modifiers=0, text=None, commands=()):
        code = KEYS.get(name) or (ord(name.upper()) if name.isascii() and name.isalnum() else 0)
        event = dict(key=name, modifiers=modifiers, windowsVirtualKeyCode=code, commands=list(commands))
        if text is not None and not modifiers & CONTROL:
            event["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown" if "text" in event else "rawKeyDown", **event)
        event.pop("commands")
        event.pop("text", None)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def compose(self, text):
        self.call("Input.imeSetComposition", text=text, selectionStart=len(text), selectionEnd=len(text))

    def commit(self, text):
        self.call("Input.insertText", text=text)

    def click(self, x, y, count=1):
        for kind, buttons in [("mousePressed", 1), ("mouseReleased", 0)]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons, clickCount=count)
