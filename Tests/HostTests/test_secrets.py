"""A password field is left alone."""

import time

from desk import PATIENCE
from person import Person


def test_a_password_is_not_read(host):
    method, program = host("Name:")
    person = Person(method.desk, method, program, "secret", ["x"])
    person.press("End", "move")
    person.do("type x", "type", "type", "x", keys=1)
    person.press("Shift_L", "move")
    seen = method.count("transition")
    assert seen > 0
    program.ask("focus", field="secret")
    method.desk.hand("type", "open5esame")
    # fcitx5 keeps engines out of it, so only the program knows.
    limit = time.monotonic() + PATIENCE
    while (typed := program.ask("focus", field="secret")["secret"]) != "open5esame" and time.monotonic() < limit:
        time.sleep(0.01)
    assert typed == "open5esame"
    assert method.count("transition") == seen
