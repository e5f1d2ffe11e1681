"""privacy.py SOCKET MARKER: posts text with the marker in every way there is, right and wrong.

Fails where an error's reply tells it.
"""

import json
import sys

from wire import Connection

path, marker = sys.argv[1:]
snapshot = {"before": marker, "selected": marker, "after": marker}
other = {"before": marker + "x", "selected": None, "after": marker}


def attempt(method, parameters, may_tell=False):
    connection = Connection(path)
    reply = connection.call(method, parameters)
    connection.close()
    if not may_tell or (reply and "error" in reply):
        assert marker not in json.dumps(reply, ensure_ascii=False), reply


def attempt_bytes(frame):
    connection = Connection(path)
    connection.send_bytes(frame)
    reply = connection.receive()
    connection.close()
    assert marker not in json.dumps(reply, ensure_ascii=False), reply


subscriber = Connection(path)
subscriber.send("io.contextdiff.Subscribe", {"snapshots": True}, more=True)
subscriber.receive()
for flags in ({}, {"secure": True}, {"pasteboard": marker}, {"composition": {"before": 1, "after": 1}},
              {"window": "full"}, {"window": "paragraph"}, {"cause": "other"}):
    parameters = {"session": "privacy", "old": snapshot, "new": other, **flags}
    attempt("io.contextdiff.Post", parameters, may_tell=True)
    parameters.pop("session")
    attempt("io.contextdiff.Classify", parameters, may_tell=True)
attempt("io.contextdiff.Expect", {"session": "privacy", "old": snapshot, "new": other})
attempt("io.contextdiff.Expect", {"session": "privacy", "edit": {"insert": marker}})

wrong = {"before": [marker], "selected": {marker: marker}}
attempt("io.contextdiff.Post", {"session": "privacy", "old": wrong, "new": snapshot})
attempt("io.contextdiff.Post", {"session": "privacy", "old": marker, "new": marker})
attempt("io.contextdiff.Post", {"session": "privacy", "new": snapshot, "window": marker})
attempt("io.contextdiff.Classify", {"old": snapshot, "new": {"before": marker * 100_000}})
attempt("io.contextdiff.Expect", {"session": "privacy", "edit": {"insert": [marker], "deleteBackward": marker}})

text = marker.encode()
attempt_bytes(b'{"method":"io.contextdiff.Post","parameters":{"session":"privacy","new":{"before":"' + text)
attempt_bytes(b'{"method":"io.contextdiff.Post","parameters":{"new":{"before":"' + text + b'\xff"}}}')
attempt_bytes(b'{"method":"io.contextdiff.Post","parameters":{"new":{"before":"' + text + b'\\ud800"}}}')
attempt_bytes(text)
attempt_bytes(b'{"parameters":{"before":"' + text + b'"}}')
subscriber.close()
