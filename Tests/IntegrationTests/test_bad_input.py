"""Bad input, limits and rude clients: a clear answer, and nobody else is harmed."""

import fcntl
import grp
import json
import multiprocessing
import os
import pwd
import re
import resource
import socket
import struct
import termios

import pytest

from conftest import PATIENCE
from wire import NO_SESSIONS, Wire, pair, post, sessions, snapshot, subscribe, until

INVALID = "org.varlink.service.InvalidParameter"


@pytest.fixture
def wire(daemon):
    with Wire(daemon.path) as wire:
        yield wire


def call(**members):
    return json.dumps(members).encode()


BAD_FRAMES = {
    "nothing": b"",
    "broken JSON": b'{"method":',
    "no object": b"[]",
    "a number": b"7",
    "no method": b"{}",
    "method of the wrong type": b'{"method":1}',
    "parameters of the wrong type": b'{"method":"io.contextdiff.ListSessions","parameters":[]}',
    "more of the wrong type": b'{"method":"io.contextdiff.ListSessions","more":1}',
    "invalid UTF-8": b'{"method":"io.contextdiff.Forget","parameters":{"session":"\xff"}}',
    "an overlong form": b'{"method":"io.contextdiff.Forget","parameters":{"session":"\xc0\x80"}}',
    "a surrogate in UTF-8": b'{"method":"io.contextdiff.Forget","parameters":{"session":"\xed\xa0\x80"}}',
    "a lone high surrogate": rb'{"method":"io.contextdiff.Forget","parameters":{"session":"\ud800"}}',
    "a lone low surrogate": rb'{"method":"io.contextdiff.Forget","parameters":{"session":"\udc00x"}}',
    "a name twice": b'{"method":"io.contextdiff.ListSessions","method":"io.contextdiff.ListSessions"}',
    "text behind the object": b'{"method":"io.contextdiff.ListSessions"}x',
    "too deep": b'{"method":"io.contextdiff.ListSessions","parameters":' + b'{"a":' * 200 + b"1" + b"}" * 201,
    "another bracket at the end": b'{"method":"io.contextdiff.Post","parameters":{"session":"s","new":{"before":"a"}}]',
    "a member behind the parameters":
        b'{"method":"io.contextdiff.Classify","parameters":{"old":{"before":"a"},"new":{"before":"b"}},"extra":1}',
    "another name than parameters": b'{"method":"io.contextdiff.Post","Parameters":{"session":"s","new":{"before":"a"}}}',
    "a control character": b'{"method":"io.contextdiff.Forget","parameters":{"session":"a\nb"}}',
}


# Linux 6.16 and later (asm-generic/socket.h); the module has no name for it.
SO_PASSRIGHTS = 83


def can_refuse_descriptors():
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.setsockopt(socket.SOL_SOCKET, SO_PASSRIGHTS, 0)
        except OSError:
            return False
        return True


@pytest.mark.skipif(not can_refuse_descriptors(), reason="the kernel cannot refuse descriptors")
def test_descriptors_are_refused_to_who_sends_them(daemon):
    """The kernel closes what nobody takes on the thread that reads, and a socket that lingers holds that up."""
    with socket.socket(socket.AF_UNIX) as link, socket.socket(socket.AF_INET) as sent:
        link.connect(str(daemon.path))
        with pytest.raises(PermissionError):
            socket.send_fds(link, [call(method="io.contextdiff.ListSessions") + b"\0"], [sent.fileno()])
        link.sendall(call(method="io.contextdiff.ListSessions") + b"\0")
        assert b"sessions" in link.recv(4096)


@pytest.mark.parametrize("frame", BAD_FRAMES.values(), ids=BAD_FRAMES.keys())
def test_what_is_no_call_ends_its_connection_after_the_replies_due(daemon, wire, frame):
    wire.send(call(method="io.contextdiff.ListSessions"), frame,
              call(method="io.contextdiff.ListSessions"))
    assert wire.reply() == {"parameters": NO_SESSIONS}
    assert wire.is_ended()
    with Wire(daemon.path) as other:
        assert sessions(other) == []


def test_a_bad_frame_is_logged_with_its_reason_and_without_its_bytes(daemon, wire):
    wire.send(b'{"method": marker-7312')
    assert wire.is_ended()
    with Wire(daemon.path) as other:
        other.call("ListSessions")
    daemon.stop()
    ended = f"connection ended: it sent what is not JSON: an unexpected character at byte 12 (user {os.getuid()}, process {os.getpid()})\n"
    assert ended in daemon.log()
    assert "marker-7312" not in daemon.log()


@pytest.mark.parametrize("method, parameters, name", [
    ("Classify", {}, "old"),
    ("Classify", {"old": {}}, "new"),
    ("Classify", {"old": None, "new": {}}, "old"),
    ("Classify", {"old": {}, "new": 1}, "new"),
    ("Classify", {"old": {"before": 1}, "new": {}}, "old.before"),
    ("Classify", {"old": {}, "new": {"hasText": "yes"}}, "new.hasText"),
    ("Classify", {"old": {}, "new": {}, "pasteboard": []}, "pasteboard"),
    ("Classify", {"old": {}, "new": {}, "window": "door"}, "window"),
    ("Classify", {"old": {}, "new": {}, "window": 1}, "window"),
    ("Classify", {"old": {}, "new": {}, "cause": "wind"}, "cause"),
    ("Classify", {"old": {}, "new": {}, "composition": {"before": -1, "after": 0}}, "composition.before"),
    ("Classify", {"old": {}, "new": {}, "composition": {"before": 1}}, "composition.after"),
    ("Classify", {"old": {}, "new": {}, "composition": {"before": 1.5, "after": 0}}, "composition.before"),
    ("Post", pair(), "session"),
    ("Post", {"session": "", **pair()}, "session"),
    ("Post", {"session": "x" * 256, **pair()}, "session"),
    ("Post", {"session": "a\nb", **pair()}, "session"),
    ("Post", {"session": "s", "old": {}}, "new"),
    ("Post", {"session": "s", **pair(), "secure": "no"}, "secure"),
    ("Forget", None, "session"),
    ("Forget", {"session": None}, "session"),
    ("Subscribe", {"sessions": "s"}, "sessions"),
    ("Subscribe", {"sessions": ["a\nb"]}, "sessions"),
    ("Subscribe", {"kinds": ["leap"]}, "kinds"),
    ("Subscribe", {"since": -1}, "since"),
    ("Subscribe", {"since": 2 ** 63}, "since"),
    ("Subscribe", {"snapshots": 1}, "snapshots"),
    ("Classify", {"old": {}, "new": {}, "key": "up"}, "key"),
    ("Classify", {"old": {}, "new": {}, "merged": 1}, "merged"),
    ("Classify", {"old": {}, "new": {"caret": -1}}, "new.caret"),
    ("Expect", {"session": "s", "edit": {"insert": "x", "unit": "words"}}, "edit.unit"),
    ("Withdraw", {"session": "s"}, "expected"),
    ("Withdraw", {"session": "s", "expected": "1"}, "expected"),
    # A typo is told, wherever it is.
    ("Classify", {**pair(), "pastebaord": None}, "pastebaord"),
    ("Classify", {**pair(), "session": "s"}, "session"),
    ("Classify", {"old": {}, "new": {"befor": "a"}}, "new.befor"),
    ("Classify", {"old": {}, "new": {}, "composition": {"before": 0, "after": 0, "x": 1}}, "composition.x"),
    ("Post", {"session": "s", "old": {"befor": "a"}, "new": {}}, "old.befor"),
    ("Post", {"session": "s", **pair(), "secur": True}, "secur"),
    ("Expect", {"session": "s", "edit": {"insrt": "x"}}, "edit.insrt"),
    ("Expect", {"session": "s", "new": {"befor": "x"}}, "new.befor"),
    ("Withdraw", {"session": "s", "expectd": 1}, "expectd"),
    ("Subscribe", {"session": ["s"]}, "session"),
    ("Forget", {"session": "s", "all": True}, "all"),
    ("Classify", {"old": {}, "new": {"今日は": 1}}, "new"),
    ("Classify", {**pair(), "two words": 1}, "parameters"),
    ("ListSessions", {"all": True}, "all"),
    ("GetStatistics", {"all": True}, "all"),
])
def test_a_wrong_member_is_named(wire, method, parameters, name):
    assert wire.error(method, parameters, more=True) == (INVALID, {"parameter": name})
    assert sessions(wire) == []


def test_the_log_says_what_a_value_may_be_and_never_what_it_was(daemon, wire):
    marker = "marker-7312"
    wire.error("Classify", {**pair(), "window": marker})
    wire.error("Classify", {"old": {}, "new": {marker: marker}})
    wire.error("Subscribe", {"kinds": [marker]}, more=True)
    wire.error("Withdraw", {"session": "s", "expected": marker})
    daemon.stop()
    log = daemon.log()
    assert "Classify not taken: window: must be one of sentence, paragraph, line, full" in log
    assert "Classify not taken: new: a member other than before, selected, after, hasText" in log
    assert "Subscribe not taken: kinds: must be one of unchanged, cursorMove, selection" in log
    assert "Withdraw not taken: expected: must be an integer" in log
    assert marker not in log


def test_unknown_methods_and_interfaces_are_named(wire):
    wire.send(call(method="io.contextdiff.Nope"), call(method="com.example.Do"), call(method="x"))
    assert wire.reply() == {"error": "org.varlink.service.MethodNotFound",
                            "parameters": {"method": "io.contextdiff.Nope"}}
    assert wire.reply() == {"error": "org.varlink.service.InterfaceNotFound",
                            "parameters": {"interface": "com.example"}}
    assert wire.reply() == {"error": INVALID, "parameters": {"parameter": "method"}}


# Limits, at their edges


def test_a_field_at_its_limit_is_taken_and_one_byte_more_is_refused(wire):
    limit = 1 << 20
    text = "a" * (limit - 3) + "あ"
    assert wire.call("Classify", pair(text, text))["transition"]["kind"] == "unchanged"
    for field in ("before", "selected", "after"):
        parameters = {"old": snapshot(**{field: text + "x"}), "new": snapshot()}
        assert wire.error("Classify", parameters) == ("SnapshotTooLarge", {"limit": limit, "field": f"old.{field}"})
    assert wire.error("Classify", {**pair(), "pasteboard": text + "x"}) == (
        "SnapshotTooLarge", {"limit": limit, "field": "pasteboard"})
    assert sessions(wire) == []


def test_so_is_an_announced_edit(wire):
    limit = 1 << 20
    text = "a" * (limit - 3) + "あ"
    wire.call("Expect", {"session": "s", "old": snapshot(), "edit": {"insert": text}})
    for field, parameters in {
            "edit.insert": {"edit": {"insert": text + "x"}}, "new.before": {"new": snapshot(text + "x")},
            "old.before": {"old": snapshot(text + "x"), "new": snapshot()}}.items():
        assert wire.error("Expect", {"session": "s", **parameters}) == (
            "SnapshotTooLarge", {"limit": limit, "field": field})


def test_a_name_at_its_limit_is_taken_and_one_byte_more_is_refused(daemon, wire):
    name = "a" * 252 + "あ"
    long = name + "x"
    post(wire, name)
    wire.call("Expect", {"session": name, "new": snapshot("a")})
    assert sessions(wire) == [name]
    subscribe(daemon.path, sessions=[name])[0].socket.close()
    assert wire.error("Post", {"session": long, **pair()}) == (INVALID, {"parameter": "session"})
    assert wire.error("Expect", {"session": long, "old": snapshot(), "new": snapshot("a")}) == (
        INVALID, {"parameter": "session"})
    assert wire.error("Subscribe", {"sessions": [name, long]}, more=True) == (INVALID, {"parameter": "sessions"})
    for method in ("Forget", "Withdraw"):
        assert wire.error(method, {"session": long}) == (INVALID, {"parameter": "session"})
    assert sessions(wire) == [name]


def test_a_filter_has_so_many_names_and_not_one_more(daemon, wire):
    names = [f"session-{number}" for number in range(1_025)]
    subscribe(daemon.path, sessions=names[1:])[0].socket.close()
    assert wire.error("Subscribe", {"sessions": names}, more=True) == (INVALID, {"parameter": "sessions"})


def test_the_names_in_a_users_filters_take_no_more_than_their_share(start_daemon):
    # A budget of 16 MiB leaves 128 KiB for them; a name counts with 240 bytes besides its own.
    daemon = start_daemon("--set", f"limits.totalBytes={16 << 20}", "--set", "limits.subscribers=3")
    names = [f"{number:016}" for number in range(256)]
    first, _ = subscribe(daemon.path, sessions=names)
    second, _ = subscribe(daemon.path, sessions=names)
    with Wire(daemon.path) as wire:
        assert wire.error("Subscribe", {"sessions": ["a"]}, more=True) == (INVALID, {"parameter": "sessions"})
        # Who is refused is no subscriber: one without names has room, and what is given back is there for others.
        subscribe(daemon.path)[0].socket.close()
        second.socket.close()
        until(lambda: wire.call("GetStatistics")["statistics"]["subscribers"] == 1)
        subscribe(daemon.path, sessions=names)[0].socket.close()
    first.socket.close()


def test_a_field_is_measured_without_its_escapes(start_daemon):
    daemon = start_daemon("--set", "limits.fieldBytes=3")
    with Wire(daemon.path) as wire:
        wire.send(rb'{"method":"io.contextdiff.Classify","parameters":{"old":{},"new":{"before":"\u3042"}}}')
        assert "parameters" in wire.reply()
        assert wire.error("Classify", pair("", "abcd")) == ("SnapshotTooLarge", {"limit": 3, "field": "new.before"})


def test_a_frame_over_its_limit_ends_the_connection(start_daemon):
    daemon = start_daemon("--set", "limits.frameBytes=4096")
    frame = call(method="io.contextdiff.ListSessions")
    with Wire(daemon.path) as wire:
        wire.send(frame + b" " * (4096 - len(frame)))
        assert wire.reply() == {"parameters": NO_SESSIONS}
        wire.send(frame + b" " * (4097 - len(frame)))
        assert wire.is_ended()
    with Wire(daemon.path) as wire:
        wire.socket.sendall(b"x" * 5000)
        assert wire.is_ended()


def test_sessions_are_limited(start_daemon):
    daemon = start_daemon("--set", "limits.sessions=2")
    with Wire(daemon.path) as wire:
        post(wire, "a"), post(wire, "b")
        assert wire.error("Post", {"session": "c", **pair()}) == ("TooManySessions", {"limit": 2})
        post(wire, "a")
        wire.call("Forget", {"session": "b"})
        post(wire, "c")
    daemon.stop()
    assert "limits.sessions" in daemon.log()


def test_what_sessions_hold_is_limited(start_daemon):
    daemon = start_daemon("--set", "limits.sessionsBytes=1000000")
    with Wire(daemon.path) as wire:

        def show(session, bytes):
            return wire.call("Post", {"session": session, "new": {"before": "a" * bytes}})

        show("a", 300_000), show("b", 300_000), show("a", 300_000)
        assert sessions(wire) == ["a", "b"]
        # The one posted to longest ago gives way, whatever its name.
        show("c", 300_000)
        assert sessions(wire) == ["c", "a"]
        # Announced edits count as well.
        for number in range(32):
            edited = {"old": {"before": f"{number}" * 4_096, "after": "b" * 4_096}, "edit": {"insert": "b"}}
            wire.call("Expect", {"session": "c", **edited})
        assert sessions(wire) == ["c"]
        # Alone, a session may be as large as its snapshots are allowed to be.
        show("d", 1_000_000)
        assert sessions(wire) == ["d"]
        show("d", 10), show("e", 300_000)
        assert sessions(wire) == ["e", "d"]
    daemon.stop()
    assert "b: forgotten" in daemon.log() and "limits.sessionsBytes" in daemon.log()


def test_subscribers_are_limited(start_daemon):
    daemon = start_daemon("--set", "limits.subscribers=1")
    stream, _ = subscribe(daemon.path)
    with Wire(daemon.path) as wire:
        assert wire.error("Subscribe", more=True) == ("TooManySubscribers", {"limit": 1})
        stream.socket.close()
        until(lambda: not wire.call("GetStatistics")["statistics"]["subscribers"])
        subscribe(daemon.path)[0].socket.close()


def test_connections_are_limited_and_come_free_again(start_daemon):
    daemon = start_daemon("--set", "limits.connections=2")
    first, second = Wire(daemon.path), Wire(daemon.path)
    first.call("ListSessions"), second.call("ListSessions")
    with Wire(daemon.path) as third:
        assert third.is_ended()
    second.socket.close()
    until(lambda: first.call("GetStatistics")["statistics"]["connections"] == 1)
    with Wire(daemon.path) as third:
        third.call("ListSessions")
    first.socket.close()
    daemon.stop()
    assert "limits.connections" in daemon.log()


def answers_to_nobody(path, count, pipe):
    """Sends how many connections of the user nobody are answered, all open at once."""
    nobody = pwd.getpwnam("nobody")
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)
    wires, answered = [Wire(path) for _ in range(count)], 0
    for wire in wires:
        try:
            wire.request("ListSessions")
            answered += wire.reply() is not None
        except OSError:
            pass
    pipe.send(answered)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
def test_one_user_leaves_connections_to_others(start_daemon, folder):
    folder.chmod(0o711)
    group = grp.getgrgid(pwd.getpwnam("nobody").pw_gid).gr_name
    daemon = start_daemon("--set", "limits.connections=8", "--set", f"accessGroup={group}")
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe()
    other = fork.Process(target=answers_to_nobody, args=(daemon.path, 8, there))
    other.start()
    assert here.poll(PATIENCE) and here.recv() == 6
    other.join(PATIENCE)
    with Wire(daemon.path) as wire:
        wire.call("ListSessions")
    daemon.stop()
    log = daemon.log()
    told = log.count("its user's share of limits.connections, 8, is reached")
    left_out = sum(map(int, re.findall(r"(\d+) more entries of refused connections", log)))
    assert told > 0 and told + left_out == 2


# Rude clients


def test_the_kernel_keeps_little_for_who_does_not_read(daemon):
    with Wire(daemon.path) as silent, Wire(daemon.path) as other:
        silent.send(*[b'{"method":"org.varlink.service.GetInfo"}'] * 4_000)
        # So much that the daemon keeps the rest; it is at rest once the other is answered as well.
        until(lambda: other.call("GetStatistics")["statistics"]["bytes"] > 300_000)
        unread = struct.unpack("i", fcntl.ioctl(silent.socket, termios.FIONREAD, bytes(4)))[0]
        # It is no account's, so `MemoryBudget.kernelBytesPerConnection` leaves room for what it mostly is. At most, it is twice what SO_SNDBUF
        # was set to, and one more buffer.
        assert 0 < unread <= 96 << 10


def test_half_a_frame_and_silence_harm_nobody(daemon, wire):
    with Wire(daemon.path) as silent:
        silent.socket.sendall(b'{"method":"io.contextdiff.')
        for _ in range(100):
            wire.call("Classify", pair())
        silent.socket.sendall(b'ListSessions"}\0')
        assert silent.reply() == {"parameters": NO_SESSIONS}


def test_unfinished_frames_take_no_more_than_their_share(daemon, wire):
    half = b'{"method":"' + b"x" * (2 << 20)
    clients = []
    for _ in range(60):
        client = Wire(daemon.path)
        clients.append(client)
        try:
            client.socket.sendall(half)
        except OSError:
            pass  # Closed: what it sends is too much.
    assert int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{daemon.process.pid}/status").read())[1]) < 200 << 10
    wire.call("Classify", pair())
    for client in clients:
        client.socket.close()


def test_a_thousand_connections_harm_nobody(daemon, wire):
    # Fewer where this process, or the daemon, may have no more descriptors.
    count = min(1_000, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 200)
    idle = [Wire(daemon.path) for _ in range(count)]
    until(lambda: wire.call("GetStatistics")["statistics"]["connections"] == count + 1)
    for each in idle:
        each.socket.close()
    wire.call("Classify", pair())


def test_a_flood_of_null_bytes_ends_its_connection_only(daemon, wire):
    with Wire(daemon.path) as flood:
        try:
            flood.socket.sendall(b"\0" * (8 << 20))
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert flood.is_ended()
    wire.call("ListSessions")


def test_a_client_that_never_reads_is_not_read_from_for_ever(daemon, wire):
    with Wire(daemon.path) as rude:
        rude.socket.setblocking(False)
        frame = call(method="io.contextdiff.Classify", parameters=pair("a" * 10_000, "b" * 10_000)) + b"\0"
        sent, refused = 0, 0
        # Full for good: it took nothing while it answered others.
        while refused < 20:
            try:
                sent += rude.socket.send((frame * 11)[sent % len(frame):])
                refused = 0
            except BlockingIOError:
                refused += 1
            wire.call("Classify", pair())
            assert sent < 200 << 20


def test_vanishing_in_the_middle_harms_nobody(daemon, wire):
    for _ in range(50):
        with Wire(daemon.path) as gone:
            gone.request("Post", {"session": "s", **pair()})
            gone.socket.sendall(b'{"method":"io.cont')
    stream, _ = subscribe(daemon.path)
    stream.socket.close()
    post(wire)


def test_replies_come_although_the_client_has_ended_its_side(daemon):
    with Wire(daemon.path) as wire:
        for _ in range(10):
            wire.request("Classify", pair())
        wire.socket.shutdown(socket.SHUT_WR)
        for _ in range(10):
            assert wire.reply()["parameters"]["transition"]["kind"] == "insertion"
        assert wire.is_ended()
