"""Users are served by threads of their own, which end when they have gone; what is theirs stays."""

import grp
import json
import os
import resource
import signal
import socket
import time

import pytest
from attacks import peers
from conftest import PATIENCE
from wire import Wire, post, sessions, snapshot, subscribe, threads, until

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be several users")

GROUP = "nogroup"
USERS = [54_321, 54_322, 54_323]

class User:
    """A process of another user's, which does what it is told by lines.

    Forked, not executed: the interpreter may be where only root can read.
    """

    def __init__(self, number, path):
        self.ours, theirs = socket.socketpair()
        self.process = os.fork()
        if self.process == 0:
            try:
                self.ours.close()
                os.setgroups([])
                os.setgid(grp.getgrnam(GROUP).gr_gid)
                os.setuid(number)
                User.obey(theirs, path)
            finally:
                os._exit(0)
        theirs.close()
        self.answers = self.ours.makefile("r", encoding="utf-8")

    @staticmethod
    def obey(master, path):
        wire = None
        for line in master.makefile("r", encoding="utf-8"):
            what, _, text = line.rstrip("\n").partition(" ")
            answer = what
            if what == "connect":
                wire = Wire(path)
            elif what == "close":
                wire.socket.close()
            else:
                wire.send(text.encode())
                answer = json.dumps(wire.reply(), separators=(",", ":"))
            master.sendall(answer.encode() + b"\n")

    def do(self, line):
        self.ours.sendall(line.encode() + b"\n")
        return self.answers.readline().strip()

    def end(self):
        # Others, forked since, have this end too.
        self.ours.shutdown(socket.SHUT_RDWR)
        self.answers.close()
        self.ours.close()
        os.waitpid(self.process, 0)


@pytest.fixture
def users(folder, start_daemon):
    daemon = start_daemon("--set", f"accessGroup={GROUP}")
    os.chmod(folder, 0o711)
    everybody = [User(number, daemon.path) for number in USERS]
    yield daemon, everybody
    for user in everybody:
        user.end()


def memory(daemon):
    """What is the process's own, in bytes."""
    with open(f"/proc/{daemon.process.pid}/smaps_rollup") as rollup:
        return sum(int(line.split()[1]) for line in rollup if line.startswith("Pss_Anon:")) << 10


def posting(session):
    return f'call {{"method":"io.contextdiff.Post","parameters":{{"session":"{session}","new":{{"before":"a"}}}}}}'


LIST = 'call {"method":"io.contextdiff.ListSessions"}'
STATISTICS = 'call {"method":"io.contextdiff.GetStatistics"}'


def test_each_user_has_a_thread_while_connected(users):
    daemon, everybody = users
    before = threads(daemon)
    for number, user in enumerate(everybody):
        assert user.do("connect") == "connect"
        assert "error" not in user.do(posting(f"session-{number}"))
    assert threads(daemon) == before + len(everybody)
    # A second connection of root's own, for a fourth.
    with Wire(daemon.path) as wire:
        assert sessions(wire) == []
        assert threads(daemon) == before + len(everybody) + 1
        # Root sees the sums of all.
        statistics = wire.call("GetStatistics")["statistics"]
        assert statistics["sessions"] == len(everybody)
        assert statistics["connections"] == len(everybody) + 1
    for user in everybody:
        assert user.do("close") == "close"
    until(lambda: threads(daemon) == before)


def test_a_users_statistics_are_of_nothing_of_anybody_elses(users):
    daemon, (one, other, _) = users
    stream, _ = subscribe(daemon.path)
    with stream, Wire(daemon.path) as wire:
        for _ in range(3):
            post(wire, "roots")
        one.do("connect")
        assert "error" not in one.do(posting("ones"))
        other.do("connect")

        def seen(user):
            told = json.loads(user.do(STATISTICS))["parameters"]["statistics"]
            return [told[name] for name in ("pairs", "pairsByKind", "sessions", "subscribers", "connections", "eventsKept")]

        # A baseline is no pair.
        assert seen(other) == [0, {}, 0, 0, 1, 0]
        assert seen(one) == [0, {}, 1, 0, 1, 0]
        # There was something to be seen.
        all_ = wire.call("GetStatistics")["statistics"]
        assert (all_["pairs"], all_["sessions"], all_["subscribers"], all_["connections"]) == (3, 2, 1, 4)


def test_what_a_user_left_is_there_when_it_comes_back_and_nobody_elses(users):
    daemon, (one, other, _) = users
    before = threads(daemon)
    for user, name in ((one, "ones"), (other, "others")):
        user.do("connect")
        user.do(posting(name))
        user.do("close")
    until(lambda: threads(daemon) == before)
    for user, name in ((one, "ones"), (other, "others")):
        user.do("connect")
        assert f'"sessions":["{name}"]' in user.do(LIST)


@pytest.mark.slow
def test_the_memory_of_users_who_have_gone_comes_back(folder, start_daemon):
    settings = folder / "settings"
    settings.write_text(f"accessGroup: {GROUP}\nsessionIdleSeconds: 0\n")
    daemon = start_daemon("--config", settings)
    os.chmod(folder, 0o711)
    idle = memory(daemon)
    everybody = [User(number, daemon.path) for number in USERS]
    try:
        text = "あ" * 80_000
        for user in everybody:
            user.do("connect")
            for session in range(40):
                assert "error" not in user.do(posting(session).replace('"a"', f'"{text}"'))
        assert memory(daemon) > idle + (32 << 20)
        for user in everybody:
            user.do("close")
        # Longer than a thread outlives its user, and than what it leaves is looked through.
        settings.write_text(f"accessGroup: {GROUP}\nsessionIdleSeconds: 4\n")
        daemon.process.send_signal(signal.SIGHUP)
        # The allocator may keep 4 MiB for each thread that there was.
        until(lambda: memory(daemon) < idle + len(USERS) * (4 << 20) + (2 << 20))
    finally:
        for user in everybody:
            user.end()


@pytest.mark.slow
def test_a_user_who_comes_as_its_thread_ends_is_served(users):
    daemon, (user, *_) = users
    # A thread ends a second after the last connection: around that time, again and again.
    for wait in (0.97, 0.99, 1.0, 1.01, 1.03):
        user.do("connect")
        assert "error" not in user.do(posting("s"))
        user.do("close")
        time.sleep(wait)
    user.do("connect")
    assert '"sessions":["s"]' in user.do(LIST)
    assert daemon.stop() == 0


@pytest.mark.slow
def test_who_has_gone_gives_way_where_no_descriptor_is_left(folder, start_daemon):
    daemon = start_daemon("--set", f"accessGroup={GROUP}")
    os.chmod(folder, 0o711)
    idle = threads(daemon)
    everybody = [User(number, daemon.path) for number in range(54_330, 54_338)]
    *gone, last = everybody
    try:
        for user in gone:
            user.do("connect")
            assert "error" not in user.do(posting("s"))
            user.do("close")
        until(lambda: threads(daemon) == idle)
        process = daemon.process.pid
        _, hard = resource.prlimit(process, resource.RLIMIT_NOFILE)
        resource.prlimit(process, resource.RLIMIT_NOFILE, (len(os.listdir(f"/proc/{process}/fd")), hard))
        last.do("connect")
        assert "error" not in last.do(posting("s"))
        until(lambda: "forgotten for another: the process may not have more open files (LimitNOFILE=)" in daemon.log())
    finally:
        for user in everybody:
            user.end()


def test_who_holds_much_takes_from_nobody_what_a_stop_that_is_cut_short_hands_over(cut_short):
    def hold_much(news, _):
        peers.Connection(cut_short.path).ask(
            peers.call("Post", {"session": "large", "new": snapshot("a" * 300_000)}))
        os.write(news, b"held")

    for number in range(8):
        child = peers.Child(peers.ATTACKER + number, hold_much)
        assert child.wait_for_news(PATIENCE) == "held"
        child.finish()
    with Wire(cut_short.path) as wire:
        # The events of the user whose sessions hold little take more than the sessions of the others.
        for _ in range(4_000):
            post(wire, "small")
        wire.call("Post", {"session": "small", "new": snapshot("abc")})
    assert cut_short.end(signal.SIGTERM)[1] == -signal.SIGKILL
    cut_short.start()
    with Wire(cut_short.path) as wire:
        reply = wire.call("Post", {"session": "small", "new": snapshot("abcd")})
        assert reply["transition"]["kind"] == "insertion"
