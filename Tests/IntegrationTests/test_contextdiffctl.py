"""contextdiffctl's pairs: classified, drawn and explained."""

import json
import os
import pty
import subprocess
import time

import pytest

from conftest import PATIENCE, PROGRAMS, ROOT, environment
from running import MARKER, SESSION, Running, in_terminal, lines, pair

ARTICLE = ROOT / "Tests" / "ContextDiffTests" / "Cases" / "article.jsonl"


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

    def test_a_posted_line_has_no_member_that_may_be_misspelt(self, ctl, daemon):
        line = json.dumps({"old": {}, "new": {"before": MARKER}, "secur": True})
        told = "secur: unknown; there may be old, new, pasteboard, window, composition, cause, key, merged, reset, secure, "
        for arguments in (["classify", "--session", "pw"], ["post", "pw"]):
            refused = ctl("--socket", daemon.path, *arguments, input=line)
            assert refused.returncode == 1 and told in refused.stderr and MARKER not in refused.stdout + refused.stderr
        assert ctl("--socket", daemon.path, "sessions", "--json").stdout == "[]\n"
        assert ctl("classify", "--local", input=line).returncode == 0

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
        (f'["{MARKER}"]', "not a JSON object"),
        ("{}", "new: missing"),
        ('{"new":{}}', "old: missing"),
        (f'{{"old":{{"before":"{MARKER}","after":7}},"new":{{}}}}', "old.after: must be a string"),
        (f'{{"old":{{}},"new":{{}},"window":"{MARKER}"}}', "window: must be one of sentence, paragraph, line, full"),
        ('{"old":{},"new":{"before":"\\ud800"}}', "not JSON: half a surrogate pair at byte "),
        ('{"old":{},"old":{},"new":{}}', "not JSON: a member that stands twice at byte "),
        (json.dumps({"old": {}, "new": {"after": "x" * (1024 * 1024 + 1)}}), "new.after"),
    ], ids=["cut", "text", "array", "nothing", "no old", "type", "window", "surrogate", "twice", "long"])
    def test_a_bad_line_is_told_and_the_rest_goes_on(self, ctl, request, where, bad, reason):
        how = ["--local"] if where == "local" else ["--socket", request.getfixturevalue("daemon").path]
        good = pair("a", "ab")
        result = ctl("classify", *how, input=f"{good}\n{bad}\n{good}\n{bad}\n")
        assert result.returncode == 1
        answers = lines(result.stdout)
        assert [answer.get("kind") for answer in answers] == ["insertion", None, "insertion", None]
        assert [answer.get("line") for answer in answers] == [None, 2, None, 4]
        assert answers[1]["error"].startswith(reason)
        assert ("longer than 1048576 bytes" in answers[1]["error"]) == (reason == "new.after")
        told = result.stderr.splitlines()
        assert told == [f"contextdiffctl: line {number}: {answers[1]['error']}" for number in (2, 4)]
        assert MARKER not in result.stderr + answers[1]["error"]

    @pytest.mark.parametrize("how", [["--local"], ["--local", "--session", "s"], []], ids=["local", "session", "daemon"])
    def test_blank_lines_count_and_are_passed_over(self, ctl, daemon, how):
        result = ctl("--socket", daemon.path, "classify", *how, input=f"\n{pair('a', 'ab')}\n \t\r\n{{\n{pair('a', 'ab')}\n\n")
        assert [(answer.get("inserted"), answer.get("line")) for answer in lines(result.stdout)] == [
            ("b", None), (None, 4), ("b", None)]
        assert result.stderr == "contextdiffctl: line 4: not JSON: it ends too early at byte 2\n"

    def test_a_line_longer_than_a_frame_harms_no_other(self, ctl, daemon):
        too_long = json.dumps({"old": {}, "new": {"before": "x" * (5 << 20)}})
        good = pair("a", "ab")
        result = ctl("--socket", daemon.path, "classify", input=f"{good}\n{too_long}\n{good}\n")
        assert result.returncode == 1
        assert [answer.get("kind") for answer in lines(result.stdout)] == ["insertion", None, "insertion"]
        assert "line 2: its call is longer than 4194304 bytes" in result.stderr

    def test_a_line_is_as_long_as_the_daemon_takes_its_call(self, ctl, start_daemon):
        """Whatever the session's name adds to it, and the line has that the call has not."""
        daemon = start_daemon("--set", "limits.frameBytes=16384")
        name = '"' * 255

        def posted(length):
            text = json.dumps({"new": {"before": "x" * length}})
            result = ctl("--socket", daemon.path, "classify", "--session", name, input=f"{text}\n{json.dumps({'new': {}})}\n")
            answers = lines(result.stdout)
            # The call is never sent where it is too long, so that the next line has its answer.
            assert len(answers) == 2 and (answers[1] is None or "kind" in answers[1])
            if result.returncode:
                assert result.stderr == (
                    "contextdiffctl: line 1: its call is longer than 16384 bytes, the daemon's limits.frameBytes\n")
            return result.returncode == 0

        taken, refused = 15_000, 16_384
        while refused - taken > 1:
            middle = (taken + refused) // 2
            taken, refused = (middle, refused) if posted(middle) else (taken, middle)
        # The text fills the call to its last byte; the NUL behind it is counted neither here nor by the daemon.
        snapshot = {"before": "", "selected": None, "after": None}
        around = {"method": "io.contextdiff.Post", "parameters": {"session": name, "new": snapshot}}
        assert taken == 16_384 - len(json.dumps(around, separators=(",", ":")))
        padded = json.dumps({"new": {"before": "\u3042" * 4_000}, "old": {}, "note": "x" * 50_000})
        assert len(padded) > 16_384 and "\\u3042" in padded
        assert ctl("--socket", daemon.path, "classify", input=padded + "\n").returncode == 0

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
        result = ctl("--socket", daemon.path, "classify", input=text)
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


class TestExplain:
    CARET_MOVE = ["--old-before", "今日は", "--old-after", "良い天気", "--new-before", "今日は良い", "--new-after", "天気"]

    def test_ends_in_one_sentence_that_says_why(self, ctl):
        result = ctl("explain", *self.CARET_MOVE)
        assert (result.returncode, result.stderr) == (0, "")
        drawn = result.stdout.splitlines()
        assert not any(line.startswith("The published list") for line in drawn)
        assert "exact   as the window's rule shows it" in drawn
        assert drawn[-1] == (
            "It is a cursorMove: the caret went to another place in the visible text, 2 scalars to the right, and that "
            "shows exactly what was seen through a sentence window; it is certain, because what else agrees "
            "(outOfRangeTap) is far less likely.")

    def test_draws_the_pair_and_every_line_of_the_list(self, ctl):
        result = ctl("explain", "--list", *self.CARET_MOVE)
        assert (result.returncode, result.stderr) == (0, "")
        drawn = result.stdout.splitlines()
        # What both show stands in the same columns.
        assert drawn[0] == "old         今日は    |良い天気"
        assert drawn[1] == "new         今日は良い|    天気"
        assert "reading     cursorMove, certain  caret +2" in drawn
        numbers = [line[2] for line in drawn if line[:1] in " ·→" and line[2:3].isdigit()]
        assert numbers == list("123456789")
        assert [line for line in drawn if line.startswith("→")][0].split()[1] == "3"

    def test_takes_json(self, ctl):
        by_options = ctl("explain", "--json", *self.CARET_MOVE)
        by_json = ctl("explain", "--json", input=json.dumps({
            "old": {"before": "今日は", "after": "良い天気"}, "new": {"before": "今日は良い", "after": "天気"}}, indent=2))
        assert by_json.returncode == 0
        assert by_json.stdout == by_options.stdout

    def test_json_has_all_of_it(self, ctl):
        explanation = json.loads(ctl("explain", "--json", *self.CARET_MOVE).stdout)
        assert explanation["transition"]["kind"] == "cursorMove"
        assert explanation["left"] == {"oldCut": 0, "newCut": 0, "kept": 3, "removed": 0, "added": 2}
        assert [line["number"] for line in explanation["list"]] == list(range(1, 10))
        assert [line["number"] for line in explanation["list"] if line["decides"]] == [3]
        assert explanation["list"][2]["compared"]["new.before"] == "今日は良い"
        assert [reading["kind"] for reading in explanation["readings"] if reading["isChosen"]] == ["cursorMove"]

    def test_takes_what_else_is_known(self, ctl):
        known = ["--pasteboard", "良い", "--composition-before", "3", "--cause", "other", "--window", "full"]
        result = ctl("explain", "--old-before", "今日は", "--new-before", "今日は良い", *known)
        assert result.returncode == 0
        for shown in ("pasteboard  \"良い\"", "cause       other", "window      full", "composed    3 scalars left"):
            assert shown in result.stdout

    @pytest.mark.parametrize("known", [
        ["--key", "cut"], ["--pasteboard", "a"], ["--composition-before", "1"], ["--cause", "other"], ["--merged"], ["--reset"],
        ["--new-has-text", "true"],
        ["--old-has-text", "true"], ["--old-caret", "1"], ["--new-caret", "1"], ["--old-selection-shown", "true"],
        ["--new-selection-shown", "false"]], ids=lambda known: known[0])
    def test_what_else_is_known_is_not_passed_over(self, ctl, known):
        result = ctl("explain", *known, input=json.dumps({"old": {"before": "a"}, "new": {"before": "ab"}}))
        assert (result.returncode, result.stdout) == (64, "")
        assert "Give the pair's texts by options too" in result.stderr

    @pytest.mark.parametrize("bad, reason", [
        (MARKER, "not JSON: an unexpected character at byte 1"), ("[]", "not a JSON object"),
        (json.dumps({"new": {"before": MARKER}}), "old: missing"),
        ("{", "not JSON: it ends too early at byte 3"), ("", "no pair"),
    ], ids=["text", "array", "no old", "half", "nothing"])
    def test_bad_json_is_told(self, ctl, bad, reason):
        result = ctl("explain", input=bad)
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr == f"contextdiffctl: standard input: {reason}\n"

    @pytest.mark.parametrize("known, transition", [
        (["--old-before", "a", "--new-before", "a", "--old-caret", "1", "--new-caret", "20"], ("outOfRangeTap", "certain")),
        (["--new-before", "a"], ("insertion", "likely")),
        (["--new-before", "a", "--old-has-text", "false"], ("insertion", "certain")),
    ], ids=["caret", "nothing", "has-text"])
    def test_takes_what_the_host_tells_besides_texts(self, ctl, known, transition):
        read = json.loads(ctl("explain", "--json", *known).stdout)["transition"]
        assert (read["kind"], read["certainty"]) == transition

    def test_a_text_may_begin_with_a_hyphen(self, ctl):
        result = ctl("explain", "--json", "--old-before", "-", "--new-before", "- x", "--pasteboard", "-x")
        assert json.loads(result.stdout)["transition"]["inserted"] == " x"

    def test_no_reading_parts_a_character(self, ctl):
        result = ctl("explain", "--json", "--old-before", "今日は", "--old-after", "。次", "--new-before", "今日はXX", "--new-after", "。次")
        assert "readings" in json.loads(result.stdout) and "\ufffd" not in result.stdout

    def test_a_sessions_last_pair_is_explained_with_those_before_it(self, ctl):
        lines = [json.dumps({"old": {"before": old}, "new": {"before": new}}) for old, new in (
            ("wet", "wet paint"), ("wet paint", "wet"))]
        alone = json.loads(ctl("explain", "--json", input=lines[1]).stdout)
        both = json.loads(ctl("explain", "--json", "--session", input="\n".join(lines)).stdout)
        assert (alone["transition"]["kind"], both["transition"]["kind"]) == ("deletion", "undo")
        read = ctl("classify", "--local", "--session", "s", input="\n".join(lines)).stdout.splitlines()
        assert both["transition"] == json.loads(read[-1])
        assert json.loads(ctl("explain", "--json", "--session", input="\n".join(["", lines[0], " ", lines[1], ""])).stdout) == both
        # A line without old goes on from the one before.
        short = lines[0] + "\n" + json.dumps({"new": {"before": "wet"}})
        assert json.loads(ctl("explain", "--json", "--session", input=short).stdout) == both
        # Lines of another session between are that one's.
        named = [json.dumps({"session": "notes", **json.loads(line)}) for line in lines]
        named.insert(1, json.dumps({"session": "mail", "old": {"before": "Dear"}, "new": {"before": "Dear A"}}))
        assert json.loads(ctl("explain", "--json", "--session", input="\n".join(named)).stdout) == both

    def test_a_password_is_no_part_of_a_sessions_memory(self, ctl):
        lines = [
            {"old": {"before": "wet"}, "new": {"before": "wet paint"}},
            {"old": {"before": ""}, "new": {"before": "s3cret"}, "secure": True},
            {"new": {"before": "wet paint!"}}]
        lines = "\n".join(json.dumps(line) for line in lines)
        explained = json.loads(ctl("explain", "--json", "--session", input=lines).stdout)
        read = ctl("classify", "--local", "--session", "s", input=lines).stdout.splitlines()
        assert explained["transition"] == json.loads(read[-1])
        assert explained["transition"]["inserted"] == "!"

    @pytest.mark.parametrize("input, complaint", [
        ("", "no pair to explain, but a baseline at most"),
        (json.dumps({"new": {"before": "a"}}), "no pair to explain, but a baseline at most"),
        ("{}\n", "line 1: "),
    ])
    def test_a_session_that_has_nothing_to_explain(self, ctl, input, complaint):
        result = ctl("explain", "--session", input=input)
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr.startswith(f"contextdiffctl: standard input: {complaint}")

    def test_nothing_to_explain_is_wrong_usage(self):
        primary, secondary = pty.openpty()
        result = subprocess.run(
            [PROGRAMS / "contextdiffctl", "explain"], stdin=secondary, capture_output=True, text=True,
            env=environment(), timeout=PATIENCE)
        os.close(primary)
        os.close(secondary)
        assert result.returncode == 64
        assert "Give the pair by options, or as JSON on standard input." in result.stderr


class TestTerminal:
    def test_colours_are_for_terminals_that_want_them(self, ctl):
        arguments, input = ["classify", "--local", "--draw"], pair("a", "ab") + "\n"
        assert "\x1b[" in in_terminal(*arguments, env=environment(), input=input)
        for unwanted in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            assert "\x1b[" not in in_terminal(*arguments, env=environment(**unwanted), input=input)
            assert "\x1b[" in in_terminal("--color", "always", *arguments, env=environment(**unwanted), input=input)
        # As good as not set.
        assert "\x1b[" in in_terminal(*arguments, env=environment(NO_COLOR=""), input=input)
        assert "\x1b[" not in in_terminal("--color", "never", *arguments, env=environment(), input=input)
        assert "\x1b[" not in ctl(*arguments, input=input).stdout
        assert "\x1b[" in ctl("--color", "always", *arguments, input=input).stdout

    def test_tables_are_for_terminals(self, daemon):
        shown = in_terminal("--socket", daemon.path, "status", env=environment(NO_COLOR="1"))
        assert shown.splitlines()[0].split() == ["what", "count", "limit"]

    def test_text_cannot_drive_the_terminal(self, ctl):
        result = ctl("classify", "--local", "--draw", input=pair("a", "a\x1b[2J\u202e"))
        assert "\x1b" not in result.stdout and "\u202e" not in result.stdout
