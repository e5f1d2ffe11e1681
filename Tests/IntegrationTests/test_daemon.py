"""The daemon as somebody runs it: sockets, settings, signals, its log."""

import contextlib
import grp
import os
import pathlib
import re
import resource
import signal
import socket
import stat
import subprocess
import time

import pytest

from conftest import PATIENCE, PROGRAMS, ROOT, Daemon, environment
from running import interruptible
from wire import NO_SESSIONS, Wire, answers, pair, post, sequence, snapshot, subscribe, until


def run(*arguments, **variables):
    """Runs contextdiffd where it is to fail at once."""
    return subprocess.run(
        [PROGRAMS / "contextdiffd", *map(str, arguments)], env=environment(**variables), text=True,
        capture_output=True, timeout=PATIENCE)


def one_line(outcome):
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("contextdiffd: ") and outcome.stderr.count("\n") == 1, outcome.stderr
    return outcome.stderr


# Starting


def test_the_folder_and_the_socket_are_the_users_alone(start_daemon, folder):
    daemon = start_daemon("--listen", folder / "own" / "io.contextdiff")
    for path, mode in [(folder / "own", 0o700), (folder / "own" / "io.contextdiff", 0o600)]:
        assert stat.S_IMODE(path.stat().st_mode) == mode
    for path in (daemon.path, folder / "own" / "io.contextdiff"):
        with Wire(path) as wire:
            wire.call("ListSessions")
    daemon.stop()
    assert not (folder / "own" / "io.contextdiff").exists()


def test_a_folder_made_for_several_sockets_goes_with_the_last_one(start_daemon, folder):
    """The next daemon would not own it, and so would let no group in."""
    daemon = start_daemon("--listen", folder / "own" / "a", "--listen", folder / "own" / "b")
    daemon.stop()
    assert not (folder / "own").exists()
    outcome = run("--listen", folder / "own" / "a", "--listen", folder / "own" / "b", "--listen", folder / "none" / "none" / "c")
    assert outcome.returncode == 1
    assert not (folder / "own").exists()


@pytest.mark.parametrize("has_group, umask, modes", [(True, 0o077, [0o710, 0o660]), (False, 0o777, [0o700, 0o600])])
def test_user_and_group_may_enter_whatever_the_umask_is(folder, has_group, umask, modes):
    group = ["--set", f"accessGroup={grp.getgrgid(os.getegid()).gr_name}"] if has_group else []
    path = folder / "own" / "io.contextdiff"
    process = subprocess.Popen(
        [PROGRAMS / "contextdiffd", "--listen", path, *group], env=environment(), stderr=subprocess.PIPE, text=True, umask=umask)
    try:
        assert str(path) in process.stderr.readline()
        assert [stat.S_IMODE(file.stat().st_mode) for file in (path.parent, path)] == modes
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0
        process.stderr.close()


def test_the_default_place_is_in_the_runtime_folder(folder):
    process = subprocess.Popen(
        [PROGRAMS / "contextdiffd"], env=environment(XDG_RUNTIME_DIR=str(folder)),
        stderr=subprocess.PIPE, text=True)
    try:
        assert f"{folder}/contextdiff/io.contextdiff" in process.stderr.readline()
        with Wire(folder / "contextdiff" / "io.contextdiff") as wire:
            wire.call("ListSessions")
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0
        process.stderr.close()


def test_the_default_place_is_the_users_own(folder):
    (folder / "others").mkdir()
    (folder / "contextdiff").symlink_to(folder / "others")
    outcome = run(XDG_RUNTIME_DIR=str(folder))
    assert outcome.returncode == 1
    assert f"{folder}/contextdiff is a symbolic link" in one_line(outcome)
    assert not list((folder / "others").iterdir())


def test_a_busy_socket_is_an_error_and_a_dead_one_is_replaced(start_daemon):
    daemon = start_daemon()
    outcome = run("--listen", daemon.path)
    assert outcome.returncode == 1
    assert daemon.path in one_line(outcome)
    with Wire(daemon.path) as wire:
        wire.call("ListSessions")
    daemon.stop(signal.SIGKILL)
    assert pathlib.Path(daemon.path).exists()
    start_daemon()


def test_what_cannot_start_says_why_in_one_line(folder):
    (folder / "file").write_text("")
    bad = folder / "bad.yaml"
    bad.write_text("limits:\n  connections: none\n")
    listen = ("--listen", folder / "socket")
    for arguments, words, status in [
        (("--listen", folder / "file"), "not a socket", 1),
        (("--listen", folder / "none" / "none" / "socket"), "cannot be made", 1),
        (("--listen", folder / ("x" * 200)), "longer than", 1),
        ((*listen, "--config", folder / "none.yaml"), "No such file", 78),
        ((*listen, "--config", bad), "bad.yaml:2: limits.connections", 78),
        (("--check", "--config", bad), "bad.yaml:2: limits.connections", 78),
        (("--print-settings", "--config", bad), "bad.yaml:2: limits.connections", 78),
        ((*listen, "--listen", folder / "file"), "not a socket", 1),
        ((*listen, "--set", "accessGroup=no-such-group"), "no-such-group", 64),
        ((), "XDG_RUNTIME_DIR", 1),
    ]:
        outcome = run(*arguments)
        assert outcome.returncode == status, arguments
        assert words in one_line(outcome)
    assert not (folder / "socket").exists()


def test_settings_are_checked_and_shown(folder):
    settings = folder / "good.yaml"
    settings.write_text('limits: {sessions: 7}\nterminators: "a\\"b"\n')
    outcome = run("--check", "--config", settings)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "", "")
    shown = run("--print-settings", "--config", settings, "--set", "limits.users=9")
    assert shown.returncode == 0
    assert "  sessions: 7\n" in shown.stdout and "  users: 9\n" in shown.stdout
    # What is shown is a settings file.
    settings.write_text(shown.stdout)
    assert run("--print-settings", "--config", settings).stdout == shown.stdout
    # It does not hold what this machine alone is the reason of.
    total, = re.findall(r"^  totalBytes: 0  # in effect: (\d+)$", shown.stdout, re.M)
    assert int(total) >= 1 << 20
    lowered = run("--print-settings", "--set", "limits.users=9", FDSTORE="5").stdout
    assert "  users: 9  # in effect: 4\n" in lowered


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(folder):
    settings = folder / "pipe.yaml"
    os.mkfifo(settings)
    outcome = run("--check", "--config", settings)
    assert (outcome.returncode, one_line(outcome)) == (78, f"contextdiffd: {settings}: nothing is written to this pipe\n")
    # As `--config <(…)` gives it; who writes late is waited for.
    late = f"{PROGRAMS}/contextdiffd --print-settings --config <(sleep 0.2; echo 'logLevel: debug')"
    shown = subprocess.run(["bash", "-c", late], env=environment(), text=True, capture_output=True, timeout=PATIENCE)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert 'logLevel: "debug"' in shown.stdout


def holds_open(pid, path):
    """Whether the process has the file open; descriptors come and go while it starts."""
    for descriptor in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            if os.readlink(descriptor) == str(path):
                return True
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_while_its_settings_are_read(folder, number):
    settings = folder / "pipe.yaml"
    os.mkfifo(settings)
    # Both ends, so that neither opening it nor reading it comes to an end.
    held = os.open(settings, os.O_RDWR)
    process = subprocess.Popen(
        [PROGRAMS / "contextdiffd", "--config", settings, "--listen", folder / "socket"], env=environment(), stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, preexec_fn=interruptible)
    try:
        until(lambda: holds_open(process.pid, settings))
        process.send_signal(number)
        assert process.wait(PATIENCE) == -number
    finally:
        process.kill()
        process.wait()
        os.close(held)


def test_a_value_may_begin_with_a_mark():
    # Swift takes the mark and the sign before it for one character.
    for shown in (run("--print-settings", "--set", "terminators=\u0301."), run("--print-settings", CONTEXTDIFF_TERMINATORS="\u0301.")):
        assert (shown.returncode, shown.stderr) == (0, "")
        assert 'terminators: "\u0301."\n' in shown.stdout


@pytest.mark.parametrize("terminators", ["a \u2028 b", "\u2029 .", "\ufffe\uffff", "\U0010ffff", "\ufeff.", "\x85 #", "\t\\\""])
def test_whatever_ends_a_sentence_comes_back_from_a_settings_file(folder, terminators):
    shown = run("--print-settings", "--set", f"terminators={terminators}").stdout
    settings = folder / "settings.yaml"
    settings.write_text(shown)
    again = run("--print-settings", "--config", settings)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.splitlines()[1:] == shown.splitlines()[1:]


def test_there_are_no_more_users_than_the_service_manager_keeps_events_of():
    def users(**variables):
        shown = subprocess.run(
            [PROGRAMS / "contextdiffd", "--print-settings"], env=environment(**variables), text=True,
            capture_output=True, timeout=PATIENCE, check=True).stdout
        # What is in effect stands last.
        return int(re.search(r"  users: .*?(\d+)\n", shown)[1])

    # One place is the sessions'.
    assert users() == 1000
    assert users(FDSTORE="1001") == 1000
    assert users(FDSTORE="1000") == 999
    assert users(FDSTORE="8") == 7


@pytest.mark.parametrize("options, is_told", [(("--set", "limits.users=9"), True), (("--set", "limits.users=7"), False), ((), False)])
def test_it_says_so_where_more_users_are_set_than_the_service_manager_keeps_events_of(start_daemon, options, is_told):
    daemon = start_daemon(*options, FDSTORE="8")
    with Wire(daemon.path) as wire:
        wire.call("ListSessions")
    # Entries come in their order. Of the default, which nobody chose, nothing is said.
    until(lambda: "client gone" in daemon.log())
    told = "limits.users is 7, not 9: the service manager does not keep the events of more (FileDescriptorStoreMax=)"
    assert (told in daemon.log()) == is_told and ("limits.users" in daemon.log()) == is_told


@pytest.mark.parametrize("arguments, variables, status, told", [
    ((), {"CONTEXTDIFF_LIMITS_USERS": "none"}, 78, "CONTEXTDIFF_LIMITS_USERS: limits.users"),
    (("--set", "limits.totalBytes=1"), {}, 64, "command line: limits.totalBytes"),
    (("--set", "limits.users=none"), {}, 64, "limits.users"),
    (("--bogus",), {}, 64, "Unknown option '--bogus'"),
])
def test_who_waits_is_turned_away_where_the_settings_or_options_are_wrong(folder, arguments, variables, status, told):
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as client:
        listener.bind(str(folder / "socket"))
        listener.listen()
        client.connect(str(folder / "socket"))
        client.settimeout(PATIENCE)
        outcome = subprocess.run(
            ["/bin/sh", "-c", 'LISTEN_PID=$$ exec "$0" "$@"', PROGRAMS / "contextdiffd", *arguments],
            preexec_fn=lambda: os.dup2(listener.fileno(), 3), pass_fds=[3], text=True, capture_output=True,
            env=environment(LISTEN_FDS="1", **variables), timeout=PATIENCE)
        assert outcome.returncode == status
        assert told in (one_line(outcome) if status == 78 else outcome.stderr)
        assert client.recv(1) == b""


def test_a_setting_that_is_nearly_one_is_told():
    outcome = run("--check", "--set", "limit.memorybytes=1")
    assert outcome.returncode == 64
    assert "--set limit.memorybytes=1: there is no setting limit.memorybytes; there is limits.memoryBytes\n" in outcome.stderr


def test_wrong_usage_exits_with_64():
    for arguments in [
        ("--bogus",), ("stray",), ("--set", "nothing"), ("--set", "no.such=1"), ("--listen",), ("--log-level", "loud"),
        ("--set", "limits.frameBytes=x"), ("--set", "limits.connections=0"), ("--config", ""), ("--listen", ""), ("--listen", "a", "--listen", "a"),
        ("--listen", "\udcff"), ("--set", "terminators=\udcff"),
    ]:
        outcome = run(*arguments)
        assert outcome.returncode == 64, arguments
        assert "Usage: contextdiffd" in outcome.stderr


def test_what_is_wrong_on_the_command_line_alone_is_wrong_usage():
    for name in "accessGroup=no-such-group", "limits.fieldBytes=99999999", "limits.totalBytes=1":
        outcome = run("--check", "--set", name)
        assert outcome.returncode == 64, name
        assert one_line(outcome).startswith("contextdiffd: command line: "), name


def test_sockets_whose_names_only_look_alike_are_two(start_daemon, folder):
    # The second name has the slash and a mark as one character, as Swift counts.
    names = ["caf\u00e9", "cafe\u0301", "own/\u0301"]
    start_daemon(*(word for name in names for word in ("--listen", folder / name)))
    for name in names:
        assert answers(folder / name)


def test_a_socket_is_listened_on_once_by_whatever_path(folder):
    (folder / "link").symlink_to(".")
    for again in ("./a", f"{folder}/a", "link/a"):
        outcome = subprocess.run(
            [PROGRAMS / "contextdiffd", "--listen", "a", "--listen", again], cwd=folder, env=environment(), text=True, capture_output=True,
            timeout=PATIENCE)
        assert outcome.returncode == 64
        assert "--listen takes each socket once, by whatever path." in outcome.stderr
    assert not (folder / "a").exists()


def test_variables_that_set_nothing_are_told_without_their_values(start_daemon):
    stray = {"CONTEXTDIFF_LIMIT_SESSIONS": "secret7312", "CONTEXTDIFF_SOCKET": "/nowhere"}
    words = "nothing is set by CONTEXTDIFF_LIMIT_SESSIONS: no setting has such a name"
    outcome = run("--check", **stray)
    assert (outcome.returncode, outcome.stdout) == (0, "")
    assert words in one_line(outcome) and "secret7312" not in outcome.stderr
    shown = run("--print-settings", **stray)
    assert shown.returncode == 0 and "limits:\n" in shown.stdout and words in shown.stderr
    daemon = start_daemon(**stray)
    daemon.stop()
    assert words in daemon.log() and "CONTEXTDIFF_SOCKET" not in daemon.log() and "secret7312" not in daemon.log()


@pytest.mark.parametrize("option", ["--print-settings", "--help", "--version"])
def test_what_cannot_be_written_is_told(option):
    with open("/dev/full", "w") as full:
        outcome = subprocess.run(
            [PROGRAMS / "contextdiffd", option], env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert outcome.returncode == 1
    assert outcome.stderr == "contextdiffd: cannot write to standard output: No space left on device\n"


def test_help_and_version(ctl):
    version = subprocess.run([ROOT / "packaging/version.sh"], capture_output=True, text=True, check=True).stdout
    for outcome in (run("--version"), ctl("--version")):
        assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, version, "")
    help_text = run("--help").stdout
    for word in ("--listen", "--config", "limits.frameBytes", "CONTEXTDIFF_LIMITS_FRAME_BYTES", "4194304"):
        assert word in help_text
    # Long descriptions go on below their beginning.
    settings = help_text.partition("SETTINGS")[2].partition("USAGE")[0].splitlines()[1:]
    assert all(line.startswith("  ") or line == "" for line in settings)


# Signals


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_has_arrived_is_answered_and_subscribers_drain(start_daemon, number):
    daemon = start_daemon()
    stream, _ = subscribe(daemon.path)
    with stream, Wire(daemon.path) as wire:
        for _ in range(200):
            wire.request("Post", {"session": "s", **pair()})
        while wire.reply()["parameters"]["sequence"] < 200:
            pass
        daemon.process.send_signal(number)
        assert [sequence(stream.reply()) for _ in range(200)] == list(range(1, 201))
        assert stream.is_ended() and wire.is_ended()
    assert daemon.process.wait(PATIENCE) == 0
    assert not pathlib.Path(daemon.path).exists()


def stop_while(daemon, *requests):
    """Has the signal to end arrive before the calls that `requests` make."""
    daemon.process.send_signal(signal.SIGSTOP)
    until(lambda: pathlib.Path(f"/proc/{daemon.process.pid}/stat").read_text().rsplit(")")[1].split()[0] == "T")
    daemon.process.send_signal(signal.SIGTERM)
    for request in requests:
        request()
    daemon.process.send_signal(signal.SIGCONT)


@contextlib.contextmanager
def held_up(folder):
    """A daemon that was told to end and gives a subscriber that does not read its 5 s: what ends before it
    waited for nobody, however busy the machine is."""
    (folder / "held").mkdir()
    daemon = Daemon(folder / "held").start()
    try:
        stream, _ = subscribe(daemon.path, snapshots=True)
        with stream, Wire(daemon.path) as wire:
            fill(stream, wire)
            yield daemon
    finally:
        daemon.stop(signal.SIGKILL)


@pytest.mark.slow
def test_subscribers_hear_of_what_is_still_answered_at_the_end(start_daemon, folder):
    daemon = start_daemon()
    # Past what it does by itself soon after its start, which would wake it from whatever it waits for.
    started = time.monotonic()
    until(lambda: time.monotonic() - started > 0.1)
    stream, _ = subscribe(daemon.path)
    with held_up(folder) as held, stream, Wire(daemon.path) as wire:
        post(wire)
        assert sequence(stream.reply()) == 1
        stop_while(daemon, *[lambda: wire.request("Post", {"session": "s", **pair()})] * 3, lambda: ask_to_end(held))
        assert [wire.reply()["parameters"]["sequence"] for _ in range(3)] == [2, 3, 4]
        assert [sequence(stream.reply()) for _ in range(3)] == [2, 3, 4]
        assert stream.is_ended() and wire.is_ended()
        assert daemon.process.wait(PATIENCE) == 0
        assert held.process.poll() is None


@pytest.mark.slow
def test_who_subscribes_at_the_end_does_not_hold_it_up(start_daemon, folder):
    daemon = start_daemon()
    with held_up(folder) as held, Wire(daemon.path) as wire:
        wire.call("ListSessions")
        stop_while(daemon, lambda: wire.request("Subscribe", {}, more=True), lambda: ask_to_end(held))
        assert "ready" in wire.reply()["parameters"]
        assert wire.is_ended()
        assert daemon.process.wait(PATIENCE) == 0
        assert held.process.poll() is None


def test_who_has_just_connected_is_answered_at_the_end(start_daemon):
    daemon = start_daemon()
    wires = []

    def come():
        wires.append(Wire(daemon.path))
        wires[-1].request("ListSessions")

    stop_while(daemon, *[come] * 40)
    for wire in wires:
        with wire:
            assert wire.reply() == {"parameters": NO_SESSIONS}
            assert wire.is_ended()
    assert daemon.process.wait(PATIENCE) == 0


def fill(stream, wire):
    """Posts until the subscriber's side of the socket is full."""
    text = "あ" * 10_000
    for _ in range(200):
        wire.call("Post", {"session": "s", **pair(text, text + "い")})


def ask_to_end(daemon):
    """Returns when it has begun to end."""
    daemon.process.send_signal(signal.SIGTERM)
    until(lambda: "stopping" in daemon.log())


@pytest.mark.slow
def test_a_second_sigterm_does_not_wait_for_who_does_not_read(start_daemon, folder):
    daemon = start_daemon()
    stream, _ = subscribe(daemon.path, snapshots=True)
    with held_up(folder) as held, stream, Wire(daemon.path) as wire:
        fill(stream, wire)
        ask_to_end(daemon)
        ask_to_end(held)
        daemon.process.send_signal(signal.SIGTERM)
        assert daemon.process.wait(PATIENCE) == 0
        assert held.process.poll() is None


@pytest.mark.slow
def test_a_subscriber_that_does_not_read_is_not_waited_for_for_ever(start_daemon):
    daemon = start_daemon()
    stream, _ = subscribe(daemon.path, snapshots=True)
    with stream, Wire(daemon.path) as wire:
        fill(stream, wire)
        ask_to_end(daemon)
        # By itself, and not by a second signal.
        assert daemon.process.wait(PATIENCE) == 0
    assert not pathlib.Path(daemon.path).exists()


@pytest.mark.slow
def test_sessions_are_not_held_twice_while_they_are_left_for_the_next_process(start_daemon):
    daemon = start_daemon("--set", "limits.sessionsBytes=120000000", "--set", "limits.totalBytes=1000000000")
    with Wire(daemon.path) as wire:
        for number in range(100):
            wire.call("Post", {"session": str(number), "new": {"before": "a" * 1_000_000}})
    pid = daemon.process.pid
    held = int(re.search(r"VmHWM:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text())[1])
    daemon.process.terminate()
    ended = []
    until(lambda: ended or ended.extend(end for end in [os.wait4(pid, os.WNOHANG)] if end[0]))
    _, status, usage = ended[0]
    daemon.process.returncode = os.waitstatus_to_exitcode(status)
    assert daemon.process.returncode == 0
    assert held > 100_000 and usage.ru_maxrss < held + 50_000


def test_sighup_changes_settings_without_losing_a_client(start_daemon, folder):
    settings = folder / "settings.yaml"
    settings.write_text("limits: {sessions: 1}\n")
    daemon = start_daemon("--config", settings)
    with Wire(daemon.path) as wire:
        post(wire, "a")
        assert wire.error("Post", {"session": "b", **pair()})[0] == "TooManySessions"
        settings.write_text("limits: {sessions: 2}\nterminators: '|'\n")
        daemon.process.send_signal(signal.SIGHUP)
        until(lambda: "settings reloaded" in daemon.log())
        post(wire, "b")
        settings.write_text("limits: {sessions: none}\n")
        daemon.process.send_signal(signal.SIGHUP)
        until(lambda: "settings not reloaded" in daemon.log())
        assert wire.error("Post", {"session": "c", **pair()}) == ("TooManySessions", {"limit": 2})
    assert "settings.yaml:1: limits.sessions" in daemon.log()


@pytest.mark.slow
def test_a_reload_whose_file_cannot_be_read_to_its_end_is_given_up(start_daemon, folder):
    settings = folder / "settings.yaml"
    settings.write_text("limits: {sessions: 2}\n")
    daemon = start_daemon("--config", settings)
    settings.unlink()
    os.mkfifo(settings)
    writer = os.open(settings, os.O_RDWR)
    daemon.process.send_signal(signal.SIGHUP)
    until(lambda: "has not ended in 10 s" in daemon.log())
    settings.unlink()
    settings.write_text("limits: {sessions: 1}\n")
    daemon.process.send_signal(signal.SIGHUP)
    until(lambda: "settings reloaded" in daemon.log())
    # What comes of the first reading now is old.
    os.write(writer, b"limits: {sessions: 3}\n")
    os.close(writer)
    with Wire(daemon.path) as wire:
        post(wire, "a")
        assert wire.error("Post", {"session": "b", **pair()}) == ("TooManySessions", {"limit": 1})
    assert daemon.log().count("settings reloaded") == 1


@pytest.mark.parametrize("limit, offset", [(65_536, -11), (0, None)])
def test_a_session_remembers_as_much_text_as_is_set(start_daemon, limit, offset):
    daemon = start_daemon("--set", f"limits.memoryBytes={limit}")
    shown = [("Hello there", None), ("Hello there.", None), (" B", None), (" Bye", None), ("Hello", " there.")]
    with Wire(daemon.path) as wire:
        for before, after in shown:
            reply = wire.call("Post", {"session": "a", "new": {"before": before, "selected": None, "after": after}})
    transition = reply["transition"]
    assert transition["kind"] == "outOfRangeTap"
    assert transition["cursorOffset"] == (offset and {"scalars": offset, "utf16": offset, "graphemes": offset})


def test_sighup_lets_another_group_in_or_none(start_daemon, folder):
    own = grp.getgrgid(os.getegid()).gr_name
    settings = folder / "settings.yaml"
    settings.write_text(f"accessGroup: {own}\n")
    path = folder / "own" / "io.contextdiff"
    daemon = start_daemon("--listen", path, "--config", settings)

    def modes():
        return [stat.S_IMODE(file.stat().st_mode) for file in (path.parent, path)]

    assert modes() == [0o710, 0o660]
    # The same group is let in again: it may not have been in its place the last time.
    for group, expected in [("", [0o700, 0o600]), (own, [0o710, 0o660]), (own, [0o710, 0o660])]:
        settings.write_text(f'accessGroup: "{group}"\n')
        path.chmod(0o600)
        reloads = daemon.log().count("settings reloaded")
        daemon.process.send_signal(signal.SIGHUP)
        until(lambda: daemon.log().count("settings reloaded") > reloads)
        assert modes() == expected


def test_settings_that_cannot_be_read_now_keep_nobody_waiting(start_daemon, folder):
    settings = folder / "settings.yaml"
    settings.write_text("logLevel: info\n")
    daemon = start_daemon("--config", settings)
    settings.unlink()
    os.mkfifo(settings)
    with Wire(daemon.path) as wire:
        daemon.process.send_signal(signal.SIGHUP)
        # Opens once somebody reads, and nobody is told the end for now.
        with open(settings, "w") as writer:
            for _ in range(3):
                wire.call("ListSessions")
            # Settings that change meanwhile are read once more.
            daemon.process.send_signal(signal.SIGHUP)
            wire.call("ListSessions")
            writer.write("limits: {sessions: 1}\n")
            # In the pipe's place before its end is read: whoever opened the pipe again would wait for ever.
            (folder / "next").write_text("limits: {sessions: 2}\n")
            (folder / "next").rename(settings)
        until(lambda: daemon.log().count("settings reloaded") == 2)
        for session in ("a", "b"):
            post(wire, session)
        assert wire.error("Post", {"session": "c", **pair()}) == ("TooManySessions", {"limit": 2})


def test_what_does_not_listen_is_no_socket_to_listen_on():
    for ends in (socket.socketpair(), (socket.socket(socket.AF_UNIX),), (socket.create_server(("127.0.0.1", 0)),)):
        def take():
            os.dup2(ends[0].fileno(), 3)
            os.environ["LISTEN_PID"] = str(os.getpid())

        outcome = subprocess.run(
            ["/bin/sh", "-c", 'LISTEN_PID=$$ exec "$0"', PROGRAMS / "contextdiffd"], preexec_fn=take, pass_fds=[3],
            env=environment(LISTEN_FDS="1"), text=True, capture_output=True, timeout=PATIENCE)
        for end in ends:
            end.close()
        assert outcome.returncode == 1
        assert "descriptor 3 is no Unix socket that listens" in one_line(outcome)


@pytest.mark.slow
def test_an_idle_daemon_ends_where_that_is_set(start_daemon):
    daemon = start_daemon("--set", "idleExitSeconds=1")
    with Wire(daemon.path) as wire:
        wire.call("ListSessions")
    assert daemon.process.wait(PATIENCE) == 0
    assert "stopping: nobody is connected" in daemon.log()


def test_a_daemon_that_nobody_calls_is_idle_too(start_daemon):
    assert start_daemon("--set", "idleExitSeconds=1").process.wait(PATIENCE) == 0


@pytest.mark.parametrize("limit", [resource.RLIMIT_AS, resource.RLIMIT_DATA])
def test_little_memory_by_the_process_s_own_limits_is_a_small_budget(start_daemon, limit):
    daemon = start_daemon(limits={limit: (400 << 20, 400 << 20)})
    with Wire(daemon.path) as wire:
        assert 1 << 20 < wire.call("GetStatistics")["statistics"]["limits"]["totalBytes"] < 100 << 20


def test_no_more_connections_than_descriptors(start_daemon):
    daemon = start_daemon("--set", "limits.connections=100", limits={resource.RLIMIT_NOFILE: (80, 80)})
    until(lambda: "limits.connections is 16, not 100" in daemon.log())
    opened = [Wire(daemon.path) for _ in range(16)]
    for wire in opened:
        wire.call("ListSessions")
    with Wire(daemon.path) as wire:
        assert wire.is_ended()
    for wire in opened:
        wire.socket.close()


def test_a_file_that_may_not_grow_so_large_ends_no_daemon(start_daemon):
    daemon = start_daemon(limits={resource.RLIMIT_FSIZE: (1 << 20, 1 << 20)})
    with Wire(daemon.path) as wire:
        assert wire.is_ended()
    until(lambda: "connection refused: no memory or descriptor for its events: File too large" in daemon.log())
    assert daemon.process.poll() is None


# The log


def test_each_transition_is_a_line_and_a_flood_is_summed_up(start_daemon):
    daemon = start_daemon()
    with Wire(daemon.path) as wire:
        for _ in range(1_000):
            wire.request("Post", {"session": "notes", **pair()})
        for _ in range(1_000):
            wire.reply()
    daemon.stop()
    lines = [line for line in daemon.log().splitlines() if "notes: " in line]
    assert re.search(r"notes: insertion, (certain|likely) \(list: outOfRangeTap\)$", lines[0])
    sums = [line for line in lines if "more transitions" in line]
    single = len(lines) - len(sums)
    assert 200 <= single < 1_000
    left_out = sum(int(line.split("notes: ")[1].split()[0]) for line in sums)
    assert single + left_out == 1_000


def flood(path, total):
    """Connects, calls what reaches a limit, and ends with a bad frame, again and again."""
    for _ in range(total):
        with Wire(path) as wire:
            wire.error("Post", {"session": "none", **pair()})
            wire.send(b"x")
            assert wire.is_ended()


def test_a_flood_of_entries_is_few_entries_and_a_sum(start_daemon):
    daemon = start_daemon("--set", "limits.sessions=0")
    began = time.monotonic()
    flood(daemon.path, 1_000)
    seconds = int(time.monotonic() - began) + 2
    daemon.stop()
    lines = daemon.log().splitlines()
    sums = [line for line in lines if "more entries of user" in line]
    caused = [line for line in lines if re.search("client connected|client gone|limit reached|connection ended", line)]
    assert len(caused) <= 100 * seconds and len(sums) <= seconds
    left_out = sum(int(re.search(r"(\d+) more entries", line)[1]) for line in sums)
    assert len(caused) + left_out == 4_000


def test_sums_of_many_sessions_are_bounded_too(start_daemon):
    daemon = start_daemon()
    began = time.monotonic()
    with Wire(daemon.path) as wire:
        for _ in range(2_000):
            for number in range(3):
                wire.request("Post", {"session": f"s{number}", **pair()})
            for number in range(3):
                wire.request("Forget", {"session": f"s{number}"})
            for _ in range(6):
                wire.reply()
    seconds = int(time.monotonic() - began) + 2
    daemon.stop()
    lines = daemon.log().splitlines()
    sums = [line for line in lines if "more transitions in a second" in line]
    whole = [line for line in lines if "more entries of user" in line]
    assert len(sums) <= 20 * seconds and len(whole) <= seconds
    singles = sum(1 for line in lines if re.search(r" s\d: [a-zA-Z]+, ", line))
    counted = sum(int(re.search(r"(\d+) more", line)[1]) for line in sums + whole)
    assert singles + counted == 6_000


def test_the_level_and_the_switches_quieten_it(start_daemon):
    daemon = start_daemon(
        "--set", "logConnections=no", "--set", "logTransitions=no", CONTEXTDIFF_LOG_LEVEL="info")
    with Wire(daemon.path) as wire:
        post(wire)
    daemon.stop()
    # Where it may have few descriptors, it says so first.
    lines = [line for line in daemon.log().splitlines() if "limits.connections is" not in line]
    assert len(lines) == 2 and "listens" in lines[0] and "stopping" in lines[1]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_typed_text_is_nowhere_outside(start_daemon):
    marker = "marker7312"
    daemon = start_daemon("--log-level", "trace")
    with Wire(daemon.path) as wire:
        text = snapshot(marker, marker, marker)
        wire.call("Classify", {"old": text, "new": snapshot(marker), "pasteboard": marker})
        wire.call("Post", {"session": "s", "old": text, "new": snapshot(marker + "x")})
        wire.call("Post", {"session": "s", "old": text, "new": text, "secure": True})
        wire.call("Expect", {"session": "s", "edit": {"insert": marker}})
        wire.error("Classify", {"old": marker, "new": {}})
        wire.error("Classify", {"old": {}, "new": {"before": [marker]}})
        process = pathlib.Path(f"/proc/{daemon.process.pid}")
        for name in ("environ", "cmdline", "comm"):
            assert marker.encode() not in (process / name).read_bytes()
        limits = (process / "limits").read_text()
        core = next(line for line in limits.splitlines() if "core file" in line)
        assert core.split()[4:6] == ["0", "0"]
        wire.send(b'{"method":"io.contextdiff.Forget","parameters":{"session":"' + marker.encode() + b'\xff"}}')
        assert wire.is_ended()
    daemon.stop(signal.SIGABRT)
    assert marker not in daemon.log()


def test_a_service_manager_that_does_not_read_keeps_nobody_waiting(folder):
    notify = str(folder / "notify")
    path = str(folder / "socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(notify)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
            other.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    other.sendto(b"FULL=1", notify)
        process = subprocess.Popen(
            [PROGRAMS / "contextdiffd", "--listen", path], env=environment(NOTIFY_SOCKET=notify), text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            # Its file is there before it listens.
            until(lambda: answers(path))
            with Wire(path) as wire:
                assert post(wire) == 1
                while "does not read" not in (line := process.stderr.readline()):
                    assert line
            manager.settimeout(PATIENCE)
            heard = []
            while not heard or heard[-1] != "STOPPING=1":
                heard.append(manager.recv(1 << 16).decode())
                if heard[-1].startswith("FDSTORE=1"):
                    process.terminate()
            # In the order in which it was told.
            heard = [message.split("\n")[0] for message in heard if message != "FULL=1"]
            assert heard[0] == "READY=1" and heard.index("FDSTORE=1") > 0
            assert "the service manager reads again" in process.stderr.read()
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
            process.wait()


def test_who_subscribed_before_a_restart_goes_on_though_nothing_was_posted(folder):
    """The numbers of the user who is connected are left with the service manager for the next process."""
    notify, path = str(folder / "notify"), str(folder / "socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(notify)
        manager.settimeout(PATIENCE)
        process = subprocess.Popen(
            [PROGRAMS / "contextdiffd", "--listen", path], env=environment(NOTIFY_SOCKET=notify),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until(lambda: answers(path))
            stream, _ = subscribe(path)
            with stream:
                process.terminate()
                assert stream.is_ended()
            assert process.wait(PATIENCE) == 0
            manager.settimeout(0)
            heard = []
            with contextlib.suppress(BlockingIOError):
                while True:
                    heard.append(manager.recv(1 << 16).decode())
        finally:
            process.kill()
            process.wait()
    events = [message.split("\n")[0] for message in heard if f"FDNAME=events-{os.getuid()}" in message]
    assert events == ["FDSTORE=1"]


def test_a_stop_that_is_cut_short_leaves_the_next_process_the_sessions_that_were_written(cut_short):
    with Wire(cut_short.path) as wire:
        wire.call("Post", {"session": "small", "new": snapshot("abc")})
        wire.call("Post", {"session": "large", "new": snapshot("a" * 300_000)})
    assert cut_short.end(signal.SIGTERM)[1] == -signal.SIGKILL
    cut_short.start()
    with Wire(cut_short.path) as wire:
        reply = wire.call("Post", {"session": "small", "new": snapshot("abcd")})
        assert reply["transition"]["kind"] == "insertion"
    told = "sessions of the process before cannot be used: a record is damaged, or its writing was cut short"
    until(lambda: told in cut_short.log())


@pytest.mark.slow
def test_it_comes_to_rest(start_daemon):
    daemon = start_daemon()
    with Wire(daemon.path) as wire:
        wire.call("ListSessions")

    def switches():
        """How often each thread went to sleep or was woken: one that ends or comes is a change too."""
        counts = {}
        for thread in os.listdir(f"/proc/{daemon.process.pid}/task"):
            try:
                status = pathlib.Path(f"/proc/{daemon.process.pid}/task/{thread}/status").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue  # It has ended since they were listed.
            counts[thread] = [line for line in status.splitlines() if "ctxt_switches" in line]
        return counts

    # Once the user's thread has ended and the log is written, nothing is left to do: there are two seconds in which
    # nothing happens.
    deadline = time.monotonic() + PATIENCE
    before, now = None, switches()
    while before != now:
        assert time.monotonic() < deadline, f"it never rests: {now}"
        before = now
        time.sleep(2)  # How long it is looked at; nothing is waited for.
        now = switches()
    assert now


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that allows no core")
def test_nothing_is_set_to_wake_it(start_daemon):
    daemon = start_daemon()
    with Wire(daemon.path) as wire:
        wire.call("ListSessions")
    process = pathlib.Path(f"/proc/{daemon.process.pid}")

    def wakes():
        """What would wake it by itself, however late: waits that end, and timers that are set."""
        found = []
        for thread in (process / "task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # It may have ended meanwhile.
                call = (thread / "syscall").read_text().split()
                # It runs, or stands in no call. epoll_wait(2) and futex(2) have their timeout at the same place: -1 and NULL are none.
                if len(call) < 5 or call[4] not in ("0xffffffff", "0xffffffffffffffff", "0x0"):
                    found.append(" ".join(call))
        for descriptor in (process / "fd").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if os.readlink(descriptor) == "anon_inode:[timerfd]":
                    told = (process / "fdinfo" / descriptor.name).read_text()
                    found += [line for line in told.splitlines() if line.startswith("it_value:") and line != "it_value: (0, 0)"]
        return found

    # Once the user's thread has ended and the log is written.
    until(lambda: not wakes())
    # As a timer looks: events that are kept are let go of after an hour.
    with Wire(daemon.path) as wire:
        post(wire)
        until(lambda: any("it_value" in found for found in wakes()))
