"""contextdiffctl beside a daemon: what it hears, records and replays, and what the daemon holds."""

import json
import stat
import time

import pytest
from conftest import PATIENCE
from running import MARKER, SESSION, Running, lines, pair


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
                assert running.line("stderr") == "contextdiffctl: connected again"
                self.post(ctl, daemon, "a", "a" + text)
                # By hand, without systemd to hold the events, the next daemon counts anew.
                assert running.event() == {"lost": -1}
                assert running.event()["transition"]["inserted"] == text

    def test_hears_of_the_largest_pair(self, ctl, daemon):
        large = "x" * (1 << 20)
        line = {"old": {"before": large, "selected": large}, "new": {"before": large + "", "selected": None}}
        assert ctl("--socket", daemon.path, "classify", "--session", "s", input=json.dumps(line) + "\n").returncode == 0
        with Running("--socket", daemon.path, "monitor", "--draw", "--json", "--since", 0) as running:
            assert running.event()["sequence"] == 1

    def test_draws_pairs(self, ctl, daemon):
        self.post(ctl, daemon, "a", "ab")
        with Running("--socket", daemon.path, "monitor", "--draw", "--since", 0) as running:
            assert "insertion" in running.line()
            assert [running.line().strip(), running.line().strip()] == ["a|∅", "ab|∅"]


class TestRecordAndReplay:
    def record(self, daemon, path, *options, count):
        """Records what the daemon holds into `path`."""
        with Running("--socket", daemon.path, "record", "--since", 0, *options, "-") as running:
            text = "".join(running.line() + "\n" for _ in range(count))
        path.write_text(text)
        return lines(text)

    def fill(self, ctl, daemon):
        assert ctl("--socket", daemon.path, "classify", "--session", "s", SESSION).returncode == 0
        return lines(SESSION.read_text())

    def test_what_was_recorded_can_be_replayed(self, ctl, daemon, folder):
        cases = self.fill(ctl, daemon)
        recorded = self.record(daemon, folder / "recording", count=len(cases))
        assert [event["new"]["before"] for event in recorded] == [case["new"]["before"] for case in cases]
        result = ctl("--socket", daemon.path, "replay", "--speed", 0, "--session", "again", folder / "recording")
        assert result.returncode == 0, result.stderr
        assert result.stdout.splitlines()[-1].startswith(f"{len(cases)} pairs, ")
        assert ctl("--socket", daemon.path, "sessions").stdout.split() == ["again", "s"]

    def test_replay_as_json(self, ctl, daemon, folder):
        cases = self.fill(ctl, daemon)
        self.record(daemon, folder / "recording", count=len(cases))
        result = ctl("--socket", daemon.path, "replay", "--json", "--speed", 1000, folder / "recording")
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
        with Running("--socket", daemon.path, "record", "--since", 0, path):
            deadline = time.monotonic() + PATIENCE
            while not (path.exists() and path.read_text().count("\n") == 25):
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
        assert result.stdout.splitlines()[-1].startswith("1 pairs, ")
        assert "line 2: not JSON" in result.stderr and "line 3: session: missing" in result.stderr
        assert MARKER not in result.stderr


class TestStatusSessionsForget:
    def test_status(self, ctl, daemon):
        ctl("--socket", daemon.path, "classify", "--session", "s", input=pair("a", "ab"))
        statistics = json.loads(ctl("--socket", daemon.path, "status", "--json").stdout)
        assert (statistics["pairs"], statistics["pairsByKind"]) == (1, {"insertion": 1})
        rows = dict(line.split("\t") for line in ctl("--socket", daemon.path, "status").stdout.splitlines())
        assert (rows["pairs"], rows["pairs: insertion"], rows["sessions"]) == ("1", "1", "1")
        assert rows["instance"] == statistics["instance"]

    def test_sessions_and_forget(self, ctl, daemon):
        for name in ("one", "二つ"):
            ctl("--socket", daemon.path, "classify", "--session", name, input=pair("a", "ab"))
        assert ctl("--socket", daemon.path, "sessions").stdout == "二つ\none\n"
        listed = json.loads(ctl("--socket", daemon.path, "sessions", "--json").stdout)
        assert [session["name"] for session in listed] == ["二つ", "one"]
        forgotten = ctl("--socket", daemon.path, "forget", "二つ")
        assert (forgotten.returncode, forgotten.stdout, forgotten.stderr) == (0, "", "")
        assert ctl("--socket", daemon.path, "sessions").stdout == "one\n"
        again = ctl("--socket", daemon.path, "forget", "二つ")
        assert (again.returncode, again.stdout) == (1, "")
        assert again.stderr == "contextdiffctl: there is no session named 二つ\n"
