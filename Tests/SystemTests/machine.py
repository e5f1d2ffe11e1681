"""A container with a systemd of its own: a debootstrapped Debian under a layer in memory, booted by systemd-nspawn.

What happens in it stays in the layer, which goes away with the machine.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("CONTEXTDIFF_BIN", SOURCE / ".build/product/release")).resolve()
CACHE = pathlib.Path(os.environ.get("CONTEXTDIFF_TEST_CACHE", "/var/cache/contextdiff-tests"))

# What a Debian needs besides its base for a login manager, users' managers, `make install` and the checks' own clients.
BASE = "systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,procps,make,locales,python3,libyaml-0-2"
# On Debian 13 besides what the addon for its fcitx5 is built with; on this machine's own Debian Tests/HostTests build it.
PACKAGES = {"bookworm": BASE, "trixie": BASE + ",g++,cmake,pkg-config,libfcitx5core-dev,fcitx5-modules-dev,fcitx5"}

# How many seconds anything may take before it counts as hung: a busy machine's, not an expectation.
PATIENCE = float(os.environ.get("CONTEXTDIFF_TEST_PATIENCE", 180))


class Unavailable(Exception):
    """What this machine lacks, in a line."""


def missing():
    """Why no container can be booted here; None where it can."""
    if os.geteuid() != 0:
        return "needs root to boot a container"
    for tool in ("systemd-nspawn", "debootstrap", "nsenter"):
        if shutil.which(tool) is None:
            return f"needs {tool} to boot a container"
    if not (BIN / "contextdiffd").exists():
        return f"needs the built programs in {BIN}: run `make build`"
    return None


def _mirror():
    """Where this machine's own packages come from."""
    sites = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Component: main"],
        capture_output=True, text=True, check=False).stdout.split()
    return next((site for site in sites if site.endswith("/debian")), None)


def debian(suite):
    """The folder of a debootstrapped Debian; made at the first call, kept for the next run."""
    root = CACHE / suite
    stamp = root / "etc/contextdiff-tests"
    if stamp.exists() and stamp.read_text() == PACKAGES[suite]:
        return root
    mirror = _mirror()
    if mirror is None:
        raise Unavailable("needs a Debian mirror in apt's sources to make a container's root")
    CACHE.mkdir(parents=True, exist_ok=True)
    fresh = pathlib.Path(tempfile.mkdtemp(prefix=suite + ".", dir=CACHE))
    try:
        made = subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={PACKAGES[suite]}", suite, fresh, mirror],
            capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise Unavailable(f"debootstrap {suite} failed: {made.stdout.strip().splitlines()[-1:]}")
        # For the catalog's Japanese.
        subprocess.run(
            ["chroot", fresh, "localedef", "-i", "ja_JP", "-f", "UTF-8", "ja_JP.UTF-8"], check=True)
        fresh.chmod(0o755)
        (fresh / "etc/contextdiff-tests").write_text(PACKAGES[suite])
        shutil.rmtree(root, ignore_errors=True)
        fresh.rename(root)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return root


class Machine:
    """A booted container. Commands run in it as root, outside of its manager's units."""

    def __init__(self, leader):
        self._leader = leader

    def command(self, *words):
        """A command line for this machine that runs one in the container."""
        return ["nsenter", f"--target={self._leader}", "--all", "--", "env", "-i",
                "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "LANG=C.UTF-8", "SYSTEMD_PAGER=",
                *map(str, words)]

    def run(self, *words, check=True, timeout=PATIENCE, stdin=""):
        """Runs a command in the container; returns its standard output, stripped."""
        done = subprocess.run(
            self.command(*words), input=stdin, capture_output=True, text=True, timeout=timeout, check=False)
        if check and done.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def status(self, *words):
        """Runs a command in the container; returns its exit status."""
        return subprocess.run(self.command(*words), capture_output=True, check=False).returncode

    def guest(self, script, *words, user=None, timeout=PATIENCE):
        """Runs one of the scripts in guest/; returns what it printed."""
        prefix = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"] if user else []
        return self.run(*prefix, "python3", f"/src/Tests/SystemTests/guest/{script}.py", *words, timeout=timeout)

    @contextlib.contextmanager
    def session(self, path, user=None):
        """A connection to a daemon, kept open by a process in the container."""
        prefix = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"] if user else []
        process = subprocess.Popen(
            self.command(*prefix, "python3", "/src/Tests/SystemTests/guest/session.py", path),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            yield Session(process)
        finally:
            process.stdin.close()
            process.wait(timeout=PATIENCE)
            process.stdout.close()

    def property(self, unit, name):
        """One property of a unit."""
        return self.run("systemctl", "show", unit, f"--property={name}", "--value")

    def main_pid(self, unit="contextdiffd.service"):
        """The process id of a service within the container; 0 where it doesn't run."""
        return int(self.property(unit, "MainPID"))

    def write(self, path, text):
        """Writes a file in the container, with the folders above it."""
        self.run("install", "-D", "-m", "0644", "/dev/stdin", path, stdin=text)

    def install(self):
        """`make install`, by the container's own root."""
        self.run("make", "--directory=/src", "--file=packaging/install.mk", "install-built", "BIN=/build")

    def uninstall(self):
        """`make uninstall`."""
        self.run("make", "--directory=/src", "--file=packaging/install.mk", "uninstall")

    def files(self):
        """Every path below the folders that an installation may touch."""
        return set(self.run("find", "/etc", "/usr", "/opt", "-xdev").splitlines())


class Session:
    """One connection of a process in the container."""

    def __init__(self, process):
        self._process = process

    def send(self, method, parameters, **flags):
        self._order({"send": [f"io.contextdiff.{method}", parameters, flags]})

    def receive(self):
        return self._order({"receive": True})

    def call(self, method, parameters):
        self.send(method, parameters)
        return self.receive()

    def _order(self, order):
        self._process.stdin.write(json.dumps(order, ensure_ascii=False) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


def wait_for(condition, what, timeout=PATIENCE):
    """Returns the first true answer of `condition`, asked every few milliseconds; fails after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        answer = condition()
        if answer:
            return answer
        time.sleep(0.01)
    raise AssertionError(f"not within {timeout} s: {what}")


_unavailable = {}


@contextlib.contextmanager
def booted(suite):
    """A running machine with that Debian; taken apart at the end, whatever happened.

    What couldn't be booted once is not waited for again.
    """
    if suite in _unavailable:
        raise _unavailable[suite]
    name = f"contextdiff-{suite}-{os.getpid()}"
    try:
        lower = debian(suite)
    except Unavailable as error:
        _unavailable[suite] = error
        raise
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=f"{name}-")))
        memory, root, log = folder / "memory", folder / "root", folder / "console"
        memory.mkdir()
        root.mkdir()
        _mount(stack, "tmpfs", "tmpfs", memory, "mode=0755")
        (memory / "upper").mkdir()
        (memory / "work").mkdir()
        _mount(stack, "overlay", "overlay", root,
               f"lowerdir={lower},upperdir={memory}/upper,workdir={memory}/work")
        with log.open("w") as console:
            nspawn = subprocess.Popen(
                ["systemd-nspawn", "--quiet", f"--directory={root}", f"--machine={name}", "--register=no",
                 "--keep-unit", "--private-network", "--console=pipe", f"--bind-ro={SOURCE}:/src",
                 f"--bind-ro={BIN}:/build", "--boot"],
                env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
                stdin=subprocess.DEVNULL, stdout=console, stderr=console)
        stack.callback(_shut_down, nspawn)
        try:
            machine = Machine(wait_for(lambda: _first_process(nspawn), "a first process"))
            wait_for(lambda: machine.run("systemctl", "is-system-running", check=False)
                     in ("running", "degraded"), "a running system")
        except (AssertionError, OSError) as error:
            _unavailable[suite] = Unavailable(f"{suite} didn't boot: {error}\n{log.read_text()[-2000:]}")
            raise _unavailable[suite] from error
        yield machine


def _first_process(nspawn):
    """The container's process 1, by its number here. systemd-nspawn's first child is only there to make it."""
    assert nspawn.poll() is None, f"systemd-nspawn ended with {nspawn.returncode}"
    children = pathlib.Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children").read_text().split()
    for child in children:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if pathlib.Path(f"/proc/{child}/comm").read_text() == "systemd\n":
                return child
    return None


def _mount(stack, kind, source, place, options):
    subprocess.run(["mount", "-t", kind, "-o", options, source, place], check=True)
    stack.callback(subprocess.run, ["umount", "--lazy", place], check=False)


def _shut_down(nspawn):
    # SIGTERM is passed on as a request to halt; what doesn't follow it is killed.
    nspawn.send_signal(signal.SIGTERM)
    try:
        nspawn.wait(timeout=30)
    except subprocess.TimeoutExpired:
        nspawn.kill()
        nspawn.wait()
