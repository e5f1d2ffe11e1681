"""The page to play with: its address, and what a real browser's fields make of it."""

import http.client
import json
import pathlib
import re
import select
import signal
import socket
import urllib.error
import urllib.request

import pytest

import browser
from browser import Browser
from chromium import CONTROL, SHIFT
from conftest import PATIENCE
from running import MARKER, Running
from wire import until


@pytest.fixture
def running():
    with Running("playground") as running:
        yield running


@pytest.fixture
def address(running):
    return running.line()


def ask(address, body=None, **headers):
    """The reply's status, its headers and its text."""
    request = urllib.request.Request(address, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            return reply.status, reply.headers, reply.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


def answers(address):
    """Whether the page is there, and the connection not closed instead."""
    try:
        return ask(address)[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def change(before="", selected="", after="", window="sentence", field="f", **more):
    return json.dumps({"field": field, "before": before, "selected": selected, "after": after, "window": window,
                       **more}).encode()


class TestServing:
    def test_the_address_is_on_loopback_and_holds_a_token(self, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", address)

    def test_the_page_needs_nothing_from_outside(self, address):
        status, headers, text = ask(address)
        assert status == 200 and "<textarea" in text and "contenteditable" in text
        assert "default-src 'none'" in headers["content-security-policy"]
        assert not re.search(r"""(src|href)=|https?://|@import""", text)

    @pytest.mark.parametrize("path", ["/", "/change", "/" + "0" * 32 + "/", "/" + "0" * 32 + "/change"])
    def test_without_the_token_nothing_is_there(self, address, path):
        root = address.rsplit("/", 2)[0]
        for body in (None, change("a")):
            assert ask(root + path, body)[0] == 404

    def test_another_name_for_this_machine_is_turned_away(self, address):
        assert ask(address, Host="evil.example")[0] == 421

    def test_nobody_else_can_connect(self, address):
        port = int(re.search(r":(\d+)/", address)[1])
        with socket.create_connection(("127.0.0.1", port), PATIENCE):
            pass
        # This machine too, and not by the page's address: who listens for all is there.
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", port), PATIENCE)
        # By IPv6 neither, where there is any.
        with pytest.raises(OSError):
            socket.create_connection(("::1", port), PATIENCE)

    def test_a_text_may_be_all_escapes(self, address):
        longest = "\1" * (1 << 18)
        body = change(longest, longest, longest, pasteboard=longest)
        assert len(body) > 6 << 20
        assert ask(address + "change", body)[0] == 200
        assert ask(address + "change", body + b" " * (1 << 17))[0] == 413

    @pytest.mark.parametrize("version, header, closes", [
        ("1.1", "", False), ("1.1", "Connection: close\r\n", True), ("1.0", "", True)])
    def test_a_connection_is_closed_where_the_client_asks_for_it(self, address, version, header, closes):
        port = int(re.search(r":(\d+)/", address)[1])
        request = f"GET /{address.split('/')[3]}/ HTTP/{version}\r\nHost: 127.0.0.1:{port}\r\n{header}\r\n".encode()
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as link:
            link.sendall(request if closes else request + request.replace(b"GET", b"PUT"))
            with link.makefile("rb") as replies:
                assert replies.readline().startswith(b"HTTP/1.1 200 ")
                # To the end; or to the answer to the request behind it.
                while line := replies.readline():
                    if b"HTTP/1.1 404 " in line:
                        break
                assert (line == b"") == closes

    def test_a_change_is_read(self, address):
        first = json.loads(ask(address + "change", change("カキクケコ。", after="サシスセソ。"))[2])
        assert first["transition"] is None and first["new"]["before"] == "カキクケコ。"
        second = json.loads(ask(address + "change", change("カキクケコ", after="。サシスセソ。"))[2])
        assert second["old"] == first["new"] and second["new"]["after"] == "。"
        assert (second["transition"]["kind"], second["transition"]["certainty"]) == ("cursorMove", "certain")
        assert second["why"].startswith("It is a cursorMove: ") and second["why"].endswith(".")

    def test_fields_and_windows_have_sessions_of_their_own(self, address):
        for field, window in [("a", "full"), ("b", "full"), ("a", "line")]:
            for text, kind in [("x", None), ("xy", "insertion")]:
                reply = json.loads(ask(address + "change", change(text, field=field, window=window))[2])
                assert (reply["transition"] or {}).get("kind") == kind

    @pytest.mark.parametrize("body, told", [
        (b"", "not JSON"), (MARKER.encode(), "not JSON"), (b"{}", "field: no name of 64 bytes at most"),
        (change(window="door"), "window: none of its names"), (change(field="x" * 65), "field: "),
        (json.dumps({"field": "f", "before": 1}).encode(), "before: no text"),
        (change("x" * (1 << 18) + "x"), "before: longer than 262144 bytes"),
        (change(composition={"before": 1}), "composition.after: missing"),
        (change(composition={"before": -1, "after": 0}), "composition.before: must be an integer from 0 to 9223372036854775807"),
        (change(composition={"before": 0, "after": -1}), "composition.after: must be an integer from 0 to 9223372036854775807"),
        (change(composition=MARKER), "composition: must be an object"),
    ], ids=["empty", "text", "nothing", "window", "name", "type", "long", "half a composition", "before", "after", "no composition"])
    def test_a_bad_change_is_told_and_the_rest_goes_on(self, address, body, told):
        status, _, text = ask(address + "change", body)
        assert status == 400 and text.startswith(told) and MARKER not in text
        assert ask(address + "change", change("a"))[0] == 200

    def test_a_change_that_has_no_end_is_not_kept(self, address):
        assert ask(address + "change", b'"' + b"x" * (7 << 20) + b'"')[0] == 413

    @pytest.mark.parametrize("path, host, status", [("/change", None, 404), (None, "evil.example", 421), (None, None, 413)])
    def test_what_is_refused_is_refused_before_its_body(self, address, path, host, status):
        port = int(re.search(r":(\d+)/", address)[1])
        path = path or f"/{address.split('/')[3]}/change"
        head = f"POST {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{port}'}\r\nContent-Length: {7 << 20}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as link:
            link.sendall(head.encode() + b"x" * 1000)
            with link.makefile("rb") as replies:
                assert replies.readline().startswith(f"HTTP/1.1 {status} ".encode())

    def test_what_is_refused_takes_no_memory(self, running):
        port = int(re.search(r":(\d+)/", running.line())[1])

        def memory():
            status = pathlib.Path(f"/proc/{running.process.pid}/status").read_text()
            return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])

        before = memory()
        links = []
        for _ in range(30):
            links.append(socket.create_connection(("127.0.0.1", port), PATIENCE))
            links[-1].sendall(b"POST /change HTTP/1.1\r\nHost: a\r\nContent-Length: 6000000\r\n\r\n" + b"x" * 5_900_000)
        # It closes once it has read all, and kept it or not.
        for link in links:
            link.sendall(b"x" * 100_000)
            while link.recv(65536):
                pass
        assert memory() - before < 60_000

    def test_beyond_so_many_connections_more_are_closed(self, address):
        port = int(re.search(r":(\d+)/", address)[1])
        links = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(65)]
        # Which one it is depends on which thread comes first.
        readable, _, _ = select.select(links, [], [], PATIENCE)
        assert len(readable) == 1 and readable[0].recv(1) == b""
        for link in links:
            link.close()
        until(lambda: answers(address))

    @pytest.mark.slow
    def test_the_page_is_told_that_it_runs_for_as_long_as_it_does(self, running, address):
        with urllib.request.urlopen(address + "running", timeout=PATIENCE) as reply:
            assert not select.select([reply], [], [], 0.5)[0]
            running.process.kill()
            with pytest.raises(http.client.IncompleteRead):
                reply.read()

    def test_a_connection_that_asks_for_nothing_is_closed(self, address):
        port = int(re.search(r":(\d+)/", address)[1])
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as link:
            link.sendall(b"GET / HTTP/1.1\r\n")
            assert link.recv(1) == b""

    def test_it_ends_when_interrupted(self, running):
        running.line()
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(PATIENCE) == -signal.SIGINT


class TestFailures:
    def test_a_port_that_is_taken(self, ctl, address):
        port = re.search(r":(\d+)/", address)[1]
        result = ctl("playground", "--port", port)
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr == f"contextdiffctl: cannot serve on port {port}: Address already in use\n"

    @pytest.mark.parametrize("port", ["-1", "65536", "x"])
    def test_no_port(self, ctl, port):
        result = ctl("playground", "--port", port)
        assert (result.returncode, result.stdout) == (64, "")


@pytest.mark.skipif(browser.missing() is not None, reason=str(browser.missing()))
class TestBrowser:
    """What is read is compared with what the browser says that it did (InputEvent.inputType)."""

    # The kinds that are right for what the browser says.
    RIGHT = {
        "insertText": {"insertion", "replacement"}, "insertLineBreak": {"insertion"},
        "insertCompositionText": {"insertion", "replacement", "deletion", "unchanged"},
        "deleteContentBackward": {"deletion"}, "deleteContentForward": {"deletion"}, "deleteByCut": {"cut"},
        "insertFromPaste": {"paste"}, "historyUndo": {"undo"}, "historyRedo": {"redo"},
        "select": {"cursorMove", "selection", "deselection", "outOfRangeTap"},
    }

    @pytest.fixture(params=["area", "editable"])
    def page(self, request, address):
        with Browser(address) as page:
            page.field = request.param
            page.evaluate(f"document.getElementById('{request.param}').focus()")
            page.seen = 0
            yield page

    def rows(self, page):
        """What stands in the page, the oldest first: what the browser said, what was read, the two keyholes."""
        return page.evaluate("""[...document.querySelectorAll('#log tr')].reverse().map(row => ({
          how: row.dataset.how, kind: row.dataset.kind, others: row.dataset.others.split(' '), read: row.cells[3].textContent,
          holes: [1, 2].map(place => row.cells[place].textContent), why: row.cells[4].textContent,
          carets: [1, 2].map(place => row.cells[place].querySelectorAll('.caret').length)}))""")

    def act(self, page, do, how):
        """Does something, waits for what the browser says of it, and returns the row."""
        do()
        page.until(f"document.querySelectorAll('#log tr').length > {page.seen}")
        page.evaluate("turn.then(() => true)")
        rows = self.rows(page)
        page.seen = len(rows)
        row = rows[-1]
        assert row["how"] == how, rows
        # What is certain is right; of what is likely, what happened is one.
        assert {row["kind"], *row["others"]} & self.RIGHT[how], row
        return row

    def type(self, page, text):
        for character in text:
            self.act(page, lambda: page.key(character, text=character), "insertText")

    def test_types_selects_cuts_pastes_undoes_and_redoes(self, page):
        self.type(page, "one. two")
        assert self.rows(page)[-1]["holes"][1] == " two∅"
        row = self.act(page, lambda: page.key("ArrowLeft", SHIFT), "select")
        assert row["kind"] == "selection" and row["carets"] == [1, 2]
        self.act(page, lambda: page.key("x", CONTROL, commands=["cut"]), "deleteByCut")
        row = self.act(page, lambda: page.key("v", CONTROL, commands=["paste"]), "insertFromPaste")
        assert row["kind"] == "paste" and row["why"].startswith("It is a paste: ")
        self.act(page, lambda: page.key("Backspace"), "deleteContentBackward")
        self.act(page, lambda: page.key("Backspace"), "deleteContentBackward")
        row = self.act(page, lambda: page.key("z", CONTROL, commands=["undo"]), "historyUndo")
        row = self.act(page, lambda: page.key("z", CONTROL | SHIFT, commands=["redo"]), "historyRedo")
        assert page.evaluate("document.getElementById('trouble').textContent") == ""

    def test_composes(self, page):
        for step in ("ｋ", "か", "かｎ", "かん", "漢", "漢字"):
            row = self.act(page, lambda: page.compose(step), "insertCompositionText")
        assert row["holes"][1] == "漢字∅"
        page.commit("漢字")
        self.type(page, "x")
        assert self.rows(page)[-1]["holes"] == ["漢字∅", "漢字x∅"]

    def test_taps(self, page):
        self.type(page, "abc. ")
        self.act(page, lambda: page.key("Enter", text="\r"), "insertLineBreak")
        self.type(page, "def")
        x, y = page.evaluate(f"(r => [r.left + 12, r.top + 18])(document.getElementById('{page.field}').getBoundingClientRect())")
        row = self.act(page, lambda: page.click(x, y), "select")
        assert row["kind"] == "outOfRangeTap"

    def test_another_window_begins_anew(self, page):
        self.type(page, "a. b")
        page.evaluate("(w => { w.value = 'full'; w.dispatchEvent(new Event('change')) })(document.getElementById('window'))")
        page.evaluate(f"document.getElementById('{page.field}').focus()")
        page.evaluate("turn.then(() => true)")
        page.seen = len(self.rows(page))
        self.type(page, "c")
        assert self.rows(page)[-1]["holes"] == ["a. b∅", "a. bc∅"]

    def test_once_contextdiffctl_has_ended_nobody_is_told_what_is_typed(self, running, address, page):
        self.type(page, "one")
        running.process.kill()
        page.until("area.disabled && !editable.isContentEditable")
        port = int(re.search(r":(\d+)/", address)[1])
        with socket.create_server(("127.0.0.1", port)) as other:
            other.settimeout(1)
            page.evaluate(f"{page.field}.textContent = 'one, SECRET', fields.forEach(field => field.tell('insertText'))")
            page.evaluate("turn.then(() => true)")
            with pytest.raises(TimeoutError):
                other.accept()
        assert "has ended" in page.evaluate("trouble.textContent")
