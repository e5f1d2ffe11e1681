"""contextdiffctl try: a field on a terminal, and what an input method sees of it."""

import signal
import subprocess

import pytest

from conftest import PATIENCE, PROGRAMS, environment
from screen import SEQUENCE, Screen, width
from wire import NO_SESSIONS, Wire, post, subscribe

LEFT, SHIFT_LEFT, UP = "\x1b[D", "\x1b[1;2D", "\x1b[A"


def test_each_act_is_shown_and_read():
    with Screen("try") as screen:
        screen.shows("window: sentence")
        for keys, words in [
            ("今日は良い天気。", "you typed; read: insertion"), ("明日は", "you typed; read: insertion"),
            (SHIFT_LEFT, "you selected; read: selection, certain"), ("\x18", "you cut; read: cut, certain"),
            ("\x16", "you pasted; read: paste"), (LEFT, "you moved the caret; read: cursorMove"),
            ("\x1a", "you undid"), ("\x19", "you redid"), ("\x7f", "took away to the left"), (UP, "read: outOfRangeTap"),
        ]:
            screen.type(keys)
            # The latest act stands first.
            screen.until(lambda lines: words in next((line for line in lines if "; read: " in line), ""))
        assert screen.end() == 0
        assert screen.is_restored()
        assert screen.process.stderr.read() == b""


def test_what_an_input_method_commits_is_one_act():
    with Screen("try") as screen:
        screen.shows("window:")
        text = "資料を共有します".encode()
        # Cut in the middle of a character: the rest is waited for.
        screen.type(text[:4])
        screen.shows("資")
        screen.type(text[4:])
        lines = screen.shows("資料を共有します")
        assert sum("you typed" in line for line in lines) == 2
        screen.end()


def test_keyholes_before_and_after_stand_below_each_other():
    with Screen("try") as screen:
        screen.type("カキクケコ。サシスセソ。")
        screen.shows("サシスセソ。|")
        screen.type(LEFT * 6)
        screen.shows("カキクケコ。|サシスセソ。")
        screen.type(LEFT)
        lines = screen.shows("カキクケコ|。")
        place = next(index for index, line in enumerate(lines) if line.startswith("before"))
        assert lines[place].split(None, 1)[1] == "カキクケコ。|サシスセソ。"
        assert lines[place + 1].split(None, 1)[1] == "カキクケコ|。"
        assert lines[place + 2].startswith("you moved the caret; read: cursorMove, certain")
        screen.end()


def test_what_the_window_hides_is_grey():
    with Screen("try") as screen:
        screen.type("ab. cd")
        screen.shows("ab. cd")
        screen.read()
        frame = screen.written.decode().split("\x1b[?25l\x1b[H")[-1]
        grey = "".join(SEQUENCE.sub("", part) for part in frame.split("\r\n")[4].replace("\x1b[0m", "\n").split("\n")
                       if part.startswith("\x1b[2m"))
        assert grey == "ab."
        screen.end()


def test_another_window_begins_anew():
    with Screen("try", "--window", "full") as screen:
        screen.type("ab\rcd")
        screen.shows("window: full", "ab⏎cd|")
        screen.type("\x17")
        lines = screen.shows("window: sentence")
        assert not any("read:" in line for line in lines)
        screen.end()


def test_a_paste_from_outside_is_a_paste():
    with Screen("try") as screen:
        screen.type("a\x1b[200~one\rtwo\x1b[201~")
        screen.shows("you pasted; read: paste")
        screen.end()


@pytest.mark.parametrize("rows, columns", [(24, 80), (10, 40), (60, 200), (3, 20)])
def test_no_line_is_wider_than_the_terminal(rows, columns):
    with Screen("try", rows=rows, columns=columns) as screen:
        screen.type("今日は良い天気ですから散歩に行きましょう。" * 3)
        screen.shows("ましょう。")
        screen.type(LEFT)
        lines = screen.until(lambda lines: rows < 8 or any("moved" in line for line in lines))
        assert len(lines) <= rows
        assert all(width(line) <= columns for line in lines)
        screen.end()


def test_a_terminal_of_less_than_20_columns_gets_20():
    with Screen("try", rows=3, columns=10) as screen:
        screen.type("今日は良い天気ですから散歩に行きましょう。" * 3)
        lines = screen.shows("ましょう。")
        assert len(lines) <= 3
        assert 10 < max(map(width, lines)) <= 20
        assert screen.end() == 0


def test_another_size_is_another_picture():
    with Screen("try", columns=80) as screen:
        screen.type("x" * 70)
        screen.shows("x" * 70)
        screen.resize(24, 40)
        lines = screen.until(lambda lines: not any("x" * 41 in line for line in lines))
        assert all(width(line) <= 40 for line in lines)
        screen.end()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(number):
    with Screen("try") as screen:
        screen.shows("window:")
        screen.process.send_signal(number)
        assert screen.wait() == -number
        assert screen.is_restored()


def test_it_can_be_posted(daemon):
    with subscribe(daemon.path, snapshots=True)[0] as stream:
        with Screen("--socket", daemon.path, "try", "--post", "tried") as screen:
            screen.shows("posted to tried")
            screen.type("今日は")
            screen.shows("read: insertion")
            event = stream.reply()["parameters"]["event"]
            assert (event["session"], event["new"]["before"]) == ("tried", "今日は")
            assert screen.end() == 0
    # What it began it ends.
    with Wire(daemon.path) as wire:
        assert wire.call("ListSessions") == NO_SESSIONS


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_session_too(daemon, number):
    with Screen("--socket", daemon.path, "try", "--post", "tried") as screen, Wire(daemon.path) as wire:
        screen.shows("posted to tried")
        assert wire.call("ListSessions")["sessions"] == ["tried"]
        screen.process.send_signal(number)
        assert screen.wait() == -number
        assert wire.call("ListSessions") == NO_SESSIONS


def test_a_session_that_was_there_before_stays(daemon):
    with Wire(daemon.path) as wire:
        post(wire, "tried")
        with Screen("--socket", daemon.path, "try", "--post", "tried") as screen:
            screen.shows("posted to tried")
            assert screen.end() == 0
        assert wire.call("ListSessions")["sessions"] == ["tried"]


def test_a_daemon_that_goes_away_gives_the_terminal_back(daemon):
    with Screen("--socket", daemon.path, "try", "--post", "tried") as screen:
        screen.shows("posted to tried")
        daemon.stop()
        screen.type("x")
        assert screen.wait() in (1, 3)
        assert screen.is_restored()
        assert b"contextdiffctl: " in screen.process.stderr.read()


def test_without_a_terminal_it_says_so(ctl):
    result = ctl("try")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "contextdiffctl: try needs a terminal: neither standard input nor output may be redirected\n"


def test_without_a_terminal_nothing_is_posted(ctl, daemon):
    with Wire(daemon.path) as wire:
        post(wire, "tried")
        assert ctl("--socket", daemon.path, "try", "--post", "tried").returncode == 1
        assert wire.call("GetStatistics")["statistics"]["pairs"] == 1


def test_without_the_daemon_to_post_to_nothing_is_shown(folder):
    with Screen("--socket", folder / "nobody", "try", "--post", "s") as screen:
        assert screen.wait() == 3
        assert screen.written == b""
