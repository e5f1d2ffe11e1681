"""A contextdiffd of $CONTEXTDIFF_BIN, or else of `make build`, on a socket of its own; and the library beside it."""

import os
import pathlib
import subprocess
import tempfile
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = pathlib.Path(os.environ.get("CONTEXTDIFF_BIN", ROOT / ".build/product/release")).resolve()

# Before the package is imported.
os.environ.setdefault("CONTEXTDIFF_LIBRARY", str(PROGRAMS / "libcontextdiff.so.1"))

PATIENCE = float(os.environ.get("CONTEXTDIFF_TEST_PATIENCE", 180))


class Daemon:
    def __init__(self, folder, *arguments):
        self.arguments = arguments
        self.path = str(pathlib.Path(folder) / "socket")
        self.process = None

    def start(self):
        # Settings that set nothing, in place of the user's and the machine's.
        settings = pathlib.Path(self.path).parent / "contextdiff/contextdiffd.yaml"
        settings.parent.mkdir(exist_ok=True)
        settings.touch()
        environment = {**os.environ, "XDG_CONFIG_HOME": str(settings.parent.parent)}
        self.process = subprocess.Popen(
            [PROGRAMS / "contextdiffd", "--listen", self.path, *self.arguments], env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self

    def stop(self, kill=False):
        if self.process is not None:
            self.process.kill() if kill else self.process.terminate()
            self.process.wait(PATIENCE)
            self.process = None


@pytest.fixture
def daemon(request):
    """Started, with the options that a test is parametrized with; its socket may take its time to be there."""
    with tempfile.TemporaryDirectory(prefix="contextdiff-") as folder:
        daemon = Daemon(folder, *getattr(request, "param", ())).start()
        yield daemon
        daemon.stop()


@pytest.fixture
def until():
    """Asks again and again until something is so."""

    def until(condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.002)

    return until
