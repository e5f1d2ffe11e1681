"""contextdiffctl beside a daemon: what it hears, records and replays, and what the daemon holds."""

import contextlib
import json
import os
import re
import resource
import signal
import socket
import stat
import subprocess
import threading
import time
from pathlib import Path

import pytest

from conftest import PATIENCE, PROGRAMS, environment
from running import MARKER, SESSION, Running, in_terminal, lines, pair
from screen import Screen, width
from wire import Wire, post, snapshot, subscribe, until

# How many pairs the scripted session has.
PAIRS = len(lines(SESSION.read_text()))


class TestClassify:
    def test_what_is_longer_than_the_daemon_takes_is_answered_where_it_stands(self, ctl, start_daemon):
        daemon = start_daemon("--set", "limits.frameBytes=4096")
        input = "\n".join([pair("a", "ab")] * 300 + [pair("a", "a" * 5_000), pair("a", "ab")])
        result = ctl("--socket", daemon.path, "classify", "--session", "s", input=input)
        answers = lines(result.stdout)
        assert (result.returncode, len(answers)) == (1, 302)
        assert answers[300] == {
            "error": "its call is longer than 4096 bytes, the daemon's limits.frameBytes", "line": 301}
        assert answers[301]["kind"] == "insertion"


@contextlib.contextmanager
def pretended(path, *replies):
    """Somebody at `path` who answers a subscription by these bytes, and other calls as any daemon does."""
    def serve():
        with contextlib.suppress(OSError):
            while True:
                with listener.accept()[0] as link, contextlib.suppress(OSError):
                    call = link.recv(1 << 16)
                    for reply in replies if b"Subscribe" in call else [b'{"parameters":{"interfaces":["io.contextdiff"]}}\0']:
                        link.sendall(reply)
                    while link.recv(1 << 16):
                        pass

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


class TestMonitor:
    def post(self, ctl, daemon, *texts, session="s"):
        posts = "".join(json.dumps({"new": {"before": text}}) + "\n" for text in texts)
        assert ctl("--socket", daemon.path, "classify", "--session", session, input=posts).returncode == 0

    def test_shows_what_happens(self, ctl, daemon):
        self.post(ctl, daemon, "a", "ab")
        with Running("--socket", daemon.path, "monitor", "--since", 0) as running:
            assert "insertion" in running.line()
            self.post(ctl, daemon, "a")
            assert "deletion" in running.line()

    def test_json_is_an_event_a_line(self, ctl, daemon):
        self.post(ctl, daemon, "a", "ab", "a")
        with Running("--socket", daemon.path, "monitor", "--json", "--since", 0) as running:
            first, second = running.event(), running.event()
        assert (first["session"], first["transition"]["kind"], "old" in first) == ("s", "insertion", False)
        assert second["sequence"] == first["sequence"] + 1

    @pytest.mark.parametrize("command", [("monitor", "--json"), ("record", "-")])
    def test_json_controls_no_terminal(self, ctl, daemon, command):
        text = "\x7f\u009b31m\u2028\u202e文"
        self.post(ctl, daemon, "a", "a" + text)
        arguments = ("--socket", daemon.path, *command, "--since", 0, "--count", 1)
        shown = in_terminal(*arguments, env=environment())
        assert not re.search("[\x7f-\x9f\u2028-\u202e]", shown)
        piped = ctl(*arguments).stdout
        assert text in piped
        assert lines(shown)[-1]["transition"]["inserted"] == text

    def test_hears_only_of_what_was_asked(self, ctl, daemon):
        for session in ("one", "two"):
            self.post(ctl, daemon, "a", "ab", "a", session=session)
        arguments = ["--session", "two", "--kind", "deletion", "--json", "--since", 0]
        with Running("--socket", daemon.path, "monitor", *arguments) as running:
            event = running.event()
            assert (event["session"], event["transition"]["kind"]) == ("two", "deletion")

    def test_comes_back_after_a_restart(self, ctl, daemon):
        self.post(ctl, daemon, "a", "ab")
        with Running("--socket", daemon.path, "monitor", "--json", "--since", 0) as running:
            assert running.event()["transition"]["inserted"] == "b"
            for text in ("x", "xy"):
                daemon.restart()
                assert running.line("stderr") == "contextdiffctl: disconnected"
                assert running.line("stderr") == "contextdiffctl: connected again"
                self.post(ctl, daemon, "a", "a" + text)
                # By hand, without systemd to hold the events, the next daemon counts anew.
                assert running.event() == {"sequence": 0, "lost": -1}
                assert running.event()["transition"]["inserted"] == text

    @pytest.mark.parametrize("command", [["monitor", "--stat"], ["record", "-"]], ids=" ".join)
    def test_whoever_listens_is_told_that_the_daemon_is_gone_and_back(self, daemon, command):
        with Running("--socket", daemon.path, *command) as running:
            with Wire(daemon.path) as wire:
                until(lambda: wire.call("GetStatistics")["statistics"]["subscribers"] == 1)
            daemon.restart()
            assert running.line("stderr") == "contextdiffctl: disconnected"
            assert running.line("stderr") == "contextdiffctl: connected again"

    def test_json_says_where_it_stands(self, ctl, daemon):
        self.post(ctl, daemon, "a", "ab")
        with Running("--socket", daemon.path, "monitor", "--json", "--since", 0) as running:
            ready = json.loads(running.line())
            assert ready["ready"] and ready["sequence"] == 1 and len(ready["instance"]) == 32
            assert running.event()["sequence"] == 1
        with Running("--socket", daemon.path, "monitor", "--json", "--since", 1, "--instance", "f" * 32) as running:
            running.line()
            assert running.event() == {"sequence": 0, "lost": -1}

    def test_ends_after_so_many(self, ctl, daemon):
        self.post(ctl, daemon, "a", "ab", "abc")
        result = ctl("--socket", daemon.path, "monitor", "--since", 0, "--count", 2)
        assert (result.returncode, result.stderr) == (0, "")
        assert len(result.stdout.splitlines()) == 2

    def test_goes_on_where_the_one_before_stopped(self, ctl, daemon, folder):
        env = environment(XDG_STATE_HOME=str(folder / "state"))

        def numbers(count, path=daemon.path, **options):
            result = ctl("--socket", path, "monitor", "--json", "--since", "last", "--count", count, env=env, **options)
            assert result.returncode == 0, result.stderr
            return [event["sequence"] for event in lines(result.stdout) if "sequence" in event and "ready" not in event]

        self.post(ctl, daemon, *"abcde")
        assert numbers(2) == [1, 2]
        assert numbers(1) == [3]
        self.post(ctl, daemon, *"fg")
        assert numbers(3, Path(daemon.path).name, cwd=Path(daemon.path).parent) == [4, 5, 6]
        # Numbers, and nothing of the text.
        [kept] = (folder / "state" / "contextdiff").iterdir()
        assert re.fullmatch(r"[0-9a-f]{32} 0{19}6\n", kept.read_text())

    def test_a_relative_state_folder_is_none(self, ctl, daemon, folder):
        self.post(ctl, daemon, "a", "ab")
        env = environment(XDG_STATE_HOME="state", HOME=str(folder / "home"))
        (folder / "home").mkdir()
        result = ctl("--socket", daemon.path, "monitor", "--since", "last", "--count", 1, env=env, cwd=folder)
        assert (result.returncode, result.stderr) == (0, "")
        assert not (folder / "state").exists()
        assert len(list((folder / "home/.local/state/contextdiff").iterdir())) == 1

    def test_a_monitor_of_some_events_has_a_place_of_its_own(self, ctl, daemon, folder):
        env = environment(XDG_STATE_HOME=str(folder / "state"))

        def numbers(*options, count):
            result = ctl("--socket", daemon.path, "monitor", "--json", "--since", "last", "--count", count, *options, env=env)
            assert (result.returncode, result.stderr) == (0, "")
            return [event["sequence"] for event in lines(result.stdout) if "session" in event]

        with Wire(daemon.path) as wire:
            for session in ("a", "a", "b", "b", "cut", "cut"):
                post(wire, session=session)
        everything = numbers(count=1)
        [of_b] = numbers("--session", "b", count=1)
        assert of_b > everything[0]
        # Nothing was passed over for the monitor of all events.
        assert numbers(count=1) == [everything[0] + 1]
        # A session is not a kind of the same name.
        numbers("--session", "cut", count=1)
        assert len(list((folder / "state" / "contextdiff").iterdir())) == 3

    def test_a_place_that_cannot_be_kept_is_told_of(self, ctl, daemon, folder):
        (folder / "state").write_text("")
        self.post(ctl, daemon, "a", "ab")
        result = ctl("--socket", daemon.path, "monitor", "--since", "last", "--count", 1, env=environment(XDG_STATE_HOME=str(folder / "state")))
        assert result.returncode == 0
        assert result.stderr.startswith("contextdiffctl: where the monitor before this one stopped is not known: ")
        assert "Not a directory" in result.stderr

    def test_a_place_that_cannot_be_written_is_told_of_once(self, ctl, daemon, folder):
        kept = folder / "state" / "contextdiff" / daemon.path.replace("/", "%")
        kept.parent.mkdir(parents=True)
        kept.symlink_to("/dev/full")
        self.post(ctl, daemon, "a", "ab", "abc")
        result = ctl("--socket", daemon.path, "monitor", "--since", "last", "--count", 2, env=environment(XDG_STATE_HOME=str(folder / "state")))
        assert (result.returncode, len(result.stdout.splitlines())) == (0, 2)
        assert result.stderr == "contextdiffctl: where this monitor stops cannot be kept: No space left on device\n"

    @pytest.mark.parametrize("junk", ["junk " * 99, f"{'f' * 32} {-5:020}\n", "\n\n"])
    def test_a_place_that_is_none_is_written_anew(self, ctl, daemon, folder, junk):
        env = environment(XDG_STATE_HOME=str(folder / "state"))
        kept = folder / "state" / "contextdiff" / daemon.path.replace("/", "%")
        kept.parent.mkdir(parents=True)
        kept.write_text(junk)
        self.post(ctl, daemon, "a", "ab", "abc")
        for number in (1, 2):
            result = ctl("--socket", daemon.path, "monitor", "--json", "--since", "last", "--count", 1, env=env)
            assert [event["sequence"] for event in lines(result.stdout) if "session" in event] == [number]

    def test_goes_on_also_at_a_socket_whose_name_begins_with_a_mark(self, ctl, start_daemon, folder):
        path = folder / "\u0301"
        start_daemon("--listen", path)
        env = environment(XDG_STATE_HOME=str(folder / "state"))
        with Wire(path) as wire:
            post(wire)
            post(wire)
        for number in (1, 2):
            result = ctl("--socket", path, "monitor", "--json", "--since", "last", "--count", 1, env=env)
            assert [event["sequence"] for event in lines(result.stdout) if "session" in event] == [number]

    def test_nothing_is_told_as_lost_that_was_held_back_or_told_before(self, ctl, start_daemon, folder):
        daemon = start_daemon("--set", "limits.keptEvents=4")
        env = environment(XDG_STATE_HOME=str(folder / "state"))
        arguments = ("--socket", daemon.path, "monitor", "--json", "--since", "last", "--session", "s")

        def told(count):
            result = ctl(*arguments, "--count", count, env=env)
            assert result.returncode == 0, result.stderr
            return [event for event in lines(result.stdout) if "ready" not in event]

        def post(name, *texts):
            with Wire(daemon.path) as wire:
                for text in texts:
                    wire.call("Post", {"session": name, "new": {"before": text}})

        post("s", *"abcdefgh")
        lost, event = told(1)
        assert lost == {"sequence": 3, "lost": -1} and event["sequence"] == 4
        with Running(*arguments, env=env) as running:
            assert [running.event()["sequence"] for _ in range(3)] == [5, 6, 7]
            # All of these are another session's; the daemon says how far it is.
            post("t", *("ab" * 400))
            [place] = (folder / "state" / "contextdiff").iterdir()
            until(lambda: int(place.read_text().split()[1]) == 7 + 799)
        post("s", "hx", "hxy")
        assert [event["transition"]["inserted"] for event in told(1)] == ["x"]

    def test_a_line_a_second_sums_up(self, ctl, daemon):
        self.post(ctl, daemon, "a", "ab", "abc", "ab")
        result = ctl("--socket", daemon.path, "monitor", "--stat", "--since", 0, "--count", 1)
        assert result.returncode == 0, result.stderr
        assert re.search(r"  3 pairs  heard after [0-9.]+ ms, [0-9.]+ at most  insertion 2  deletion 1$", result.stdout.strip())

    def test_the_live_view_says_what_becomes_of_the_daemon(self, ctl, daemon):
        with Screen("--socket", daemon.path, "monitor", columns=50) as screen:
            screen.says(f"listening on {daemon.path[:20]}")
            self.post(ctl, daemon, "今日は良い天気ですから散歩に行きましょうか。" * 5, "今日は", session="notes")
            screen.says("今日は|∅")
            assert all(width(line) <= 50 for line in screen.plain().split("\r\n"))
            daemon.stop(signal.SIGKILL)
            screen.says("contextdiffctl: disconnected", stream="stderr")
            daemon.start()
            screen.says("contextdiffctl: connected again", stream="stderr")
            self.post(ctl, daemon, "a", "ab", session="again")
            screen.says("again")

    @pytest.mark.parametrize("command", [["monitor"], ["record", "-"]], ids=lambda command: command[0])
    def test_an_event_that_is_too_long_is_told_and_ends_it(self, ctl, folder, command):
        with pretended(folder / "socket", b"x" * ((64 << 20) + 1)):
            result = ctl("--socket", folder / "socket", *command)
        assert (result.returncode, result.stdout, result.stderr) == (
            1, "", f"contextdiffctl: the daemon on {folder}/socket gave an answer longer than 67108864 bytes, the most that is read\n")

    def test_a_time_before_the_epoch_is_the_epoch(self, folder):
        transition = {"kind": "cut", "basicKind": "cut", "certainty": "certain", "alternatives": [], "expectedEdits": 0,
                      "expected": [], "unfulfilled": []}
        event = {"sequence": 1, "session": "s", "time": -5_000, "transition": transition}
        replies = [{"ready": True, "instance": "f" * 32, "sequence": 0}, {"event": event}]
        frames = [json.dumps({"parameters": reply, "continues": True}).encode() + b"\0" for reply in replies]
        with pretended(folder / "socket", *frames), Screen("--socket", folder / "socket", "monitor", TZ="UTC") as screen:
            screen.says("00:00:00.000  s")

    def test_hears_of_the_largest_pair(self, ctl, daemon):
        large = "x" * (1 << 20)
        line = {"old": {"before": large, "selected": large}, "new": {"before": large, "selected": None}}
        assert ctl("--socket", daemon.path, "classify", "--session", "s", input=json.dumps(line) + "\n").returncode == 0
        with Running("--socket", daemon.path, "monitor", "--draw", "--json", "--since", 0) as running:
            event = running.event()
        assert event["sequence"] == 1
        # Not shown where it fails: pytest would compare the megabytes.
        for side, shown in line.items():
            is_whole = event[side] == snapshot(**shown)
            assert is_whole, side

    def test_draws_pairs(self, ctl, daemon):
        self.post(ctl, daemon, "a", "ab")
        with Running("--socket", daemon.path, "monitor", "--draw", "--since", 0) as running:
            assert "insertion" in running.line()
            assert [running.line().strip(), running.line().strip()] == ["a|∅", "ab|∅"]


class TestRecordAndReplay:
    def record(self, daemon, path, *options, count):
        """Records what the daemon holds into `path`."""
        recorded = subprocess.run(
            [PROGRAMS / "contextdiffctl", "--socket", daemon.path, "record", "--since", "0", "--count", str(count),
             *options, path], capture_output=True, text=True, env=environment(), timeout=PATIENCE)
        assert (recorded.returncode, recorded.stdout) == (0, "")
        events = "1 event" if count == 1 else f"{count} events"
        assert recorded.stderr == (
            f"contextdiffctl: recording to {path}\ncontextdiffctl: recorded {events} in {path}\n")
        return lines(path.read_text())

    def fill(self, ctl, daemon):
        assert ctl("--socket", daemon.path, "classify", "--session", "s", SESSION).returncode == 0
        return lines(SESSION.read_text())

    def live(self, ctl, daemon, path):
        """Records the scripted session as it happens, its pasteboard too."""
        arguments = ["--socket", daemon.path, "record", "--pasteboard", "--count", PAIRS, path]
        with Running(*arguments) as running:
            running.line("stderr")
            cases = self.fill(ctl, daemon)
            assert running.process.wait(PATIENCE) == 0
        return cases

    def test_what_was_recorded_can_be_replayed(self, ctl, daemon, folder):
        cases = self.live(ctl, daemon, folder / "recording")
        recorded = lines((folder / "recording").read_text())
        assert [event["new"]["before"] for event in recorded] == [case["new"]["before"] for case in cases]
        for options in (["--socket", daemon.path, "replay", "--speed", 0], ["replay", "--local"],
                        ["--socket", daemon.path, "replay", "--speed", 0, "--session", "again"]):
            result = ctl(*options, folder / "recording")
            assert (result.returncode, result.stderr) == (0, ""), result.stdout
            assert result.stdout.splitlines()[-1] == f"{len(cases)} pairs, 0 read as another kind than recorded"
        # Those of its own are gone.
        names = [line.split("\t")[0] for line in ctl("--socket", daemon.path, "sessions").stdout.splitlines()]
        assert names == ["again", "s"]

    def test_names_of_other_scalars_that_look_alike_are_two_sessions(self, ctl, daemon, folder):
        self.live(ctl, daemon, folder / "recording")
        event = json.loads((folder / "recording").read_text().splitlines()[0])
        alike = [json.dumps({**event, "session": name}) for name in ("\u00e9", "e\u0301")]
        (folder / "recording").write_text("\n".join(alike) + "\n")
        with subscribe(daemon.path)[0] as stream:
            ctl("--socket", daemon.path, "replay", "--speed", 0, folder / "recording")
            names = [stream.reply()["parameters"]["event"]["session"] for _ in alike]
        assert names[0] != names[1]

    def test_what_another_session_lost_is_not_told_as_its_own(self, ctl, daemon):
        """The daemon does not know any more whose the events were that are gone."""
        for session in ("a", "b"):
            assert ctl("--socket", daemon.path, "post", session, "--old-before", "", "--new-before", "x").returncode == 0
        assert ctl("--socket", daemon.path, "forget", "b").returncode == 0
        assert ctl("--socket", daemon.path, "post", "a", "--new-before", "xy").returncode == 0
        for command, to, stream, told in (
                ("record", ["-"], "stderr", "contextdiffctl: lost an unknown number of events, perhaps none of these"),
                ("monitor", [], "stdout", "lost an unknown number of events, perhaps none of these")):
            # A loss is no event.
            result = ctl("--socket", daemon.path, command, "--session", "a", "--since", 0, "--count", 2, *to)
            assert [line for line in getattr(result, stream).splitlines() if "lost" in line] == [told]
        everything = ctl("--socket", daemon.path, "monitor", "--since", 0, "--count", 2)
        assert "lost 1 event" in everything.stdout.splitlines()

    def test_standard_output_and_input_are_recordings_too(self, ctl, daemon, folder):
        for old, new in (("a", "ab"), ("ab", "a"), ("a", "abc")):
            assert ctl("--socket", daemon.path, "post", "s", "--old-before", old, "--new-before", new).returncode == 0
        written = self.record(daemon, folder / "recording", count=3)
        piped = ctl("--socket", daemon.path, "record", "--since", 0, "--count", 3, "-")
        assert (piped.returncode, piped.stderr, lines(piped.stdout)) == (0, "", written)
        assert not (folder / "-").exists()
        replayed = ctl("replay", "--local", "--json", "-", input=piped.stdout)
        assert (replayed.returncode, replayed.stderr) == (0, "")
        assert replayed.stdout == ctl("replay", "--local", "--json", folder / "recording").stdout
        assert [transition["inserted"] for transition in lines(replayed.stdout)] == ["b", None, "bc"]

    def test_a_reading_that_differs_is_told_by_the_exit_status(self, ctl, daemon, folder):
        self.fill(ctl, daemon)
        [event] = self.record(daemon, folder / "recording", count=1)
        event["transition"]["kind"] = "cut"
        (folder / "recording").write_text(json.dumps(event))
        result = ctl("replay", "--local", folder / "recording")
        assert (result.returncode, result.stderr) == (1, "")
        assert "(was cut)" in result.stdout and result.stdout.endswith("1 pair, 1 read as another kind than recorded\n")

    def test_another_certainty_is_told_and_is_no_failure(self, ctl, daemon, folder):
        self.fill(ctl, daemon)
        [event] = self.record(daemon, folder / "recording", count=1)
        was = {"certain": "likely", "likely": "certain"}[event["transition"]["certainty"]]
        event["transition"]["certainty"] = was
        (folder / "recording").write_text(json.dumps(event))
        result = ctl("replay", "--local", folder / "recording")
        assert (result.returncode, result.stderr) == (0, "")
        assert f"(was {was})" in result.stdout
        assert result.stdout.endswith("1 pair, 0 read as another kind than recorded, 1 with another certainty\n")

    def test_what_was_told_besides_is_recorded_and_told_again(self, ctl, daemon, folder):
        told = {"window": "full", "cause": "other", "key": "caret", "merged": True, "reset": True,
                "composition": {"before": 1, "after": 0}}
        with Wire(daemon.path) as wire:
            for text in ("あい", "あいう"):
                wire.call("Post", {"session": "s", "new": {"before": text}, "pasteboard": MARKER, **told})
        [event] = self.record(daemon, folder / "recording", count=1)
        assert {name: event[name] for name in told} == told
        assert MARKER not in (folder / "recording").read_text()
        with subscribe(daemon.path, snapshots=True)[0] as stream:
            ctl("--socket", daemon.path, "replay", "--speed", 0, folder / "recording")
            again = stream.reply()["parameters"]["event"]
            assert {name: again[name] for name in told} == told

    def test_the_window_that_a_post_told_is_told_with_those_after_it(self, ctl, daemon, folder):
        with Running("--socket", daemon.path, "record", "--count", 3, folder / "recording") as running:
            running.line("stderr")
            with Wire(daemon.path) as wire:
                wire.call("Post", {"session": "s", "new": {"before": "ab", "after": "cd"}, "window": "line"})
                for new in ({"before": None, "after": "cd"}, {"before": "xy", "after": "cd"}, {"before": None, "after": None}):
                    wire.call("Post", {"session": "s", "new": new})
                # Of one that was told none nothing is said.
                for text in ("a", "ab"):
                    wire.call("Post", {"session": "untold", "new": {"before": text}})
            assert running.process.wait(PATIENCE) == 0
        assert [event["window"] for event in lines((folder / "recording").read_text())] == ["line"] * 3
        result = ctl("replay", "--local", folder / "recording")
        assert (result.returncode, result.stderr) == (0, ""), result.stdout
        with subscribe(daemon.path, snapshots=True, since=3)[0] as stream:
            assert "window" not in stream.reply()["parameters"]["event"]

    def test_the_pasteboard_is_nobodys_who_did_not_ask_for_it(self, daemon):
        told = {"window": "full", "key": "paste"}
        marker = f'{MARKER}"\\,"pasteboard":"'
        with subscribe(daemon.path, snapshots=True, pasteboard=True)[0] as asked, subscribe(daemon.path, snapshots=True)[0] as other:
            with Wire(daemon.path) as wire:
                for text in ("a", "ab", 'ab,"pasteboard":"x"'):
                    wire.call("Post", {"session": "s", "new": {"before": text}, "pasteboard": marker, **told})
            for _ in range(2):
                event, same = (stream.reply()["parameters"]["event"] for stream in (asked, other))
                assert event.pop("pasteboard") == marker
                assert event == same and {name: same[name] for name in told} == told
            # It is kept with the events while they are, and told of then neither.
            with subscribe(daemon.path, snapshots=True, since=0)[0] as late:
                assert "pasteboard" not in late.reply()["parameters"]["event"]

    def test_the_pasteboard_is_recorded_where_it_is_asked_for(self, ctl, daemon, folder):
        def recorded(*options):
            path = folder / f"recording{len(options)}"
            with Running("--socket", daemon.path, "record", *options, "--count", 1, path) as running:
                running.line("stderr")
                with Wire(daemon.path) as wire:
                    post(wire, pasteboard="ひみつ")
                assert running.process.wait(PATIENCE) == 0
            return lines(path.read_text())[0].get("pasteboard")

        assert recorded() is None
        assert recorded("--pasteboard") == "ひみつ"
        hidden = recorded("--pasteboard", "--redact")
        assert len(hidden) == 3 and hidden != "ひみつ"

    def record_expected(self, daemon, path):
        """The recording of an announced edit that comes: its event."""
        with Wire(daemon.path) as wire:
            wire.call("Post", {"session": "s", "new": {"before": "あ"}})
            wire.call("Expect", {"session": "s", "edit": {"insert": "い"}})
            wire.call("Post", {"session": "s", "new": {"before": "あい"}})
        [event] = self.record(daemon, path, count=1)
        return event

    def test_an_announced_edit_comes_out_as_expected_again(self, ctl, daemon, folder):
        event = self.record_expected(daemon, folder / "recording")
        assert event["transition"]["kind"] == "expected"
        for options in (["--local"], ["--socket", daemon.path, "--speed", 0]):
            assert ctl("replay", *options, folder / "recording").returncode == 0

    def test_an_edit_that_did_not_come_is_announced_again(self, ctl, daemon, folder):
        with Wire(daemon.path) as wire:
            wire.call("Post", {"session": "s", "new": {"before": "a"}})
            wire.call("Expect", {"session": "s", "edit": {"insert": "more"}})
            wire.call("Post", {"session": "s", "new": {"before": "amo"}})
            wire.call("Expect", {"session": "s", "edit": {"insert": "b"}})
            wire.call("Expect", {"session": "s", "edit": {"insert": "c"}})
            wire.call("Withdraw", {"session": "s", "expected": 3})
            wire.call("Expect", {"session": "s", "new": {"before": "amobd"}})
            wire.call("Post", {"session": "s", "new": {"before": "amobd!"}})
        events = self.record(daemon, folder / "recording", count=2)
        assert [[call["number"] for call in event["announced"]] for event in events] == [[1], [2, 3, 3, 4]]
        assert [event["transition"]["unfulfilled"] for event in events] == [[1], []]
        assert events[1]["transition"]["expected"] == [2, 4]
        for options in (["--local"], ["--socket", daemon.path, "--speed", 0]):
            replayed = ctl("replay", "--json", *options, folder / "recording")
            assert replayed.returncode == 0
            again = lines(replayed.stdout)
            assert again[0] == events[0]["transition"]
            # What is announced behind a withdrawal has a number of its own.
            assert again[1] == events[1]["transition"]

    def test_an_edit_that_did_not_come_is_explained(self, ctl, daemon, folder):
        with Wire(daemon.path) as wire:
            wire.call("Post", {"session": "s", "new": {"before": "a"}})
            for text in "b", "more":
                wire.call("Expect", {"session": "s", "edit": {"insert": text}})
                wire.call("Post", {"session": "s", "new": {"before": "ab" if text == "b" else "abmo"}})
        events = self.record(daemon, folder / "recording", count=2)
        assert events[1]["transition"]["unfulfilled"] == [2]
        # The number stays the recording's, also where that begins later.
        explained = ctl("explain", "--session", input=json.dumps(events[1]) + "\n")
        assert "announced edit #2\n" in explained.stdout
        assert explained.stdout.endswith(
            "; announced edit #2 did not come: another edit is shown instead, or a part alone.\n")
        replayed = ctl("replay", "--local", "--json", "-", input=json.dumps(events[1]) + "\n")
        assert lines(replayed.stdout)[0]["unfulfilled"] == [2]

    def test_an_older_recording_holds_what_came_of_the_announced_edits(self, ctl, daemon, folder):
        event = self.record_expected(daemon, folder / "recording")
        del event["announced"]
        (folder / "recording").write_text(json.dumps(event) + "\n")
        for options in (["--local"], ["--socket", daemon.path, "--speed", 0]):
            assert ctl("replay", *options, folder / "recording").returncode == 0

    def test_a_file_that_is_there_is_not_overwritten(self, ctl, daemon, folder):
        self.fill(ctl, daemon)
        path = folder / "recording"
        path.write_text("precious")
        result = ctl("--socket", daemon.path, "record", "--since", 0, "--count", 1, path)
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr == f"contextdiffctl: {path} is there already: --force overwrites it\n"
        assert path.read_text() == "precious"
        self.record(daemon, path, "--force", count=1)
        # A link that leads nowhere is there, too.
        path.unlink()
        path.symlink_to(folder / "nowhere")
        result = ctl("--socket", daemon.path, "record", "--since", 0, "--count", 1, path)
        assert result.stderr == f"contextdiffctl: {path} is there already: --force overwrites it\n"

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
    @pytest.mark.parametrize("mode", [0o600, 0o666])
    def test_anothers_file_is_left_as_it_was(self, ctl, daemon, folder, mode):
        self.fill(ctl, daemon)
        path = folder / "recording"
        path.write_text("precious")
        path.chmod(mode)
        os.chown(path, 54_321, -1)
        result = ctl("--socket", daemon.path, "record", "--force", "--since", 0, "--count", 1, path)
        assert (result.returncode, result.stderr) == (1, f"contextdiffctl: {path} is another user's\n")
        assert path.read_text() == "precious"

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a pipe away")
    def test_anothers_pipe_is_told_nothing(self, ctl, daemon, folder):
        self.fill(ctl, daemon)
        path = folder / "recording"
        os.mkfifo(path)
        os.chown(path, 54_321, -1)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        result = ctl("--socket", daemon.path, "record", "--since", 0, "--count", 1, path)
        assert (result.returncode, result.stderr) == (1, f"contextdiffctl: {path} is another user's\n")
        assert os.read(reader, 1) == b""
        os.close(reader)

    def test_who_has_an_open_file_of_the_name_does_not_read_the_recording(self, ctl, daemon, folder):
        self.fill(ctl, daemon)
        path = folder / "recording"
        path.write_text("precious")
        path.chmod(0o644)
        with path.open() as reader:
            self.record(daemon, path, "--force", count=1)
            assert reader.read() == "precious"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_what_cannot_begin_leaves_the_file_that_is_there(self, ctl, start_daemon, folder):
        daemon = start_daemon("--set", "limits.subscribers=0")
        path = folder / "recording"
        path.write_text("precious")
        result = ctl("--socket", daemon.path, "record", "--force", path)
        assert (result.returncode, path.read_text()) == (1, "precious")
        assert ctl("--socket", daemon.path, "record", folder / "other").returncode == 1
        assert not (folder / "other").exists()

    def test_an_announced_edit_is_explained_as_it_was_read(self, ctl, daemon, folder):
        self.record_expected(daemon, folder / "recording")
        explained = ctl("explain", "--session", "--json", input=(folder / "recording").read_text())
        assert json.loads(explained.stdout)["transition"]["kind"] == "expected"
        [chosen] = [reading for reading in json.loads(explained.stdout)["readings"] if reading["isChosen"]]
        assert (chosen["kind"], chosen["reason"], chosen["agreement"]) == ("expected", "announced edit #1", "exact")

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_who_interrupts_a_replay_leaves_no_session(self, ctl, daemon, folder, number):
        self.fill(ctl, daemon)
        self.record(daemon, folder / "recording", count=PAIRS)
        events = lines((folder / "recording").read_text())
        for place, event in enumerate(events):
            event["time"] = place * 3_600_000_000
        (folder / "slow").write_text("".join(json.dumps(event) + "\n" for event in events))

        def replayed():
            return [line for line in ctl("--socket", daemon.path, "sessions").stdout.splitlines() if line.startswith("replay-")]

        with Running("--socket", daemon.path, "replay", folder / "slow") as running:
            until(replayed)
            running.process.send_signal(number)
            assert running.process.wait(PATIENCE) == -number
        assert replayed() == []

    def test_an_interrupted_replay_begins_no_session_again(self, ctl, daemon, folder):
        self.fill(ctl, daemon)
        [event, *_] = self.record(daemon, folder / "recording", count=PAIRS)
        events = [{**event, "session": f"s{place % 200}"} for place in range(40_000)]
        (folder / "long").write_text("".join(json.dumps(event) + "\n" for event in events))
        for _ in range(3):
            with Running("--socket", daemon.path, "replay", "--speed", 0, folder / "long") as running:
                until(lambda: "replay-" in ctl("--socket", daemon.path, "sessions").stdout)
                running.process.send_signal(signal.SIGINT)
                assert running.process.wait(PATIENCE) == -signal.SIGINT
            assert "replay-" not in ctl("--socket", daemon.path, "sessions").stdout

    def test_a_replay_whose_session_went_meanwhile_forgets_the_others(self, ctl, daemon, folder):
        self.fill(ctl, daemon)
        [event, *_] = self.record(daemon, folder / "recording", count=PAIRS)
        events = [{**event, "session": name, "time": time} for time, name in ((0, "a"), (0, "b"), (500_000, "b"))]
        (folder / "two").write_text("".join(json.dumps(event) + "\n" for event in events))
        with Running("--socket", daemon.path, "replay", folder / "two") as running, Wire(daemon.path) as wire:

            def replayed():
                return [name for name in wire.call("ListSessions")["sessions"] if name.startswith("replay-")]

            until(lambda: len(replayed()) == 2)
            wire.call("Forget", {"session": min(replayed())})
            assert running.process.wait(PATIENCE) == 0
            assert replayed() == []

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_who_interrupts_a_recording_is_told_what_is_in_it(self, ctl, daemon, folder, number):
        self.fill(ctl, daemon)
        path = folder / "recording"
        with Running("--socket", daemon.path, "record", "--since", 0, path) as running:
            assert running.line("stderr") == f"contextdiffctl: recording to {path}"
            until(lambda: path.read_text().count("\n") == PAIRS)
            running.process.send_signal(number)
            assert running.line("stderr") == f"contextdiffctl: recorded {PAIRS} events in {path}"
            assert running.process.wait(PATIENCE) == -number

    def test_replay_as_json(self, ctl, daemon, folder):
        cases = self.live(ctl, daemon, folder / "recording")
        result = ctl("--socket", daemon.path, "replay", "--json", "--speed", 1000, folder / "recording")
        assert result.returncode == 0
        assert len(lines(result.stdout)) == len(cases)

    def test_redaction_hides_every_letter(self, ctl, daemon, folder):
        # None of these letters is one that stands for others.
        posts = "".join(json.dumps({"new": {"before": text}}) + "\n" for text in ("秘密", "秘密のZoom", "秘"))
        ctl("--socket", daemon.path, "classify", "--session", "s", input=posts)
        recorded = self.record(daemon, folder / "recording", "--redact", count=2)
        texts = [text for event in recorded for text in (
            event["old"]["before"], event["new"]["before"], event["transition"]["inserted"],
            event["transition"]["removed"]) if text]
        assert len(texts) >= 6
        assert not set("秘密のZoom") & set("".join(texts))
        assert len(recorded[0]["new"]["before"]) == len("秘密のZoom")
        assert recorded[0]["new"]["before"] == recorded[1]["old"]["before"]

    @pytest.mark.parametrize("exists", [False, True])
    def test_a_recording_is_for_its_user_alone(self, ctl, daemon, folder, exists):
        self.fill(ctl, daemon)
        path = folder / "recording"
        if exists:
            path.touch(0o644)
        with Running("--socket", daemon.path, "record", "--since", 0, "--force", path):
            deadline = time.monotonic() + PATIENCE
            while not (path.exists() and path.read_text().count("\n") == PAIRS):
                assert time.monotonic() < deadline
                time.sleep(0.01)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_a_bad_line_of_a_recording_is_told(self, ctl, daemon, folder):
        self.fill(ctl, daemon)
        self.record(daemon, folder / "recording", count=1)
        with open(folder / "recording", "a") as recording:
            recording.write(MARKER + "\n" + '{"sequence": 1}\n')
        result = ctl("--socket", daemon.path, "replay", folder / "recording")
        assert result.returncode == 1
        assert result.stdout.splitlines()[-1].startswith("1 pair, ")
        assert "line 2: not JSON" in result.stderr and "line 3: session: missing" in result.stderr
        assert MARKER not in result.stderr

    def test_blank_lines_of_a_recording_are_passed_over(self, ctl, daemon, folder):
        self.fill(ctl, daemon)
        self.record(daemon, folder / "recording", count=1)
        line = (folder / "recording").read_text()
        result = ctl("replay", "--local", "-", input=f"\n{line}  \n{line}\nx\n")
        assert result.stderr == "contextdiffctl: line 6: not JSON: an unexpected character at byte 1\n"
        assert result.stdout.splitlines()[-1].startswith("2 pairs, ")

    def test_a_file_that_takes_no_more_holds_whole_lines_and_their_count_is_told(self, ctl, daemon, folder):
        self.fill(ctl, daemon)
        self.record(daemon, folder / "whole", count=2)
        lines = (folder / "whole").read_bytes().splitlines(keepends=True)
        # Python ignores the signal that comes with this limit, and so does what it starts.
        room = len(lines[0]) + len(lines[1]) // 2
        result = subprocess.run(
            [PROGRAMS / "contextdiffctl", "--socket", daemon.path, "record", "--since", "0", "--count", "2", folder / "cut"],
            capture_output=True, text=True, env=environment(), timeout=PATIENCE, restore_signals=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr == (
            f"contextdiffctl: recording to {folder}/cut\ncontextdiffctl: recorded 1 event in {folder}/cut\n"
            f"contextdiffctl: cannot write to {folder}/cut: File too large\n")
        assert (folder / "cut").read_bytes() == lines[0]

    def test_a_pair_that_the_daemon_does_not_take_is_told_and_the_rest_goes_on(self, ctl, start_daemon, folder):
        daemon = start_daemon("--set", "limits.frameBytes=65536", "--set", "limits.fieldBytes=20000")
        self.fill(ctl, daemon)
        [event] = self.record(daemon, folder / "recording", count=1)
        # Longer than a field may be; within that, and longer than a frame.
        long, longer = ({"before": "x" * 20_001}, {name: "\1" * 5_000 for name in ("before", "selected", "after")})
        events = [event, {**event, "new": long}, {**event, "old": longer, "new": longer}, event]
        (folder / "large").write_text("".join(json.dumps(event) + "\n" for event in events))
        result = ctl("--socket", daemon.path, "replay", "--speed", 0, folder / "large")
        assert result.returncode == 1
        assert result.stderr == (
            "contextdiffctl: line 2: new.before is longer than 20000 bytes\n"
            "contextdiffctl: line 3: the call, with all of its texts and names, is longer than 65536 bytes, the daemon's limits.frameBytes\n")
        assert result.stdout.splitlines()[-1].startswith("2 pairs, ")

    def test_a_pair_is_as_long_as_the_daemon_takes_it(self, ctl, start_daemon, folder):
        daemon = start_daemon("--set", "limits.frameBytes=16777216", "--set", "limits.fieldBytes=5000000", "--set", "limits.keptEventsBytes=33554432")
        text = "x" * 4_900_000
        with Running("--socket", daemon.path, "record", "--count", 1, folder / "recording") as running:
            running.line("stderr")
            for before in (text, text + "y"):
                result = ctl("--socket", daemon.path, "post", "s", input=json.dumps({"new": {"before": before}}))
                assert (result.returncode, result.stderr) == (0, "")
            assert running.process.wait(PATIENCE) == 0
        result = ctl("--socket", daemon.path, "replay", "--speed", 0, folder / "recording")
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout.splitlines()[-1] == "1 pair, 0 read as another kind than recorded"


class TestStatusSessionsForget:
    def test_status(self, ctl, daemon):
        ctl("--socket", daemon.path, "classify", "--session", "s", input=pair("a", "ab"))
        statistics = json.loads(ctl("--socket", daemon.path, "status", "--json").stdout)
        assert (statistics["pairs"], statistics["pairsByKind"]) == (1, {"insertion": 1})
        rows = {what: tuple(rest) for what, *rest in
                (line.split("\t") for line in ctl("--socket", daemon.path, "status").stdout.splitlines())}
        assert (rows["pairs"], rows["pairs: insertion"], rows["events lost"]) == (("1", ""), ("1", ""), ("0", ""))
        assert rows["instance"] == (statistics["instance"], "")
        assert rows["version"] == ("contextdiffd " + ctl("--version").stdout.strip(), "")
        assert rows["socket"] == (daemon.path, "")

    def test_status_shows_what_is_held_beside_its_limit(self, ctl, start_daemon):
        daemon = start_daemon("--set", "limits.sessions=7", "--set", "limits.totalBytes=8000000")
        ctl("--socket", daemon.path, "classify", "--session", "s", input=pair("a", "ab"))
        statistics = json.loads(ctl("--socket", daemon.path, "status", "--json").stdout)
        assert (statistics["limits"]["sessions"], statistics["limits"]["totalBytes"]) == (7, 8_000_000)
        assert 0 < statistics["bytes"] < 8_000_000
        rows = {what: tuple(rest) for what, *rest in
                (line.split("\t") for line in ctl("--socket", daemon.path, "status").stdout.splitlines())}
        assert rows["sessions"] == ("1", "7")
        assert rows["events kept"] == ("1", str(statistics["limits"]["keptEvents"]))
        assert 0 < int(rows["bytes held"][0]) < 8_000_000 and rows["bytes held"][1] == "8000000"

    def test_status_says_on_a_terminal_which_limits_are_each_users(self, start_daemon):
        daemon = start_daemon("--set", "limits.sessions=7", "--set", "limits.connections=9")
        shown = in_terminal("--color", "never", "--socket", daemon.path, "status", env=environment())
        rows = [line.split() for line in shown.splitlines()]
        assert ["sessions", "0", "a", "user's", "7"] in rows
        assert ["connections", "1", "9"] in rows

    def test_sessions_and_forget(self, ctl, daemon):
        for name, window in (("one", "full"), ("二つ", "line")):
            ctl("--socket", daemon.path, "classify", "--session", name, "--window", window, input=pair("a", "ab"))
        rows = [line.split("\t") for line in ctl("--socket", daemon.path, "sessions").stdout.splitlines()]
        assert [row[:3] for row in rows] == [["二つ", "line", "1"], ["one", "full", "1"]]
        assert all(int(row[3]) > 0 and row[4] == "0" and row[5].endswith(" s ago") for row in rows)
        listed = json.loads(ctl("--socket", daemon.path, "sessions", "--json").stdout)
        assert [session["name"] for session in listed] == ["二つ", "one"]
        assert listed[0]["window"] == "line" and not listed[0]["windowLearnt"]
        forgotten = ctl("--socket", daemon.path, "forget", "二つ")
        assert (forgotten.returncode, forgotten.stdout, forgotten.stderr) == (0, "", "")
        assert self.names(ctl, daemon) == ["one"]
        again = ctl("--socket", daemon.path, "forget", "二つ")
        assert (again.returncode, again.stdout) == (1, "")
        assert again.stderr == "contextdiffctl: there is no session named 二つ\n"

    def names(self, ctl, daemon):
        return [line.split("\t")[0] for line in ctl("--socket", daemon.path, "sessions").stdout.splitlines()]

    def fill(self, ctl, daemon, *names):
        for name in names:
            ctl("--socket", daemon.path, "classify", "--session", name, input=pair("a", "ab"))

    def test_several_are_forgotten_also_where_one_is_not_there(self, ctl, daemon):
        self.fill(ctl, daemon, "one", "two", "three")
        result = ctl("--socket", daemon.path, "forget", "one", "none", "three")
        assert (result.returncode, result.stderr) == (1, "contextdiffctl: there is no session named none\n")
        assert self.names(ctl, daemon) == ["two"]

    def test_all_are_forgotten(self, ctl, daemon):
        self.fill(ctl, daemon, "one", "two", "three")
        for _ in range(2):
            result = ctl("--socket", daemon.path, "forget", "--all")
            assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
            assert self.names(ctl, daemon) == []

    def test_names_are_completed_but_for_those_that_a_shell_would_expand(self, ctl, daemon):
        self.fill(ctl, daemon, "notes-1", "$(touch x)", "a b", "mail_2")
        words = ["contextdiffctl", "--socket", daemon.path, "forget", ""]
        result = ctl("---completion", "forget", "--", "positional@0", "4", "0", *words)
        assert sorted(result.stdout.split()) == ["mail_2", "notes-1"], result
        words[2] = daemon.path + "-nobody"
        assert ctl("---completion", "forget", "--", "positional@0", "4", "0", *words).stdout.split() == []


class TestPostExpectWithdraw:
    def run(self, ctl, daemon, *arguments, **options):
        result = ctl("--socket", daemon.path, *arguments, **options)
        assert (result.returncode, result.stderr) == (0, ""), result
        return result.stdout

    def test_a_pair_is_posted_and_goes_on_from_the_last(self, ctl, daemon):
        assert self.run(ctl, daemon, "post", "s", "--new-before", "今日") == "a baseline\n"
        told = self.run(ctl, daemon, "post", "s", "--new-before", "今日は")
        assert told.startswith("insertion, ") and '+"は"' in told
        transition = json.loads(self.run(ctl, daemon, "post", "s", "--json", "--new-before", "今日"))
        assert (transition["kind"], transition["removed"]) == ("deletion", "は")
        transition = json.loads(self.run(
            ctl, daemon, "post", "s", "--json", "--old-before", "a", "--new-before", "ab", "--key", "character"))
        assert transition["inserted"] == "b"

    def test_a_pair_is_read_from_standard_input(self, ctl, daemon):
        self.run(ctl, daemon, "post", "s", input='{"new": {"before": "a"}}')
        assert self.run(ctl, daemon, "post", "s", input=pair("a", "ab")).startswith("insertion")
        bad = ctl("--socket", daemon.path, "post", "s", input=MARKER)
        assert (bad.returncode, bad.stdout) == (1, "")
        assert bad.stderr == "contextdiffctl: standard input: not JSON: an unexpected character at byte 1\n"

    @pytest.mark.parametrize("known", [
        ["--key", "cut"], ["--pasteboard", "a"], ["--composition-before", "1"], ["--composition-after", "1"],
        ["--cause", "other"], ["--merged"], ["--reset"], ["--new-has-text", "true"],
        ["--old-has-text", "true"], ["--old-caret", "1"], ["--new-caret", "1"], ["--old-selection-shown", "true"],
        ["--new-selection-shown", "false"]], ids=lambda known: known[0])
    def test_what_else_is_known_is_refused_beside_standard_input(self, ctl, daemon, known):
        result = ctl("--socket", daemon.path, "post", "s", *known, input=pair("a", "ab"))
        assert (result.returncode, result.stdout) == (64, "")
        assert "Give the pair's texts by options too" in result.stderr
        assert self.run(ctl, daemon, "sessions") == ""

    def test_a_password_is_not_kept(self, ctl, daemon):
        assert self.run(ctl, daemon, "post", "s", "--secure", input=pair("a", "ab")).startswith("insertion")
        told = self.run(ctl, daemon, "post", "s", "--secure", input='{"new": {"before": "ab"}}')
        assert told == "nothing before it, and nothing kept of it\n"
        assert self.run(ctl, daemon, "sessions") == ""

    def test_a_password_is_no_argument(self, ctl, daemon):
        result = ctl("--socket", daemon.path, "post", "s", "--secure", "--old-before", "a", "--new-before", "ab")
        assert (result.returncode, result.stdout) == (64, "")
        assert "give the pair on standard input: arguments are shown to every user" in result.stderr

    def test_what_the_daemon_refuses_is_told(self, ctl, start_daemon):
        daemon = start_daemon("--set", "limits.fieldBytes=10")
        result = ctl("--socket", daemon.path, "post", "s", "--new-before", "x" * 11)
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr == "contextdiffctl: new.before is longer than 10 bytes\n"

    def test_an_announced_edit_comes_out_as_expected(self, ctl, daemon):
        self.run(ctl, daemon, "post", "s", "--new-before", "今日")
        assert self.run(ctl, daemon, "expect", "s", "--delete-backward", "1", "--insert", "夜") == "1\n"
        assert self.run(ctl, daemon, "expect", "s", "--new-before", "今夜は") == "2\n"
        told = self.run(ctl, daemon, "post", "s", "--new-before", "今夜は")
        assert told.startswith("expected, certain")

    def test_a_caret_may_be_announced_to_move_back(self, ctl, daemon):
        self.run(ctl, daemon, "post", "s", "--new-before", "今日")
        assert self.run(ctl, daemon, "expect", "s", "--insert", "「」", "--move-caret", "-1") == "1\n"
        told = json.loads(self.run(ctl, daemon, "post", "s", "--json", "--new-before", "今日「", "--new-after", "」"))
        assert (told["kind"], told["expected"]) == ("expected", [1])

    def test_an_announced_edit_is_withdrawn(self, ctl, daemon):
        self.run(ctl, daemon, "post", "s", "--new-before", "今日")
        self.run(ctl, daemon, "expect", "s", "--insert", "は")
        assert self.run(ctl, daemon, "withdraw", "s", "1") == ""
        assert self.run(ctl, daemon, "post", "s", "--new-before", "今日は").startswith("insertion")
        again = ctl("--socket", daemon.path, "withdraw", "s", "1")
        assert (again.returncode, again.stdout) == (1, "") and again.stderr.startswith("contextdiffctl: ")

    def test_nothing_can_be_announced_where_there_is_no_session(self, ctl, daemon):
        result = ctl("--socket", daemon.path, "expect", "none", "--insert", "a")
        assert (result.returncode, result.stderr) == (1, "contextdiffctl: there is no session named none\n")

    def test_ping(self, ctl, daemon):
        told = self.run(ctl, daemon, "ping")
        version = ctl("--version").stdout.strip()
        assert re.fullmatch(rf"contextdiffd {re.escape(version)} on {re.escape(daemon.path)}: [0-9.]+ ms\n", told)
