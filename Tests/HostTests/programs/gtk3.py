"""A text editor of GTK 3: GtkSourceView, which has undo. Started with the text to hold."""

import json
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("GtkSource", "4")
from gi.repository import Gdk, GdkX11, GLib, Gtk, GtkSource  # noqa: E402,F401

from reporting import Reporter, on_wayland  # noqa: E402

# What both ibus-gtk and fcitx5-gtk set in a key event that the input method left to the program.
HANDED_BACK = 1 << 25

reporter = Reporter()
window = Gtk.Window(title="gtk3")
window.set_default_size(640, 420)
view = GtkSource.View()
view.set_monospace(True)
buffer = view.get_buffer()
buffer.set_max_undo_levels(-1)
buffer.set_highlight_matching_brackets(False)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
box.pack_start(view, True, True, 0)
secret = Gtk.Entry(visibility=False, input_purpose=Gtk.InputPurpose.PASSWORD)
box.pack_start(secret, False, False, 0)
window.add(box)
clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)


def report(*_):
    start, end = buffer.get_bounds()
    insert = buffer.get_iter_at_mark(buffer.get_insert()).get_offset()
    bound = buffer.get_iter_at_mark(buffer.get_selection_bound()).get_offset()
    reporter.state(buffer.get_text(start, end, True), bound, insert)


def moved(_, __, mark):
    if mark in (buffer.get_insert(), buffer.get_selection_bound()):
        report()


def settle(then):
    """Calls `then` when every event that the X server has sent is done with."""
    Gdk.Display.get_default().sync()
    GLib.idle_add(then, priority=GLib.PRIORITY_LOW)


def asked(source, _):
    line = source.readline()
    if not line:
        Gtk.main_quit()
        return False
    order = json.loads(line)
    number, what = order["n"], order["do"]
    if what == "sync":
        settle(lambda: reporter.answer(number, secret=secret.get_text()))
    elif what == "place":
        place = view.get_iter_location(buffer.get_iter_at_offset(order["offset"]))
        x, y = view.buffer_to_window_coords(Gtk.TextWindowType.WIDGET, place.x, place.y)
        x, y = view.translate_coordinates(window, x, y)
        _, left, top = window.get_window().get_origin()
        reporter.answer(number, x=left + x, y=top + y + place.height // 2)
    elif what == "clipboard":
        clipboard.request_text(lambda _, text: reporter.answer(number, clipboard=text))
    elif what == "copy":
        clipboard.set_text(order["text"], -1)
        reporter.answer(number)
    elif what == "focus":
        (secret if order["field"] == "secret" else view).grab_focus()
        settle(lambda: reporter.answer(number))
    return True


def released(_, event):
    # On Wayland no other key gets here.
    if event.state & HANDED_BACK or on_wayland():
        reporter.released += 1
    return False


buffer.begin_not_undoable_action()
buffer.set_text(sys.argv[1])
buffer.end_not_undoable_action()
buffer.place_cursor(buffer.get_start_iter())
buffer.connect("changed", report)
buffer.connect("mark-set", moved)
view.connect("preedit-changed", lambda _, text: reporter.write(e="preedit", text=text))
window.connect("key-release-event", released)
window.connect("destroy", Gtk.main_quit)
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, asked)
window.show_all()
view.grab_focus()
report()
window.connect("focus-in-event", lambda *_: reporter.write(e="focus"))
reporter.write(e="ready", window=None if on_wayland() else window.get_window().get_xid())
Gtk.main()
