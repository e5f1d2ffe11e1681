"""What people type is nowhere but where it was asked for: not in the log, the status, an error, another user's reply, nor in
the process's memory once it is forgotten."""

import json
import os
import re
import signal
import socket

import pytest

from conftest import PATIENCE, PROGRAMS
from wire import Wire, call, subscribe, until

# Stands where typed text stands. Long, so that no part of it is kept in a register or by a short string.
MARKER = "ひみつmarker7312-secret-typed-text"
OVER = MARKER * 40_000


def snapshot(text=MARKER):
    return {"before": text, "selected": None, "after": text}


def pairs(**more):
    """Calls that hold the marker in each field that is for typed text."""
    return [
        {**more, "old": snapshot("a"), "new": snapshot()},
        {**more, "old": snapshot(), "new": snapshot("a")},
        {**more, "old": {"before": "a", "selected": MARKER}, "new": {"before": "a"}, "pasteboard": MARKER},
        {**more, "old": {"before": "a"}, "new": {"before": "a" + MARKER}, "composition": {"before": 1, "after": 0}},
    ]


def wrong(**more):
    """Calls that are refused, and hold the marker."""
    return [
        {**more, "old": snapshot(OVER), "new": snapshot()},
        {**more, "old": snapshot(), "new": {"before": 1, "after": MARKER}},
        {**more, "old": [MARKER], "new": snapshot()},
        {**more, "old": snapshot(), "new": snapshot(), "pasteboard": {MARKER: MARKER}},
        {**more, "old": snapshot(), "new": snapshot(), "window": MARKER},
        {**more, "old": snapshot(), "new": snapshot(), "cause": MARKER, "composition": MARKER},
    ]


BROKEN = [
    b'{"method":"io.contextdiff.Post","parameters":{"new":{"before":"' + MARKER.encode() + b'\\ud800"}}}',
    b'{"method":"io.contextdiff.Post","parameters":{"new":{"before":"' + MARKER.encode() + b"\xff\"}}}",
    MARKER.encode(),
    b'{"method":1,"parameters":{"a":"' + MARKER.encode() + b'"}}',
    b'{"method":"io.contextdiff.Classify","parameters":{"old":"' + OVER.encode() * 5,
]


def memory(process):
    """What a process can write to, where it may be read."""
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as bytes:
        for line in maps:
            start, end, flags, name = re.match(r"(\w+)-(\w+) (\S+) \S+ \S+ \S+\s*(.*)", line).groups()
            if "w" not in flags or name.startswith("[v"):
                continue
            place, end = int(start, 16), int(end, 16)
            while place < end:
                bytes.seek(place)
                try:
                    part = bytes.read(min(end - place, 1 << 24))
                except OSError:
                    break
                if not part:
                    break
                yield name, place, part
                place += len(part)


def places(daemon):
    """Where the marker, or most of it, is in the daemon's memory."""
    wanted = MARKER.encode()[4:-4]
    return [
        f"{name or 'anonymous'} at {place + found.start():x}" for name, place, part in memory(daemon.process.pid)
        for found in re.finditer(re.escape(wanted), part)]


def can_look_into(daemon):
    try:
        return next(memory(daemon.process.pid), None) is not None
    except OSError:
        return False


def refused(wire, method, parameters):
    """An error that says nothing of what was sent."""
    wire.request(method, parameters)
    reply = wire.reply()
    assert "error" in reply
    assert "marker7312" not in json.dumps(reply, ensure_ascii=False), reply


def send_all(daemon, secure):
    """Every call with the marker in every field, right and wrong ones, and frames that are no call."""
    more = {"session": "s", "secure": True} if secure else {"session": "s"}
    with Wire(daemon.path) as wire:
        for parameters in pairs():
            wire.call("Classify", parameters)
        for parameters in pairs(**more):
            wire.call("Post", parameters)
        for parameters in wrong():
            refused(wire, "Classify", parameters)
        for parameters in wrong(**more):
            refused(wire, "Post", parameters)
        if not secure:
            wire.call("Expect", {"session": "s", "new": snapshot()})
            wire.call("Expect", {"session": "s", "edit": {"insert": MARKER}})
            wire.call("Expect", {"session": "s", "edit": {"insert": MARKER + "b"}})
        refused(wire, "Expect", {"session": "s", "edit": {"insert": OVER}})
        refused(wire, "Expect", {"session": "s", "edit": MARKER})
        refused(wire, "Subscribe", {"since": MARKER})
        refused(wire, "GetStatistics", {MARKER[:3]: MARKER})
    for frame in BROKEN:
        with Wire(daemon.path) as wire:
            try:
                wire.send(frame)
            except OSError:  # It ends the connection before it has read all.
                pass
            assert wire.is_ended()
    # Half a frame, and its client gone.
    with Wire(daemon.path) as wire:
        wire.socket.sendall(BROKEN[0][:-8])


@pytest.mark.parametrize("level", ["info", "trace"])
def test_nothing_typed_is_logged_or_told(start_daemon, folder, level):
    daemon = start_daemon("--log-level", level)
    send_all(daemon, secure=False)
    send_all(daemon, secure=True)
    with Wire(daemon.path) as wire:
        statistics = wire.call("GetStatistics")
    daemon.stop()
    assert "marker7312" not in daemon.log() + json.dumps(statistics)
    assert "info: s: " in daemon.log()  # Its readings are there.


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else, and look into a process that allows no core")
def test_nothing_forgotten_or_secure_is_left_in_memory(start_daemon):
    daemon = start_daemon()
    if not can_look_into(daemon):
        pytest.skip("the process's memory cannot be read here")
    # That it would be found: a session holds it.
    send_all(daemon, secure=False)
    assert places(daemon)
    # Another connection that posted there last, and stays.
    with Wire(daemon.path) as other, Wire(daemon.path) as wire:
        other.call("Post", {"session": "s", "new": snapshot()})
        other.call("Expect", {"session": "s", "edit": {"insert": MARKER}})
        # What is wiped as one goes on is so with the next call.
        wire.call("Forget", {"session": "s"})
        wire.call("ListSessions")
        assert places(daemon) == []
        send_all(daemon, secure=True)
        wire.call("ListSessions")
        assert places(daemon) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_no_name_of_a_forgotten_session_is_left_in_memory(start_daemon):
    daemon = start_daemon("--set", "logTransitions=no")
    if not can_look_into(daemon):
        pytest.skip("the process's memory cannot be read here")
    with Wire(daemon.path) as wire, Wire(daemon.path) as other:
        wire.call("Post", {"session": MARKER, "old": {"before": "a"}, "new": {"before": "ab"}})
        assert places(daemon)
        other.call("Forget", {"session": MARKER})
        # What is wiped as one goes on is so with the next call.
        other.call("ListSessions")
        assert places(daemon) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_nothing_that_is_too_old_is_left_in_memory(start_daemon):
    daemon = start_daemon("--set", "limits.keptEventsSeconds=1", "--set", "sessionIdleSeconds=1")
    if not can_look_into(daemon):
        pytest.skip("the process's memory cannot be read here")
    with Wire(daemon.path) as wire:
        stream, _ = subscribe(daemon.path, snapshots=True)
        with stream:
            for parameters in pairs(session="s"):
                sequence = wire.call("Post", parameters)["sequence"]
                assert stream.reply()["parameters"]["event"]["sequence"] == sequence
        until(lambda: wire.call("GetStatistics")["statistics"]["eventsKept"] == 0)
        until(lambda: wire.call("ListSessions")["sessions"] == [])
        assert places(daemon) == []
        # The numbers go on.
        assert wire.call("Post", {"session": "s", **{"old": {"before": "a"}, "new": {"before": "ab"}}})["sequence"] == sequence + 1


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_what_gave_way_to_newer_events_is_too_old_at_its_time(start_daemon):
    daemon = start_daemon("--set", "limits.keptEvents=1", "--set", "limits.keptEventsSeconds=1", "--set", "sessionIdleSeconds=1")
    if not can_look_into(daemon):
        pytest.skip("the process's memory cannot be read here")
    with Wire(daemon.path) as wire:
        for parameters in pairs(session="s"):
            wire.call("Post", parameters)

        def is_gone():
            # Whoever goes on typing has no event that is too old.
            wire.call("Post", {"session": "t", "old": {"before": "a"}, "new": {"before": "ab"}})
            return places(daemon) == []
        until(is_gone)


@pytest.mark.slow
@pytest.mark.skipif(PROGRAMS.name == "debug", reason="unoptimised code leaves vectors of the text on its stack")
@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_nothing_secure_is_left_of_a_call_that_waited_for_its_turn(start_daemon):
    daemon = start_daemon()
    if not can_look_into(daemon):
        pytest.skip("the process's memory cannot be read here")
    # Calls that take longer than a turn, and behind them one whose text stands there escaped: as it is, only what reads it has it.
    ahead = [b'{"method":"io.contextdiff.GetStatistics"}'] * 700
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in MARKER * 4)
    secure = '{"method":"io.contextdiff.Post","parameters":{"session":"s","secure":true,"old":{"before":"a"},"new":{"before":"%s"}}}'
    with Wire(daemon.path) as wire:
        wire.send(*ahead, (secure % escaped).encode())
        for _ in ahead:
            assert "error" not in wire.reply()
        assert "error" not in wire.reply()
        until(lambda: places(daemon) == [])


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_nothing_secure_is_left_in_front_of_half_a_call(start_daemon):
    daemon = start_daemon()
    if not can_look_into(daemon):
        pytest.skip("the process's memory cannot be read here")
    ask = call("GetStatistics")
    secret = call("Post", {"session": "s", "secure": True, "old": {"before": "a"}, "new": snapshot()})
    with Wire(daemon.path) as other, Wire(daemon.path) as wire:
        # All are read at once, and so that some wait for the next turn.
        os.kill(daemon.process.pid, signal.SIGSTOP)
        wire.socket.sendall(b"\0".join([*[ask] * 1_000, *[secret] * 5, ask, ask[:-9]]))
        os.kill(daemon.process.pid, signal.SIGCONT)
        for _ in range(1_006):
            assert "error" not in wire.reply()
        other.call("ListSessions")
        until(lambda: places(daemon) == [])
        # The other half is understood all the same.
        wire.socket.sendall(ask[-9:] + b"\0")
        assert "error" not in wire.reply()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_nothing_announced_is_left_where_the_first_post_is_secure(start_daemon):
    daemon = start_daemon()
    if not can_look_into(daemon):
        pytest.skip("the process's memory cannot be read here")
    with Wire(daemon.path) as wire:
        wire.call("Expect", {"session": "s", "old": {"before": "a"}, "edit": {"insert": MARKER}})
        wire.call("Expect", {"session": "s", "edit": {"insert": "b" + MARKER}})
        wire.call("Post", {"session": "s", "new": {"before": "a" + MARKER + "b" + MARKER}, "secure": True})
        wire.call("ListSessions")
        until(lambda: places(daemon) == [])
