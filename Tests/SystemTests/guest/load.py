"""load.py SOCKET RATE ROUNDS COMMAND...: posts RATE times a second and runs COMMAND ROUNDS times meanwhile.

Prints as JSON what was answered, what a subscriber heard, and how long it took each time until a new connection was
answered.

The poster and the subscriber each come back by themselves when their connection ends; the subscriber with `since`.
"""

import json
import subprocess
import sys
import threading
import time

from wire import Connection

path, rate, rounds, command = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
answered = []       # the sequence number of each post that was answered
heard = []          # the sequence number of each event that the subscriber got
lost = []           # what the subscriber was told that it lost
instances = set()
recoveries = []     # milliseconds
posting = threading.Event()
posting.set()
failure = []


def connect():
    while True:
        try:
            return Connection(path)
        except (ConnectionRefusedError, FileNotFoundError):
            time.sleep(0.001)


def is_answered():
    probe = connect()
    try:
        return probe.call("io.contextdiff.GetStatistics") is not None
    except (ConnectionResetError, BrokenPipeError):
        return False
    finally:
        probe.close()


def post():
    text = 0
    began, sent = time.monotonic(), 0
    while posting.is_set():
        connection = connect()
        waiting = 0
        try:
            while posting.is_set() or waiting:
                due = int((time.monotonic() - began) * rate) - sent
                for _ in range(due if posting.is_set() else 0):
                    connection.send("io.contextdiff.Post", {
                        "session": "load", "old": {"before": "あ" * (text % 60)},
                        "new": {"before": "あ" * (text % 60 + 1)}})
                    text += 1
                    sent += 1
                    waiting += 1
                if waiting == 0:
                    time.sleep(0.0005)
                    continue
                reply = connection.receive()
                if reply is None:
                    break
                waiting -= 1
                answered.append(reply["parameters"]["sequence"])
        except (ConnectionResetError, BrokenPipeError):
            pass
        finally:
            connection.close()


def subscribe():
    since, instance = None, None
    while not (not posting.is_set() and answered and heard and heard[-1] >= max(answered)):
        connection = connect()
        try:
            parameters = {"sessions": ["load"]}
            if instance is not None:
                parameters |= {"since": since, "instance": instance}
            connection.send("io.contextdiff.Subscribe", parameters, more=True)
            connection.socket.settimeout(0.5)
            while True:
                try:
                    reply = connection.receive()
                except TimeoutError:
                    if not posting.is_set():
                        break
                    continue
                if reply is None:
                    break
                reply = reply["parameters"]
                if reply.get("ready"):
                    instances.add(reply["instance"])
                    instance = reply["instance"]
                    since = reply["sequence"] if since is None else since
                elif "lost" in reply and reply["lost"] is not None:
                    lost.append(reply["lost"])
                else:
                    since = reply["event"]["sequence"]
                    heard.append(since)
        except (ConnectionResetError, BrokenPipeError):
            pass
        finally:
            connection.close()


def guarded(work):
    def run():
        try:
            work()
        except BaseException as error:
            failure.append(repr(error))
            posting.clear()
            raise
    return run


subscriber = threading.Thread(target=guarded(subscribe), daemon=True)
subscriber.start()
while not instances and not failure:
    time.sleep(0.001)
poster = threading.Thread(target=guarded(post), daemon=True)
poster.start()
for _ in range(rounds):
    time.sleep(0.3)
    began = time.monotonic()
    subprocess.run(command, check=True)
    while not is_answered():
        pass
    recoveries.append((time.monotonic() - began) * 1000)
time.sleep(0.3)
posting.clear()
poster.join(180)
subscriber.join(180)
json.dump({"answered": answered, "heard": heard, "lost": lost, "instances": sorted(instances),
           "recoveries": recoveries, "failure": failure,
           "unfinished": poster.is_alive() or subscriber.is_alive()}, sys.stdout)
