"""A password field is left alone, also where its program tells its text in the clear: Qt does, to IBus."""

from conftest import both_methods
from person import Person


@both_methods
def test_a_password_is_not_read(host):
    method, program = host("Name:")
    person = Person(method.desk, method, program, "secret", ["x"])
    person.press("End", "move")
    person.do("type x", "type", "type", "x", keys=1)
    person.press("Shift_L", "move")
    method.feed.wait(lambda all: method.news()[-1].get("text") == "Name:x", "last news")
    method.feed.wait(lambda all: method.count("transition") > 0, "transition")
    seen = method.count("transition")
    program.ask("focus", field="secret")
    typed = ""
    for character in "open5esame":
        method.desk.hand("type", character)
        typed += character
        # fcitx5 keeps engines out of it, so only the program knows when it is typed.
        program.wait_secret(typed)
    assert method.count("transition") == seen
