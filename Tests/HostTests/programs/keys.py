"""Types into fcitx5 as a toolkit's plugin does, and prints how long each key took, in seconds.

Started with how many keys. A key is what a plugin sends for one: the text as it stands, the press, and the wait for fcitx5's answer.
For each line that it reads it types so many, and answers with a line of JSON.
"""

import json
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

SURROUNDING, PREEDIT = 1 << 6, 1 << 1
TEXT = "It rained again on Sunday. "

bus = Gio.bus_get_sync(Gio.BusType.SESSION)
proxy = Gio.DBusProxy.new_sync(
    bus, Gio.DBusProxyFlags.NONE, None, "org.fcitx.Fcitx5", "/org/freedesktop/portal/inputmethod", "org.fcitx.Fcitx.InputMethod1")
path, _ = proxy.call_sync(
    "CreateInputContext", GLib.Variant("(a(ss))", ([("program", "keys")],)), Gio.DBusCallFlags.NONE, -1).unpack()
context = Gio.DBusProxy.new_sync(
    bus, Gio.DBusProxyFlags.DO_NOT_LOAD_PROPERTIES, None, "org.fcitx.Fcitx5", path, "org.fcitx.Fcitx.InputContext1")


def call(method, kind, *values, answer=True):
    parameters = GLib.Variant(kind, values)
    if answer:
        return context.call_sync(method, parameters, Gio.DBusCallFlags.NONE, -1)
    context.call(method, parameters, Gio.DBusCallFlags.NONE, -1)


call("SetCapability", "(t)", SURROUNDING | PREEDIT)
call("FocusIn", "()")
typed = ""
print("ready", flush=True)
for _ in sys.stdin:
    times = []
    for _ in range(int(sys.argv[1])):
        character = TEXT[len(typed) % len(TEXT)]
        # A line of some length, and the next.
        typed = typed + character if len(typed) < 400 else character
        began = time.perf_counter()
        call("SetSurroundingText", "(suu)", typed, len(typed), len(typed), answer=False)
        call("ProcessKeyEvent", "(uuubu)", ord(character), 0, 0, False, 0)
        times.append(time.perf_counter() - began)
        call("ProcessKeyEvent", "(uuubu)", ord(character), 0, 0, True, 0, answer=False)
    print(json.dumps(times), flush=True)
