"""The daemon under attack, who attacks it, and who only wants an answer: each a process of a user of its own."""

import json
import os
import re
import resource
import selectors
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

from . import slices

# Users that no machine has: the daemon's, the victim's, and the attackers' from there on.
DAEMON, VICTIM, ATTACKER = 61_000, 61_001, 61_100
# The group whose members may connect; Debian's base has it.
GROUP, GROUP_NAME = 100, "users"


def call(method, parameters=None, **flags):
    """A call of io.contextdiff as its frame."""
    message = {"method": f"io.contextdiff.{method}", **flags}
    if parameters is not None:
        message["parameters"] = parameters
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\0"


def become(user):
    """Makes this process another user's, for good."""
    if os.geteuid() == 0:
        os.setgroups([GROUP])
        os.setgid(user)
        os.setuid(user)


class Connection:
    """One connection whose frames are written and read as they are."""

    def __init__(self, path, patience=60.0):
        self.socket = socket.socket(socket.AF_UNIX)
        # A socket with a time limit of Python's never waits in connect(2): one whose accept queue is full would refuse it.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(patience), 0))
        self.socket.connect(str(path))
        self.socket.settimeout(patience)
        self.received = bytearray()

    def send(self, frames):
        self.socket.sendall(frames)

    def reply(self):
        """The next frame as bytes; None where the daemon has ended the connection."""
        while (end := self.received.find(b"\0")) < 0:
            chunk = self.socket.recv(1 << 18)
            if not chunk:
                return None
            self.received += chunk
        frame = bytes(self.received[:end])
        del self.received[: end + 1]
        return frame

    def ask(self, frame):
        self.send(frame)
        return self.reply()

    def close(self):
        self.socket.close()


def flood(connections, frames, reads=True):
    """Sends `frames` on each connection again and again, for ever; drops what comes back, or leaves it unread.

    `frames`: bytes for all, or a function that gives the next bytes for a connection's number.
    """
    following = frames if callable(frames) else lambda number: frames
    rest = {}
    with selectors.DefaultSelector() as selector:
        for number, connection in enumerate(connections):
            connection.socket.setblocking(False)
            rest[connection] = memoryview(b"")
            selector.register(
                connection.socket, selectors.EVENT_WRITE | (selectors.EVENT_READ if reads else 0), (number, connection))
        while selector.get_map():
            for key, events in selector.select():
                number, connection = key.data
                try:
                    if events & selectors.EVENT_READ and not connection.socket.recv(1 << 18):
                        raise ConnectionResetError
                    if events & selectors.EVENT_WRITE:
                        if not rest[connection]:
                            rest[connection] = memoryview(following(number))
                        rest[connection] = rest[connection][connection.socket.send(rest[connection]):]
                except BlockingIOError:
                    pass
                except OSError:
                    selector.unregister(connection.socket)
                    connection.close()


def hold():
    """Keeps everything open until the process is killed."""
    while True:
        signal.pause()


class Daemon:
    """contextdiffd on a socket of its own, as a user of its own where the caller is root."""

    def __init__(self, program, folder, name="daemon", settings=(), **variables):
        self.folder = Path(folder) / name
        self.folder.mkdir()
        self.path = self.folder / "socket"
        self.settings, self.variables = settings, variables
        self.program = program

    def __enter__(self):
        self.folder.chmod(0o755)
        if os.geteuid() == 0:
            os.chown(self.folder, DAEMON, GROUP)
        # Settings that set nothing, in place of the machine's.
        (self.folder / "contextdiff").mkdir()
        (self.folder / "contextdiff/contextdiffd.yaml").touch()
        command = [str(self.program), "--listen", str(self.path)]
        for setting in self.settings:
            command += ["--set", setting]
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
                       "XDG_CONFIG_HOME": str(self.folder), "CONTEXTDIFF_ACCESS_GROUP": GROUP_NAME if os.geteuid() == 0 else "", **self.variables}
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(command, env=environment, preexec_fn=self.prepare, stdin=subprocess.DEVNULL,
                                            start_new_session=True,
                                            stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while True:
            try:
                # Answered, and not only connected: before that it has not all of its descriptors.
                connection = Connection(self.path)
                connection.ask(call("ListSessions"))
                connection.close()
                return self
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"contextdiffd does not start: {self.log()[-400:]}") from None
                time.sleep(0.02)

    def prepare(self):
        slices.enter("system.slice", self.folder.name)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), min(8192, hard)))
        if os.geteuid() == 0:
            os.setgroups([GROUP])
            os.setgid(DAEMON)
            os.setuid(DAEMON)

    def __exit__(self, *_):
        """Ends it; `stopped` is how long that took, in seconds, or None where it had to be killed."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
            self.stopped = time.monotonic() - began
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.stopped = None

    def is_alive(self):
        return self.process.poll() is None

    def rest(self, patience=10.0):
        """Waits until it works off nothing more: what an attack has left is not the next measurement's."""
        deadline = time.monotonic() + patience
        used = self.processor_ticks()
        while time.monotonic() < deadline:
            time.sleep(0.1)
            before, used = used, self.processor_ticks()
            if used - before <= 1:
                return

    def processor_ticks(self):
        """How much of the processors it has used, in clock ticks; 0 once it has ended."""
        try:
            values = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0
        return int(values[11]) + int(values[12])

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def memory(self):
        """What is its own, in bytes: a page that is mapped twice counts once, a shared one in part."""
        try:
            with open(f"/proc/{self.process.pid}/smaps_rollup") as rollup:
                return sum(int(line.split()[1]) for line in rollup if line.startswith("Pss:")) << 10
        except OSError:
            return 0

    def descriptors(self):
        try:
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))
        except OSError:
            return 0


class Child:
    """A process of another user that runs `body`, which gets the ends of two pipes: one it writes its news to, one by
    which it is told to go on."""

    def __init__(self, user, body):
        sys.stdout.flush()
        news, self.writes = os.pipe()
        self.reads, go = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            status = 1
            try:
                os.close(news)
                os.close(go)
                os.setsid()
                slices.enter("user.slice", str(user))
                soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
                resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), hard))
                become(user)
                body(self.writes, self.reads)
                status = 0
            except BaseException as error:  # noqa: BLE001: a child must not go on as its parent
                os.write(2, f"attack: {type(error).__name__}: {error}\n".encode())
            finally:
                os._exit(status)
        os.close(self.writes)
        os.close(self.reads)
        self.news, self.go = news, go

    def wait_for_news(self, patience):
        """A line of its news; empty where there is none in time, or it has ended."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.news, selectors.EVENT_READ)
            if not selector.select(patience):
                return ""
        return os.read(self.news, 1 << 16).decode()

    def tell(self):
        """Lets it go on."""
        # Not its end alone: children that were started later hold a copy of that.
        try:
            os.write(self.go, b"!")
        except BrokenPipeError:  # It has ended: what it prepares was refused.
            pass
        os.close(self.go)
        self.go = None

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        return self.finish()

    def finish(self):
        os.waitpid(self.pid, 0)
        os.close(self.news)
        if self.go is not None:
            os.close(self.go)


def is_over(go):
    """Whether a child has been told to end, by a pipe that does not block."""
    try:
        os.read(go, 1)
        return True
    except BlockingIOError:
        return False


def attacker(user, attack, path):
    """A process of `user` that does what `attack` does: prepares, says so, waits for the word and goes on."""

    def body(news, go):
        acts = attack(path)
        next(acts)
        os.write(news, b"ready\n")
        os.read(go, 1)
        next(acts, None)
        hold()

    return Child(user, body)


class Victim:
    """A user who types: a call every few milliseconds, each answer awaited, timed and checked, events subscribed to."""

    # Between two calls. Nobody types so fast; the figure needs calls.
    PAUSE = 0.002
    # After how long an answer counts as lost.
    PATIENCE = 20.0

    def __init__(self, path, user=VICTIM):
        self.child = Child(user, lambda news, go: self.run(str(path), news, go))
        self.child.wait_for_news(60)

    def result(self):
        """Ends it; what it saw."""
        self.child.tell()
        # The call at hand may still wait.
        news = self.child.wait_for_news(self.PATIENCE * 4)
        self.child.kill()
        return json.loads(news) if news else {"samples": [], "lost": 1, "why": ["the victim hangs"]}

    def run(self, path, news, go):
        self.path, self.samples, self.lost, self.why, self.done = path, [], 0, [], 0
        self.stream = self.wire = None
        self.posted, self.heard, self.text = 0, 0, 0
        os.write(news, b"ready\n")
        os.set_blocking(go, False)
        while not is_over(go):
            self.attempt(self.post)
            self.done += 1
            if self.done % 25 == 5:
                self.attempt(self.halves)
            if self.done % 50 == 10:
                self.attempt(self.connect)
            time.sleep(self.PAUSE)
        self.attempt(self.hear_all)
        # In microseconds, so that all find room in the pipe.
        os.write(news, json.dumps({
            "samples": [int(sample * 1e6) for sample in self.samples][-8_000:], "lost": self.lost,
            "why": sorted(set(self.why))[:3]}, separators=(",", ":")).encode())

    @staticmethod
    def together(results):
        """What was seen in several measurements, as one: in seconds."""
        samples = sorted(sample / 1e6 for result in results for sample in result["samples"])
        at = lambda share: samples[min(len(samples) - 1, int(len(samples) * share))] if samples else None  # noqa: E731
        return {
            "calls": len(samples), "p50": at(0.5), "p99": at(0.99), "worst": samples[-1] if samples else Victim.PATIENCE,
            "lost": sum(result["lost"] for result in results),
            "why": sorted({why for result in results for why in result["why"]})}

    def attempt(self, act):
        try:
            act()
        except (OSError, AssertionError) as error:
            self.lost += 1
            self.why.append(f"{act.__name__}: {error}")
            for connection in (self.wire, self.stream):
                if connection is not None:
                    connection.close()
            self.wire = self.stream = None
            time.sleep(0.05)

    def post(self):
        """One character typed."""
        if self.stream is None:
            self.stream = Connection(self.path, self.PATIENCE)
            ready = self.stream.ask(call("Subscribe", {}, more=True))
            assert ready is not None, "the subscription was ended"
            self.posted = self.heard = json.loads(ready)["parameters"]["sequence"]
        if self.wire is None:
            self.wire = Connection(self.path, self.PATIENCE)
        self.text = (self.text + 1) % 40
        frame = call("Post", {"session": "victim", "old": {"before": "あ" * self.text},
                              "new": {"before": "あ" * (self.text + 1)}})
        reply = self.timed(lambda: self.wire.ask(frame))
        assert reply is not None, "the connection was ended"
        sequence = json.loads(reply)["parameters"].get("sequence")
        assert sequence == self.posted + 1, f"the answer is {reply[:80]!r}"
        self.posted = sequence
        if self.posted - self.heard > 100:
            self.hear_all()

    def timed(self, ask):
        """What `ask` gives, the time that it takes noted."""
        began = time.perf_counter_ns()
        reply = ask()
        self.samples.append((time.perf_counter_ns() - began) / 1e9)
        return reply

    def hear_all(self):
        """Every event in order, none missing."""
        while self.stream is not None and self.heard < self.posted:
            event = self.stream.reply()
            assert event is not None, "the subscription was ended"
            sequence = json.loads(event)["parameters"].get("event", {}).get("sequence")
            assert sequence == self.heard + 1, f"the event is {event[:80]!r}"
            self.heard = sequence

    def halves(self):
        """A long call that comes in two parts."""
        frame = call("Classify", {"old": {"before": "い" * 20_000}, "new": {"before": "い" * 20_001}})
        wire = Connection(self.path, self.PATIENCE)
        wire.send(frame[: len(frame) // 2])
        time.sleep(0.005)
        reply = self.timed(lambda: wire.ask(frame[len(frame) // 2:]))
        wire.close()
        assert reply is not None, "a frame in two parts was ended"

    def connect(self):
        """A call on a connection of its own."""
        wire = Connection(self.path, self.PATIENCE)
        reply = self.timed(lambda: wire.ask(call("ListSessions")))
        wire.close()
        assert reply is not None, "a new connection was ended"


def waiting():
    """How much of the last five minutes something waited for a processor (/proc/pressure); 0 where that cannot be known."""
    try:
        return float(re.search(r"some .*avg300=([0-9.]+)", Path("/proc/pressure/cpu").read_text())[1]) / 100
    except OSError:
        return 0


def can_be_others():
    """Whether processes of several users can be started here: by root alone."""
    return os.geteuid() == 0


def takes_calls(path, patience=60):
    """Waits for the daemon to answer again."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            if Connection(path, 5).ask(call("ListSessions")):
                return True
        except OSError:
            pass
        time.sleep(0.1)
    return False
