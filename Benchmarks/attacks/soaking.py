"""Users who know what they must see, and a service manager that keeps the daemon's descriptors over its restarts."""

import array
import json
import os
import random
import resource
import select
import signal
import socket
import threading
import time
from pathlib import Path

from .peers import DAEMON, GROUP, GROUP_NAME, Child, Connection, call, is_over


class Manager:
    """Starts contextdiffd as systemd does: with a socket that listens, a place to notify, and a store of descriptors."""

    def __init__(self, program, folder, settings, **variables):
        self.program, self.folder, self.variables = str(program), Path(folder), variables
        self.path = self.folder / "socket"
        self.settings_file = self.folder / "settings.yaml"
        self.settings_file.write_text(settings)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen(4096)
        self.path.chmod(0o666)
        self.notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notified.bind(str(self.folder / "notify"))
        (self.folder / "notify").chmod(0o666)
        self.stored, self.ready, self.drained, self.pid = {}, threading.Event(), threading.Event(), None
        self.log_file = open(self.folder / "log", "ab")
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self):
        while True:
            data, ancillary, _, _ = self.notified.recvmsg(1 << 16, socket.CMSG_SPACE(16 * 4))
            if not data:
                return
            descriptors = array.array("i")
            for level, kind, payload in ancillary:
                if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                    descriptors.frombytes(payload[: len(payload) - len(payload) % 4])
            lines = dict(line.split("=", 1) for line in data.decode().split("\n") if "=" in line)
            name = lines.get("FDNAME", "stored")
            if lines.get("FDSTOREREMOVE") == "1" and name in self.stored:
                os.close(self.stored.pop(name))
            for descriptor in descriptors:
                if lines.get("FDSTORE") == "1":
                    if name in self.stored:
                        os.close(self.stored[name])
                    self.stored[name] = descriptor
                else:
                    os.close(descriptor)
            if lines.get("READY") == "1":
                self.ready.set()
            if lines.get("DRAINED") == "1":
                self.drained.set()

    def drain(self):
        """Waits until all has been taken in that was sent so far."""
        self.drained.clear()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.sendto(b"DRAINED=1", str(self.folder / "notify"))
        self.drained.wait(60)

    def start(self):
        self.drain()
        self.ready.clear()
        names = ["varlink", *self.stored]
        descriptors = [self.listener.fileno(), *self.stored.values()]
        environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
            "CONTEXTDIFF_ACCESS_GROUP": GROUP_NAME if os.geteuid() == 0 else "",
            "NOTIFY_SOCKET": str(self.folder / "notify"), "LISTEN_FDS": str(len(descriptors)),
            "LISTEN_FDNAMES": ":".join(names), **self.variables}
        arguments = [self.program, "--config", str(self.settings_file)]
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.setsid()
                # First: its number may be one that a descriptor is to have.
                os.dup2(self.log_file.fileno(), 2)
                os.dup2(2, 1)
                high = [os.dup2(descriptor, 500 + place) for place, descriptor in enumerate(descriptors)]
                for place, descriptor in enumerate(high):
                    os.dup2(descriptor, 3 + place)
                os.closerange(3 + len(high), 1024)
                hard = min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
                resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
                if os.geteuid() == 0:
                    os.setgroups([GROUP])
                    os.setgid(DAEMON)
                    os.setuid(DAEMON)
                os.execve(self.program, arguments, {**environment, "LISTEN_PID": str(os.getpid())})
            finally:
                os._exit(127)
        if not self.ready.wait(60):
            raise RuntimeError(f"contextdiffd does not start: {self.log()[-400:]}")

    def end(self, number):
        """Ends it by a signal; how long that took, in seconds, and its status."""
        began = time.monotonic()
        os.kill(self.pid, number)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self.pid = None
        return time.monotonic() - began, status

    def close(self):
        """Kills it where it runs, and closes what was opened."""
        if self.pid:
            self.end(signal.SIGKILL)
        # Ends the thread's wait.
        self.notified.shutdown(socket.SHUT_RD)
        self.thread.join()
        for descriptor in self.stored.values():
            os.close(descriptor)
        for opened in (self.listener, self.notified, self.log_file):
            opened.close()

    def has_ended(self):
        """Whether it has ended by itself."""
        ended, status = os.waitpid(self.pid, os.WNOHANG)
        if ended:
            self.pid = None
        return ended != 0

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def memory(self):
        """What is its own, in bytes, but for the kept events: these are files in memory, which fill up to their limit."""
        with open(f"/proc/{self.pid}/smaps_rollup") as rollup:
            return sum(int(line.split()[1]) for line in rollup if line.startswith("Pss_Anon:")) << 10

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))


class Checker:
    """A user who posts, listens to everything and to insertions alone, comes back by itself, and knows what it must see."""

    def __init__(self, path, user):
        self.child = Child(user, lambda news, go: self.run(str(path), user, news, go))
        self.child.wait_for_news(60)

    def result(self, patience=120):
        self.child.tell()
        news = self.child.wait_for_news(patience)
        self.child.kill()
        return json.loads(news) if news else {"posts": 0, "events": 0, "wrong": ["it hangs"], "resumed": 0}

    def run(self, path, seed, news, go):
        self.path, self.random, self.wrong = path, random.Random(seed), []
        self.instance = None
        self.posted, self.kinds, self.resumed, self.posts = 0, {}, 0, 0
        self.unsure = False
        self.all = Listener(self, {})
        self.insertions = Listener(self, {"kinds": ["insertion"]})
        self.wire, self.length = None, 0
        os.write(news, b"ready\n")
        os.set_blocking(go, False)
        while not is_over(go):
            try:
                self.post()
                self.all.hear(0)
                self.insertions.hear(0)
            except (OSError, EOFError):
                self.close()
                time.sleep(0.05)
            if self.random.random() < 0.005:
                self.random.choice([self.all, self.insertions]).close()
            if self.random.random() < 0.005:
                self.close()
            time.sleep(self.random.choice([0, 0.001, 0.005]))
        self.hear_rest()
        os.write(news, json.dumps({
            "posts": self.posts, "events": self.all.count, "insertions": self.insertions.count,
            "resumed": self.resumed, "wrong": self.wrong[:5]}).encode())

    def close(self):
        if self.wire is not None:
            self.wire.close()
        self.wire = None

    def note(self, problem):
        if len(self.wrong) < 20:
            self.wrong.append(problem)

    def post(self):
        """One character typed, or taken away; the answer's number is the next one."""
        for listener in (self.all, self.insertions):
            listener.open()
        if self.wire is None:
            self.wire = Connection(self.path, 30)
        grows = self.length == 0 or self.length < 30 and self.random.random() < 0.6
        old, new = "あ" * self.length, "あ" * (self.length + (1 if grows else -1))
        self.unsure, before = True, self.unsure
        reply = self.wire.ask(call("Post", {"session": "s", "old": {"before": old}, "new": {"before": new}}))
        if reply is None:
            raise EOFError
        self.unsure = False
        self.posts += 1
        parameters = json.loads(reply)["parameters"]
        # A post whose answer did not come may have been counted.
        if parameters["sequence"] not in (self.posted + 1, *([self.posted + 2] if before else [])):
            self.note(f"after {self.posted} the answer is {parameters['sequence']}")
        self.posted = parameters["sequence"]
        self.kinds[self.posted] = parameters["transition"]["kind"]
        self.length = len(new)

    def hear_rest(self):
        """All that was answered is heard, once."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                for listener in (self.all, self.insertions):
                    listener.open()
                    listener.hear(0.2)
            except (OSError, EOFError):
                time.sleep(0.1)
            if self.all.last >= self.posted and self.insertions.last >= self.posted:
                break
        if self.all.last < self.posted:
            self.note(f"heard up to {self.all.last} of {self.posted}")
        if self.insertions.last < self.posted:
            self.note(f"the filter's stream was told up to {self.insertions.last} of {self.posted}")


class Listener:
    """A subscription that goes on where it was cut off."""

    def __init__(self, checker, parameters):
        self.checker, self.parameters, self.wire = checker, parameters, None
        self.last, self.count = 0, 0

    def open(self):
        if self.wire is not None:
            return
        wire = Connection(self.checker.path, 30)
        parameters = dict(self.parameters)
        if self.checker.instance is not None:
            parameters |= {"since": self.last, "instance": self.checker.instance}
            self.checker.resumed += 1
        ready = wire.ask(call("Subscribe", parameters, more=True))
        if ready is None:
            raise EOFError
        ready = json.loads(ready)["parameters"]
        if self.checker.instance is None:
            self.checker.instance = ready["instance"]
        elif ready["instance"] != self.checker.instance:
            self.checker.note("the instance is another one")
        self.wire = wire

    def close(self):
        if self.wire is not None:
            self.wire.close()
        self.wire = None

    def hear(self, patience):
        while self.wire is not None:
            if b"\0" not in self.wire.received and not select.select([self.wire.socket], [], [], patience)[0]:
                return
            try:
                frame = self.wire.reply()
            except OSError:
                frame = None
            if frame is None:
                self.close()
                raise EOFError
            self.take(json.loads(frame)["parameters"])

    def take(self, reply):
        kinds, note = self.checker.kinds, self.checker.note
        if "lost" in reply:
            note(f"lost {reply['lost']} up to {reply.get('sequence')}")
            self.last = reply.get("sequence", self.last)
        elif "event" in reply:
            sequence, kind = reply["event"]["sequence"], reply["event"]["transition"]["kind"]
            self.count += 1
            if self.parameters:
                missed = [n for n in range(self.last + 1, sequence) if kinds.get(n) == "insertion"]
                if sequence <= self.last or kind != "insertion" or missed:
                    note(f"of insertions, after {self.last} comes {sequence} ({kind}), missing {missed[:3]}")
            elif sequence != self.last + 1:
                note(f"after {self.last} comes {sequence}")
            if kinds.setdefault(sequence, kind) != kind:
                note(f"{sequence} was answered as {kinds[sequence]} and told as {kind}")
            self.last = max(self.last, sequence)
        elif "sequence" in reply:
            missed = [n for n in range(self.last + 1, reply["sequence"] + 1) if kinds.get(n) == "insertion"]
            if not self.parameters or missed:
                note(f"told that all up to {reply['sequence']} was seen, after {self.last}, missing {missed[:3]}")
            self.last = max(self.last, reply["sequence"])
