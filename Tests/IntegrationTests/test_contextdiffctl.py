"""contextdiffctl against a real daemon, with every way in which it can fail."""

import json
import os
import pty
import selectors
import signal
import stat
import subprocess
import time

import pytest

from conftest import PATIENCE, PROGRAMS, ROOT, environment

ARTICLE = ROOT / "Tests" / "ContextDiffTests" / "Cases" / "article.jsonl"
SESSION = ROOT / "demo" / "session.jsonl"
COMMANDS = ["classify", "monitor", "explain", "record", "replay", "status", "sessions", "forget"]
# Stands where typed text stands, and must show nowhere else.
MARKER = "ひみつSECRETひみつ"


def pair(old, new, **more):
    return json.dumps({"old": {"before": old}, "new": {"before": new}, **more}, ensure_ascii=False)


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


class Running:
    """contextdiffctl while it runs, read line by line."""

    def __init__(self, *arguments, **options):
        self.process = subprocess.Popen(
            [PROGRAMS / "contextdiffctl", *map(str, arguments)], env=environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        self.buffer = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    def write(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def line(self, stream="stdout"):
        """The next line; fails where none comes."""
        pipe = getattr(self.process, stream)
        deadline = time.monotonic() + PATIENCE
        while b"\n" not in self.buffer.get(stream, b""):
            with selectors.DefaultSelector() as selector:
                selector.register(pipe, selectors.EVENT_READ)
                assert selector.select(deadline - time.monotonic()), f"no line on {stream}"
            chunk = os.read(pipe.fileno(), 65536)
            assert chunk, f"{stream} ended after {self.buffer.get(stream, b'')!r}"
            self.buffer[stream] = self.buffer.get(stream, b"") + chunk
        line, _, self.buffer[stream] = self.buffer[stream].partition(b"\n")
        return line.decode()

    def event(self):
        return json.loads(self.line())


def in_terminal(*arguments, env, input=None):
    """What contextdiffctl writes to a terminal."""
    primary, secondary = pty.openpty()
    process = subprocess.Popen(
        [PROGRAMS / "contextdiffctl", *map(str, arguments)], env=env, stdin=subprocess.PIPE,
        stdout=secondary, stderr=subprocess.DEVNULL)
    os.close(secondary)
    process.stdin.write((input or "").encode())
    process.stdin.close()
    written = b""
    try:
        while chunk := os.read(primary, 65536):
            written += chunk
    except OSError:  # The terminal has no other end any more.
        pass
    os.close(primary)
    process.wait(PATIENCE)
    return written.decode()


class TestClassify:
    def test_answers_the_articles_cases(self, ctl):
        cases = lines(ARTICLE.read_text())
        result = ctl("classify", "--local", ARTICLE)
        assert (result.returncode, result.stderr) == (0, "")
        answers = lines(result.stdout)
        assert len(answers) == len(cases)
        for case, answer in zip(cases, answers):
            assert (answer["kind"], answer["basicKind"]) == (case["kind"], case["basicKind"]), case["name"]

    def test_a_daemon_answers_as_the_process_itself(self, ctl, daemon):
        by_daemon = ctl("--socket", daemon.path, "classify", ARTICLE)
        assert by_daemon.returncode == 0
        assert by_daemon.stdout == ctl("classify", "--local", ARTICLE).stdout

    def test_the_demo_reads_as_it_says(self, ctl, daemon):
        cases = lines(SESSION.read_text())
        for answers in (
            ctl("classify", "--socket", daemon.path, "--session", "demo", SESSION),
            ctl("classify", "--local", "--session", "demo", SESSION),
        ):
            read = [(case["name"], answer["kind"]) for case, answer in zip(cases, lines(answers.stdout), strict=True)]
            assert read == [(case["name"], case["kind"]) for case in cases]

    def test_answers_each_line_at_once(self, daemon):
        with Running("classify", "--socket", daemon.path) as running:
            for text in ("a", "ab", "abc"):
                running.write(pair(text, text + "x") + "\n")
                assert running.event()["inserted"] == "x"
            running.process.stdin.close()
            assert running.process.wait(PATIENCE) == 0

    def test_the_last_line_needs_no_line_feed(self, ctl):
        assert lines(ctl("classify", "--local", input=pair("a", "ab")).stdout)[0]["inserted"] == "b"

    def test_no_line_is_no_error(self, ctl):
        result = ctl("classify", "--local", input="")
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")

    @pytest.mark.parametrize("where", ["local", "daemon"])
    @pytest.mark.parametrize("bad, reason", [
        (f'{{"old": "{MARKER}', "not JSON: it ends too early at byte "),
        (f"{MARKER}", "not JSON: an unexpected character at byte 1"),
        ("", "not JSON: it ends too early at byte 1"),
        (f'["{MARKER}"]', "not a JSON object"),
        ("{}", "new: missing or of the wrong type"),
        ('{"new":{}}', "old: missing or of the wrong type"),
        (f'{{"old":{{"before":"{MARKER}","after":7}},"new":{{}}}}', "old.after: missing or of the wrong type"),
        (f'{{"old":{{}},"new":{{}},"window":"{MARKER}"}}', "window: missing or of the wrong type"),
        ('{"old":{},"new":{"before":"\\ud800"}}', "not JSON: half a surrogate pair at byte "),
        ('{"old":{},"old":{},"new":{}}', "not JSON: a member that stands twice at byte "),
        (json.dumps({"old": {}, "new": {"after": "x" * (1024 * 1024 + 1)}}), ""),
    ], ids=["cut", "text", "empty", "array", "nothing", "no old", "type", "window", "surrogate", "twice", "long"])
    def test_a_bad_line_is_told_and_the_rest_goes_on(self, ctl, request, where, bad, reason):
        how = ["--local"] if where == "local" else ["--socket", request.getfixturevalue("daemon").path]
        good = pair("a", "ab")
        result = ctl("classify", *how, input=f"{good}\n{bad}\n{good}\n{bad}\n")
        assert result.returncode == 1
        answers = lines(result.stdout)
        assert [answer.get("kind") for answer in answers] == ["insertion", None, "insertion", None]
        assert [answer.get("line") for answer in answers] == [None, 2, None, 4]
        assert answers[1]["error"].startswith(reason)
        told = result.stderr.splitlines()
        assert told == [f"contextdiffctl: line {number}: {answers[1]['error']}" for number in (2, 4)]
        assert MARKER not in result.stderr + answers[1]["error"]

    def test_a_line_longer_than_a_frame_harms_no_other(self, ctl, daemon):
        too_long = json.dumps({"old": {}, "new": {"before": "x" * (5 << 20)}})
        good = pair("a", "ab")
        result = ctl("--socket", daemon.path, "classify", input=f"{good}\n{too_long}\n{good}\n")
        assert result.returncode == 1
        assert [answer.get("kind") for answer in lines(result.stdout)] == ["insertion", None, "insertion"]
        assert "line 2: longer than" in result.stderr

    def test_the_window_is_that_of_the_line_or_of_the_option(self, ctl):
        # Under `paragraph` the list reads what follows the last line break, under `sentence` the whole.
        line = {"old": {"before": "今日は\nab"}, "new": {"before": "ab"}}
        batch = "".join(json.dumps({**line, **more}) + "\n" for more in ({}, {"window": "sentence"}, {"window": "paragraph"}))

        def kinds(*options):
            return [answer["basicKind"] for answer in lines(ctl("classify", "--local", *options, input=batch).stdout)]

        assert kinds() == ["outOfRangeTap", "outOfRangeTap", "unchanged"]
        assert kinds("--window", "paragraph") == ["unchanged", "outOfRangeTap", "unchanged"]

    @pytest.mark.parametrize("where", ["local", "daemon"])
    def test_a_session_has_a_baseline_and_then_transitions(self, ctl, request, where):
        how = ["--local"] if where == "local" else ["--socket", request.getfixturevalue("daemon").path]
        posts = [json.dumps({"new": {"before": text}}) for text in ("a", "ab", "abc")]
        result = ctl("classify", "--session", "s", *how, input="\n".join(posts))
        assert result.returncode == 0
        baseline, *rest = lines(result.stdout)
        assert baseline is None
        assert [answer["inserted"] for answer in rest] == ["b", "c"]

    def test_many_lines_keep_their_order(self, ctl, daemon):
        count = 20_000
        text = "".join(pair("x", f"x{number}") + "\n" for number in range(count))
        began = time.monotonic()
        result = ctl("--socket", daemon.path, "classify", input=text)
        print(f"{count / (time.monotonic() - began):.0f} lines a second")
        assert [answer["inserted"] for answer in lines(result.stdout)] == [str(number) for number in range(count)]

    def test_drawn_for_people(self, ctl):
        result = ctl("classify", "--local", "--draw", input=json.dumps({
            "name": "A word", "old": {"before": "今日は\n", "selected": None, "after": "良い"},
            "new": {"before": "今日は\n", "selected": "良い", "after": None}}) + "\n{\n")
        assert result.returncode == 1
        drawn = [line.strip() for line in result.stdout.splitlines()]
        assert drawn[0] == "1  A word"
        assert drawn[1:3] == ["今日は⏎|良い", "今日は⏎|良い|∅"]
        assert drawn[3].startswith("selection")


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

    def test_a_recording_is_for_its_user_alone(self, ctl, daemon, folder):
        self.fill(ctl, daemon)
        path = folder / "recording"
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
        assert json.loads(ctl("--socket", daemon.path, "sessions", "--json").stdout) == ["二つ", "one"]
        forgotten = ctl("--socket", daemon.path, "forget", "二つ")
        assert (forgotten.returncode, forgotten.stdout, forgotten.stderr) == (0, "", "")
        assert ctl("--socket", daemon.path, "sessions").stdout == "one\n"
        again = ctl("--socket", daemon.path, "forget", "二つ")
        assert (again.returncode, again.stdout) == (1, "")
        assert again.stderr == "contextdiffctl: there is no session named 二つ\n"


class TestTerminal:
    def test_colours_are_for_terminals_that_want_them(self, ctl):
        arguments, input = ["classify", "--local", "--draw"], pair("a", "ab") + "\n"
        assert "\x1b[" in in_terminal(*arguments, env=environment(), input=input)
        for unwanted in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            assert "\x1b[" not in in_terminal(*arguments, env=environment(**unwanted), input=input)
        assert "\x1b[" not in ctl(*arguments, input=input).stdout

    def test_tables_are_for_terminals(self, daemon):
        shown = in_terminal("--socket", daemon.path, "status", env=environment(NO_COLOR="1"))
        assert shown.splitlines()[0].split() == ["what", "count"]

    def test_text_cannot_drive_the_terminal(self, ctl):
        result = ctl("classify", "--local", "--draw", input=pair("a", "a\x1b[2J\u202e"))
        assert "\x1b" not in result.stdout and "\u202e" not in result.stdout


class TestFailures:
    @pytest.mark.parametrize("command", [
        ["classify"], ["monitor"], ["record", "-"], ["replay", "/dev/null"], ["status"], ["sessions"], ["forget", "s"],
    ], ids=lambda command: command[0])
    def test_no_daemon(self, ctl, folder, command):
        path = folder / "nobody"
        result = ctl("--socket", path, *command)
        assert result.returncode == 1
        assert result.stdout == ""
        assert result.stderr == (
            f"contextdiffctl: no daemon answers on {path}: start it with "
            "systemctl --user start contextdiffd.socket or make run\n")

    def test_the_default_place(self, ctl, folder):
        result = ctl("status", env=environment(XDG_RUNTIME_DIR=str(folder)))
        assert f"no daemon answers on {folder}/contextdiff/io.contextdiff:" in result.stderr

    @pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
    def test_no_permission(self, ctl, daemon):
        # `nobody` may not look into the folder, but may still run what it was given by root.
        program = os.open(PROGRAMS / "contextdiffctl", os.O_RDONLY)
        try:
            result = subprocess.run(
                [f"/proc/self/fd/{program}", "--socket", daemon.path, "status"], pass_fds=[program],
                env=environment(), capture_output=True, text=True, timeout=PATIENCE, user="nobody")
        finally:
            os.close(program)
        assert result.returncode == 1
        assert result.stderr == f"contextdiffctl: no permission to connect to {daemon.path}\n"

    def test_a_daemon_that_goes_away(self, daemon):
        with Running("--socket", daemon.path, "classify") as running:
            running.write(pair("a", "ab") + "\n")
            running.line()
            daemon.stop(signal.SIGKILL)
            running.write(pair("a", "ab") + "\n")
            # Either the connection's end was noticed by then, and a new one is refused, or it was not.
            assert running.line("stderr").startswith((
                f"contextdiffctl: no daemon answers on {daemon.path}: ",
                f"contextdiffctl: the daemon on {daemon.path} ended the connection"))
            assert running.process.wait(PATIENCE) == 1

    def test_files_that_cannot_be_read(self, ctl, folder):
        missing = ctl("classify", "--local", folder / "missing")
        assert (missing.returncode, missing.stdout) == (1, "")
        assert missing.stderr == f"contextdiffctl: cannot open {folder}/missing: No such file or directory\n"
        directory = ctl("classify", "--local", folder)
        assert (directory.returncode, directory.stdout) == (1, "")
        assert directory.stderr == f"contextdiffctl: cannot read {folder}: Is a directory\n"

    def test_a_file_that_cannot_be_written(self, ctl, daemon, folder):
        result = ctl("--socket", daemon.path, "record", folder / "no" / "such")
        assert result.returncode == 1
        assert result.stderr == f"contextdiffctl: cannot write to {folder}/no/such: No such file or directory\n"

    def test_a_reader_that_went_away(self):
        reading, writing = os.pipe()
        os.close(reading)
        result = subprocess.run(
            [PROGRAMS / "contextdiffctl", "classify", "--local"], input=pair("a", "b"), text=True, stdout=writing,
            stderr=subprocess.PIPE, env=environment(), timeout=PATIENCE)
        os.close(writing)
        assert result.returncode == 1
        assert result.stderr == "contextdiffctl: cannot write to standard output: Broken pipe\n"

    @pytest.mark.parametrize("closed, command, complaint", [
        (1, "classify --local", "cannot write to standard output: Bad file descriptor"),
        (0, "classify --local", "cannot read standard input: Bad file descriptor"),
    ])
    def test_a_closed_descriptor(self, closed, command, complaint):
        result = subprocess.run(
            f'"$PROGRAM" {command} {closed}>&-', shell=True, input=pair("a", "b"), text=True, capture_output=True,
            env=environment(PROGRAM=str(PROGRAMS / "contextdiffctl")), timeout=PATIENCE)
        assert (result.returncode, result.stderr) == (1, f"contextdiffctl: {complaint}\n")

    def test_a_full_disk(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run(
                [PROGRAMS / "contextdiffctl", "classify", "--local"], input=pair("a", "b"), text=True, stdout=full,
                stderr=subprocess.PIPE, env=environment(), timeout=PATIENCE)
        assert result.returncode == 1
        assert result.stderr == "contextdiffctl: cannot write to standard output: No space left on device\n"


class TestUsage:
    @pytest.mark.parametrize("arguments", [
        ["nonsense"], ["--nonsense"], ["classify", "--window", "door"], ["classify", "--session", ""],
        ["classify", "--session", "x" * 256], ["classify", "--session", "a\nb"], ["classify", "one", "two"],
        ["monitor", "--kind", "nonsense"], ["monitor", "--since", "-1"], ["record"], ["replay"],
        ["replay", "--speed", "-1", "x"], ["replay", "--speed", "inf", "x"], ["forget"], ["status", "--socket"],
        ["explain", "--window", "door"], ["explain", "--nonsense"],
    ], ids=" ".join)
    def test_wrong_usage_is_64(self, ctl, arguments):
        result = ctl(*arguments)
        assert (result.returncode, result.stdout) == (64, "")
        assert result.stderr.startswith("Error: ")

    @pytest.mark.parametrize("command", COMMANDS)
    def test_each_command_has_help_with_an_example(self, ctl, command):
        result = ctl(command, "--help")
        assert result.returncode == 0
        assert f"Example:\n  contextdiffctl {command}" in result.stdout

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_completions(self, ctl, shell):
        result = ctl("--generate-completion-script", shell)
        assert result.returncode == 0
        for command in COMMANDS:
            assert command in result.stdout


class TestDemo:
    def test_shows_each_pair_and_leaves_nothing(self, folder):
        result = subprocess.run(
            [ROOT / "demo" / "run"], env=environment(CONTEXTDIFF_BIN=str(PROGRAMS), TMPDIR=str(folder)),
            capture_output=True, text=True, timeout=PATIENCE)
        assert result.returncode == 0, result.stdout + result.stderr
        for case in lines(SESSION.read_text()):
            assert case["name"] in result.stdout
        assert "Posted 25 pairs; the subscriber heard of 25." in result.stdout
        assert list(folder.iterdir()) == []
        # Whatever it had started would still carry the folder in its command line.
        ours = [p for p in os.listdir("/proc") if p.isdigit() and str(folder).encode() in command_line(p)]
        assert ours == []

    def test_says_when_the_daemon_does_not_start(self, folder):
        (folder / "contextdiffd").symlink_to("/bin/false")
        (folder / "contextdiffctl").symlink_to("/bin/false")
        result = subprocess.run(
            [ROOT / "demo" / "run"], env=environment(CONTEXTDIFF_BIN=str(folder)), capture_output=True, text=True,
            timeout=PATIENCE)
        assert result.returncode == 1
        assert "contextdiffd did not start" in result.stderr


def command_line(process):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return file.read()
    except OSError:
        return b""
