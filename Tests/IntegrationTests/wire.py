"""A client that speaks frames, so that a test says exactly what goes over the wire."""

import json
import os
import socket
import time

from conftest import PATIENCE


def call(method, parameters=None, **flags):
    """The frame of a call of io.contextdiff as most programs write it, without white space."""
    message = {"method": f"io.contextdiff.{method}", **flags}
    if parameters is not None:
        message["parameters"] = parameters
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


class Wire:
    """One connection to a daemon."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, *frames):
        """Sends frames as they are, each with its NUL."""
        self.socket.sendall(b"".join(frame + b"\0" for frame in frames))

    def request(self, method, parameters=None, **flags):
        """Sends a call of io.contextdiff."""
        self.send(call(method, parameters, **flags))

    def reply(self):
        """The next frame; None at the end of the stream."""
        while b"\0" not in self.received:
            chunk = self.socket.recv(1 << 16)
            if not chunk:
                assert not self.received, "the stream ends within a frame"
                return None
            self.received += chunk
        frame, self.received = self.received.split(b"\0", 1)
        return json.loads(frame)

    def call(self, method, parameters=None):
        """The parameters of the reply; an error is a failure of the test."""
        self.request(method, parameters)
        reply = self.reply()
        assert "error" not in reply, reply
        return reply["parameters"]

    def error(self, method, parameters=None, **flags):
        """The name of the error, without io.contextdiff, and its parameters."""
        self.request(method, parameters, **flags)
        reply = self.reply()
        return reply["error"].removeprefix("io.contextdiff."), reply["parameters"]

    def is_ended(self):
        """Waits for the other side to end the connection."""
        try:
            return self.reply() is None
        except ConnectionResetError:
            return True


def snapshot(before=None, selected=None, after=None):
    return {"before": before, "selected": selected, "after": after}


def pair(old="あ", new="あい"):
    """One inserted character, unless said otherwise."""
    return {"old": snapshot(old), "new": snapshot(new)}


def post(wire, session="s", **more):
    """Posts a pair and returns its event's number."""
    return wire.call("Post", {"session": session, **pair(), **more})["sequence"]


# What ListSessions answers whoever has none.
NO_SESSIONS = {"sessions": [], "details": []}


def sessions(wire):
    """The names of the caller's sessions, the one last posted to first."""
    listed = wire.call("ListSessions")
    assert [session["name"] for session in listed["details"]] == listed["sessions"]
    return listed["sessions"]


def subscribe(path, **parameters):
    """A connection that streams events, and the reply that said that it is ready."""
    wire = Wire(path)
    wire.request("Subscribe", parameters, more=True)
    ready = wire.reply()
    assert ready["parameters"]["ready"] and ready["continues"]
    return wire, ready["parameters"]


def sequence(reply):
    return reply["parameters"]["event"]["sequence"]


def until(condition):
    """Looks again and again until `condition` holds; fails where it does not in time."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def threads(daemon):
    """How many threads the daemon has."""
    return len(os.listdir(f"/proc/{daemon.process.pid}/task"))


def answers(path):
    """Whether who connects now is served; one who comes while there is no room, or no socket, is turned away."""
    try:
        with Wire(path) as wire:
            return "statistics" in wire.call("GetStatistics")
    except (ConnectionError, BrokenPipeError, FileNotFoundError):
        return False
