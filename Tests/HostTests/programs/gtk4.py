"""A text editor of GTK 4: its own text view. Started with the text to hold."""

import json
import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("GdkX11", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GdkX11, GLib, Gtk  # noqa: E402,F401

from reporting import Reporter, on_wayland  # noqa: E402

reporter = Reporter()
loop = GLib.MainLoop()
Gtk.init()
window = Gtk.Window(title="gtk4", decorated=False)
window.set_default_size(640, 420)
view = Gtk.TextView(monospace=True, vexpand=True)
buffer = view.get_buffer()
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
box.append(view)
secret = Gtk.PasswordEntry()
box.append(secret)
window.set_child(box)


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
    window.get_display().sync()
    GLib.idle_add(then, priority=GLib.PRIORITY_LOW)


def pasted(clipboard, result, number):
    try:
        text = clipboard.read_text_finish(result)
    except GLib.Error:
        text = None
    reporter.answer(number, clipboard=text)


def asked(source, _):
    line = source.readline()
    if not line:
        loop.quit()
        return False
    order = json.loads(line)
    number, what = order["n"], order["do"]
    if what == "sync":
        settle(lambda: reporter.answer(number, secret=secret.get_text()))
    elif what == "place":
        place = view.get_iter_location(buffer.get_iter_at_offset(order["offset"]))
        x, y = view.buffer_to_window_coords(Gtk.TextWindowType.WIDGET, place.x, place.y)
        x, y = view.translate_coordinates(window, x, y)
        inset_x, inset_y = window.get_surface_transform()
        reporter.answer(number, x=int(x + inset_x), y=int(y + inset_y) + place.height // 2)
    elif what == "clipboard":
        window.get_clipboard().read_text_async(None, pasted, number)
    elif what == "copy":
        window.get_clipboard().set_content(Gdk.ContentProvider.new_for_value(order["text"]))
        reporter.answer(number)
    elif what == "focus":
        (secret if order["field"] == "secret" else view).grab_focus()
        settle(lambda: reporter.answer(number))
    return True


def released(*_):
    reporter.released += 1


buffer.begin_irreversible_action()
buffer.set_text(sys.argv[1])
buffer.end_irreversible_action()
buffer.place_cursor(buffer.get_start_iter())
buffer.connect("changed", report)
buffer.connect("mark-set", moved)
view.connect("preedit-changed", lambda _, text: reporter.write(e="preedit", text=text))
keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
keys.connect("key-released", released)
window.add_controller(keys)
window.connect("close-request", lambda *_: loop.quit())
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, asked)
window.connect("notify::is-active", lambda *_: window.is_active() and reporter.write(e="focus"))
window.present()
view.grab_focus()
report()
reporter.write(e="ready", window=None if on_wayland() else window.get_surface().get_xid())
loop.run()
