"""An IBus engine that does what it is told and tells all that it sees; started by method.IBus.

It reads what happens, as any engine does, with the mixin of the package contextdiff.

Told, a line each over the socket at CONTEXTDIFF_HOST_SOCKET: `commit TEXT`, `preedit TEXT`, `clear`, `delete OFFSET SIZE`, with tabs between;
each press of F9 does the next of them.
"""

import json
import os
import socket
import sys
import time

import gi

gi.require_version("IBus", "1.0")
from gi.repository import GLib, GObject, IBus  # noqa: E402

from contextdiff.ibus import Reading  # noqa: E402

NAME = "contextdiff-host"
link = socket.socket(socket.AF_UNIX)
link.connect(os.environ["CONTEXTDIFF_HOST_SOCKET"])
orders = []
received = b""


def tell(e, **record):
    link.sendall((json.dumps(dict(record, e=e, t=time.monotonic()), ensure_ascii=False) + "\n").encode())


def told(*_):
    global received
    piece = link.recv(1 << 16)
    if not piece:
        sys.exit()
    *lines, received = (received + piece).split(b"\n")
    for line in lines:
        orders.append(line.decode().split("\t"))
        tell("order")
    return True


class Engine(Reading, IBus.Engine):
    __gtype_name__ = "ContextdiffHostEngine"
    preedit = ""

    def __init__(self, **properties):
        super().__init__(**properties)
        post = self._session.post
        # Also what the mixin keeps from engines: what they announced themselves.
        self._session.post = lambda *news, **evidence: self.telling(post(*news, **evidence))

    def telling(self, transition):
        if transition is not None:
            tell("transition", kind=transition.kind.value, certain=transition.is_certain, leaves=bool(transition.leaves_composition),
                 alternatives=[kind.value for kind in transition.alternatives])
        return transition

    def do_focus_in_id(self, path, client):
        tell("focusIn", client=client)
        super().do_focus_in_id(path, client)

    def do_focus_out_id(self, path):
        tell("focusOut")
        super().do_focus_out()
        self.preedit = ""

    def do_set_content_type(self, purpose, hints):
        tell("content", purpose=purpose, hints=hints)
        super().do_set_content_type(purpose, hints)

    def do_set_capabilities(self, capabilities):
        tell("capabilities", capabilities=capabilities, surrounding=bool(capabilities & IBus.Capabilite.SURROUNDING_TEXT))

    def do_reset(self):
        tell("reset", preedit=self.preedit)
        super().do_reset()
        if self.preedit:
            self.show("")

    def do_set_surrounding_text(self, text, cursor, anchor):
        tell("news", text=text.get_text(), cursor=cursor, anchor=anchor)
        super().do_set_surrounding_text(text, cursor, anchor)

    def do_process_key_event(self, keyval, keycode, state):
        release = bool(state & IBus.ModifierType.RELEASE_MASK)
        handled = not release and keyval == IBus.KEY_F9
        tell("key", key=IBus.keyval_name(keyval), state=state & 0xFF, release=release, handled=handled)
        if handled:
            self.act(*orders.pop(0))
            return True
        return False

    def act(self, do, *values):
        if do == "commit":
            if self.preedit:
                self.show("")
            self.commit_text(IBus.Text.new_from_string(values[0]))
        elif do == "preedit":
            self.show(values[0])
        elif do == "clear":
            self.show("")
        elif do == "delete":
            self.delete_surrounding_text(int(values[0]), int(values[1]))
        tell(do, text=values[0] if values else "")

    def show(self, text):
        self.preedit = text
        self.composing = bool(text)
        shown = IBus.Text.new_from_string(text)
        mode = IBus.PreeditFocusMode.COMMIT if os.environ.get("CONTEXTDIFF_HOST_PREEDIT") == "commit" else IBus.PreeditFocusMode.CLEAR
        self.update_preedit_text_with_mode(shown, len(text), bool(text), mode)


IBus.init()
bus = IBus.Bus()
factory = IBus.Factory.new(bus.get_connection())
count = 0


def create(_, name):
    global count
    count += 1
    return GObject.new(
        Engine, engine_name=name, object_path=f"/org/freedesktop/IBus/Engine/{count}", connection=bus.get_connection(),
        has_focus_id=True)


factory.connect("create-engine", create)
component = IBus.Component(
    name="org.freedesktop.IBus.ContextdiffHost", description="", version="0", license="", author="", homepage="",
    command_line="", textdomain="")
component.add_engine(IBus.EngineDesc(
    name=NAME, longname=NAME, description="", language="ja", license="", author="", icon="", layout="us"))
bus.register_component(component)
bus.request_name("org.freedesktop.IBus.ContextdiffHost", 0)


def chosen(bus, result):
    bus.set_global_engine_async_finish(result)
    tell("ready")


bus.set_global_engine_async(NAME, -1, None, chosen)
GLib.io_add_watch(link.fileno(), GLib.IO_IN | GLib.IO_HUP, told)
GLib.MainLoop().run()
