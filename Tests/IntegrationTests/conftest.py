"""A daemon on a socket of its own for each test, and the command-line tool that talks to it.

The programs are those of $CONTEXTDIFF_BIN, or else those of `make build`.
"""

import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests"), str(ROOT / "Benchmarks")]
from attacks.soaking import Manager  # noqa: E402

PROGRAMS = pathlib.Path(os.environ.get("CONTEXTDIFF_BIN", ROOT / ".build" / "product" / "release")).resolve()

# How many seconds anything may take before it counts as hung, on a busy machine too. No test waits
# this long unless it fails.
PATIENCE = float(os.environ.get("CONTEXTDIFF_TEST_PATIENCE", 180))


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than two seconds, and is left to `make test`")


# Where monitors write down how far they came, and settings that set nothing, in place of the user's and the machine's; gone with the tests.
STATE = tempfile.TemporaryDirectory(prefix="contextdiff-state-")
(pathlib.Path(STATE.name) / "contextdiff").mkdir()
(pathlib.Path(STATE.name) / "contextdiff/contextdiffd.yaml").touch()


def environment(**more):
    """An environment in which nothing of this machine's session shows, and which leaves nothing in the user's home."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
    return {**kept, "LANG": "C.UTF-8", "TERM": "xterm", "SWIFT_BACKTRACE": "enable=no", "XDG_STATE_HOME": STATE.name,
            "XDG_CONFIG_HOME": STATE.name, **more}


class Daemon:
    """A contextdiffd that listens on `path`; says that it is ready as it would say to systemd."""

    def __init__(self, folder, *arguments, limits={}, **variables):
        self.folder = pathlib.Path(folder)
        self.path = str(self.folder / "socket")
        self.arguments = arguments
        self.variables = variables
        self.limits = limits
        self.process = None

    def start(self):
        notify = self.folder / "notify"
        notify.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
            ready.bind(str(notify))
            ready.settimeout(PATIENCE)
            with open(self.folder / "log", "ab") as log:
                self.process = subprocess.Popen(
                    [PROGRAMS / "contextdiffd", "--listen", self.path, *self.arguments],
                    env=environment(NOTIFY_SOCKET=str(notify), **self.variables), preexec_fn=self.limit,
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            while b"READY=1" not in ready.recv(65536).split(b"\n"):
                pass
        return self

    def limit(self):
        for what, value in self.limits.items():
            resource.setrlimit(what, value)

    def log(self):
        return (self.folder / "log").read_text()

    def stop(self, number=signal.SIGTERM):
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def restart(self):
        self.stop()
        return self.start()


@pytest.fixture
def folder():
    """A folder with a name short enough for a socket's path."""
    path = tempfile.mkdtemp(prefix="contextdiff-")
    yield pathlib.Path(path)
    shutil.rmtree(path)


@pytest.fixture
def start_daemon(folder):
    """Starts a daemon with the options given, and stops it when the test ends."""
    daemons = []

    def start(*arguments, **variables):
        daemon = Daemon(folder, *arguments, **variables)
        daemons.append(daemon)
        return daemon.start()

    yield start
    for daemon in daemons:
        daemon.stop()


@pytest.fixture
def daemon(start_daemon):
    """A daemon as shipped."""
    return start_daemon()


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """What `make install` makes, below a folder."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run(
        ["make", "--silent", f"--directory={ROOT}", "--file=packaging/install.mk", "install-built",
         f"BIN={PROGRAMS}", f"DESTDIR={folder}"], capture_output=True, timeout=PATIENCE, env=environment(), check=True)
    return folder


@pytest.fixture
def ctl():
    """Runs contextdiffctl to its end."""

    def run(*arguments, input="", env=None, **options):
        return subprocess.run(
            [PROGRAMS / "contextdiffctl", *map(str, arguments)], input=input, text=True,
            capture_output=True, timeout=PATIENCE, env=env or environment(), **options)

    return run


@pytest.fixture
def cut_short(folder):
    """A daemon with a service manager that keeps its descriptors over restarts; it is killed halfway where it writes 100 KB at once."""
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    # As root's, the daemon is another user's.
    folder.chmod(0o755)
    library = folder / "ended.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, ROOT / "Tests/IntegrationTests/library/ended.c"], check=True)
    manager = Manager(PROGRAMS / "contextdiffd", folder, "", LD_PRELOAD=str(library))
    try:
        manager.start()
        yield manager
    finally:
        manager.close()
