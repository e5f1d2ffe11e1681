"""A desk of its own for real programs: an X server, a session bus, and folders that nobody else uses.

Everything that is started here ends with this process, however that ends.
"""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))

# How long a state may take to come about, in seconds: a guard against waiting for ever, never a measure.
PATIENCE = float(os.environ.get("CONTEXTDIFF_TEST_PATIENCE", "180"))

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def _end_with_parent():
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Silence(Exception):
    """What was waited for did not come."""


class Feed:
    """JSON objects, one a line, read from a stream as they come; each keeps its place in `all`."""

    def __init__(self, stream, name):
        self.name = name
        self.all = []
        self.ended = False
        self._news = threading.Condition()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        for line in stream:
            if not line.startswith(b"{"):
                continue
            with self._news:
                self.all.append(json.loads(line))
                self._news.notify_all()
        with self._news:
            self.ended = True
            self._news.notify_all()

    def wait(self, found, what, patience=PATIENCE):
        """The first true value of `found(all)`; looks again at every line that comes."""
        limit = time.monotonic() + patience
        with self._news:
            while True:
                value = found(self.all)
                if value:
                    return value
                left = limit - time.monotonic()
                if self.ended or left <= 0:
                    raise Silence(f"{self.name}: no {what}" + (" (it ended)" if self.ended else ""))
                self._news.wait(left)


class Desk:
    """Holds the environment of everything on it."""

    # What fcitx5 is reached by, and what programs are told of that.
    front_ends = ("dbus", "dbusfrontend", "xcb")
    input_method = {"GTK_IM_MODULE": "fcitx", "QT_IM_MODULE": "fcitx", "XMODIFIERS": "@im=fcitx"}
    # Whether a program never sees the release of a key whose press the input method took.
    swallows_releases = False

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="contextdiff-desk-")
        self.processes = []
        keep = ("PATH", "LANG", "TZ", "SSL_CERT_FILE")
        self.environment = {name: os.environ[name] for name in keep if name in os.environ}
        self.environment.update(
            HOME=self.folder, LANG="C.UTF-8", LC_ALL="C.UTF-8", PYTHONUNBUFFERED="1",
            NO_AT_BRIDGE="1", GTK_A11Y="none", GSETTINGS_BACKEND="memory", GDK_BACKEND="x11", QT_QPA_PLATFORM="xcb",
            LIBGL_ALWAYS_SOFTWARE="1", GSK_RENDERER="cairo", XMODIFIERS="", GTK_THEME="Adwaita")
        for name, part in (("XDG_CONFIG_HOME", "config"), ("XDG_CACHE_HOME", "cache"),
                           ("XDG_DATA_HOME", "data"), ("XDG_STATE_HOME", "state"), ("XDG_RUNTIME_DIR", "run")):
            path = os.path.join(self.folder, part)
            os.mkdir(path, 0o700)
            self.environment[name] = path
        self._start_bus()

    def run(self, *command, **options):
        """Starts a program on this desk."""
        environment = dict(self.environment, **options.pop("environment", {}))
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.DEVNULL)
        options.setdefault("stderr", open(os.path.join(self.folder, "errors.txt"), "ab"))
        process = subprocess.Popen(command, env=environment, preexec_fn=_end_with_parent, **options)
        self.processes.append(process)
        return process

    def start_display(self):
        reader, writer = os.pipe()
        # -r: a key that a busy machine holds down for long is one key.
        self.run("Xvfb", "-displayfd", str(writer), "-screen", "0", "1024x768x24", "-nolisten", "tcp",
                 "-noreset", "-r", pass_fds=(writer,))
        os.close(writer)
        with os.fdopen(reader) as told:
            number = told.readline().strip()
        if not number:
            raise Silence("Xvfb did not start")
        self.environment["DISPLAY"] = ":" + number

    def _start_bus(self):
        bus = self.run("dbus-daemon", "--session", "--nofork", "--print-address", stdout=subprocess.PIPE)
        address = bus.stdout.readline().decode().strip()
        if not address:
            raise Silence("dbus-daemon did not start")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address

    def hand(self, *acts):
        """Does what a hand does, in xdotool's words, and returns when the X server has it."""
        subprocess.run(("xdotool",) + acts, env=self.environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def clear(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for stream in (process.stdin, process.stdout):
                if stream:
                    stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.clear()

