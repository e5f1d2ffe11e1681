"""The measurements: which server is asked what, in which order."""

import contextlib
import json
import time

import counting
from tools import HERE, AwakeCores, Failure, Held, Placement, Server, run_json

ALL = ["round-trip", "pipelined", "posts", "fan-out", "growth", "memory", "start"]

# A contender of a section: its column, the server it runs against, what the generator speaks to it.
CALLERS = [("echo", "echo", "echo"), ("redis", "redis", "redis-echo"), ("classify", "contextdiff", "varlink-classify"),
           ("post", "contextdiff", "varlink-post")]
PUBLISHERS = [("echo", "echo", "echo"), ("redis", "redis", "redis-publish"), ("post", "contextdiff", "varlink-post")]
TYPED = counting.TYPED  # what all of these are asked: a character typed, each where the last one was
WINDOW = 32
SUBSCRIBERS = [1, 10, 100, 500]
DBUS_MOST = 100  # more than this takes the bus longer than the whole run may


class Bench:
    def __init__(self, folder, programs, daemon, options):
        self.folder, self.programs, self.daemon, self.options = folder, programs, daemon, options
        self.placement = Placement(options.free)
        self.config = folder / "dbus.conf"
        template = (HERE / "peers/dbus.conf").read_text()
        self.config.write_text(template.replace("@SOCKET@", str(self.socket("dbus"))))

    def section(self, name):
        with AwakeCores():
            return getattr(self, name.replace("-", "_"))()

    # Servers.

    def socket(self, name):
        return self.folder / f"{name}.sock"

    def command(self, name):
        path = self.socket(name)
        return {
            "echo": [self.programs["echo"], path],
            "redis": ["redis-server", "--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no"],
            "dbus": ["dbus-daemon", f"--config-file={self.config}", "--nofork", "--nopidfile"],
            "contextdiff": [self.daemon, "--listen", path],
        }[name]

    def server(self, name):
        return Server(self.socket(name), [*self.placement.server(), *self.command(name)], self.folder / f"{name}.log")

    @contextlib.contextmanager
    def servers(self, *names):
        with contextlib.ExitStack() as stack:
            running = {name: stack.enter_context(self.server(name)) for name in names}
            if "dbus" in names:
                stack.enter_context(self.dbus_service())
            yield running

    def dbus_service(self):
        return Server(self.socket("dbus"),
                      [*self.placement.server(), self.programs["dbus_echo"], self.dbus_address(), "serve"],
                      self.folder / "dbus-service.log", answers=self.dbus_answers)

    def dbus_answers(self):
        with contextlib.suppress(Failure):
            return run_json([self.programs["dbus_echo"], self.dbus_address(), "round-trip", 0.01, "x"])["calls"] > 0

    def dbus_address(self):
        return f"unix:path={self.socket('dbus')}"

    # One measurement.

    def load(self, running, server, protocol, mode, *more, warmup=0.05):
        return run_json([*self.placement.generator(beside=mode == "round-trip"), self.programs["load"],
                         "--protocol", protocol, "--mode", mode, "--socket", self.socket(server),
                         "--server", running[server].process.pid, "--seconds", self.options.seconds, "--warmup", warmup,
                         *more])

    def dbus_load(self, mode, *more):
        return run_json([*self.placement.generator(beside=mode == "round-trip"), self.programs["dbus_echo"],
                         self.dbus_address(), mode, self.options.seconds, "か" * 165, *more])

    def rounds(self, contenders):
        """`contenders`: name to function. Each in turn, the order turning with the rounds; name to list of results."""
        names = list(contenders)
        results = {name: [] for name in names}
        for turn in range(self.options.rounds):
            shift = turn % len(names)
            for name in names[shift:] + names[:shift]:
                results[name].append(contenders[name]())
        return results

    # The sections.

    def round_trip(self):
        with self.servers("echo", "redis", "dbus", "contextdiff") as running:
            contenders = {column: lambda s=server, p=protocol: self.load(running, s, p, "round-trip", *TYPED)
                          for column, server, protocol in CALLERS}
            contenders["redis-publish"] = lambda: self.load(running, "redis", "redis-publish", "round-trip", *TYPED)
            contenders["dbus"] = lambda: self.dbus_load("round-trip")
            return self.rounds(contenders)

    def pipelined(self):
        results = {}
        for connections in (1, 4):
            with self.servers("echo", "redis", "contextdiff") as running:
                results[str(connections)] = self.rounds({
                    column: lambda s=server, p=protocol: self.load(
                        running, s, p, "pipelined", "--window", WINDOW, "--connections", connections, *TYPED)
                    for column, server, protocol in CALLERS})
        return results

    def posts(self):
        """Calls of several kinds, each beside Redis's echo of the same bytes."""
        results = {}
        counts_calls = counting.can_count_system_calls()
        for kind, (protocol, options) in counting.KINDS.items():
            with self.servers("redis", "contextdiff") as running:
                ours, theirs = (
                    lambda s=server, p=spoken: self.load(running, s, p, "pipelined", "--window", WINDOW, *options)
                    for server, spoken in (("contextdiff", protocol), ("redis", "redis-echo")))
                result = results[kind] = self.rounds({"contextdiff": ours, "redis": theirs})
                if counts_calls:
                    result["system_calls"] = self.system_calls(running["contextdiff"], protocol, options)
            if counting.can_count_instructions():
                calls, total, _ = counting.instructions(kind, self.folder, self.programs["load"], self.daemon)
                result["instructions"] = total / calls
        return results

    def system_calls(self, server, protocol, options):
        """How many the server makes for each call."""
        counted = counting.perf(server.process.pid, [
            *self.placement.generator(beside=False), self.programs["load"], "--protocol", protocol, "--mode", "pipelined", "--socket",
            server.path, "--window", WINDOW, "--warmup", 0, "--seconds", self.options.seconds, *options])
        if counted is None:
            raise Failure("perf has counted no system calls")
        count, printed = counted
        return count / json.loads(printed)["calls"]

    def fan_out(self):
        results = {}
        for subscribers in SUBSCRIBERS:
            for sort, window in (("throughput", WINDOW), ("latency", 1)):
                results.setdefault(sort, {})[str(subscribers)] = self.fan_out_to(subscribers, window)
        return results

    def fan_out_to(self, subscribers, window):
        peers = ["echo", "redis", "contextdiff"] + (["dbus"] if subscribers <= DBUS_MOST else [])
        with self.servers(*peers) as running:
            contenders = {
                column: lambda s=server, p=protocol: self.load(
                    running, s, p, "fan-out", "--window", window, "--subscribers", subscribers, *TYPED)
                for column, server, protocol in PUBLISHERS}
            if "dbus" in peers:
                contenders["dbus"] = lambda: self.dbus_load("fan-out", subscribers, window)
            return self.rounds(contenders)

    def growth(self):
        results = {}
        with self.servers("contextdiff") as running:
            results["connections"] = self.rounds({
                str(count): lambda n=count: self.load(
                    running, "contextdiff", "varlink-post", "pipelined", "--window", WINDOW, "--idle", n - 1)
                for count in (1, 10, 100, 1000)})
        with self.servers("contextdiff") as running:
            results["sessions"] = self.rounds({
                str(count): lambda n=count: self.load(
                    running, "contextdiff", "varlink-post", "pipelined", "--window", WINDOW, "--sessions", n)
                for count in (1, 16, 256, 4096)})
        with self.servers("contextdiff") as running:
            results["length"] = self.rounds({
                str(length): lambda n=length: self.load(
                    running, "contextdiff", "varlink-classify", "round-trip", "--text", n)
                for length in (100, 1_000, 10_000, 100_000, 1_000_000)})
        return results

    def memory(self):
        results = {}
        for name in ("echo", "redis", "dbus", "contextdiff"):
            with self.server(name) as server:
                protocol = {"echo": "echo", "redis": "redis-publish", "contextdiff": "varlink-post"}.get(name)
                def hold(count):
                    return ([self.programs["dbus_echo"], self.dbus_address(), "hold", count] if protocol is None else
                            [self.programs["load"], "--protocol", protocol, "--mode", "hold", "--socket", server.path,
                             "--subscribers", count])
                time.sleep(0.1)
                results[name] = {"idle": server.resident()}
                # The first one brings the code that serves it.
                for count, state in ((1, "1 subscriber"), (500, "500 subscribers")):
                    with Held(hold(count)):
                        results[name][state] = server.resident()
        with self.server("contextdiff") as server:
            # As many posts to one session first, so that what is kept for all sessions together is there.
            post = [self.programs["load"], "--protocol", "varlink-post", "--socket", server.path]
            run_json([*post, "--mode", "pipelined", "--window", WINDOW, "--seconds", 0.3])
            results["contextdiff"]["1 session"] = server.resident()
            with Held([*post, "--mode", "hold", "--sessions", 4096]):
                results["contextdiff"]["4096 sessions"] = server.resident()
        return results

    def start(self):
        protocols = {"echo": "echo", "redis": "redis-echo", "dbus": "dbus", "contextdiff": "varlink-classify"}
        return self.rounds({
            name: lambda n=name, p=protocol: run_json(
                [self.programs["load"], "--protocol", p, "--mode", "start", "--socket", self.socket(n), "--repeat", 5, "--",
                 *self.command(n)])
            for name, protocol in protocols.items()})

