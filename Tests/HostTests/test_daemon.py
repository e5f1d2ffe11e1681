"""contextdiffd is told what the addon sees, and nobody misses it when it is gone."""

import json
import os
import socket
import time

import pytest

from desk import PATIENCE
from person import Person


class Daemon:
    """A contextdiffd at the place where the desk's programs look for one."""

    def __init__(self, desk):
        self.desk = desk
        folder = os.path.join(desk.environment["XDG_RUNTIME_DIR"], "contextdiff")
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, "io.contextdiff")
        self.start()

    def start(self):
        program = os.path.join(os.environ.get("CONTEXTDIFF_BIN", ".build/product/release"), "contextdiffd")
        if not os.path.exists(program):
            pytest.skip("contextdiffd is not built (make build)")
        self.process = self.desk.run(os.path.abspath(program), "--listen", self.path)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def ask(self, method):
        """What it answers; None where nobody is there."""
        with socket.socket(socket.AF_UNIX) as link:
            try:
                link.connect(self.path)
            except OSError:
                return None
            link.sendall(json.dumps({"method": "io.contextdiff." + method}).encode() + b"\0")
            answer = b""
            while not answer.endswith(b"\0"):
                piece = link.recv(1 << 16)
                if not piece:
                    return None
                answer += piece
            return json.loads(answer[:-1])["parameters"]

    def wait(self, method, found):
        limit = time.monotonic() + PATIENCE
        while True:
            answer = self.ask(method)
            if answer is not None and found(answer):
                return answer
            assert time.monotonic() < limit, f"{method} said {answer} to the end"
            time.sleep(0.01)


def begin(desk, host):
    """A daemon, an input method, a program with an empty field, and who types into it."""
    daemon = Daemon(desk)
    daemon.wait("GetStatistics", lambda answer: True)
    method, program = host("")
    return daemon, method, program, Person(desk, method, program, "daemon", ["x"])


def type_text(person, text):
    for character in text:
        person.do("type", "type", "type", "--", character, keys=1)


def type_and_tell(person, text):
    """Types, and one key more: a busy GTK 3 tells of a key's text only with the next key."""
    type_text(person, text)
    person.press("Shift_L", "move")


@pytest.mark.parametrize("toolkit", ["gtk3"], indirect=True)
def test_killing_the_daemon_costs_no_keystroke(desk, host):
    daemon, method, program, person = begin(desk, host)
    type_text(person, "before")
    daemon.wait("GetStatistics", lambda answer: answer["statistics"]["pairs"] > 0)
    names = daemon.ask("ListSessions")["sessions"]
    assert len(names) == 1 and names[0].startswith("fcitx5-") and "gtk" not in names[0]
    read = method.count("transition")
    daemon.kill()
    type_text(person, "between")
    assert program.state()[0] == "beforebetween"
    assert method.count("transition") > read
    daemon.start()
    type_text(person, "after")
    assert program.state()[0] == "beforebetweenafter"
    # Something is told to the new one as well.
    daemon.wait("ListSessions", lambda answer: answer["sessions"])
    program.ask("focus", field="secret")
    # The field lost the focus: its session is over.
    daemon.wait("ListSessions", lambda answer: not answer["sessions"])


@pytest.mark.parametrize("toolkit", ["gtk3"], indirect=True)
def test_turned_off_the_daemon_forgets_what_it_was_told(desk, host):
    daemon, method, _, person = begin(desk, host)
    type_and_tell(person, "told")
    daemon.wait("ListSessions", lambda answer: answer["sessions"])
    method.set(TellDaemon=False)
    daemon.wait("ListSessions", lambda answer: not answer["sessions"])
    pairs = daemon.ask("GetStatistics")["statistics"]["pairs"]
    type_and_tell(person, "kept")
    method.set(TellDaemon=True)
    # What was typed meanwhile is nobody's edit: the first post sets a baseline.
    type_and_tell(person, "x")
    daemon.wait("ListSessions", lambda answer: answer["sessions"])
    assert daemon.ask("GetStatistics")["statistics"]["pairs"] == pairs
