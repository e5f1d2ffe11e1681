"""What the measurements need on this machine: packages, compiled peers, servers that are started and stopped by pid."""

import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


class Failure(Exception):
    """A reply was wrong, an event was lost, or something could not be run."""


def install_missing():
    if subprocess.run([HERE.parent / "scripts/dependencies", "bench"]).returncode != 0:
        raise Failure("not everything is there that is measured beside")


def build(folder):
    """Compiles the C programs into `folder`."""
    compiler = ["gcc" if shutil.which("gcc") else "cc", "-std=gnu17", "-O2", "-Wall", "-Wextra"]
    programs = {"load": sorted((HERE / "load").glob("*.c")), "echo": [HERE / "peers/echo.c"],
                "dbus_echo": [HERE / "peers/dbus_echo.c"]}
    built = {}
    for name, sources in programs.items():
        built[name] = folder / name
        libraries = ["-lsystemd"] if name == "dbus_echo" else []
        if subprocess.run([*compiler, "-o", built[name], *sources, *libraries]).returncode != 0:
            raise Failure(f"{name} does not compile")
    return built


def daemon():
    """The contextdiffd to measure: $CONTEXTDIFF_BIN, the program or its folder."""
    path = Path(os.environ.get("CONTEXTDIFF_BIN", HERE.parent / ".build/product/release"))
    path = path / "contextdiffd" if path.is_dir() else path
    if not path.is_file():
        raise Failure(f"{path} is not there: make build, or set CONTEXTDIFF_BIN")
    return path.resolve()


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return {"cpu": model, "cores": os.cpu_count(), "kernel": platform.release(),
            "redis": first_line(["redis-server", "--version"]), "dbus": first_line(["dbus-daemon", "--version"]),
            "load_average": os.getloadavg(), "date": time.strftime("%Y-%m-%dT%H:%M:%S%z")}


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.partition("\n")[0]
    except FileNotFoundError:
        return None


class Placement:
    """Which core a server and which one the generator runs on; where `free`, the scheduler decides."""

    def __init__(self, free):
        cores = sorted(os.sched_getaffinity(0))
        self.free, self.first, self.last = free, cores[0], cores[-1]

    def server(self):
        return self.on(self.first)

    def generator(self, beside):
        """`beside`: on the server's own core, where a round trip is work alone: how long a hypervisor takes to wake another core
        is no server's merit. Else on the other one, so that both work at once."""
        return self.on(self.first if beside else self.last)

    def on(self, core):
        return [] if self.free else ["taskset", "-c", str(core)]


class AwakeCores:
    """For as long as the `with` lasts no core sleeps: each runs a loop that gives way to anything else."""

    LOOP = ("import os, sys\nos.sched_setaffinity(0, [int(sys.argv[1])])\n"
            "os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\nparent = os.getppid()\n"
            "while os.getppid() == parent:\n for _ in range(100000): pass")

    def __enter__(self):
        self.loops = [subprocess.Popen([sys.executable, "-c", self.LOOP, str(core)]) for core in os.sched_getaffinity(0)]

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()


class Server:
    """A server on a socket of its own, for as long as the `with` lasts."""

    def __init__(self, path, command, log, answers=None):
        self.path, self.command, self.log = path, [str(part) for part in command], log
        self.answers = answers or self.listens

    def listens(self):
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self.path)) == 0

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.log.open("ab"),
                                        stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 20
        while not self.answers():
            if self.process.poll() is not None:
                raise Failure(f"{self.command[0]} ended at once; its last words: {self.last_words()}")
            if time.monotonic() > deadline:
                self.__exit__()
                raise Failure(f"{self.command[0]} does not answer")
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.answers == self.listens:
            self.path.unlink(missing_ok=True)

    def last_words(self):
        return self.log.read_text(errors="replace")[-400:]

    def resident(self):
        """Kilobytes of memory that the process has in use."""
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise Failure(f"{self.command[0]} is gone")


def run_json(command, **options):
    """The object that `command` prints; a Failure where it does not end well."""
    try:
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=120, **options)
    except subprocess.TimeoutExpired:
        raise Failure(f"{Path(command[0]).name} hangs: {' '.join(map(str, command[1:]))[:200]}") from None
    if done.returncode != 0:
        raise Failure(f"{done.stderr.strip()[:800]} ({' '.join(map(str, command[1:]))[:200]})")
    return json.loads(done.stdout)


class Held:
    """A client that holds what it opened for as long as the `with` lasts."""

    def __init__(self, command):
        self.command = [str(part) for part in command]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if "holding" not in self.process.stdout.readline():
            self.process.wait()
            raise Failure(f"a client could not open what it should hold: {' '.join(self.command[1:])}")

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
