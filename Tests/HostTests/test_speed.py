"""That no key waits for anybody in the addon, and what it adds to each.

Measured in fcitx5's own thread: how often it lets go of the processor to wait for something, which is held to be hardly ever; and how long
it computes, which is a figure to look at.
"""

import json
import subprocess

from desk import HERE
from method import Fcitx5
from test_daemon import Daemon

KEYS = 2000


def test_a_key_waits_for_nobody_in_the_addon(desk, built, figures):
    daemon = Daemon(desk)
    daemon.wait("GetStatistics", lambda answer: True)
    method = Fcitx5(desk, *built)
    client = desk.run("/usr/bin/python3", f"{HERE}/programs/keys.py", str(KEYS), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert client.stdout.readline() == b"ready\n"
    client.stdin.write(b"\n")
    client.stdin.flush()
    answered = sorted(json.loads(client.stdout.readline()))
    method.feed.wait(lambda all: sum(x["e"] == "keyDone" for x in all) >= 2 * KEYS, "last key")
    news = [x for x in method.feed.all if x["e"] == "newsDone"]
    presses = [x for x in method.feed.all if x["e"] == "keyDone"][::2]
    assert method.count("transition") > KEYS / 2
    added = sorted(text["computed"] + key["computed"] for text, key in zip(news, presses))
    waited = sum(x["waited"] > 0 for x in news + presses)
    at = int(KEYS * 0.99)
    figures.append(
        f"a key through fcitx5: the addon computes {added[KEYS // 2] * 1e6:.0f} µs (median), {added[at] * 1e6:.0f} µs (99 of 100), and waits at "
        f"{waited} of {KEYS}; the client has its answer after {answered[KEYS // 2] * 1e6:.0f} µs, {answered[at] * 1e6:.0f} µs")
    assert waited <= KEYS / 100
    # And contextdiffd was told.
    daemon.wait("GetStatistics", lambda answer: answer["statistics"]["pairs"] > KEYS / 2)
