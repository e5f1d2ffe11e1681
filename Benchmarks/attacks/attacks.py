"""What one permitted user can do to the others: each attack prepares, yields, and goes on once all are ready.

The comment of each says what it once did to another user of the daemon.
"""

import collections
import itertools
import socket
import struct
from dataclasses import dataclass, field

from .peers import Connection, call, flood

MIB = 1 << 20
# A read of the daemon's.
READ = 1 << 16


def snapshot(before="", selected=None, after=None):
    return {"before": before, "selected": selected, "after": after}


def full(frame, size=READ):
    """As many of the frame as `size` bytes hold."""
    return frame * max(1, size // len(frame))


def large_session(connection, session="large", bytes_each=1_000_000):
    """A session whose last snapshot has three fields of `bytes_each`."""
    text = "a" * bytes_each
    connection.ask(call("Post", {"session": session, "new": snapshot(text, text, text)}))


def secure_posts(path):
    """Short secure posts on a session of 3 MB: 29.6 s without an answer."""
    connection = Connection(path)
    large_session(connection)
    yield
    flood([connection], full(call("Post", {"session": "large", "new": {"before": "a"}, "secure": True})))


def expected_chain(path):
    """Announced edits of 90 bytes, each on the one before, on a text of 1 MB: 50.8 s."""
    connection = Connection(path)
    connection.ask(call("Post", {"session": "large", "new": snapshot("あ" * 340_000)}))
    yield
    flood([connection], full(call("Expect", {"session": "large", "edit": {"insert": "a"}})))


def expected_states(path):
    """32 announced states over 1 MB, and posts that each is compared with: 200 to 290 ms a call."""
    connection = Connection(path)
    text = "あいうえお。" * 55_000
    connection.ask(call("Post", {"session": "large", "new": snapshot(text)}))
    old = snapshot(text)
    for number in range(32):
        new = snapshot(text[: -1 - number] + "x" * number)
        connection.ask(call("Expect", {"session": "large", "old": old, "new": new}))
        old = new
    yield
    flood([connection], full(call("Post", {"session": "large", "new": {"before": text[-40:] + "zz"}})))


def expected_presses(path):
    """32 announced edits in presses of a key, of letters with marks, and short posts elsewhere: 1.0 s a call."""
    connection = Connection(path)
    text = "e\u0301" * 1_300
    connection.ask(call("Post", {"session": "large", "new": snapshot(text, None, text)}))
    edit = {"insert": "e\u0301" * 400, "deleteBackward": 600, "deleteForward": 600, "moveCaret": -600,
            "unit": "backspace"}
    for _ in range(32):
        connection.ask(call("Expect", {"session": "large", "edit": edit}))
    connection.ask(call("Post", {"session": "large", "new": snapshot("Some other line, ", None, "far away.")}))
    yield
    flood([connection], full(call("Post", {
        "session": "large", "secure": True, "new": snapshot("Some other line, q", None, "far away.")})))


def padded_presses(path):
    """The same posts, fewer of them at a time, in 64 KiB of white space, so that they take the places of large calls: half a second and
    more for the other user's."""
    connection = Connection(path)
    base = call("Post", {"session": "large", "new": snapshot("e\u0301\u0302" * 780, None, "a\u200d" * 192)})
    edit = call("Expect", {"session": "large", "edit": {
        "insert": "\u0915\u094d" * 300, "deleteBackward": 4, "deleteForward": 1, "moveCaret": -1, "unit": "backspace"}})
    post = call("Post", {
        "session": "large", "secure": True, "new": snapshot("a\n" * 400 + "q", None, "a\u200d" * 800)})
    padded = post[:-1] + b" " * (READ + 10 - len(post)) + b"\0"
    yield
    flood([connection], base + edit * 32 + padded + call("Forget", {"session": "large"}))


def expected_long_insert(path):
    """A text of 1 MB announced, with the caret going back through all of it: 24 s a call, and no watchdog fed."""
    connection = Connection(path)
    connection.ask(call("Post", {"session": "large", "new": snapshot("e\u0301" * 60, None, "e\u0301" * 60)}))
    first = {"insert": "x", "deleteBackward": 9, "deleteForward": 3, "moveCaret": -9, "unit": "backspace"}
    connection.ask(call("Expect", {"session": "large", "edit": first}))
    edit = {"insert": "e\u0301" * 340_000, "moveCaret": -340_000, "deleteBackward": 5, "deleteForward": 5,
            "unit": "backspace"}
    yield
    flood([connection], call("Expect", {"session": "large", "edit": edit}))


def told_caret(path):
    """A caret told, and a long selection given up whose every sentence looks alike: 7.9 s a call."""
    connection = Connection(path)
    old = {**snapshot("a", ("a" * 15 + ".") * 62_500, "a"), "caret": 0}
    new = {**snapshot("aa", None, "aa"), "caret": 77_777_777}
    yield
    flood([connection], call("Post", {"session": "large", "old": old, "new": new}))


def stretches(path):
    """Posts that jump between eight remembered stretches of 3 MB: 130 to 175 ms a call."""
    connection = Connection(path)
    texts = [chr(0x3042 + number) * 100_000 for number in range(8)]
    posts = [call("Post", {"session": "large", "new": snapshot(text, None, text)}) for text in texts]
    for post in posts:
        connection.ask(post)
    yield
    short = [call("Post", {"session": "large", "new": snapshot(text[:30])}) for text in texts]
    flood([connection], b"".join(short) * 60)


def look_alike(path):
    """Jumps in a text whose every part looks like the others, 30 KB: 43 to 70 ms a call."""
    connection = Connection(path)
    text = "ab" * 15_000
    connection.ask(call("Post", {"session": "large", "new": snapshot(text)}))
    yield
    flood([connection], (call("Post", {"session": "large", "new": snapshot("ab" * 200 + "b", None, "a" + "ab" * 50)})
                         + call("Post", {"session": "large", "new": snapshot(text[:3_000], None, "b" * 30)})) * 20)


def given_up_selection(path):
    """A selection given up in a text of 1 MB, again and again: 70 ms a call."""
    connection = Connection(path)
    text = "a" * 500_000
    connection.ask(call("Post", {"session": "large", "new": snapshot(text, "b" * 1_000, text)}))
    yield
    flood([connection], full(call("Post", {
        "session": "large", "secure": True, "new": snapshot("a" * 100, None, "b" * 20)})))


def unknown_names(path):
    """Forget of names that are not there, with 4,096 events kept: each looked at all of them."""
    connection = Connection(path)
    post = call("Post", {"session": "s", "old": {"before": "a"}, "new": {"before": "ab"}})
    for _ in range(4_200):
        connection.ask(post)
    yield
    flood([connection], b"".join(call("Forget", {"session": f"unknown-{number}"}) for number in range(700)))


def known_names(path):
    """Sessions that are forgotten as soon as they have events: 4,096 events are kept meanwhile."""
    connection = Connection(path)
    post = call("Post", {"session": "s", "old": {"before": "a"}, "new": {"before": "ab"}})
    for _ in range(4_200):
        connection.ask(post)
    yield
    names = [f"k{number}" for number in range(300)]
    flood([connection], b"".join(
        call("Post", {"session": name, "old": {"before": "a"}, "new": {"before": "ab"}})
        + call("Forget", {"session": name}) for name in names))


def listed_sessions(path):
    """4,096 sessions listed again and again: 354 ms a wait."""
    connection = Connection(path)
    for number in range(4_096):
        connection.ask(call("Post", {"session": f"session-{number}", "new": {"before": "a"}}))
    yield
    flood([connection], full(call("ListSessions")))


def closed_connections(path):
    """Calls of connections that are closed at once, unread replies and all: 76 s, and deaf to SIGTERM."""
    frames = full(call("ListSessions") + call("Classify", {
        "old": snapshot("あ" * 100), "new": snapshot("あ" * 101)}), 4 * MIB)
    yield
    while True:
        connections = []
        for _ in range(64):
            try:
                connection = Connection(path, 5)
                connection.socket.setblocking(False)
                connection.socket.send(frames)
            except OSError:
                continue
            connections.append(connection)
        for connection in connections:
            connection.close()


def filter_names(path):
    """Subscriptions that name hundreds of thousands of sessions: killed at MemoryMax=."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    names = ["".join(name) for name in itertools.islice(itertools.product(digits, repeat=5), 520_000)]
    frame = call("Subscribe", {"sessions": names}, more=True)
    yield
    connections = []
    for _ in range(61):
        try:
            connection = Connection(path)
            connections.append(connection)
            connection.ask(frame)
        except OSError:
            pass


def unread_replies(path):
    """Replies that nobody reads, on 400 connections: 1,454 MiB."""
    connections = [Connection(path) for _ in range(400)]
    frames = full(call("Classify", {"old": snapshot("あ" * 1_000), "new": snapshot("あ" * 1_000 + "い" * 1_000)}), MIB)
    yield
    flood(connections, frames, reads=False)


def large_events(path):
    """Large events for 200 subscribers with filters, none of whom reads: 806 MiB."""
    subscribers = []
    for _ in range(200):
        subscriber = Connection(path)
        subscriber.ask(call("Subscribe", {"sessions": ["large"], "snapshots": True}, more=True))
        subscribers.append(subscriber)
    poster = Connection(path)
    text = "a" * 900_000
    yield
    flood([poster], call("Post", {"session": "large", "old": snapshot(text), "new": snapshot(text + "b")}))


def half_frames(path):
    """Half a frame on each of 1,500 connections: the other user's own halves were ended."""
    connections = []
    yield
    half = call("Classify", {"old": snapshot("a" * 100_000)})[:44_700]
    for _ in range(1_500):
        try:
            connection = Connection(path)
            connection.socket.setblocking(False)
            connection.socket.send(half)
            connections.append(connection)
        except OSError:
            pass


def pipelines(path):
    """256 connections that are never idle: p99 1,200 ×."""
    connections = [Connection(path) for _ in range(256)]
    yield
    flood(connections, full(call("Classify", {"old": snapshot("あ" * 20), "new": snapshot("あ" * 21)})))


def large_calls(path):
    """Snapshots of 3 MiB, one after the other: each call as long as they take."""
    connection = Connection(path)
    text = "あい。う" * 87_000
    yield
    flood([connection], call("Classify", {
        "old": snapshot(text, None, text), "new": snapshot(text + "え", None, text)}))


def filtered_subscribers(path):
    """1,024 subscribers with filters, and one who posts: 35 to 230 ×."""
    subscribers = []
    for number in range(1_024):
        subscriber = Connection(path)
        subscriber.ask(call("Subscribe", {"sessions": [f"other-{number}"], "kinds": ["cut"]}, more=True))
        subscribers.append(subscriber)
    poster = Connection(path)
    yield
    flood([poster], full(call("Post", {"session": "s", "old": {"before": "a"}, "new": {"before": "ab"}})))


def evictions(path):
    """4,090 small sessions that give way to large posts: 62 ×, 28 ms stalls."""
    connection = Connection(path)
    for number in range(4_090):
        connection.ask(call("Post", {"session": f"small-{number}", "new": {"before": "a" * 4_000}}))
    yield
    text = "a" * 1_000_000
    frames = [call("Post", {"session": f"large-{number}", "new": snapshot(text, text, text)}) for number in range(6)]
    frames += [call("Post", {"session": f"small-{number}", "new": {"before": "a" * 4_000}}) for number in range(2_000)]
    place = iter(range(1 << 40))
    flood([connection], lambda _: frames[next(place) % len(frames)])


def all_connections(path):
    """As many connections as there can be, held: none was left for a third user."""
    connections = []
    yield
    for _ in range(2_048):
        try:
            connection = Connection(path, 2)
            connection.ask(call("ListSessions"))
            connections.append(connection)
        except OSError:
            pass
    yield connections


def connection_storm(path):
    """Connections that come and go as fast as they can with a byte sent, and keep the accept queue as full as they can."""
    yield
    while True:
        with socket.socket(socket.AF_UNIX) as caller:
            caller.setblocking(False)
            try:
                caller.connect(str(path))
                caller.send(b"{")
            except OSError:
                pass


def many_users(path):
    """Users of one person who fill what is kept for them and go: 751 MiB stayed for nobody."""
    text = "a" * 300_000
    connection = Connection(path)
    yield
    for number in range(40):
        connection.ask(call("Post", {
            "session": f"s{number}", "old": snapshot(text), "new": snapshot(text + "b", None, text)}))
    connection.close()


def log_flood(path):
    """A limit reached, and what is no call, as often as can be: each would be a log entry."""
    connection = Connection(path)
    yield
    while True:
        try:
            broken = Connection(path, 2)
            broken.send(b"{]\0")
            broken.close()
            connection.ask(call("Classify", {"old": snapshot("a" * (MIB + 1)), "new": snapshot()}))
        except OSError:
            connection.close()
            connection = Connection(path, 2)


def turned_off_reader(path):
    """A subscriber that has shut its reading side down, and one that never reads, beside a poster."""
    deaf = Connection(path)
    deaf.ask(call("Subscribe", {}, more=True))
    deaf.socket.shutdown(socket.SHUT_RD)
    silent = Connection(path)
    silent.ask(call("Subscribe", {"snapshots": True}, more=True))
    poster = Connection(path)
    yield
    flood([poster], full(call("Post", {"session": "s", "old": {"before": "a"}, "new": {"before": "ab"}})))


def lingering_descriptors(path):
    """More connections than its share, each with a socket that lingers for a minute: the kernel closes them on the thread that reads, or accepts,
    and nobody was served meanwhile."""
    linger = struct.Struct("ii")
    # What is held for each: where an end of it goes, nothing lingers any more.
    held = collections.deque(maxlen=1_500)
    yield
    with socket.socket() as listener:
        # As bytes: a str would have Python look for a codec that another user may not be able to read.
        listener.bind((b"127.0.0.1", 0))
        listener.listen()
        while True:
            sent = socket.socket()
            sent.connect((b"127.0.0.1", listener.getsockname()[1]))
            sent.setblocking(False)
            held.append([listener.accept()[0]])
            try:
                while True:
                    sent.send(bytes(READ))
            except BlockingIOError:
                sent.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger.pack(1, 60))
            try:
                connection = Connection(path, 2)
                held[-1].append(connection)
                socket.send_fds(connection.socket, [call("ListSessions")], [sent.fileno()])
            except OSError:
                # Linux 6.16 and later refuse it.
                sent.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger.pack(0, 0))
            sent.close()


@dataclass
class Attack:
    """An attack, and how many users and processes of each it takes."""

    act: callable
    users: int = 1
    processes: int = 1
    settings: list = field(default_factory=list)

    @property
    def name(self):
        return self.act.__name__.replace("_", " ")


ALL = [
    Attack(secure_posts), Attack(expected_chain), Attack(expected_states), Attack(expected_presses),
    Attack(padded_presses, users=2), Attack(expected_long_insert), Attack(told_caret), Attack(stretches), Attack(look_alike),
    Attack(given_up_selection), Attack(unknown_names), Attack(known_names), Attack(listed_sessions),
    Attack(closed_connections), Attack(filter_names), Attack(unread_replies), Attack(large_events),
    Attack(half_frames), Attack(pipelines), Attack(large_calls), Attack(filtered_subscribers), Attack(evictions),
    Attack(all_connections, users=2), Attack(connection_storm), Attack(many_users, users=60), Attack(log_flood),
    Attack(turned_off_reader), Attack(lingering_descriptors, settings=["limits.connections=64"]),
]
