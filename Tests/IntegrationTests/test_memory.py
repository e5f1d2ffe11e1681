"""What the daemon holds for a user is what the user is charged with, and is held once."""

import os
import re

import pytest

from wire import Wire, call, subscribe, until

MARK = "か\u3099"
# One edit in presses of a key may lead to eight texts of a few bytes each; and what else is small and many.
SMALL_EDITS = {
    "one behind the other": (
        {"before": MARK, "after": "\n"}, {"edit": {"deleteBackward": 1, "insert": MARK, "unit": "backspace"}}),
    "each at a place of its own": (
        None, {"old": {"before": MARK + "👨‍👩‍👧"}, "edit": {"deleteBackward": 1, "unit": "backspace"}}),
    "by snapshots": (None, {"old": {"before": "a"}, "new": {"before": "b"}}),
}


def own_memory(process):
    """What is the process's own, in bytes."""
    with open(f"/proc/{process}/status") as status:
        return int(re.search(r"RssAnon:\s+(\d+)", status.read())[1]) << 10


def charged(wire):
    return wire.call("GetStatistics")["statistics"]["bytes"]


@pytest.mark.parametrize("edits", SMALL_EDITS)
def test_a_user_is_charged_with_what_announced_edits_take(daemon, edits):
    shown, edit = SMALL_EDITS[edits]
    process = daemon.process.pid
    with Wire(daemon.path) as wire:
        # What the first call takes is no session's.
        wire.call("Post", {"session": "first", "new": {"before": "a"}})
        memory, charge = own_memory(process), charged(wire)
        for number in range(300):
            session = {"session": f"s{number}"}
            calls = [call("Post", {**session, "new": shown})] if shown else []
            calls += [call("Expect", {**session, **edit})] * 32
            wire.send(*calls)
            for _ in calls:
                assert "error" not in wire.reply()
        taken = own_memory(process) - memory
        charge = charged(wire) - charge
    assert taken / 1.3 < charge < 2 * taken


def test_a_user_is_charged_with_what_names_in_filters_take(daemon):
    process = daemon.process.pid
    with Wire(daemon.path) as wire:
        subscribe(daemon.path, sessions=["a"])[0].socket.close()
        until(lambda: wire.call("GetStatistics")["statistics"]["subscribers"] == 0)
        memory, charge = own_memory(process), charged(wire)
        streams = [
            subscribe(daemon.path, sessions=[f"{number * 1_024 + name}" for name in range(1_024)])[0]
            for number in range(12)]
        taken = own_memory(process) - memory
        charge = charged(wire) - charge
        for stream in streams:
            stream.socket.close()
    assert taken / 1.2 < charge < 2 * taken


@pytest.mark.skipif(os.getuid() != 0, reason="only root can see the files of a process that allows no core")
def test_sessions_are_not_held_twice_at_a_stop(start_daemon):
    daemon = start_daemon("--set", "limits.sessionsBytes=120000000", "--set", "logTransitions=no")
    process = daemon.process.pid
    text = "".join(chr(0x3042 + number * 7 % 80) for number in range(7_000))
    with Wire(daemon.path) as wire:
        for number in range(1_500):
            wire.call("Post", {"session": f"s{number}", "new": {"before": text, "after": text[:3_000]}})

    def archived():
        """How much of the sessions is written for the next process, in bytes."""
        folder = f"/proc/{process}/fd"
        files = [f"{folder}/{number}" for number in os.listdir(folder)]
        return sum(os.stat(file).st_size for file in files if "contextdiff-sessions" in os.readlink(file))

    before = most = own_memory(process)
    daemon.process.terminate()
    written = 0
    while daemon.process.poll() is None:
        try:
            written = max(written, archived())
            most = max(most, archived() + own_memory(process))
        except (OSError, TypeError):  # It has ended, or a file was closed.
            continue
    assert written > before / 3
    assert most < before + (32 << 20)
