"""What the daemon holds for a user is what the user is charged with."""

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
