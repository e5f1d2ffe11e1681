"""burst.py SOCKET SESSIONS POSTS: posts as fast as it goes, POSTS to each session; prints the seconds until all are answered."""

import sys
import threading
import time

from wire import Connection

path, sessions, posts = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
connection = Connection(path)


def send():
    for number in range(posts):
        for session in range(sessions):
            connection.send("io.contextdiff.Post", {
                "session": f"burst-{session}", "old": {"before": "a" * (number % 50)},
                "new": {"before": "a" * (number % 50 + 1)}})


began = time.monotonic()
sender = threading.Thread(target=send)
sender.start()
for _ in range(sessions * posts):
    reply = connection.receive()
    assert reply and "error" not in reply, reply
sender.join()
print(time.monotonic() - began)
