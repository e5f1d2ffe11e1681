"""A click elsewhere ends the composition, in each toolkit, and no character is lost or doubled."""

from person import Person

TEXT = "The roof is mended.\nIt rained on Sunday.\nYours"


def test_a_click_elsewhere_commits_the_composition_once(desk, host):
    # GTK tells of a click with the next key only, whichever it is.
    leave_by_a_click(desk, *host(TEXT, LeftComposition="Commit"))


def leave_by_a_click(desk, method, program, told_by="Shift_L"):
    """Composes in the middle of the text, clicks elsewhere, and goes on; the host tells of the click with the key `told_by` at last."""
    person = Person(desk, method, program, "composition", ["x"])
    person.press("Right", "move")
    person.press("Right", "move")
    person.engine("compose", "compose", "preedit", "かんじ")
    program.wait_preedit("かんじ")
    place = program.ask("place", offset=30)
    desk.hand("mousemove", str(place["x"]), str(place["y"]), "click", "1")
    desk.hand("key", told_by)
    program.wait_state(lambda state: "かんじ" in state["text"], "text that was composed")
    # And it stays at that, whatever is done next.
    person.released += 1
    person.settle()
    seen = len(method.feed.all)
    person.press("Right", "move")
    text, *_ = program.state()
    assert text.count("かんじ") == 1
    assert text.replace("かんじ", "") == TEXT
    assert not any(x["e"] == "reset" and x["preedit"] for x in method.feed.all[seen:])


def test_a_composition_is_kept_unless_the_settings_say_otherwise(desk, host):
    method, program = host(TEXT)
    person = Person(desk, method, program, "composition", ["x"])
    person.engine("compose", "compose", "preedit", "かんじ")
    person.press("Shift_L", "move")
    text, *_ = program.state()
    assert text == TEXT
    person.engine("commit", "commit", "commit", "漢字")
    assert program.state()[0] == "漢字" + TEXT
