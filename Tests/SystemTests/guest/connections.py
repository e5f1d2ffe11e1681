"""connections.py SOCKET COUNT: connects, calls and leaves, COUNT times, and prints the seconds that took."""

import sys
import time

from wire import Connection

path, count = sys.argv[1], int(sys.argv[2])
began = time.monotonic()
for _ in range(count):
    connection = Connection(path)
    assert connection.call("io.contextdiff.ListSessions") is not None
    connection.close()
print(time.monotonic() - began)
