"""activation.py SOCKET: the milliseconds from connect to the first answer."""

import sys
import time

from wire import Connection

began = time.monotonic()
connection = Connection(sys.argv[1])
reply = connection.call("io.contextdiff.Classify", {"old": {"before": "a"}, "new": {"before": "ab"}})
assert reply["parameters"]["transition"]["kind"] == "insertion", reply
print((time.monotonic() - began) * 1000)
