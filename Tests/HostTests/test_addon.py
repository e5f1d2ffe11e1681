"""What fcitx5-contextdiff does at the edges, in an fcitx5 whose one host does what a test says: no toolkit does all of it at will."""

import json
import os
import shutil
import socket
import subprocess
import threading
import time

import pytest

from desk import PATIENCE, Desk

LIMIT = 1 << 20

# Of fcitx5's CapabilityFlag.
UNFOCUS_COMMIT, IM_INFO_ON_FOCUS, KEY_ORDER = 1 << 5, 1 << 23, 1 << 37


class Told:
    """Who listens in contextdiffd's place, and answers nothing: what the addon sends does not wait for it."""

    def __init__(self, path):
        self.calls = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        link, _ = self.listener.accept()
        data = b"".join(iter(lambda: link.recv(1 << 16), b""))
        self.calls = [json.loads(frame) for frame in data.split(b"\0")[:-1]]

    def named(self, method):
        return [call["parameters"] for call in self.calls if call["method"].endswith("." + method)]


@pytest.fixture
def begin(built):
    """Begins an fcitx5 whose host does what the lines of its standard input say. Where it looks for the daemon is `begin.path`."""
    engine, addon = built
    with Desk() as desk:
        data = os.path.join(desk.environment["XDG_DATA_HOME"], "fcitx5", "addon")
        os.makedirs(data)
        shutil.copy(os.path.join(addon, "contextdiff.conf"), data)
        own = subprocess.run(["pkg-config", "--variable=libdir", "Fcitx5Core"], capture_output=True, text=True)

        def begin():
            environment = dict(
                desk.environment, CONTEXTDIFF_SOCKET=begin.path, LD_LIBRARY_PATH=os.path.dirname(addon),
                FCITX_ADDON_DIRS=addon + ":" + os.path.join(own.stdout.strip() or "/usr/lib", "fcitx5"),
                # What is freed is not to be read as it was.
                MALLOC_PERTURB_="165")
            return subprocess.Popen([os.path.join(engine, "contexts")], env=environment, text=True, stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        begin.path = os.path.join(desk.folder, "daemon")
        yield begin


def lines(*acts):
    return "".join("\t".join(map(str, act)) + "\n" for act in acts)


@pytest.fixture
def play(begin):
    """Has the host do what each tuple says. Returns what the addon's engines and the host were told, and who was told as the daemon."""
    told = Told(begin.path)

    def play(*acts):
        run = begin()
        output, errors = run.communicate(lines(*acts))
        assert run.returncode == 0, errors
        told.thread.join(60)
        return [tuple(line.split("\t")) for line in output.splitlines()], told

    return play


def test_a_clipboard_that_is_too_long_blinds_no_field(play):
    happened, _ = play(("watch",), ("copy", "c" * (LIMIT + 1)), ("tell", "h", 1), ("tell", "he", 2))
    assert happened == [("insertion", "e")]


def test_nothing_is_read_across_a_text_that_is_too_long(play):
    happened, told = play(("watch",), ("tell", "hello", 5), ("tell", "a" * (LIMIT + 1), 9), ("tell", "some other", 4))
    assert happened == []
    assert len({post["session"] for post in told.named("Post")}) == 2


@pytest.mark.parametrize("later, committed", [(("tell", "hello world", 11), []), (("compose", "new"), [("commit", "new")])])
def test_a_preedit_dropped_long_ago_is_not_committed(play, later, committed):
    happened, _ = play(
        ("set", "LeftComposition", "Commit"), ("tell", "hello world", 11), ("compose", "old"), ("drop",), later,
        ("tell", "hello world", 2))
    assert happened == committed


def test_a_preedit_that_a_click_drops_is_committed(play):
    happened, _ = play(
        ("set", "LeftComposition", "Commit"), ("tell", "hello world", 11), ("compose", "kana"), ("drop",), ("tell", "hello world", 2))
    assert happened == [("commit", "kana")]


def test_a_preedit_that_the_client_commits_when_it_resets_is_not_committed_again(play):
    happened, _ = play(
        ("set", "LeftComposition", "Commit"), ("claim", UNFOCUS_COMMIT), ("tell", "hello world", 11), ("compose", "kana"), ("drop",),
        ("tell", "hello worldkana", 2))
    assert happened == []


@pytest.mark.parametrize("claims, window", [
    (0, "full"), (UNFOCUS_COMMIT, "full"), (KEY_ORDER, "line"), (KEY_ORDER | UNFOCUS_COMMIT, "line"),
    (KEY_ORDER | UNFOCUS_COMMIT | IM_INFO_ON_FOCUS, "line")])
def test_the_toolkit_is_known_by_what_its_client_claims(play, claims, window):
    # fcitx5-gtk 5.0.21 and 5.1 in GTK 4 and in GTK 3, and fcitx5-qt.
    _, told = play(("claim", claims), ("tell", "hello", 5))
    assert [post.get("window") for post in told.named("Post")] == [window]


def test_an_empty_preedit_is_none(play):
    happened, told = play(
        ("set", "LeftComposition", "Commit"), ("tell", "hello world", 11), ("compose", "kana"), ("drop",), ("compose", ""),
        ("tell", "hello world", 2), ("tell", "hello world", 4))
    assert happened == [("commit", "kana")]
    assert [post.get("composition") for post in told.named("Post")] == [None, {"before": 0, "after": 0}, None]


def test_what_is_told_lasts_until_all_were_told_it(play):
    text = " and much more" * 20
    happened, _ = play(("watch", "leaving"), ("watch",), ("tell", "hello", 5), ("tell", "hello" + text, 5 + len(text)))
    assert happened == [("insertion", text)] * 2


@pytest.mark.parametrize("wish", ["Keep", "Commit"])
def test_who_is_told_may_end_the_context(play, wish):
    happened, _ = play(
        ("set", "LeftComposition", wish), ("tell", "hello world", 11), ("compose", "kana"), ("watch", "ending"), ("tell", "hello world", 2))
    assert happened == [("cursorMove", "")]


def test_a_text_that_is_told_meanwhile_is_read_when_all_were_told_the_one_before(play):
    text = " and much more" * 20
    happened, _ = play(("watch", "telling"), ("watch",), ("tell", "hello", 5), ("tell", "hello" + text, 5 + len(text)))
    assert happened[:2] == [("insertion", text)] * 2
    assert len(happened) == 4 and happened[2] == happened[3]


def test_an_edit_that_no_field_takes_is_refused_with_its_own_words(play):
    happened, _ = play(("tell", "hello", 5), ("expect", "", -1), ("leave",), ("expect", "x", 0))
    assert [number for number, _ in happened] == ["-1", "-4"]
    assert "delete_backward" in happened[0][1] and "delete_backward" not in happened[1][1]


@pytest.mark.parametrize("form, insert", [("", "で"), ("until NUL", "で"), ("NULL", None), ("later", "で")])
def test_an_edit_is_announced_to_the_daemon_however_it_is_written(play, form, insert):
    happened, told = play(("tell", "hello", 5), ("expect", insert or "", 1, form))
    assert happened == [("1", "")]
    [edit] = [call["edit"] for call in told.named("Expect")]
    assert (edit.get("insert"), edit["deleteBackward"]) == (insert, 1)


def test_an_edit_that_a_field_does_not_take_is_not_announced_to_the_daemon(play):
    happened, told = play(
        ("expect", "x", 0), ("tell", "hello", 5), ("expect", "x", 0, "unknown"), ("expect", "x", 0))
    assert [number for number, _ in happened] == ["-4", "-1", "1"]
    assert "members that this version" in happened[1][1]
    assert len(told.named("Expect")) == 1


@pytest.mark.parametrize("ask, answer", [(("expect", "x", 0), "-4"), (("last kind",), "unchanged")])
def test_who_hears_of_a_text_that_was_put_off_may_end_the_context_that_is_asked(play, ask, answer):
    happened, _ = play(
        ("front", "wayland_v2"), ("tell", "hello world", 11), ("turn",), ("watch", "ending"), ("tell", "hello world", 2), ask)
    assert [first for first, *_ in happened] == ["cursorMove", answer]


def test_nothing_is_read_without_the_focus(play):
    _, told = play(("tell", "first", 5), ("leave",), ("tell", "later", 5))
    assert [post["new"]["before"] for post in told.named("Post")] == ["first"]


def test_a_field_that_becomes_a_password_field_is_forgotten_at_once(play):
    _, told = play(
        ("tell", "name", 4), ("password", "yes"), ("password", "no"), ("tell", "later", 5), ("password", "yes"),
        ("tell", "secret", 6))
    assert [post["new"]["before"] for post in told.named("Post")] == ["name", "later"]
    assert len({post["session"] for post in told.named("Post")}) == 2


def test_wayland_tells_a_text_before_it_says_that_it_is_a_password(play):
    _, told = play(
        ("front", "wayland_v2"), ("tell", "alice", 5), ("turn",), ("tell", "correct horse", 13), ("password", "yes"), ("turn",),
        ("tell", "alice", 5), ("password", "no"), ("turn",), ("tell", "alicex", 6), ("turn",))
    assert [post["new"]["before"] for post in told.named("Post")] == ["alice", "alice", "alicex"]
    assert len({post["session"] for post in told.named("Post")}) == 2


def test_the_daemon_is_not_told_of_a_password_field_into_which_a_composition_is_left(play):
    _, told = play(
        ("front", "wayland_v2"), ("tell", "alice", 5), ("turn",), ("compose", "kana"), ("tell", "correct horse", 3), ("password", "yes"),
        ("turn",), ("compose", ""), ("tell", "alice", 5), ("password", "no"), ("turn",))
    assert [post["new"]["before"] for post in told.named("Post")] == ["alice", "alice"]


def test_wayland_tells_a_text_before_the_focus_comes(play):
    _, told = play(
        ("front", "wayland_v2"), ("tell", "alice", 5), ("leave",), ("turn",), ("tell", "bob", 3), ("enter",), ("turn",),
        ("key", "BackSpace"), ("tell", "bo", 2), ("turn",))
    assert [(post["new"]["before"], post.get("key")) for post in told.named("Post")] == [("bob", None), ("bo", "backspace")]


def test_a_text_that_is_put_off_is_read_before_the_key_that_follows(play):
    _, told = play(
        ("front", "wayland_v2"), ("key", "o"), ("tell", "hello", 5), ("key", "BackSpace"), ("tell", "hell", 4), ("turn",))
    assert [(post["new"]["before"], post.get("key")) for post in told.named("Post")] == [("hello", "character"), ("hell", "backspace")]


def test_a_preedit_in_the_panel_is_put_into_the_text_that_it_leaves(play):
    happened, _ = play(
        ("set", "LeftComposition", "Commit"), ("tell", "hello world", 11), ("compose in panel", "kana"), ("tell", "hello world", 3))
    assert happened == [("commit", "kana")]


@pytest.mark.parametrize("acts, committed", [
    ([("set", "LeftComposition", "Commit")], True),
    ([("set", "LeftComposition", "Commit"), ("watch", "accepting")], False),
    ([("set", "LeftComposition", "Reset")], False),
], ids=["commit", "accepted", "reset"])
def test_a_composition_that_is_left_ends_as_the_settings_or_the_engine_say(play, acts, committed):
    happened, _ = play(*acts, ("tell", "hello world", 11), ("compose", "kana"), ("tell", "hello world", 3))
    assert (("commit", "kana") in happened) == committed


def test_an_engine_says_what_it_composes(play):
    _, told = play(("tell", "hello", 5), ("composition", 2, 0), ("tell", "helloo", 6), ("composition", -1, -1), ("tell", "hello", 5))
    assert [post.get("composition") for post in told.named("Post")] == [None, {"before": 2, "after": 0}, None]


def test_the_reset_that_ends_a_composition_is_not_the_hosts(play):
    _, told = play(
        ("set", "LeftComposition", "Commit"), ("tell", "hello world", 11), ("compose", "kana"), ("tell", "hello world", 3),
        ("tell", "helkanalo world", 7))
    posts = told.named("Post")
    assert len(posts) == 3 and not any(post.get("reset") for post in posts)


def test_the_daemon_is_told_of_the_clipboard_with_a_paste_alone(play):
    if subprocess.run(["pkg-config", "--exists", "Fcitx5Module"]).returncode:
        pytest.skip("no headers of fcitx5's modules here (fcitx5-modules-dev)")
    _, told = play(
        ("copy", "copied"), ("tell", "h", 1), ("tell", "he", 2), ("tell", "hecopied", 8), ("tell", "hecopiedx", 9))
    assert [post.get("pasteboard") for post in told.named("Post")] == [None, None, "copied", None]


def test_the_clipboard_is_not_looked_at_where_the_settings_say_so(play):
    if subprocess.run(["pkg-config", "--exists", "Fcitx5Module"]).returncode:
        pytest.skip("no headers of fcitx5's modules here (fcitx5-modules-dev)")
    _, told = play(("set", "UseClipboard", "False"), ("copy", "copied"), ("tell", "h", 1), ("tell", "hcopied", 7), ("tell", "hcopiedx", 8))
    assert [post.get("pasteboard") for post in told.named("Post")] == [None, None, None]


@pytest.mark.parametrize(
    "composed, fate, told",
    [("", "", "backspace"), ("", "accept", "none"), ("", "filter", None), ("", "filter accept", None), ("ka", "filter accept", "none")])
def test_no_key_is_told_where_nobody_can_say_whether_it_went_to_the_host(play, composed, fate, told):
    _, posts = play(
        ("key", "o"), ("tell", "hello", 5), ("compose", composed), ("key", "BackSpace", fate), ("tell", "hell", 4), ("tell", "hel", 3))
    assert [post.get("key") for post in posts.named("Post")] == ["character", told, "none"]


def test_a_key_that_is_seen_makes_up_for_none_that_was_filtered(play):
    _, posts = play(
        ("key", "o"), ("tell", "hello", 5), ("key", "BackSpace", "filter"), ("key", "a", "accept"), ("tell", "hell", 4))
    assert posts.named("Post")[-1].get("key") is None


def test_a_post_that_fails_after_the_deadline_leaves_no_baseline(begin):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(begin.path)
        listener.listen()
        listener.settimeout(PATIENCE)

        def next_call():
            link, _ = listener.accept()
            link.settimeout(PATIENCE)
            frame = b""
            while (byte := link.recv(1)) not in (b"", b"\0"):
                frame += byte
            return link, json.loads(frame)

        with begin() as run:
            run.stdin.write(lines(("tell", "some", 4)))
            run.stdin.flush()
            link, post = next_call()
            time.sleep(0.2)  # How long the daemon says nothing, which is longer than a call waits if nothing else is said.
            link.close()
            link, forget = next_call()
            assert forget["method"].endswith(".Forget") and forget["parameters"]["session"] == post["parameters"]["session"]
            link.close()
            run.stdin.close()
