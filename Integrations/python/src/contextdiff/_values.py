"""What is seen and what happened, as Python has it, and as C."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from typing import Any, Self

from ._library import ffi, invalid, lib


class _Numbered(enum.StrEnum):
    """Names as the daemon writes them, which the members equal; numbers as contextdiff.h has them."""

    number: int

    # A default, as type checkers take Kind("cut"), which looks a member up, for a call of this.
    def __new__(cls, name: str, number: int = 0) -> Self:
        self = str.__new__(cls, name)
        self._value_ = name
        self.number = number
        return self

    @classmethod
    def of(cls, number: int) -> Any:
        return next((value for value in cls if value.number == number), None)

    @classmethod
    def number_of(cls, value: str | None, argument: str, *, optional: bool = True) -> int:
        """The number of a value, be it told by its name alone; 0 where none is, and none need be."""
        if value is None and optional:
            return 0
        try:
            # None is no name either.
            return cls(value or "").number
        except ValueError:
            raise invalid(f"{argument}: not one of {', '.join(cls)}") from None


class Kind(_Numbered):
    """What was done."""

    UNCHANGED = "unchanged", 0
    CURSOR_MOVE = "cursorMove", 1
    SELECTION = "selection", 2
    DESELECTION = "deselection", 3
    LINE_SELECTION = "lineSelection", 4
    LINE_DESELECTION = "lineDeselection", 5
    CUT = "cut", 6
    PASTE = "paste", 7
    OUT_OF_RANGE_TAP = "outOfRangeTap", 8
    INSERTION = "insertion", 9
    DELETION = "deletion", 10
    REPLACEMENT = "replacement", 11
    UNDO = "undo", 12
    REDO = "redo", 13
    SUBMISSION = "submission", 14
    WINDOW_SHIFT = "windowShift", 15
    EXPECTED = "expected", 16

    @property
    def is_move(self) -> bool:
        """Whether somebody went elsewhere or sent the field, rather than edited it: the caret's and the selection's kinds,
        OUT_OF_RANGE_TAP and SUBMISSION. A move that leaves the composition is when to commit; an edit is not, as hosts tell the input
        method's own late, or in part, which reads as one by somebody else."""
        return bool(lib.contextdiff_kind_is_move(self.number))


class Window(_Numbered):
    """How the host cuts the text that it shows."""

    SENTENCE = "sentence", 1
    """One sentence, with rules for newlines (iOS before 16)."""
    PARAGRAPH = "paragraph", 2
    """As SENTENCE, but `before` may hold earlier lines too (iOS 16 and later)."""
    LINE = "line", 3
    """The caret's line or block, and hardly anything of its neighbours (GTK 3, Qt, Firefox on Linux)."""
    FULL = "full", 4
    """A plain cut anywhere, newlines included (GTK 4, Wayland, Android)."""


class Cause(_Numbered):
    """Who the host says made a change."""

    INPUT_METHOD = "inputMethod", 1
    OTHER = "other", 2


class Key(_Numbered):
    """The class of the key that went to the host between two snapshots."""

    NONE = "none", 1
    CHARACTER = "character", 2
    RETURN = "return", 3
    BACKSPACE = "backspace", 4
    DELETE = "delete", 5
    CARET = "caret", 6
    SHORTCUT = "shortcut", 7
    UNDO = "undo", 8
    REDO = "redo", 9
    CUT = "cut", 10
    PASTE = "paste", 11


class Unit(_Numbered):
    """What an edit counts in."""

    GRAPHEMES = "graphemes", 0
    SCALARS = "scalars", 1
    UTF16 = "utf16", 2
    BYTES = "bytes", 3
    BACKSPACE = "backspace", 4


class FrontEnd(_Numbered):
    """By which way a host's text came."""

    IBUS = "ibus", 1
    FCITX5 = "fcitx5", 2
    WAYLAND = "wayland", 3
    ANDROID = "android", 4
    ATSPI = "atspi", 5
    FCITX5_WAYLAND = "fcitx5Wayland", 6


class Toolkit(_Numbered):
    """Who shows the text."""

    GTK3 = "gtk3", 1
    GTK4 = "gtk4", 2
    QT = "qt", 3
    FIREFOX = "firefox", 4
    CHROMIUM = "chromium", 5


@dataclasses.dataclass(frozen=True, slots=True)
class Snapshot:
    """The text around the caret. None and "" differ: None says that the host shows nothing there. Its repr has none of the text.

    A side without text is None: through a SENTENCE window an empty `after` says that another line follows. Where `before` is "",
    which no such host shows, an empty `after` is taken for None, and in a session so it is until None is shown.
    """

    before: str | None = dataclasses.field(default=None, repr=False)
    selected: str | None = dataclasses.field(default=None, repr=False)
    after: str | None = dataclasses.field(default=None, repr=False)
    has_text: bool | None = None
    """Whether the host says that its field holds any text."""
    caret: int | None = None
    """Where the caret, or the selection's left end, stands in the whole document, in code points."""
    selection_shown: bool | None = None
    """False for a host that never tells what is selected."""


@dataclasses.dataclass(frozen=True, slots=True)
class Edit:
    """An edit at the caret: text put in, units taken away left and right of it, or the caret moved by as many.

    What is selected goes first: in graphemes and presses of Backspace it is the first unit taken away, else it goes besides.
    """

    insert: str = dataclasses.field(default="", repr=False)
    delete_backward: int = 0
    delete_forward: int = 0
    move_caret: int = 0
    unit: Unit | str = Unit.GRAPHEMES


@dataclasses.dataclass(frozen=True, slots=True)
class Extent:
    """A signed length of text."""

    scalars: int
    utf16: int
    graphemes: int


@dataclasses.dataclass(frozen=True, slots=True)
class Transition:
    """What happened between two snapshots. Its repr has none of the text."""

    kind: Kind
    """The best reading."""
    basic_kind: Kind
    """What the published decision list says, to the letter."""
    is_certain: bool
    """Whether no other reading agrees with the pair, unless by coincidence."""
    alternatives: tuple[Kind, ...]
    """What else the pair could be, likeliest first; empty where it is certain."""
    cursor_offset: Extent | None
    """How far the caret, or a selection's left end, went, positive towards the end of the text; None where not known.

    It is the whole way, over the announced edits shown, too, which `inserted` and `removed` leave out where `kind` is not EXPECTED.
    """
    inserted: str | None = dataclasses.field(repr=False)
    """Text that appeared, as far as the snapshots and the session's memory show it."""
    removed: str | None = dataclasses.field(repr=False)
    """Text that vanished, likewise."""
    is_partial: bool
    """Whether `inserted` or `removed` reaches beyond what is known."""
    leaves_composition: bool | None
    """Whether what is being composed is to be committed; None where no composition was given."""
    expected: tuple[int, ...]
    """The announced edits that it showed; with a kind other than EXPECTED they came before what it names.

    EXPECTED without any: a state on the way to an announced edit, or one shown late that the host had gone past already.
    """
    unfulfilled: tuple[int, ...]
    """Announced edits that the host is now known not to have applied, or only in part; they wait no longer."""


@dataclasses.dataclass(frozen=True, slots=True)
class News:
    """What is new in a host's field: a snapshot, and what is known of how it came about."""

    snapshot: Snapshot
    window: Window | None = None
    key: Key | None = None
    merged: bool = False
    reset: bool = False


# ---- To C. What `keep` holds lives as long as the call.


def text(value: str | None, keep: list[Any], name: str, *, optional: bool = True) -> dict[str, Any]:
    if value is None and optional:
        return {"data": ffi.NULL, "length": 0}
    if not isinstance(value, str):
        raise invalid(f"{name}: not a text")
    # A lone surrogate is the library's to refuse: Python's own error would hold the text.
    encoded = value.encode(errors="surrogatepass")
    data = ffi.from_buffer("char[]", encoded) if encoded else ffi.new("char[1]")
    keep.append(data)
    return {"data": data, "length": len(encoded)}


_ANSWERS: dict[bool | None, int] = {None: lib.CONTEXTDIFF_NOT_TOLD, True: lib.CONTEXTDIFF_YES, False: lib.CONTEXTDIFF_NO}


def answer(value: bool | None, name: str) -> int:
    if value is not None and not isinstance(value, bool):
        raise invalid(f"{name}: neither True nor False")
    return _ANSWERS[value]


def number(value: int, name: str, *, least: int = -(1 << 63), most: int = (1 << 63) - 1) -> int:
    """A whole number that C has room for; what else the library wants of it, it says itself."""
    if not isinstance(value, int):
        raise invalid(f"{name}: not a whole number")
    if not least <= value <= most:
        raise invalid(f"{name}: not a whole number from {least} to {most}")
    return value


def snapshot_to_c(value: Snapshot, keep: list[Any], name: str) -> Any:
    if not isinstance(value, Snapshot):
        raise invalid(f"{name}: not a Snapshot")
    made = ffi.new("contextdiff_snapshot *")
    made.size = ffi.sizeof("contextdiff_snapshot")
    made.before = text(value.before, keep, f"{name}.before")
    made.selected = text(value.selected, keep, f"{name}.selected")
    made.after = text(value.after, keep, f"{name}.after")
    made.has_text = answer(value.has_text, f"{name}.has_text")
    made.selection_shown = answer(value.selection_shown, f"{name}.selection_shown")
    if value.caret is not None:
        made.caret_told = lib.CONTEXTDIFF_YES
        made.caret = number(value.caret, f"{name}.caret")
    keep.append(made)
    return made


def observation_to_c(
    new: Snapshot | News,
    keep: list[Any],
    *,
    old: Snapshot | None = None,
    pasteboard: str | None = None,
    composition: tuple[int, int] | None = None,
    cause: Cause | str | None = None,
    window: Window | str | None = None,
    key: Key | str | None = None,
    merged: bool | None = None,
    reset: bool | None = None,
    **unknown: object,
) -> Any:
    if unknown:
        raise TypeError(f"there is no evidence {', '.join(unknown)}")
    if not isinstance(new, News):
        new = News(new)
    window = new.window if window is None else window
    key = new.key if key is None else key
    made = ffi.new("contextdiff_observation *")
    made.size = ffi.sizeof("contextdiff_observation")
    made.to = snapshot_to_c(new.snapshot, keep, "new")
    if old is not None:
        setattr(made, "from", snapshot_to_c(old, keep, "old"))
    made.pasteboard = text(pasteboard, keep, "pasteboard")
    made.window = Window.number_of(window, "window")
    made.cause = Cause.number_of(cause, "cause")
    made.key = Key.number_of(key, "key")
    # What is not so is left out, as if nobody had said it.
    if lib.CONTEXTDIFF_YES in (answer(merged, "merged"), answer(new.merged, "new.merged")):
        made.merged = lib.CONTEXTDIFF_YES
    if lib.CONTEXTDIFF_YES in (answer(reset, "reset"), answer(new.reset, "new.reset")):
        made.reset = lib.CONTEXTDIFF_YES
    # A field names each shortcut that undoes, redoes, cuts or pastes.
    if new.key is not None:
        made.names_shortcuts = lib.CONTEXTDIFF_YES
    if composition is not None:
        if not isinstance(composition, (tuple, list)) or len(composition) != 2:
            raise invalid("composition: not a pair of numbers")
        made.composing = lib.CONTEXTDIFF_YES
        before, after = composition
        # The library's own limit, since it has other names for the two.
        made.composing_before = number(before, "composition", least=0, most=lib.CONTEXTDIFF_COUNT_LIMIT)
        made.composing_after = number(after, "composition", least=0, most=lib.CONTEXTDIFF_COUNT_LIMIT)
    keep.append(made)
    return made


def announcement_to_c(
    edit: Edit | Snapshot, keep: list[Any], by_edit: Callable[..., int], by_snapshot: Callable[..., int]
) -> tuple[Callable[..., int], Any]:
    """Which of the two functions announces it, and what that one takes."""
    if isinstance(edit, Edit):
        return by_edit, _edit_to_c(edit, keep)
    if isinstance(edit, Snapshot):
        return by_snapshot, snapshot_to_c(edit, keep, "edit")
    raise invalid("edit: neither an Edit nor a Snapshot")


def _edit_to_c(value: Edit, keep: list[Any]) -> Any:
    made = ffi.new("contextdiff_edit *")
    made.size = ffi.sizeof("contextdiff_edit")
    made.insert = text(value.insert, keep, "edit.insert")
    made.delete_backward = number(value.delete_backward, "edit.delete_backward")
    made.delete_forward = number(value.delete_forward, "edit.delete_forward")
    made.move_caret = number(value.move_caret, "edit.move_caret")
    made.unit = Unit.number_of(value.unit, "edit.unit", optional=False)
    keep.append(made)
    return made


# ---- From C: a copy, since C's goes with the next call.


def string(value: Any) -> str | None:
    if value.data == ffi.NULL:
        return None
    return bytes(ffi.buffer(value.data, value.length)).decode()


_TOLD = {number: value for value, number in _ANSWERS.items()}


def told(value: int) -> bool | None:
    return _TOLD.get(value)


# As contextdiff.h says of kinds that a later library may have.
def kind(number: int) -> Kind:
    return Kind.of(number) or Kind.OUT_OF_RANGE_TAP


def alternatives(value: Any) -> tuple[Kind, ...]:
    numbers = (value.alternatives[index] for index in range(value.alternative_count))
    return tuple(kind for number in numbers if (kind := Kind.of(number)))


def transition_from_c(value: Any) -> Transition | None:
    if value == ffi.NULL:
        return None
    offset = value.cursor_offset
    return Transition(
        kind=kind(value.kind),
        basic_kind=kind(value.basic_kind),
        is_certain=value.certainty == lib.CONTEXTDIFF_CERTAIN,
        alternatives=alternatives(value),
        cursor_offset=(
            Extent(offset.scalars, offset.utf16, offset.graphemes) if told(value.cursor_offset_known) else None),
        inserted=string(value.inserted),
        removed=string(value.removed),
        is_partial=told(value.is_partial) is True,
        leaves_composition=told(value.leaves_composition),
        expected=tuple(value.expected[index] for index in range(value.expected_count)),
        unfulfilled=tuple(value.unfulfilled[index] for index in range(value.unfulfilled_count)),
    )


def snapshot_from_c(value: Any) -> Snapshot:
    return Snapshot(
        before=string(value.before),
        selected=string(value.selected),
        after=string(value.after),
        has_text=told(value.has_text),
        caret=value.caret if told(value.caret_told) else None,
        selection_shown=told(value.selection_shown),
    )


def news_from_c(value: Any) -> News:
    return News(
        snapshot=snapshot_from_c(value.to),
        window=Window.of(value.window),
        key=Key.of(value.key),
        merged=told(value.merged) is True,
        reset=told(value.reset) is True,
    )
