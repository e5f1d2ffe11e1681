"""What io.contextdiff promises, over the socket of the daemon as shipped."""

import contextlib
import json
import os
import pathlib
import re
import time

import pytest
import varlink

from wire import NO_SESSIONS, Wire, pair, post, sequence, sessions, snapshot, subscribe, until

INTERFACE = (
    pathlib.Path(__file__).resolve().parents[2] / "Sources/ContextDiffWire/io.contextdiff.varlink")


@pytest.fixture
def wire(daemon):
    with Wire(daemon.path) as wire:
        yield wire


# Describing itself


def test_it_describes_itself(wire):
    wire.send(b'{"method":"org.varlink.service.GetInfo"}')
    info = wire.reply()["parameters"]
    assert info["product"] == "contextdiffd"
    assert info["interfaces"] == ["org.varlink.service", "io.contextdiff"]


def test_the_interface_is_served_verbatim(wire):
    wire.send(
        b'{"method":"org.varlink.service.GetInterfaceDescription",'
        b'"parameters":{"interface":"io.contextdiff"}}')
    assert wire.reply()["parameters"]["description"] == INTERFACE.read_text()


# Classify and Post


def test_classify_answers_every_member_and_keeps_nothing(wire):
    transition = wire.call("Classify", pair())["transition"]
    assert transition == {
        "kind": "insertion", "basicKind": "outOfRangeTap", "certainty": transition["certainty"],
        "alternatives": transition["alternatives"], "cursorOffset": transition["cursorOffset"],
        "inserted": "い", "removed": transition["removed"], "isPartial": False,
        "leavesComposition": None, "expectedEdits": 0, "expected": [], "unfulfilled": []}
    assert sessions(wire) == []


def test_without_old_the_first_post_sets_the_baseline(wire):
    assert wire.call("Post", {"session": "s", "new": snapshot("あ")}) == {}
    reply = wire.call("Post", {"session": "s", "new": snapshot("あい")})
    assert reply["sequence"] == 1
    assert reply["transition"]["inserted"] == "い"


def test_a_decomposed_name_is_another_sessions_than_its_composed_twin(wire):
    for name in ("が", "か\u3099"):
        assert wire.call("Post", {"session": name, "new": snapshot("あ")}) == {}
    assert sessions(wire) == ["か\u3099", "が"]
    wire.call("Forget", {"session": "が"})
    assert sessions(wire) == ["か\u3099"]


def test_numbers_rise_across_sessions(wire):
    assert [post(wire, name) for name in "abab"] == [1, 2, 3, 4]


def test_a_secure_pair_is_answered_and_forgotten(daemon, wire):
    stream, _ = subscribe(daemon.path)
    with stream:
        reply = wire.call("Post", {"session": "s", **pair(), "secure": True})
        assert reply["transition"]["kind"] == "insertion"
        assert "sequence" not in reply
        assert sessions(wire) == []
        assert wire.call("GetStatistics")["statistics"]["pairs"] == 0
        assert post(wire) == 1
        assert sequence(stream.reply()) == 1


def test_what_was_announced_is_dropped_once_a_secure_pair_shows_it(daemon, wire):
    wire.call("Post", {"session": "s", "new": snapshot("")})
    wire.call("Expect", {"session": "s", "edit": {"insert": "hunter2"}})
    reply = wire.call("Post", {"session": "s", "old": snapshot(""), "new": snapshot("hunter2"), "secure": True})
    assert reply["transition"]["expected"] == [1]
    assert wire.call("ListSessions")["details"][0]["expecting"] == 0


def test_of_what_was_announced_a_secure_pair_leaves_what_still_waits(wire):
    wire.call("Post", {"session": "s", "new": snapshot("")})
    for text in "hunter2", "!":
        wire.call("Expect", {"session": "s", "edit": {"insert": text}})

    def secure(old, new):
        return wire.call("Post", {"session": "s", "old": snapshot(old), "new": snapshot(new), "secure": True})["transition"]

    assert secure("", "hunter2")["expected"] == [1]
    assert wire.call("ListSessions")["details"][0]["expecting"] == 1
    assert secure("hunter2", "hunter2?")["unfulfilled"] == [2]
    assert wire.call("ListSessions")["details"][0]["expecting"] == 0


def test_an_event_tells_what_was_announced_before_it(daemon, wire):
    stream, _ = subscribe(daemon.path, snapshots=True)
    with stream:
        wire.call("Post", {"session": "s", "new": snapshot("")})
        wire.call("Expect", {"session": "s", "edit": {"insert": "a"}})
        wire.call("Withdraw", {"session": "s", "expected": 1})
        wire.call("Expect", {"session": "s", "old": snapshot(""), "new": snapshot("b")})
        wire.call("Post", {"session": "s", "new": snapshot("b")})
        wire.call("Post", {"session": "s", "new": snapshot("bc")})
        [first, second] = [stream.reply()["parameters"]["event"] for _ in range(2)]
    assert first["announced"] == [
        {"number": 1, "edit": {"insert": "a"}}, {"number": 1, "withdrawn": True},
        {"number": 2, "old": snapshot(""), "new": snapshot("b")}]
    assert "announced" not in second


def test_what_was_announced_before_a_secure_pair_is_in_no_event(daemon, wire):
    stream, _ = subscribe(daemon.path, snapshots=True)
    with stream:
        wire.call("Post", {"session": "s", "new": snapshot("")})
        wire.call("Expect", {"session": "s", "edit": {"insert": "hunter2"}})
        wire.call("Post", {"session": "s", "old": snapshot(""), "new": snapshot(""), "secure": True})
        wire.call("Post", {"session": "s", "new": snapshot("x")})
        assert "hunter2" not in json.dumps(stream.reply())


def test_what_an_event_tells_of_announced_edits_has_a_limit(daemon, wire):
    stream, _ = subscribe(daemon.path, snapshots=True)
    with stream:
        wire.call("Post", {"session": "s", "new": snapshot("")})
        for text in "a", "b" * (64 << 10), "c":
            wire.call("Expect", {"session": "s", "edit": {"insert": text}})
        wire.call("Post", {"session": "s", "new": snapshot("a")})
        announced = stream.reply()["parameters"]["event"]["announced"]
    assert announced == [{"number": 1, "edit": {"insert": "a"}}, {"number": 3, "edit": {"insert": "c"}}]


def test_a_secure_pair_does_not_move_the_baseline(wire):
    wire.call("Post", {"session": "s", "new": snapshot("あ")})
    wire.call("Post", {"session": "s", "new": snapshot("password"), "secure": True})
    reply = wire.call("Post", {"session": "s", "new": snapshot("あい")})
    assert reply["transition"]["inserted"] == "い"


def test_a_post_that_begins_as_the_last_one_ended_is_read_as_any_other(daemon, wire):
    """Only where the name comes first is the snapshot known by its bytes."""
    texts = ["", "こ。い", "", "こ", "こん", 'こん"', "こん\n", "こん", "", "", "x" * 9000, "x" * 9001, "y"] * 2
    calls = [
        ("Post", {"old": snapshot(old), "new": snapshot(new)}) for old, new in zip(texts, texts[1:])]
    # What ends a session, is of a password field, or is announced, changes what the next post goes on from.
    calls[3:3] = [("Post", {"old": snapshot("こん"), "new": snapshot("geheim"), "secure": True})]
    calls[7:7] = [("Forget", {})]
    calls[12:12] = [("Expect", {"old": snapshot("こ"), "edit": {"insert": "ん"}})]
    told = {}
    for session in "first", "last":
        with Wire(daemon.path) as wire, subscribe(daemon.path, sessions=[session], snapshots=True)[0] as stream:
            replies = []
            for method, parameters in calls:
                name = {"session": session}
                named = {**name, **parameters} if session == "first" else {**parameters, **name}
                wire.request(method, named)
                reply = wire.reply()
                number = reply["parameters"].pop("sequence", None)
                replies.append(reply)
                if number is None:
                    continue
                event = stream.reply()["parameters"]["event"]
                assert event.pop("sequence") == number
                replies.append((event["transition"], event["old"], event["new"]))
            told[session] = replies
    assert told["first"] == told["last"]
    assert sum(isinstance(reply, tuple) for reply in told["first"]) == len(texts) - 1


def test_pipelined_calls_are_answered_in_order(wire):
    for count in range(500):
        wire.request("Classify", pair("a", "a" + "b" * (count + 1)))
    for count in range(500):
        assert wire.reply()["parameters"]["transition"]["inserted"] == "b" * (count + 1)


def test_all_evidence_is_taken(wire):
    told = {
        "pasteboard": "x", "window": "line", "composition": {"before": 0, "after": 0},
        "cause": "other", "key": "character", "merged": False, "reset": False}
    new = {**snapshot("あい"), "hasText": True, "caret": 2, "selectionShown": True}
    call = {"old": {**snapshot("あ"), "caret": 1}, "new": new, **told}
    assert wire.call("Classify", call)["transition"]["kind"] == "insertion"
    assert wire.call("Post", {"session": "s", **call})["transition"]["kind"] == "insertion"


def test_null_says_that_it_is_not_known(wire):
    names = ["pasteboard", "window", "composition", "cause", "key", "merged", "reset"]
    call = {**pair(), **dict.fromkeys(names)}
    call["new"].update(hasText=None, caret=None, selectionShown=None)
    assert wire.call("Classify", call)["transition"]["kind"] == "insertion"


# Announced edits


def test_an_announced_edit_comes_out_as_expected(wire):
    wire.call("Post", {"session": "s", "new": snapshot("あ")})
    assert wire.call("Expect", {"session": "s", "new": snapshot("あい")}) == {"expected": 1}
    transition = wire.call("Post", {"session": "s", "new": snapshot("あい")})["transition"]
    assert transition["kind"] == "expected"
    assert (transition["expectedEdits"], transition["expected"], transition["unfulfilled"]) == (1, [1], [])
    assert wire.call("Expect", {"session": "s", "new": snapshot("あいう")}) == {"expected": 2}


def test_an_edit_can_be_announced_by_what_it_does(wire):
    wire.call("Post", {"session": "s", "new": snapshot("あ")})
    wire.call("Expect", {"session": "s", "edit": {"insert": "い"}})
    reply = wire.call("Post", {"session": "s", "new": snapshot("あい")})
    assert reply["transition"]["kind"] == "expected"


def test_what_cannot_be_announced(wire):
    assert wire.error("Expect", {"session": "s", "new": snapshot("あ")}) == (
        "NoSuchSession", {"session": "s"})
    wire.call("Post", {"session": "s", "new": snapshot("あ")})
    invalid = "org.varlink.service.InvalidParameter"
    assert wire.error("Expect", {"session": "s"}) == (invalid, {"parameter": "new"})
    assert wire.error("Expect", {"session": "s", "new": {}, "edit": {"insert": "x"}}) == (
        invalid, {"parameter": "edit"})
    assert wire.error("Expect", {"session": "s", "edit": {"deleteBackward": -1}}) == (
        invalid, {"parameter": "edit.deleteBackward"})
    assert wire.error("Expect", {"session": "s", "edit": {}}) == (invalid, {"parameter": "edit"})


def test_an_announced_edit_can_be_withdrawn(wire):
    wire.call("Post", {"session": "s", "new": snapshot("あ")})
    numbers = [wire.call("Expect", {"session": "s", "edit": {"insert": text}})["expected"] for text in "いう"]
    assert numbers == [1, 2]
    assert wire.call("ListSessions")["details"][0]["expecting"] == 2
    # With what was announced on top of it.
    assert wire.call("Withdraw", {"session": "s", "expected": 1}) == {}
    assert wire.call("ListSessions")["details"][0]["expecting"] == 0
    for number in numbers:
        assert wire.error("Withdraw", {"session": "s", "expected": number}) == (
            "NoSuchExpectation", {"expected": number})
    assert wire.error("Withdraw", {"session": "t", "expected": 1}) == ("NoSuchSession", {"session": "t"})
    assert wire.call("Post", {"session": "s", "new": snapshot("あい")})["transition"]["kind"] == "insertion"


def test_who_subscribed_hears_which_edits_were_not_done(daemon, wire):
    wire.call("Post", {"session": "s", "new": snapshot("あ")})
    for _ in range(33):
        wire.call("Expect", {"session": "s", "old": snapshot("別"), "edit": {"insert": "い"}})
    stream, _ = subscribe(daemon.path)
    with stream:
        told = wire.call("Post", {"session": "s", "new": snapshot("あう")})["transition"]
        assert told["unfulfilled"] == [1]
        assert stream.reply()["parameters"]["event"]["transition"] == told


# Sessions and statistics


def test_sessions_are_listed_the_latest_first_and_forgotten(wire):
    for name in ["a", "b", "c", "a"]:
        post(wire, name)
    assert sessions(wire) == ["a", "c", "b"]
    assert wire.call("Forget", {"session": "c"}) == {}
    assert sessions(wire) == ["a", "b"]
    assert wire.error("Forget", {"session": "c"}) == ("NoSuchSession", {"session": "c"})


def test_what_is_forgotten_is_told_to_nobody(daemon, wire):
    for name in ["a", "b", "b", "a", "b"]:
        post(wire, name)
    assert wire.call("Forget", {"session": "b"}) == {}
    stream, ready = subscribe(daemon.path, since=0, snapshots=True)
    with stream:
        assert ready["sequence"] == 5
        assert sequence(stream.reply()) == 1
        assert stream.reply() == {"parameters": {"sequence": 3, "lost": 2}, "continues": True}
        assert sequence(stream.reply()) == 4
        assert stream.reply()["parameters"] == {"sequence": 5, "lost": 1}
        assert post(wire, "b") == 6
        assert sequence(stream.reply()) == 6
    stream, _ = subscribe(daemon.path, since=0, sessions=["b"])
    with stream:
        assert stream.reply()["parameters"] == {"sequence": 5, "lost": -1}
        assert sequence(stream.reply()) == 6
    statistics = wire.call("GetStatistics")["statistics"]
    assert (statistics["eventsKept"], statistics["eventsLost"]) == (3, 0)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_what_is_forgotten_is_not_in_the_memory_any_more(start_daemon):
    marker = "marker7312"
    daemon = start_daemon("--set", "limits.keptEvents=3")

    def kept():
        """What the user's events hold: the file that no folder has."""
        for descriptor in pathlib.Path(f"/proc/{daemon.process.pid}/fd").iterdir():
            if "contextdiff-events" in os.readlink(descriptor):
                return descriptor.read_bytes()

    with Wire(daemon.path) as wire:
        for number in range(9):
            post(wire, "notes", **pair(f"{number}", f"{number}{marker}"))
        assert marker.encode() in kept()
        wire.call("Forget", {"session": "notes"})
        assert marker.encode() not in kept() and b"notes" not in kept()


def test_who_subscribed_hears_of_what_is_forgotten_in_the_same_turn(daemon, wire):
    streams = [subscribe(daemon.path)[0], subscribe(daemon.path, sessions=["s"])[0]]
    calls = [("Post", {"session": "s", **pair()}), ("Forget", {"session": "s"}), ("ListSessions", {})] * 3
    wire.send(*[
        json.dumps({"method": f"io.contextdiff.{method}", "parameters": parameters}).encode()
        for method, parameters in calls])
    replies = [wire.reply()["parameters"] for _ in calls]
    assert [reply["sequence"] for reply in replies[::3]] == [1, 2, 3]
    assert replies[1::3] == [{}] * 3 and replies[2::3] == [NO_SESSIONS] * 3
    for stream in streams:
        with stream:
            assert [stream.reply()["parameters"]["event"]["transition"]["inserted"] for _ in range(3)] == ["い"] * 3


def test_a_session_that_has_ended_by_itself_leaves_events_to_be_forgotten(start_daemon):
    daemon = start_daemon("--set", "sessionIdleSeconds=1")
    with Wire(daemon.path) as wire:
        post(wire)
        until(lambda: sessions(wire) == [])
        stream, _ = subscribe(daemon.path, since=0)
        with stream:
            assert sequence(stream.reply()) == 1
        assert wire.call("Forget", {"session": "s"}) == {}
        assert wire.error("Forget", {"session": "s"}) == ("NoSuchSession", {"session": "s"})
        stream, _ = subscribe(daemon.path, since=0)
        with stream:
            assert stream.reply()["parameters"] == {"sequence": 1, "lost": 1}


def test_sessions_are_listed_as_they_stand(wire):
    assert wire.call("ListSessions") == NO_SESSIONS
    wire.call("Post", {"session": "told", "new": snapshot("あ"), "window": "line"})
    wire.call("Post", {"session": "told", "new": snapshot("あい")})
    wire.call("Post", {"session": "not told", "new": snapshot("あ")})
    listed = wire.call("ListSessions")
    assert listed["sessions"] == ["not told", "told"]
    untold, told = listed["details"]
    now = time.time() * 1e6
    for session in (untold, told):
        assert session.pop("bytes") > 0
        assert now - 60e6 < session.pop("time") <= now + 1e6
    assert untold == {"name": "not told", "window": None, "windowLearnt": False, "pairs": 0, "expecting": 0}
    assert told == {"name": "told", "window": "line", "windowLearnt": False, "pairs": 1, "expecting": 0}


def test_statistics_count(daemon, wire):
    stream, ready = subscribe(daemon.path)
    with stream:
        post(wire)
        wire.call("Classify", pair("あ", "あ"))
        statistics = wire.call("GetStatistics")["statistics"]
    assert statistics.pop("startedAt") > 1_700_000_000_000_000
    assert statistics.pop("instance") == ready["instance"]
    assert 0 < statistics.pop("bytes") < statistics["limits"]["totalBytes"]
    assert statistics.pop("limits")["sessions"] == 4_096
    assert statistics == {
        "pairs": 2, "pairsByKind": {"insertion": 1, "unchanged": 1}, "sessions": 1,
        "subscribers": 1, "connections": 2, "eventsKept": 1, "eventsLost": 0}


# Subscribing


def test_a_subscriber_hears_each_event_in_order(daemon, wire):
    stream, ready = subscribe(daemon.path)
    with stream:
        assert ready["sequence"] == 0 and len(ready["instance"]) == 32
        for name in "abc":
            post(wire, name)
        for number, name in enumerate("abc", 1):
            reply = stream.reply()
            assert reply["continues"]
            event = reply["parameters"]["event"]
            assert (event["sequence"], event["session"]) == (number, name)
            assert event["transition"]["inserted"] == "い"
            assert "old" not in event and "new" not in event


def test_snapshots_come_where_they_are_asked_for(daemon, wire):
    stream, _ = subscribe(daemon.path, snapshots=True)
    with stream:
        post(wire)
        event = stream.reply()["parameters"]["event"]
        assert (event["old"], event["new"]) == (snapshot("あ"), snapshot("あい"))
        wire.call("Post", {"session": "s", "new": snapshot("あいう")})
        assert stream.reply()["parameters"]["event"]["old"] == snapshot("あい")
        # What a post leaves out is null.
        wire.call("Post", {"session": "s", "new": {"before": "あ"}})
        assert stream.reply()["parameters"]["event"]["new"] == snapshot("あ")


def test_filters_choose_sessions_and_kinds(daemon, wire):
    stream, _ = subscribe(daemon.path, sessions=["a"], kinds=["insertion"])
    with stream:
        post(wire, "b")
        post(wire, "a", **pair("あ", "あ"))
        post(wire, "a")
        assert sequence(stream.reply()) == 3


def test_since_goes_on_where_one_stopped(daemon, wire):
    for _ in range(5):
        post(wire)
    stream, ready = subscribe(daemon.path, since=3)
    with stream:
        assert ready["sequence"] == 5
        assert [sequence(stream.reply()) for _ in range(2)] == [4, 5]
        post(wire)
        assert sequence(stream.reply()) == 6


def test_what_is_not_kept_is_counted(start_daemon):
    daemon = start_daemon("--set", "limits.keptEvents=3")
    with Wire(daemon.path) as wire:
        for _ in range(10):
            post(wire)
    stream, _ = subscribe(daemon.path, since=2)
    with stream:
        assert stream.reply() == {"parameters": {"sequence": 7, "lost": 5}, "continues": True}
        assert [sequence(stream.reply()) for _ in range(3)] == [8, 9, 10]


@pytest.mark.parametrize("setting", ["keptEvents=1", "keptEvents=3", "keptEventsBytes=16384"])
def test_who_reads_hears_all_that_comes_in_one_turn_however_little_is_kept(start_daemon, setting):
    daemon = start_daemon("--set", f"limits.{setting}")
    stream, _ = subscribe(daemon.path)
    calls = 200
    with stream, Wire(daemon.path) as wire:
        call = json.dumps({"method": "io.contextdiff.Post", "parameters": {"session": "s", **pair()}}).encode()
        wire.send(*[call] * calls)
        assert [sequence(stream.reply()) for _ in range(calls)] == list(range(1, calls + 1))


def test_an_event_that_takes_the_room_of_several_takes_them_from_nobody_who_reads(start_daemon):
    daemon = start_daemon("--set", "limits.keptEventsBytes=65536")
    # More than are served before a turn is over.
    streams = [subscribe(daemon.path)[0] for _ in range(5)]
    with contextlib.ExitStack() as stack, Wire(daemon.path) as wire:
        for stream in streams:
            stack.enter_context(stream)
        post(wire, new=snapshot("a" * 9_000))
        # A small one, that was served and stays: what waits is not all that is kept.
        post(wire, session="t")
        texts = ["a" * 9_000 + "b" * count for count in (1, 2, 3, 14_000)]
        parameters = [{"session": "s", "new": snapshot(text)} for text in texts]
        wire.send(*[json.dumps({"method": "io.contextdiff.Post", "parameters": each}).encode() for each in parameters])
        for stream in streams:
            assert [sequence(stream.reply()) for _ in range(6)] == [1, 2, 3, 4, 5, 6]
        assert [wire.reply()["parameters"]["sequence"] for _ in texts] == [3, 4, 5, 6]
        assert wire.call("GetStatistics")["statistics"]["eventsLost"] == 0


def test_a_pasteboard_that_nobody_is_told_is_not_kept(daemon, wire):
    stream, _ = subscribe(daemon.path, pasteboard=True)
    with stream:
        post(wire, **pair(), pasteboard="marker7312")
        assert "pasteboard" not in stream.reply()["parameters"]["event"]
    later, _ = subscribe(daemon.path, since=0, snapshots=True, pasteboard=True)
    with later:
        assert "pasteboard" not in later.reply()["parameters"]["event"]


def test_another_instance_lost_nobody_knows_how_many(daemon, wire):
    post(wire)
    stream, _ = subscribe(daemon.path, since=1, instance="f" * 32)
    with stream:
        assert stream.reply()["parameters"] == {"sequence": 0, "lost": -1}
        assert sequence(stream.reply()) == 1


def test_subscribing_needs_more(wire):
    assert wire.error("Subscribe") == ("org.varlink.service.ExpectedMore", {})
    wire.request("Subscribe", oneway=True)
    assert sessions(wire) == []
    wire.request("Subscribe", oneway=True, more=True)
    assert wire.is_ended()


def test_nothing_else_is_answered_on_a_stream(daemon, wire):
    stream, _ = subscribe(daemon.path)
    with stream:
        stream.request("ListSessions")
        post(wire)
        assert sequence(stream.reply()) == 1


@pytest.mark.slow
def test_a_slow_subscriber_loses_events_and_nobody_waits_for_it(start_daemon):
    daemon = start_daemon("--set", "limits.backlog=10")
    stream, _ = subscribe(daemon.path)
    quick, _ = subscribe(daemon.path)
    count = 3_000
    with stream, quick, Wire(daemon.path) as wire:
        text = "あ" * 300
        for number in range(count):
            reply = wire.call("Post", {"session": "s", **pair(text, text + "い")})
            assert reply["sequence"] == number + 1
            assert sequence(quick.reply()) == number + 1
        seen, lost = 0, 0
        while seen + lost < count:
            parameters = stream.reply()["parameters"]
            if "lost" in parameters:
                lost += parameters["lost"]
            else:
                seen += 1
                assert parameters["event"]["sequence"] == seen + lost
        assert lost > 0
        assert wire.call("GetStatistics")["statistics"]["eventsLost"] == lost


@pytest.mark.slow
def test_what_a_subscriber_loses_that_never_reads_again_is_counted(start_daemon):
    daemon = start_daemon("--set", "limits.backlog=10")
    stream, _ = subscribe(daemon.path)
    count = 3_000

    def told():
        return [int(n) for n in re.findall(r"reads too slowly: (\d+) events lost", daemon.log())]

    with Wire(daemon.path) as wire:
        with stream:
            text = "あ" * 300
            for _ in range(count):
                wire.call("Post", {"session": "s", **pair(text, text + "い")})
            lost = wire.call("GetStatistics")["statistics"]["eventsLost"]
            assert lost > 0
            until(lambda: len(told()) == 1)
        until(lambda: sum(told()) == lost)
        assert len(told()) == 2
        assert wire.call("GetStatistics")["statistics"]["eventsLost"] == lost


def test_events_of_posts_that_come_together_hold_their_own_pairs(daemon, wire):
    stream, _ = subscribe(daemon.path, snapshots=True)
    with stream:
        posts = [{"session": "s", "new": {"before": text}} for text in ("a", "ab", "abc")]
        wire.send(*(json.dumps({"method": "io.contextdiff.Post", "parameters": post}).encode() for post in posts))
        for old, new in (("a", "ab"), ("ab", "abc")):
            event = stream.reply()["parameters"]["event"]
            assert (event["old"]["before"], event["new"]["before"]) == (old, new)


def test_oneway_posts_are_reported_and_not_answered(daemon, wire):
    stream, _ = subscribe(daemon.path)
    with stream:
        wire.request("Post", {"session": "s", **pair()}, oneway=True)
        wire.request("Post", {"session": 7}, oneway=True)
        # The flag may stand behind the parameters, too.
        wire.send(b'{"method":"io.contextdiff.Post","parameters":{"session":"s","new":{"before":"a"}},"oneway":true}')
        assert sessions(wire) == ["s"]
        assert [sequence(stream.reply()) for _ in range(2)] == [1, 2]


# With PyPI's client, which nobody here wrote


def test_pypi_client_calls_posts_and_subscribes(daemon):
    address = f"unix:{daemon.path}"
    with varlink.Client(address) as client, client.open("io.contextdiff") as calls:
        info = client.get_interface("org.varlink.service")
        assert "io.contextdiff" in {name for name in client.get_interfaces()}
        assert info is not None
        transition = calls.Classify(old=snapshot("今日は"), new=snapshot("今日"))["transition"]
        assert transition["kind"] == "deletion"
        with varlink.Client(address) as other, other.open("io.contextdiff") as streaming:
            events = streaming.Subscribe(_more=True)
            assert next(events)["ready"]
            reply = calls.Post(session="notes", old=snapshot("あ"), new=snapshot("あい"))
            assert reply["sequence"] == 1
            assert next(events)["event"]["session"] == "notes"
        with pytest.raises(varlink.VarlinkError) as failure:
            calls.Forget(session="none")
        assert failure.value.error() == "io.contextdiff.NoSuchSession"


def test_pypi_client_tells_evidence_and_announces_edits(daemon):
    with varlink.Client(f"unix:{daemon.path}") as client, client.open("io.contextdiff") as calls:
        new = {**snapshot("あい"), "hasText": True, "caret": 2, "selectionShown": True}
        calls.Post(
            session="notes", old=snapshot("あ"), new=new, window="line", key="character", merged=False, reset=False)
        assert calls.Expect(session="notes", edit={"insert": "う"})["expected"] == 1
        assert calls.Expect(session="notes", edit={"deleteBackward": 1, "unit": "backspace"})["expected"] == 2
        session, = calls.ListSessions()["details"]
        assert (session["window"], session["pairs"], session["expecting"]) == ("line", 1, 2)
        calls.Withdraw(session="notes", expected=2)
        with pytest.raises(varlink.VarlinkError) as failure:
            calls.Withdraw(session="notes", expected=2)
        assert failure.value.error() == "io.contextdiff.NoSuchExpectation"
        assert failure.value.parameters()["expected"] == 2
        transition = calls.Post(session="notes", new=snapshot("あいう"))["transition"]
        assert (transition["kind"], transition["expected"], transition["unfulfilled"]) == ("expected", [1], [])


def test_the_reply_is_json_that_any_client_reads(wire):
    text = 'a"b\\c\u0001\u007f\u2028😀'
    transition = wire.call("Classify", pair("", text))["transition"]
    assert transition["inserted"] == text


# How far a filtered stream has seen all


def test_who_comes_back_with_a_filter_hears_how_far_it_has_seen_all(daemon, wire):
    for count in (300, 3):
        for number in range(count + 1):
            wire.call("Post", {"session": f"w{count}", "new": {"before": f"{number}"}})
        [last] = [info["sequence"] for info in [subscribe(daemon.path)[1]]]
        for told in ({"kinds": ["cut"]}, {"sessions": ["nobody's"]}):
            # Again and again: what others were told is of no help to it.
            for _ in range(2):
                with subscribe(daemon.path, since=0, **told)[0] as stream:
                    assert stream.reply()["parameters"] == {"sequence": last}


def test_who_filters_by_session_is_told_that_what_was_forgotten_may_have_been_of_it(daemon, wire):
    for number in range(4):
        wire.call("Post", {"session": "w", "new": {"before": f"{number}"}})
    wire.call("Forget", {"session": "w"})
    for told in ({"sessions": ["w"]}, {"sessions": ["another"]}):
        with subscribe(daemon.path, since=0, **told)[0] as stream:
            assert stream.reply()["parameters"] == {"sequence": 3, "lost": -1}


CUT = {"session": "s", "old": {"before": "a", "selected": "b"}, "new": {"before": "a"}}


@pytest.mark.slow
def test_what_a_filter_holds_back_is_told_after_a_second(daemon, wire):
    stream, _ = subscribe(daemon.path, kinds=["cut"])
    with stream:
        post(wire)
        # A second later; nothing else wakes it.
        assert stream.reply() == {"parameters": {"sequence": 1}, "continues": True}
        for _ in range(300):
            wire.request("Post", {"session": "s", **pair()})
        last = [wire.reply()["parameters"]["sequence"] for _ in range(300)][-1]
        told = 1
        while told < last:
            seen = stream.reply()["parameters"]["sequence"]
            assert told < seen <= last
            told = seen
    # Who was cut off resumes there, and hears nothing twice.
    stream, ready = subscribe(daemon.path, kinds=["cut"], since=told)
    with stream:
        assert ready["sequence"] == last == told
        wire.call("Post", CUT)
        assert sequence(stream.reply()) == last + 1


def test_what_a_filter_holds_back_is_told_after_256_events(daemon, wire):
    stream, _ = subscribe(daemon.path, kinds=["cut"])
    with stream:
        # Each in a turn of its own; they take less than a second, unless the machine is very busy.
        for _ in range(300):
            post(wire)
        wire.call("Post", CUT)
        # Before the event that it waits for.
        first = stream.reply()["parameters"]
        assert 1 <= first["sequence"] <= 300
        seen = first
        while "event" not in seen:
            seen = stream.reply()["parameters"]
        assert seen["event"]["sequence"] == 301


def test_what_was_announced_is_charged_to_nobody_once_its_event_has_it(start_daemon):
    daemon = start_daemon("--set", "limits.keptEventsBytes=4096")
    with Wire(daemon.path) as wire:
        def held():
            return wire.call("GetStatistics")["statistics"]["bytes"]

        post(wire)
        before = held()
        number = wire.call("Expect", {"session": "s", "edit": {"insert": "x" * 60_000}})["expected"]
        wire.call("Withdraw", {"session": "s", "expected": number})
        assert held() > before + 32_768
        post(wire)
        assert held() <= before + 16_384


def test_an_event_goes_at_its_age_though_its_session_stays(start_daemon):
    daemon = start_daemon("--set", "limits.keptEventsSeconds=1")
    with Wire(daemon.path) as wire:
        post(wire)
        until(lambda: wire.call("GetStatistics")["statistics"]["eventsKept"] == 0)
        assert sessions(wire) == ["s"]


def test_a_session_goes_at_its_age_though_its_events_stay(start_daemon):
    daemon = start_daemon("--set", "sessionIdleSeconds=1")
    with Wire(daemon.path) as wire:
        for _ in range(2):
            post(wire)
            until(lambda: wire.call("ListSessions") == NO_SESSIONS)
        assert wire.call("GetStatistics")["statistics"]["eventsKept"] == 2


def test_an_instance_is_the_processs(daemon, wire):
    instance = wire.call("GetStatistics")["statistics"]["instance"]
    post(wire)
    wire.call("Forget", {"session": "s"})
    stream, ready = subscribe(daemon.path)
    stream.socket.close()
    assert ready["instance"] == instance and ready["sequence"] == 1


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_the_numbers_of_a_user_who_was_gone_go_on(start_daemon):
    daemon = start_daemon("--set", "sessionIdleSeconds=1", "--set", "limits.keptEventsSeconds=1")
    with Wire(daemon.path) as wire:
        assert post(wire) == 1
        instance = wire.call("GetStatistics")["statistics"]["instance"]

    def descriptors():
        return len(os.listdir(f"/proc/{daemon.process.pid}/fd"))

    # A user of whom nothing is kept costs no descriptor.
    before = descriptors()
    until(lambda: descriptors() < before - 2)
    with Wire(daemon.path) as wire:
        assert wire.call("GetStatistics")["statistics"]["instance"] == instance
        assert post(wire) == 2


def test_who_did_not_read_when_others_heard_it_hears_how_far_it_has_seen_all(daemon, wire):
    slow, _ = subscribe(daemon.path, sessions=["w"], snapshots=True)
    quick, _ = subscribe(daemon.path, sessions=["another"])
    with slow, quick:
        text = "あ" * 10_000
        for _ in range(30):
            post(wire, "w", **pair(text, text + "い"))
        for _ in range(3):
            last = post(wire, "nobody's")
        for stream in (quick, slow):
            while stream.reply()["parameters"] != {"sequence": last}:
                pass
