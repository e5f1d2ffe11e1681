"""What the machine denies the daemon, and what comes in a crowd: it degrades as documented, and recovers by itself."""

import os
import resource
import subprocess
import sys

import pytest

from conftest import PATIENCE, PROGRAMS, ROOT, environment
from wire import threads, until

sys.path.insert(0, str(ROOT / "Benchmarks"))
from attacks import peers  # noqa: E402

pytestmark = pytest.mark.skipif(not peers.can_be_others(), reason="only root can start the daemon as another user")

# As many processes as there are descriptors and memory for at a time; each is one of the ten thousand.
CROWD = """
import os, socket, sys
path, count, most = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
call, living, outcomes = b'{"method":"io.contextdiff.ListSessions"}\\0', 0, {}
def end():
    status = os.waitstatus_to_exitcode(os.wait()[1])
    outcomes[status] = outcomes.get(status, 0) + 1
for number in range(count):
    if living == most:
        end()
        living -= 1
    if os.fork() == 0:
        status = 2
        try:
            wire = socket.socket(socket.AF_UNIX)
            wire.connect(path)
            wire.sendall(call)
            status = 0 if wire.recv(1 << 16).endswith(b"\\0") else 1
        finally:
            os._exit(status)
    living += 1
while living:
    end()
    living -= 1
print(outcomes)
"""


@pytest.fixture
def daemon(folder):
    folder.chmod(0o755)
    with peers.Daemon(PROGRAMS / "contextdiffd", folder) as daemon:
        yield daemon
    assert daemon.stopped is not None, "it did not end when it was asked to"


def limit_processes(daemon, limit):
    """Bounds how many processes and threads the daemon's user may have, which the daemon's user itself may do; None: no more."""

    def body(news, _):
        _, hard = resource.prlimit(daemon.process.pid, resource.RLIMIT_NPROC)
        resource.prlimit(daemon.process.pid, resource.RLIMIT_NPROC, (hard if limit is None else limit, hard))
        os.write(news, b"done\n")

    child = peers.Child(peers.DAEMON, body)
    assert child.wait_for_news(PATIENCE) == "done\n"
    child.finish()


def test_where_no_thread_can_be_had_a_user_is_refused_and_served_once_there_is_one(daemon):
    assert peers.takes_calls(daemon.path)
    until(lambda: threads(daemon) == 2)
    limit_processes(daemon, 1)
    for _ in range(3):
        wire = peers.Connection(daemon.path)
        try:
            assert wire.ask(peers.call("ListSessions")) is None
        except ConnectionError:
            pass
        wire.close()
    until(lambda: "no thread for its user: pthread_create" in daemon.log())
    limit_processes(daemon, None)
    assert peers.takes_calls(daemon.path)


def test_where_no_thread_can_be_had_at_the_start_it_says_so(folder):
    # Whose processes are counted, so that it is to be nobody's but this one's.
    user = peers.DAEMON - 1
    folder.chmod(0o755)
    os.chown(folder, user, peers.GROUP)

    def become():
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        peers.become(user)

    ended = subprocess.run(
        [PROGRAMS / "contextdiffd", "--listen", folder / "socket"], env=environment(), preexec_fn=become,
        capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 1
    assert ended.stderr == "contextdiffd: pthread_create: Resource temporarily unavailable\n"


@pytest.mark.slow
def test_ten_thousand_processes_are_answered(daemon):
    began = daemon.descriptors()
    crowd = subprocess.run(
        [sys.executable, "-I", "-S", "-c", CROWD, daemon.path, "10000", "500"], capture_output=True, text=True,
        timeout=PATIENCE * 3)
    assert crowd.stdout == "{0: 10000}\n", crowd.stdout + crowd.stderr
    until(lambda: daemon.descriptors() <= began + 4)
    # Each would be two entries: they are summed up.
    assert len(daemon.log().splitlines()) < 10_000
    assert peers.takes_calls(daemon.path)
