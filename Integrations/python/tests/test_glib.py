"""The daemon's client in GLib's main loop, in a Python that has gi."""

import pytest

from test_ibus import run

pytestmark = pytest.mark.skipif(run("import gi").returncode != 0, reason="needs gi for this Python")

SCRIPT = """
import sys
from gi.repository import GLib
from contextdiff import Edit, Snapshot, client, glib

loop = GLib.MainLoop()
connection = client.Client(sys.argv[1], deadline=60)
source = glib.attach(connection)
told = []

def done(reply):
    told.append(reply)
    if len(told) == 2:
        loop.quit()

def hear(message):
    if isinstance(message, client.Ready):
        connection.post("notes", Snapshot(before="a"), done)
        connection.post("notes", Snapshot(before="ab"), done)

connection.subscribe(hear)
loop.run()
GLib.source_remove(source)
connection.close()
print(told[1].transition.kind)
"""


def test_the_main_loop_drives_the_client(daemon):
    done = run(SCRIPT, daemon.path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "insertion\n"
