"""A headless Chromium with one page, driven by DevTools over the pipe of --remote-debugging-pipe."""

import json
import os
import signal
import subprocess
import tempfile

SHIFT, CONTROL = 8, 2
KEYS = {
    "Backspace": 8, "Enter": 13, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
    "ArrowRight": 39, "ArrowDown": 40, "Delete": 46,
}


class Failed(Exception):
    """Chromium went away, or could not do what it was told."""


class Chromium:
    """An empty page in a window of that size; with it go the program and its profile."""

    def __init__(self, program, width, height):
        to_read, self.writer = os.pipe()
        self.reader, to_write = os.pipe()

        def descriptors():
            os.dup2(to_read, 3)
            os.dup2(to_write, 4)

        self.profile = tempfile.TemporaryDirectory(prefix="contextdiff-chromium-", ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--disable-dev-shm-usage", f"--window-size={width},{height}", "--no-first-run",
             "--user-data-dir=" + self.profile.name],
            preexec_fn=descriptors, pass_fds=(3, 4), start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.profile.name})
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.session = b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, Failed, subprocess.TimeoutExpired):
            pass
        finally:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
            os.close(self.reader)
            os.close(self.writer)
            self.profile.cleanup()

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.buffer:
                piece = os.read(self.reader, 1 << 16)
                if not piece:
                    raise Failed("Chromium went away")
                self.buffer += piece
            frame, self.buffer = self.buffer.split(b"\0", 1)
            reply = json.loads(frame)
            if reply.get("id") == self.number:
                if "error" in reply:
                    raise Failed(f"{method}: {reply['error']}")
                return reply["result"]

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise Failed(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def key(self, name, modifiers=0, text=None, commands=()):
        # Punctuation has no code of its own: its ordinals are those of the arrows and Delete.
        is_plain = len(name) == 1 and name.isascii() and (name.isalnum() or name == " ")
        code = KEYS.get(name) or (ord(name.upper()) if is_plain else 0)
        event = dict(key=name, modifiers=modifiers, windowsVirtualKeyCode=code)
        down = dict(event, type="rawKeyDown", commands=list(commands))
        if text is not None and not modifiers & CONTROL:
            down.update(type="keyDown", text=text)
        self.call("Input.dispatchKeyEvent", **down)
        self.call("Input.dispatchKeyEvent", **event, type="keyUp")
