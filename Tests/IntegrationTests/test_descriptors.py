"""What becomes of the daemon where descriptors, its standard streams or its socket's folder go."""

import os
import resource
import shutil
import socket
import subprocess
import time

import pytest

from conftest import PATIENCE, PROGRAMS, Daemon, environment
from wire import Wire, answers, post, sessions, until


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_clients_wait_while_no_descriptor_is_left(start_daemon):
    daemon = start_daemon()
    process = daemon.process.pid
    with Wire(daemon.path) as held:
        held.call("GetStatistics")
        soft, hard = resource.prlimit(process, resource.RLIMIT_NOFILE)
        used = len(os.listdir(f"/proc/{process}/fd"))
        resource.prlimit(process, resource.RLIMIT_NOFILE, (used, hard))
        with Wire(daemon.path) as waiting:
            waiting.request("GetStatistics")
            until(lambda: "clients wait" in daemon.log())
            # Who is connected is served meanwhile.
            assert "statistics" in held.call("GetStatistics")
            resource.prlimit(process, resource.RLIMIT_NOFILE, (soft, hard))
            assert "statistics" in waiting.reply()["parameters"]
        until(lambda: "clients are accepted again" in daemon.log())
        assert daemon.log().count("clients wait") == 1


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_none_is_lost_where_there_are_too_few_for_a_user(start_daemon):
    daemon = start_daemon()
    process = daemon.process.pid
    soft, hard = resource.prlimit(process, resource.RLIMIT_NOFILE)

    def used():
        return len(os.listdir(f"/proc/{process}/fd"))

    before, outcomes = used(), []
    # A user takes one for the connection, one for the events and some for a loop.
    for room in range(1, 9):
        resource.prlimit(process, resource.RLIMIT_NOFILE, (before + room, hard))
        outcomes.append(answers(daemon.path))
        resource.prlimit(process, resource.RLIMIT_NOFILE, (soft, hard))
        until(lambda: used() == before)
    assert outcomes[0] is False and outcomes[-1] is True


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_who_tries_again_and_again_without_a_descriptor_for_a_loop_takes_no_memory(start_daemon):
    daemon = start_daemon()
    process = daemon.process.pid

    def memory():
        with open(f"/proc/{process}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def used():
        return len(os.listdir(f"/proc/{process}/fd"))

    before = used()
    with Wire(daemon.path) as wire:
        post(wire)
    # The events' is kept; the loop's are not.
    until(lambda: used() == before + 1)
    _, hard = resource.prlimit(process, resource.RLIMIT_NOFILE)
    # For the connection alone.
    resource.prlimit(process, resource.RLIMIT_NOFILE, (before + 2, hard))

    def is_turned_away():
        with Wire(daemon.path) as wire:
            return wire.is_ended()

    # One that has called is closed only later, and takes the one descriptor until then.
    assert is_turned_away()
    resident = memory()
    for _ in range(3_000):
        assert is_turned_away()
    assert memory() < resident + 4_096, "KiB"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_closed_standard_streams_are_no_sockets(folder):
    path = folder / "socket"

    def close_streams():
        for stream in range(3):
            os.close(stream)

    process = subprocess.Popen(
        [PROGRAMS / "contextdiffd", "--listen", path], env=environment(), preexec_fn=close_streams)
    try:
        until(path.exists)
        assert answers(str(path))
        for stream in range(3):
            assert os.readlink(f"/proc/{process.pid}/fd/{stream}") == "/dev/null"
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0


@pytest.mark.slow
def test_a_socket_whose_folder_is_removed_comes_back(folder):
    folder = folder / "daemon"
    folder.mkdir()
    daemon = Daemon(folder)
    daemon.start()
    try:
        with Wire(daemon.path) as wire:
            wire.call("Post", {"session": "kept", "new": {"before": "a"}})
            os.unlink(daemon.path)
            until(lambda: os.path.exists(daemon.path))
            until(lambda: "anew" in daemon.log())
            assert answers(daemon.path)
            # The log is in the folder too: what it says there is gone with it.
            shutil.rmtree(folder)
            # It may be made while the folder is still being removed, and then once more.
            until(lambda: answers(daemon.path))
            # Who was connected noticed nothing.
            assert sessions(wire) == ["kept"]
    finally:
        daemon.process.terminate()
        assert daemon.process.wait(PATIENCE) == 0
    assert not os.path.exists(daemon.path)


def test_a_crowd_that_connects_at_once_is_served(start_daemon):
    daemon = start_daemon("--set", "limits.connections=64")
    crowd = [Wire(daemon.path) for _ in range(200)]
    for wire in crowd:
        wire.socket.close()
    until(lambda: answers(daemon.path))


@pytest.mark.slow
def test_a_file_moved_into_the_place_of_its_socket_is_left_alone_and_told_of(start_daemon, folder):
    daemon = start_daemon()
    # It looks for a second after it has put its own there.
    time.sleep(2)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "other").touch()
    os.replace(elsewhere / "other", daemon.path)
    until(lambda: "is not a socket, and is left alone" in daemon.log())
    os.unlink(daemon.path)
    until(lambda: answers(daemon.path))


@pytest.mark.slow
def test_who_took_the_place_of_its_socket_is_left_alone_until_it_goes(start_daemon):
    daemon = start_daemon()
    with socket.socket(socket.AF_UNIX) as other:
        os.unlink(daemon.path)
        other.bind(daemon.path)
        other.listen()
        until(lambda: "is answered on by another process already" in daemon.log())
        # It was asked once, or twice where the daemon's own file was seen to go after that; from then on nothing happens.
        time.sleep(2.5)
        other.setblocking(False)
        asked = 0
        with pytest.raises(BlockingIOError):
            while True:
                other.accept()[0].close()
                asked += 1
        assert asked <= 2
    os.unlink(daemon.path)
    until(lambda: answers(daemon.path))
