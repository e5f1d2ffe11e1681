"""The daemon's client in GLib's main loop."""

from __future__ import annotations

from gi.repository import GLib

from .client import Client


def attach(client: Client) -> int:
    """Lets the main loop drive a client made in its thread; returns the source's id, for GLib.source_remove before `close`."""

    def process(*_: object) -> bool:
        client.process()
        return True

    source: int = GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, client.fileno(), GLib.IOCondition.IN, process)
    return source
