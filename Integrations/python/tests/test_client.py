import asyncio
import contextlib
import dataclasses
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import threading
import traceback
import weakref

import pytest

import contextdiff
from contextdiff import Edit, Kind, Snapshot, aio, client


def drive(connection, until, condition):
    """Waits as a loop does, until something is so."""

    def step():
        if select.select([connection], [], [], 1)[0]:
            connection.process()
        return condition()

    until(step)


@pytest.fixture
def connection(daemon, until):
    with client.Client(daemon.path, deadline=60) as connection:
        heard = []
        connection.heard = heard
        connection.subscribe(heard.append)
        drive(connection, until, lambda: any(isinstance(message, client.Ready) for message in heard))
        yield connection


def in_a_loop(task):
    """Runs it, for a minute at most."""

    async def run():
        async with asyncio.timeout(60):
            return await task

    return asyncio.run(run())


def ask(path, method):
    """The daemon's answer."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(path)
        link.sendall(b'{"method":"io.contextdiff.%s"}\0' % method)
        return json.loads(link.makefile("rb").read1().rstrip(b"\0"))["parameters"]


def sessions(path):
    """The daemon's."""
    return ask(path, b"ListSessions")["sessions"]


def descriptors():
    return len(os.listdir("/proc/self/fd"))


async def no_subscriber_is_left(path):
    while ask(path, b"GetStatistics")["statistics"]["subscribers"]:
        await asyncio.sleep(0.01)


def test_posts_and_their_events(connection, until):
    answers = []
    connection.post("notes", Snapshot(before="a"), answers.append)
    connection.post("notes", Snapshot(before="ab"), answers.append)
    connection.expect("notes", Edit(insert="c"), answers.append)
    connection.post("notes", Snapshot(before="abc"), answers.append)
    connection.post("secret", Snapshot(before="abc"), answers.append, secure=True, old=Snapshot(before="ab"))
    connection.expect("notes", Snapshot(before="abcd"), answers.append)
    connection.post("notes", Snapshot(before="abcd"), answers.append)
    connection.withdraw("notes", 77, answers.append)
    connection.forget("notes", answers.append)
    drive(connection, until, lambda: len(answers) == 9)
    baseline, typed, announced, own, secret, announced_state, own_state, withdrawn, forgotten = answers
    assert baseline == client.Reply(0, None)
    assert typed.number == 1 and typed.transition.kind is Kind.INSERTION
    assert announced.number == own.transition.expected[0]
    assert announced_state.number == own_state.transition.expected[0]
    assert secret.number == 0 and secret.transition.inserted == "c"
    assert isinstance(withdrawn, contextdiff.NoSuchExpectation)
    assert str(withdrawn) == "io.contextdiff.NoSuchExpectation: expected 77"
    assert forgotten == client.Reply()
    events = lambda: [message for message in connection.heard if isinstance(message, client.Event)]
    drive(connection, until, lambda: len(events()) == 3)
    assert [(event.sequence, event.session, event.transition.kind) for event in events()] == [
        (1, "notes", Kind.INSERTION), (2, "notes", Kind.EXPECTED), (3, "notes", Kind.EXPECTED)]


def test_what_is_neither_an_edit_nor_a_snapshot_is_told_at_once(connection):
    with pytest.raises(contextdiff.InvalidArgument, match="^edit: neither an Edit nor a Snapshot$"):
        connection.expect("notes", "x")  # type: ignore[arg-type]
    assert not connection._waiting


def test_names_that_cannot_be_are_told_at_once(connection):
    for name in ("", "a" * 256, "a\n"):
        with pytest.raises(contextdiff.InvalidArgument):
            connection.post(name, Snapshot())
    assert not connection._waiting


@pytest.mark.parametrize("path", ["", "a" * 108, "a\0b"], ids=["empty", "long", "NUL"])
def test_a_socket_that_cannot_be_is_told_at_once(path):
    with pytest.raises(contextdiff.InvalidArgument, match="socket: not a path of 1 to 107 bytes"):
        client.Client(path)


def test_killing_the_daemon_costs_an_answer_and_no_wait(daemon, connection, until):
    answers = []
    connection.post("notes", Snapshot(before="a"), answers.append)
    drive(connection, until, lambda: len(answers) == 1)
    instance = connection.heard[-1].instance
    connection.heard.clear()
    daemon.stop(kill=True)
    drive(connection, until, lambda: connection.heard)
    [heard] = connection.heard
    assert isinstance(heard, client.Disconnected)
    assert isinstance(heard.error, contextdiff.NotConnected)
    assert str(heard.error).startswith("nobody answers at ")
    connection.post("notes", Snapshot(before="ab"), answers.append)
    drive(connection, until, lambda: len(answers) == 2)
    assert isinstance(answers[1], contextdiff.NotConnected)
    daemon.start()
    ready = []
    drive(connection, until, lambda: ready or ready.extend(
        message for message in connection.heard if isinstance(message, client.Ready)))
    assert len(ready) == 1 and ready[0].instance != instance
    connection.post("notes", Snapshot(before="abc"), answers.append)
    connection.post("notes", Snapshot(before="abcd"), answers.append)
    drive(connection, until, lambda: len(answers) == 4)
    assert answers[3].transition.kind is Kind.INSERTION
    drive(connection, until, lambda: isinstance(connection.heard[-1], client.Event))
    assert sum(isinstance(message, client.Disconnected) for message in connection.heard) == 1
    # Another run: what it had counted before is not known to be complete.
    assert any(isinstance(message, client.Lost) and message.count is None for message in connection.heard)


def test_a_daemon_that_hangs_is_not_waited_for(tmp_path, until):
    path = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        with client.Client(path, deadline=0.02, calls=3) as connection:
            answers = []
            for _ in range(3):
                connection.post("notes", Snapshot(before="a"), answers.append)
            with pytest.raises(contextdiff.TooManyCalls):
                connection.post("notes", Snapshot(before="a"), answers.append)
            # Just then a session is to be forgotten: who asks for no answer takes nobody's place.
            connection.forget("notes")
            drive(connection, until, lambda: len(answers) == 3)
            assert all(isinstance(answer, contextdiff.TimedOut) for answer in answers)
            # It answers after all: nobody hears that, and the next call gets its own answer.
            peer, _ = listener.accept()
            with peer:
                assert b'"io.contextdiff.Forget"' in peer.recv(1 << 16)
                peer.sendall(b'{"parameters":{"sequence":1}}\0{"parameters":{"sequence":2}}\0{"parameters":{"sequence":3}}\0')
                until(lambda: connection.process() == 0 and not select.select([connection], [], [], 0)[0])
                connection.post("notes", Snapshot(before="ab"), answers.append)
                peer.sendall(b'{"parameters":{"sequence":4}}\0')
                drive(connection, until, lambda: len(answers) == 4)
            assert len(answers) == 4


@contextlib.contextmanager
def listening_without_room(path):
    """Who listens at `path`, and has no room for one more connection."""
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as first:
        listener.bind(path)
        listener.listen(0)
        first.connect(path)
        yield listener


def test_what_was_kept_for_a_daemon_that_went_away_was_not_sent(tmp_path, until):
    path = str(tmp_path / "socket")
    with listening_without_room(path) as listener, client.Client(path, deadline=60) as connection:
        answers = []
        connection.post("notes", Snapshot(before="a"), answers.append)
        listener.close()
        drive(connection, until, lambda: answers)
        assert isinstance(answers[0], contextdiff.NotConnected)
        assert "nobody answers at" in str(answers[0])


def test_a_daemon_without_room_for_one_more_is_waited_for(tmp_path, until):
    path = str(tmp_path / "socket")
    with listening_without_room(path) as listener:
        answers, late = [], []
        with client.Client(path, deadline=0.02) as hasty:
            hasty.post("notes", Snapshot(before="a"), late.append)
            drive(hasty, until, lambda: late)
            assert isinstance(late[0], contextdiff.TimedOut)
        with client.Client(path, deadline=600) as connection:
            heard = []
            connection.subscribe(heard.append)
            connection.process()
            for text in ("a", "ab"):
                connection.post("notes", Snapshot(before=text), answers.append)
            connection.process()
            assert answers == [] and heard == []
            # Now there is room, for one after the other.
            listener.settimeout(0)
            peers = []

            def accept():
                connection.process()
                try:
                    peers.append(listener.accept()[0])
                except BlockingIOError:
                    pass
                return len(peers) == 3

            until(accept)
            for peer in peers[1:]:
                peer.settimeout(60)
                if b".Post" in peer.recv(1 << 16):
                    peer.sendall(b'{"parameters":{"sequence":1}}\0{"parameters":{"sequence":2}}\0')
            drive(connection, until, lambda: len(answers) == 2)
            assert [answer.number for answer in answers] == [1, 2] and heard == []
        for peer in peers:
            peer.close()


@contextlib.contextmanager
def connected_to_a_stand_in(tmp_path):
    """A client, and the socket at which it finds whom the test plays."""
    path = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        with client.Client(path, deadline=60) as connection:
            yield connection, listener


@pytest.mark.parametrize("answer", [b"{\0", b"[]\0", b'{"parameters":{"sequence":"x"}}\0', b"\0", b'{"upgrade":1}\0'])
def test_what_is_no_answer_ends_the_connection(tmp_path, until, answer):
    with connected_to_a_stand_in(tmp_path) as (connection, listener):
        answers = []
        connection.post("notes", Snapshot(before="a"), answers.append)
        peer, _ = listener.accept()
        with peer:
            peer.sendall(answer)
            drive(connection, until, lambda: answers)
        assert isinstance(answers[0], contextdiff.NotConnected)


def test_what_the_daemon_refuses_has_its_name(tmp_path, until):
    with connected_to_a_stand_in(tmp_path) as (connection, listener):
        answers = []
        for name in "one", "two":
            connection.forget(name, answers.append)
        peer, _ = listener.accept()
        with peer:
            peer.sendall(b'{"error":"org.example.Odd"}\0')
            peer.sendall(b'{"error":"io.contextdiff.NoSuchSession","parameters":{"session":"a: b"}}\0')
            drive(connection, until, lambda: len(answers) == 2)
    odd, missing = answers
    assert (type(odd), odd.name, str(odd)) == (contextdiff.Refused, "org.example.Odd", "org.example.Odd")
    assert (type(missing), missing.name) == (contextdiff.NoSuchSession, "io.contextdiff.NoSuchSession")
    assert str(missing) == "io.contextdiff.NoSuchSession: session a: b"
    assert isinstance(missing, contextdiff.Refused) and isinstance(missing, LookupError)


def test_closing_tells_who_waits(tmp_path):
    path = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        answers = []
        with client.Client(path) as connection:
            connection.post("notes", Snapshot(before="a"), answers.append)
            assert answers == []
        assert [type(answer) for answer in answers] == [contextdiff.Cancelled]


def test_a_session_ends_though_its_client_is_closed_at_once(daemon, connection, until):
    answers = []
    with client.Client(daemon.path, deadline=60) as leaving:
        leaving.post("notes", Snapshot(before="a"), answers.append)
        drive(leaving, until, lambda: answers)
        # The daemon reads nothing of what follows before the client is gone.
        daemon.process.send_signal(signal.SIGSTOP)
        try:
            leaving.post("notes", Snapshot(before="ab"))
            leaving.forget("notes")
            leaving.close()
        finally:
            daemon.process.send_signal(signal.SIGCONT)
    until(lambda: sessions(daemon.path) == [])


def in_a_child(act):
    """Does it in a child of fork, and sees to it that nothing is raised there."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            act()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_child_that_frees_its_copy_leaves_the_client_alone(connection, until):
    in_a_child(connection.close)
    answers = []
    connection.post("notes", Snapshot(before="a"), answers.append)
    connection.post("notes", Snapshot(before="ab"), answers.append)
    # Answers and events come by two connections.
    drive(connection, until, lambda: len(answers) == 2)
    assert [type(answer) for answer in answers] == [client.Reply, client.Reply]
    drive(connection, until, lambda: any(isinstance(message, client.Event) for message in connection.heard))


def test_a_child_is_told_to_make_its_own_client(connection):
    def post():
        with pytest.raises(contextdiff.InvalidArgument, match="^client: the parent's"):
            connection.post("notes", Snapshot(before="a"))

    in_a_child(post)


@pytest.mark.usefixtures("connection")
def test_a_child_leaves_its_copy_of_the_loops_client(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            in_a_child(connection.close)
            await connection.post("notes", Snapshot(before="a"))
            return await connection.post("notes", Snapshot(before="ab"))

    assert in_a_loop(run()).transition.kind is Kind.INSERTION


def test_another_loop_is_told_whose_the_client_is(daemon):
    loop = asyncio.new_event_loop()
    try:
        async def make():
            return aio.Client(daemon.path)

        connection = loop.run_until_complete(make())

        async def use():
            with pytest.raises(contextdiff.InvalidArgument, match="^client: another loop's"):
                await connection.post("notes", Snapshot(before="a"))

        asyncio.run(use())
        connection.close()
    finally:
        loop.close()


def test_a_callback_that_is_none_is_refused(connection):
    with pytest.raises(contextdiff.InvalidArgument, match="^done: cannot be called$"):
        connection.post("notes", Snapshot(before="a"), 3)
    with pytest.raises(contextdiff.InvalidArgument, match="^hear: cannot be called$"):
        connection.subscribe(3)


def test_an_edit_that_does_nothing_is_refused_at_once(connection):
    with pytest.raises(contextdiff.InvalidArgument, match="^edit: it does nothing$"):
        connection.expect("notes", Edit())


def test_another_thread_is_told_whose_the_client_is(connection, until):
    uses = [
        lambda: connection.post("notes", Snapshot(before="a")), lambda: connection.expect("notes", Edit(insert="a")),
        lambda: connection.withdraw("notes", 1), lambda: connection.forget("notes"), lambda: connection.subscribe(print),
        connection.unsubscribe, connection.process, connection.fileno, connection.close,
    ]
    errors = []

    def use():
        for call in uses:
            try:
                call()
            except contextdiff.InvalidArgument as error:
                errors.append(str(error))

    threads = [threading.Thread(target=use) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == ["client: another thread's; only the one that made it may use it"] * 3 * len(uses)
    assert not connection._waiting
    answers = []
    connection.post("notes", Snapshot(before="a"), answers.append)
    drive(connection, until, lambda: answers)


def test_a_closed_client_says_that_it_is(tmp_path):
    connection = client.Client(str(tmp_path / "socket"))
    connection.close()
    connection.close()
    connection.unsubscribe()
    for call in (connection.fileno, connection.process, lambda: connection.post("notes", Snapshot()),
                 lambda: connection.forget("notes"), lambda: connection.subscribe(print)):
        with pytest.raises(contextdiff.InvalidArgument, match="^client: closed$"):
            call()


@pytest.mark.parametrize("deadline", [-1, float("inf"), float("nan"), 1_000_001, 1e305, "1"])
def test_a_deadline_that_cannot_be_is_told_at_once(deadline):
    with pytest.raises(contextdiff.InvalidArgument, match="^deadline: not a number of seconds from 0 to 1,000,000$"):
        client.Client(deadline=deadline)


def test_nobody_at_the_socket(tmp_path, until):
    with client.Client(str(tmp_path / "nothing")) as connection:
        answers = []
        connection.post("notes", Snapshot(), answers.append)
        assert answers == []
        drive(connection, until, lambda: answers)
        assert isinstance(answers[0], contextdiff.NotConnected)


@pytest.mark.parametrize("daemon", [("--set", "limits.subscribers=1")], indirect=True)
def test_a_refused_subscription_says_so_and_ends(daemon, connection, until):
    with client.Client(daemon.path, deadline=60) as other:
        heard = []
        other.subscribe(heard.append)
        drive(other, until, lambda: heard)
        assert len(heard) == 1 and isinstance(heard[0], client.Ended)
        assert isinstance(heard[0].error, contextdiff.Refused) and heard[0].error.name == "io.contextdiff.TooManySubscribers"

    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            return [message async for message in connection.events()]

    with pytest.raises(contextdiff.Refused):
        in_a_loop(run())


@pytest.mark.parametrize("daemon", [("--set", "limits.frameBytes=8388608", "--set", "limits.fieldBytes=6000000")], indirect=True)
def test_what_a_daemon_takes_is_sent(daemon, connection, until):
    """Texts and calls beyond the default limits, where the daemon's are higher; and what goes beyond these."""
    answers = []
    # Each by itself: together they would be more than a client keeps for a daemon that does not read.
    for number, text in enumerate(("a" * 5_000_000, "\1" * 2_000_000, "a" * 6_000_001, "a" * 5_000_001), 1):
        connection.post("notes", Snapshot(before=text), answers.append)
        drive(connection, until, lambda: len(answers) == number)
    connection.expect("notes", Edit(insert="b" * 2_000_000), answers.append)
    drive(connection, until, lambda: len(answers) == 5)
    baseline, long, refused, typed, announced = answers
    assert baseline == client.Reply(0, None) and announced.number == 1
    assert isinstance(long, contextdiff.InvalidArgument) and "more than 8388608 bytes, the daemon's limits.frameBytes" in str(long)
    assert isinstance(refused, contextdiff.Refused) and str(refused) == "io.contextdiff.SnapshotTooLarge: new.before, limit 6000000"
    assert typed.transition.inserted == "a"


def test_calls_that_wait_to_be_sent_are_bounded_and_none_is_lost(daemon, connection, until):
    """Also those that wait for the daemon's limit alone, of a daemon that reads."""
    answers = []
    text = "a" * (1 << 20)
    for _ in range(16):
        connection.post("notes", Snapshot(before=text), answers.append)
    with pytest.raises(contextdiff.TooManyCalls, match="^16777216 bytes of calls wait to be sent, the most that are kept"):
        connection.post("notes", Snapshot(before=text), answers.append)
    drive(connection, until, lambda: len(answers) == 16)
    connection.post("notes", Snapshot(before=text), answers.append)
    drive(connection, until, lambda: len(answers) == 17)
    assert all(isinstance(answer, client.Reply) for answer in answers)


@pytest.mark.parametrize("daemon", [("--set", "limits.frameBytes=16384")], indirect=True)
def test_what_a_daemon_does_not_take_harms_no_other(daemon, connection, until):
    answers = []
    for length in (1, 20_000, 2, 3):
        connection.post("notes", Snapshot(before="a" * length), answers.append)
    drive(connection, until, lambda: len(answers) == 4)
    [error] = [answer for answer in answers if isinstance(answer, Exception)]
    assert isinstance(error, contextdiff.InvalidArgument)
    assert str(error) == "the call, with all of its texts and names: more than 16384 bytes, the daemon's limits.frameBytes"
    assert [answer.transition and answer.transition.inserted for answer in answers if answer is not error] == [None, "a", "a"]


@pytest.mark.parametrize("daemon", [("--set", "limits.frameBytes=16384")], indirect=True)
def test_a_call_as_long_as_the_daemon_takes_is_sent(daemon, connection, until):
    """The NUL behind it is counted by neither."""
    snapshot = {"before": "", "selected": None, "after": None}
    call = {"method": "io.contextdiff.Post", "parameters": {"session": "notes", "new": snapshot}}
    room = 16_384 - len(json.dumps(call, separators=(",", ":")))
    answers = []
    for number, length in enumerate((room - 1, room, room + 1), 1):
        connection.post("notes", Snapshot(before="a" * length), answers.append)
        drive(connection, until, lambda: len(answers) == number)
    before, at, behind = answers
    assert before == client.Reply(0, None) and at.transition.inserted == "a"
    assert isinstance(behind, contextdiff.InvalidArgument) and "more than 16384 bytes" in str(behind)


def test_an_answer_that_is_too_long_is_told_and_the_next_call_connects_anew(tmp_path, until):
    path = str(tmp_path / "socket")

    def serve(listener):
        for replies in (b'{"parameters":{}}\0', b"x" * ((64 << 20) + 1)), (b'{"parameters":{}}\0',):
            with listener.accept()[0] as peer, contextlib.suppress(ConnectionError):
                for reply in replies:
                    while not peer.recv(65536).endswith(b"\0"):
                        pass
                    peer.sendall(reply)

    with socket.socket(socket.AF_UNIX) as listener, client.Client(path, deadline=60) as connection:
        listener.bind(path)
        listener.listen()
        server = threading.Thread(target=serve, args=[listener])
        server.start()
        answers = []
        connection.forget("first", answers.append)
        drive(connection, until, lambda: len(answers) == 1)
        for name in "long", "behind":
            connection.forget(name, answers.append)
        drive(connection, until, lambda: len(answers) == 3)
        connection.forget("anew", answers.append)
        drive(connection, until, lambda: len(answers) == 4)
        server.join()
    first, long, behind, anew = answers
    assert isinstance(first, client.Reply) and isinstance(anew, client.Reply)
    assert isinstance(long, contextdiff.NotConnected)
    assert str(long) == "the daemon's answer is longer than 67108864 bytes, the most that is read"
    assert isinstance(behind, contextdiff.NotConnected) and "went away before it answered" in str(behind)


@pytest.mark.parametrize("daemon", [("--set", "limits.frameBytes=16384")], indirect=True)
def test_a_subscription_longer_than_the_daemon_takes_says_so_and_ends(daemon, connection, until):
    connection.heard.clear()
    connection.subscribe(connection.heard.append, sessions=[f"{number:0255}" for number in range(100)])
    drive(connection, until, lambda: connection.heard)
    [ended] = connection.heard
    assert isinstance(ended, client.Ended) and "more than 16384 bytes" in str(ended.error)
    assert isinstance(ended.error, contextdiff.InvalidArgument)


def test_a_subscription_whose_answer_cannot_be_read_says_so_and_ends(tmp_path, until):
    path = str(tmp_path / "socket")

    def serve(listener):
        with listener.accept()[0] as peer, contextlib.suppress(ConnectionError):
            peer.sendall(b'{"parameters":{"ready":1},"continues":true}\0')
            while peer.recv(65536):
                pass

    with socket.socket(socket.AF_UNIX) as listener, client.Client(path, deadline=60) as connection:
        listener.bind(path)
        listener.listen()
        server = threading.Thread(target=serve, args=[listener], daemon=True)
        server.start()
        heard = []
        connection.subscribe(heard.append)
        drive(connection, until, lambda: heard)
    server.join()
    [ended] = heard
    assert isinstance(ended, client.Ended) and isinstance(ended.error, contextdiff.NotConnected)
    assert "cannot be read" in str(ended.error)


def test_a_callback_does_not_process(connection, until):
    raised = []

    def done(reply):
        with pytest.raises(contextdiff.InvalidArgument, match="from within one of its callbacks") as error:
            connection.process()
        raised.append((reply, error))

    connection.post("notes", Snapshot(before="a"), done)
    connection.post("notes", Snapshot(before="ab"), done)
    drive(connection, until, lambda: len(raised) == 2)
    assert [reply.number for reply, _ in raised] == [0, 1]


@pytest.mark.parametrize("names", [[""], ["a" * 256], ["a"] * 1025, 5])
def test_a_filter_that_cannot_be_is_told_at_once(connection, names):
    with pytest.raises(contextdiff.InvalidArgument):
        connection.subscribe(print, sessions=names)


@pytest.mark.parametrize("filter, error", [
    ({"sessions": "ab"}, "sessions: one name, where a list of names is wanted"),
    ({"since": -5}, "since: not a whole number from 0 to 9223372036854775807"),
    ({"since": 1 << 63}, "since: not a whole number from 0 to 9223372036854775807"),
])
def test_a_subscription_that_cannot_be_is_told_at_once(connection, filter, error):
    with pytest.raises(contextdiff.InvalidArgument) as raised:
        connection.subscribe(print, **filter)
    assert str(raised.value) == error


def test_asyncio(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            stream = connection.events(sessions=["notes"])
            async for message in stream:
                if isinstance(message, client.Ready):
                    break
            await connection.post("notes", Snapshot(before="a"))
            await connection.expect("notes", Edit(insert="b"))
            reply = await connection.post("notes", Snapshot(before="ab"))
            assert reply.transition.kind is Kind.EXPECTED
            # What was told of it, behind the stream's Ready.
            async for event in connection.events(sessions=["notes"], since=0):
                if isinstance(event, client.Event):
                    break
            assert (event.sequence, event.session, event.transition) == (reply.number, "notes", reply.transition)
            with pytest.raises(contextdiff.NoSuchExpectation):
                await connection.withdraw("notes", 9)
            for _ in range(2):
                await connection.forget("notes")
            for call in (connection.withdraw("notes", 1), connection.expect("notes", Edit(insert="b"))):
                with pytest.raises(contextdiff.NoSuchSession):
                    await call

    in_a_loop(run())


def test_asyncio_hears_what_came_before_the_stream_is_read(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            async for message in connection.events():
                if isinstance(message, client.Ready):
                    break
            heard = connection.events(sessions=["notes"])
            # It is there before the posts: by another connection, which the daemon may read later than theirs.
            while not connection._backlog._messages.qsize():
                await asyncio.sleep(0.01)
            await connection.post("notes", Snapshot(before="a"))
            reply = await connection.post("notes", Snapshot(before="ab"))
            assert isinstance(await anext(heard), client.Ready)
            event = await asyncio.wait_for(anext(heard), 60)
            assert isinstance(event, client.Event) and event.sequence == reply.number

    in_a_loop(run())


def test_asyncio_another_thread_is_told_whose_the_client_is(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            with pytest.raises(contextdiff.InvalidArgument):
                await asyncio.to_thread(connection.close)
            async for message in connection.events():
                if isinstance(message, client.Ready):
                    break

    in_a_loop(run())


def test_asyncio_streams_end_with_their_client(daemon):
    async def run():
        connection = aio.Client(daemon.path, deadline=60)
        heard = asyncio.Event()

        async def listen():
            async for _ in connection.events():
                heard.set()

        listening = asyncio.create_task(listen())
        await heard.wait()
        connection.close()
        await listening

    in_a_loop(run())


def test_asyncio_a_stream_that_is_read_slowly_says_what_it_lost(daemon, monkeypatch):
    # What the documentation says, and a test has no time for.
    assert aio._Backlog.MOST == 16_384
    monkeypatch.setattr(aio._Backlog, "MOST", 3)

    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            heard = connection.events(sessions=["slow"])
            while not isinstance(await anext(heard), client.Ready):
                pass
            for length in range(1, 10):
                await connection.post("slow", Snapshot(before="x" * length))
            while connection._backlog._lost is None or connection._backlog._lost.count < 5:
                await asyncio.sleep(0.01)
            messages = [await anext(heard) for _ in range(4)]
            assert [type(message) for message in messages] == [client.Event] * 3 + [client.Lost]
            last = messages[2].sequence + messages[3].count
            assert messages[3].sequence == last
            await connection.post("slow", Snapshot(before="y"))
            message = await anext(heard)
            assert isinstance(message, client.Event) and message.sequence == last + 1

    in_a_loop(run())


def test_asyncio_a_stream_that_was_left_leaves_the_next_one_alone(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            async for message in connection.events():
                if isinstance(message, client.Ready):
                    break
            heard = asyncio.Queue()

            async def listen():
                async for message in connection.events():
                    heard.put_nowait(message)

            listening = asyncio.create_task(listen())
            assert isinstance(await heard.get(), client.Ready)
            await connection.post("notes", Snapshot(before="a"))
            await connection.post("notes", Snapshot(before="ab"))
            assert isinstance(await asyncio.wait_for(heard.get(), 60), client.Event)
            connection.close()
            await listening

    in_a_loop(run())


async def ready(stream):
    """Once the daemon's socket is there."""
    while not isinstance(await anext(stream), client.Ready):
        pass


def test_asyncio_a_stream_goes_on_where_waiting_for_it_was_cancelled(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            stream = connection.events()
            await ready(stream)
            for _ in range(3):
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(anext(stream), 0.01)
            waiting = [asyncio.create_task(anext(stream)) for _ in range(3)]
            await asyncio.sleep(0)
            waiting.pop(1).cancel()
            for text in ("a", "ab", "abc", "abcd"):
                await connection.post("notes", Snapshot(before=text))
            events = [*await asyncio.gather(*waiting), await asyncio.wait_for(anext(stream), 60)]
            assert [event.sequence for event in events] == [1, 2, 3]

    in_a_loop(run())


def test_asyncio_a_closed_stream_ends_for_all_who_wait_and_its_client_goes_on(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            async with contextlib.aclosing(connection.events()) as stream:
                await ready(stream)
                waiting = [asyncio.create_task(anext(stream, None)) for _ in range(2)]
                await asyncio.sleep(0)
            assert await asyncio.gather(*waiting) == [None, None]
            assert await anext(stream, None) is None
            await ready(connection.events())

    in_a_loop(run())


def test_asyncio_what_is_thrown_into_a_stream_ends_it_and_is_raised(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            value = ValueError("a value")
            for thrown in (value,), (ValueError, value), (ValueError, value, None):
                stream = connection.events()
                with pytest.raises(ValueError) as raised:
                    await stream.athrow(*thrown)
                assert raised.value is value
                assert await anext(stream, None) is None
            try:
                raise ZeroDivisionError
            except ZeroDivisionError as error:
                place = error.__traceback__
            with pytest.raises(ValueError) as raised:
                await connection.events().athrow(ValueError, value, place)
            assert place.tb_frame in [frame for frame, _ in traceback.walk_tb(raised.value.__traceback__)]
            with pytest.raises(ZeroDivisionError):
                await connection.events().athrow(ZeroDivisionError)
            await ready(connection.events())

    in_a_loop(run())


@pytest.mark.parametrize("daemon", [("--set", "limits.subscribers=1")], indirect=True)
@pytest.mark.usefixtures("connection")
def test_asyncio_of_several_who_wait_one_hears_why_the_subscription_ended(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            stream = connection.events()
            waiting = [asyncio.create_task(anext(stream, None)) for _ in range(3)]
            results = await asyncio.gather(*waiting, return_exceptions=True)
            [error] = [result for result in results if result is not None]
            assert isinstance(error, contextdiff.Refused)
            assert await anext(stream, None) is None

    in_a_loop(run())


def test_asyncio_who_waits_hears_what_was_lost_though_another_task_took_the_rest(daemon, monkeypatch):
    monkeypatch.setattr(aio._Backlog, "MOST", 3)

    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            stream = connection.events()
            await ready(stream)
            await connection.post("notes", Snapshot(before="a"))
            await connection.post("notes", Snapshot(before="ab"))
            event = await anext(stream)
            waiting = asyncio.create_task(anext(stream))
            await asyncio.sleep(0)
            # All at once: who waits has not run yet when the others are taken.
            for sequence in range(2, 7):
                connection._backlog.put(dataclasses.replace(event, sequence=sequence))
            assert [(await anext(stream)).sequence for _ in range(3)] == [2, 3, 4]
            assert await waiting == client.Lost(2, 6, event.instance)
            connection._backlog.put(event)
            assert await anext(stream) == event

    in_a_loop(run())


def test_asyncio_another_loop_neither_reads_nor_ends_a_stream(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            stream = connection.events()
            await ready(stream)
            for use in stream.__anext__, stream.aclose:
                with pytest.raises(contextdiff.InvalidArgument, match="^client: another loop's"):
                    await asyncio.to_thread(lambda: asyncio.run(use()))
            await connection.post("notes", Snapshot(before="a"))
            await connection.post("notes", Snapshot(before="ab"))
            assert isinstance(await anext(stream), client.Event)
            await stream.aclose()
            await no_subscriber_is_left(daemon.path)

    in_a_loop(run())


def test_asyncio_a_child_leaves_its_copy_of_a_stream(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            stream = connection.events()
            await ready(stream)
            waiting = asyncio.create_task(anext(stream))
            await asyncio.sleep(0)
            in_a_child(lambda: asyncio.run(stream.aclose()))
            await connection.post("notes", Snapshot(before="a"))
            await connection.post("notes", Snapshot(before="ab"))
            assert isinstance(await waiting, client.Event)
            await stream.aclose()
            await no_subscriber_is_left(daemon.path)

    in_a_loop(run())


@contextlib.contextmanager
def collected_by_hand():
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def in_a_cycle(value):
    """What only the collector finds."""
    cycle = [value]
    cycle.append(cycle)


def test_asyncio_a_stream_that_nobody_refers_to_is_no_longer_subscribed(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            stream = connection.events()
            await ready(stream)
            del stream
            await no_subscriber_is_left(daemon.path)

    in_a_loop(run())


def test_asyncio_a_stream_that_another_thread_collects_is_no_longer_subscribed(daemon):
    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            stream = connection.events()
            await ready(stream)
            in_a_cycle(stream)
            del stream
            assert connection._backlog is not None
            await asyncio.to_thread(gc.collect)
            await no_subscriber_is_left(daemon.path)
            assert connection._backlog is None

    with collected_by_hand():
        in_a_loop(run())


def test_asyncio_a_stream_is_collected_after_its_loop_was_closed(daemon, monkeypatch):
    raised = []
    monkeypatch.setattr(sys, "unraisablehook", raised.append)

    async def make():
        connection = aio.Client(daemon.path, deadline=60)
        return connection, connection.events()

    with collected_by_hand():
        connection, stream = in_a_loop(make())
        collected = weakref.ref(stream)
        in_a_cycle(stream)
        del stream
        gc.collect()
        assert collected() is None and raised == []
        connection.close()


def test_a_client_that_nobody_closes_leaves_no_descriptor(tmp_path):
    before = descriptors()
    for _ in range(20):
        client.Client(str(tmp_path / "socket"))
    assert descriptors() == before


def test_a_client_without_descriptors_is_no_wrong_argument(tmp_path):
    free = os.dup(0)
    os.close(free)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, limits[1]))
    try:
        with pytest.raises(contextdiff.NoDescriptors, match="^no file descriptors are left$") as raised:
            client.Client(str(tmp_path / "socket"))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert isinstance(raised.value, OSError) and not isinstance(raised.value, ValueError) and raised.value.status == -7


def test_nothing_of_what_was_answered_stays_until_cycles_are_collected(connection, until):
    count, callbacks = 0, weakref.WeakSet()

    def post(text):
        def done(reply):
            nonlocal count
            count += 1

        callbacks.add(done)
        connection.post("notes", Snapshot(before=text), done)

    with collected_by_hand():
        for number in range(1_000):
            post("a" * (number % 50))
            if number % 100 == 99:
                drive(connection, until, lambda: count == number + 1)
        assert not callbacks and not connection._waiting


def test_asyncio_nothing_of_a_post_that_failed_stays_until_cycles_are_collected(tmp_path):
    class Text(str):
        """What a weak reference can tell the end of."""

    async def post(connection):
        text = Text("secret")
        with pytest.raises(contextdiff.NotConnected):
            await connection.post("notes", Snapshot(before=text))
        return weakref.ref(text)

    async def run():
        async with aio.Client(str(tmp_path / "nothing"), deadline=60) as connection:
            text = await post(connection)
            # The loop holds the task's last step until it has done another.
            await asyncio.sleep(0)
            assert text() is None

    with collected_by_hand():
        in_a_loop(run())


def test_what_failed_is_told_though_a_client_goes_in_between(tmp_path):
    answers = []
    other = client.Client(str(tmp_path / "socket"))
    other.post("notes", Snapshot(before="a"), answers.append)
    assert client.lib.contextdiff_client_fd(client.ffi.NULL) < 0
    other.close()
    assert [type(answer) for answer in answers] == [contextdiff.Cancelled]
    assert client.ffi.string(client.lib.contextdiff_last_error()) == b"client: NULL"


def test_a_long_error_is_cut_between_characters(connection, until):
    answers = []
    connection.withdraw("あ" * 85, 1, answers.append)
    drive(connection, until, lambda: answers)
    assert isinstance(answers[0], contextdiff.Refused)
    assert 250 < len(str(answers[0]).encode()) <= 255 and "\ufffd" not in str(answers[0])


class Interrupted:
    """The library, where a signal's handler raises as soon as a function has returned."""

    def __init__(self, library, name):
        self.library, self.name = library, name

    def __getattr__(self, name):
        function = getattr(self.library, name)
        if name != self.name:
            return function

        def call(*arguments):
            function(*arguments)
            raise KeyboardInterrupt

        return call


def test_a_call_is_answered_though_a_signals_handler_raised_behind_it(connection, until, monkeypatch):
    answers = []
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(client, "lib", Interrupted(client.lib, "contextdiff_client_post"))
        connection.post("notes", Snapshot(before="a"), answers.append)
    gc.collect()
    drive(connection, until, lambda: answers)
    assert answers == [client.Reply(0, None)]


def test_a_subscription_is_told_though_a_signals_handler_raised_behind_it(connection, until, monkeypatch):
    def subscribe():
        heard = []
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(client, "lib", Interrupted(client.lib, "contextdiff_client_subscribe"))
            connection.subscribe(lambda message: heard.append(message))
        return heard

    heard = subscribe()
    gc.collect()
    drive(connection, until, lambda: heard)
    assert isinstance(heard[0], client.Ready)


def test_a_client_that_another_thread_collects_calls_nobody_there(tmp_path):
    answers = []

    def leave():
        connection = client.Client(str(tmp_path / "socket"))
        connection.post("notes", Snapshot(before="a"), lambda reply: answers.append((connection, reply)))
        return weakref.ref(connection)

    with collected_by_hand():
        left = leave()
        assert left() is not None
        collector = threading.Thread(target=gc.collect)
        collector.start()
        collector.join()
        assert left() is None and answers == []


def test_asyncio_a_client_that_nobody_closes_leaves_no_descriptor(daemon):
    async def use():
        connection = aio.Client(daemon.path, deadline=60)
        await connection.post("notes", Snapshot(before="a"))

    async def run():
        async with aio.Client(daemon.path, deadline=60) as connection:
            await ready(connection.events())
        before = descriptors()
        for _ in range(5):
            with pytest.warns(ResourceWarning, match="unclosed"):
                await use()
                gc.collect()
        while descriptors() > before:
            await asyncio.sleep(0.01)

    in_a_loop(run())


def test_what_was_answered_before_the_daemon_went_is_its_answer(daemon, connection, until):
    answers = []
    connection.post("notes", Snapshot(before="a"), answers.append)
    drive(connection, until, lambda: len(answers) == 1)
    connection.post("notes", Snapshot(before="ab"), answers.append)
    # The daemon answers what has arrived before it ends.
    daemon.stop()
    connection.post("notes", Snapshot(before="abc"), answers.append)
    drive(connection, until, lambda: len(answers) == 3)
    assert answers[1].transition.kind is Kind.INSERTION
    assert isinstance(answers[2], contextdiff.NotConnected)


def test_asyncio_wants_a_running_loop():
    with pytest.raises(RuntimeError):
        aio.Client("nowhere")
