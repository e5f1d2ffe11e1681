"""Every way in which contextdiffctl can fail or be used wrongly, and its help."""

import contextlib
import grp
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading

import pytest

from conftest import PATIENCE, PROGRAMS, environment
from running import Running, pair
from wire import Wire, post, until

COMMANDS = ["classify", "monitor", "explain", "record", "replay", "try", "playground", "post", "expect", "withdraw",
            "status", "sessions", "forget", "ping"]


class TestFailures:
    @pytest.mark.parametrize("command", [
        ["classify"], ["monitor"], ["record", "-"], ["replay", "/dev/null"], ["status"], ["sessions"], ["forget", "s"],
        ["forget", "--all"], ["ping"], ["post", "s", "--new-before", "a"], ["expect", "s", "--insert", "a"],
        ["withdraw", "s", "1"],
    ], ids=lambda command: command[0])
    def test_no_daemon(self, ctl, folder, command):
        path = folder / "nobody"
        result = ctl("--socket", path, *command)
        assert result.returncode == 3
        assert result.stdout == ""
        assert result.stderr == (
            f"contextdiffctl: no daemon answers on {path}, where there is no socket: "
            "--socket, or CONTEXTDIFF_SOCKET, names it\n")

    @pytest.mark.skipif(
        os.path.exists("/run/contextdiff") and not os.access("/run/contextdiff", os.X_OK),
        reason="the folder of the machine's daemon is closed to this user")
    def test_no_daemon_of_the_machine(self, ctl):
        result = ctl("--socket", "/run/contextdiff/no-such", "status")
        assert result.stderr == (
            "contextdiffctl: no daemon answers on /run/contextdiff/no-such, where there is no socket: start it with "
            "sudo systemctl restart contextdiffd.socket\n")

    def test_what_is_told_cannot_act_on_a_terminal(self, ctl, folder):
        result = ctl("classify", "--local", f"{folder}/\x1b[2J\n\u202e")
        assert result.stderr == (
            f"contextdiffctl: cannot open {folder}/␛[2J⏎\\u{{202E}}: No such file or directory\n")

    def test_the_default_place(self, ctl, folder):
        result = ctl("status", env=environment(XDG_RUNTIME_DIR=str(folder)))
        assert result.stderr == (
            f"contextdiffctl: no daemon answers on {folder}/contextdiff/io.contextdiff, where there is no socket: start it with "
            "systemctl --user restart contextdiffd.socket or make run\n")

    def test_the_variable_names_the_socket_and_the_option_is_stronger(self, ctl, daemon, folder):
        assert ctl("ping", env=environment(CONTEXTDIFF_SOCKET=daemon.path)).returncode == 0
        assert ctl("--socket", folder / "nobody", "ping", env=environment(CONTEXTDIFF_SOCKET=daemon.path)).returncode == 3
        nobody = ctl("ping", env=environment(CONTEXTDIFF_SOCKET=str(folder / "nobody")))
        assert nobody.stderr.endswith(": --socket, or CONTEXTDIFF_SOCKET, names it\n")
        unset = ctl("ping", env=environment(CONTEXTDIFF_SOCKET="", XDG_RUNTIME_DIR=str(folder)))
        assert f"{folder}/contextdiff/io.contextdiff" in unset.stderr

    def test_why_nobody_answers_is_told_apart(self, ctl, folder):
        def told(path):
            result = ctl("--socket", path, "status")
            assert (result.returncode, result.stdout) == (3, "")
            return result.stderr.removeprefix(f"contextdiffctl: no daemon answers on {path}").split(": --socket")[0]

        (folder / "file").write_text("")
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(folder / "dead"))
        assert told(folder / "nothing") == ", where there is no socket"
        assert told(folder / "file") == ", which is no socket"
        assert told(folder / "dead") == ", whose socket nobody listens on"
        assert told(folder / "file" / "below") == " (Not a directory)"
        assert told("x" * 200) == ": a socket's path has 1 to 107 bytes"

    def test_a_socket_may_have_as_long_a_path_as_the_system_takes(self, ctl, start_daemon, folder):
        path = f"{folder}/{'x' * (106 - len(str(folder)))}"
        start_daemon("--listen", path)
        result = ctl("--socket", path, "ping")
        assert (result.returncode, result.stderr) == (0, "")

    @pytest.mark.parametrize("command", [
        ["classify"], ["monitor"], ["record", "-"], ["replay", "/dev/null"], ["status"], ["sessions"], ["forget", "s"],
        ["ping"], ["post", "s", "--new-before", "a"], ["expect", "s", "--insert", "a"], ["withdraw", "s", "1"],
    ], ids=lambda command: command[0])
    def test_a_daemon_that_hangs_is_not_waited_for(self, ctl, daemon, command):
        daemon.process.send_signal(signal.SIGSTOP)
        try:
            result = ctl("--socket", daemon.path, "--timeout", "0.2", *command)
        finally:
            daemon.process.send_signal(signal.SIGCONT)
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr.startswith(f"contextdiffctl: the daemon on {daemon.path} has not answered for 0.2 s: ")

    def test_a_daemon_is_waited_for_for_ever_where_that_is_wanted(self, folder):
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(folder / "other"))
            other.listen()
            other.settimeout(PATIENCE)
            with Running("--socket", folder / "other", "--timeout", 0, "ping") as running:
                with other.accept()[0] as connection:
                    connection.settimeout(PATIENCE)
                    assert connection.recv(4096).endswith(b"\0")
                    # It has not given up: what comes now is what it complains of.
                    connection.sendall(b"nonsense\0")
                    assert running.line("stderr").endswith("gave an answer that cannot be read")
                    assert running.process.wait(PATIENCE) == 1

    @pytest.mark.parametrize("command", ["ping", "status"])
    def test_a_daemon_without_room_is_waited_for_no_longer_than_one_that_hangs(self, ctl, folder, command):
        with socket.socket(socket.AF_UNIX) as full, contextlib.ExitStack() as clients:
            full.bind(str(folder / "full"))
            full.listen(0)
            with contextlib.suppress(BlockingIOError):
                while True:
                    client = clients.enter_context(socket.socket(socket.AF_UNIX))
                    client.setblocking(False)
                    client.connect(str(folder / "full"))
            result = ctl("--socket", folder / "full", "--timeout", "0.2", command)
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr.startswith(f"contextdiffctl: the daemon on {folder}/full has not answered for 0.2 s: ")

    def test_who_answers_and_is_no_contextdiffd(self, ctl, folder):
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(folder / "other"))
            other.listen()

            def answer():
                with other.accept()[0] as connection:
                    connection.recv(4096)
                    connection.sendall(b"nonsense\0")

            thread = threading.Thread(target=answer)
            thread.start()
            result = ctl("--socket", folder / "other", "ping")
            thread.join()
        assert result.returncode == 1
        assert result.stderr == f"contextdiffctl: the daemon on {folder}/other gave an answer that cannot be read\n"

    @pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
    @pytest.mark.parametrize("is_seen", [False, True])
    def test_no_permission(self, daemon, folder, is_seen):
        advice = ""
        if is_seen:
            folder.chmod(0o755)
            os.chown(daemon.path, -1, grp.getgrnam("daemon").gr_gid)
            os.chmod(daemon.path, 0o660)
            advice = ": members of the group daemon may, from their next login on"
        # `nobody` may not look into every folder, but may still run what it was given by root.
        program = os.open(PROGRAMS / "contextdiffctl", os.O_RDONLY)
        try:
            result = subprocess.run(
                [f"/proc/self/fd/{program}", "--socket", daemon.path, "status"], pass_fds=[program],
                env=environment(), capture_output=True, text=True, timeout=PATIENCE, user="nobody")
        finally:
            os.close(program)
        assert result.returncode == 1
        assert result.stderr == f"contextdiffctl: no permission to connect to {daemon.path}{advice}\n"

    @pytest.mark.parametrize("is_noticed", [
        pytest.param(True, marks=pytest.mark.skipif(os.getuid() != 0, reason="needs root, to see a descriptor of what is not dumpable")),
        False])
    def test_a_daemon_that_goes_away(self, daemon, is_noticed):
        with Running("--socket", daemon.path, "classify") as running:
            running.write(pair("a", "ab") + "\n")
            running.line()
            daemon.stop(signal.SIGKILL)
            if is_noticed:
                # What is posted then makes a new connection.
                files = pathlib.Path(f"/proc/{running.process.pid}/fd")
                until(lambda: not any(os.readlink(file).startswith("socket:") for file in files.iterdir()))
            running.write(pair("a", "ab") + "\n")
            assert running.line("stderr") == "contextdiffctl: line 2 got no answer, nor did those after it"
            assert running.line("stderr").startswith(
                f"contextdiffctl: the daemon on {daemon.path} ended the connection: ")
            assert running.process.wait(PATIENCE) == 1

    def test_files_that_cannot_be_read(self, ctl, folder):
        missing = ctl("classify", "--local", folder / "missing")
        assert (missing.returncode, missing.stdout) == (1, "")
        assert missing.stderr == f"contextdiffctl: cannot open {folder}/missing: No such file or directory\n"
        directory = ctl("classify", "--local", folder)
        assert (directory.returncode, directory.stdout) == (1, "")
        assert directory.stderr == f"contextdiffctl: cannot read {folder}: Is a directory\n"

    def test_a_file_that_cannot_be_written(self, ctl, daemon, folder):
        result = ctl("--socket", daemon.path, "record", folder / "no" / "such")
        assert result.returncode == 1
        assert result.stderr == f"contextdiffctl: cannot write to {folder}/no/such: No such file or directory\n"

    def test_a_reader_that_went_away(self):
        reading, writing = os.pipe()
        os.close(reading)
        result = subprocess.run(
            [PROGRAMS / "contextdiffctl", "classify", "--local"], input=pair("a", "b"), text=True, stdout=writing,
            stderr=subprocess.PIPE, env=environment(), timeout=PATIENCE)
        os.close(writing)
        assert (result.returncode, result.stderr) == (-signal.SIGPIPE, "")

    def test_a_recordings_reader_that_went_away(self, daemon, folder):
        os.mkfifo(folder / "recording")
        with Running("--socket", daemon.path, "record", folder / "recording") as running:
            open(folder / "recording").close()
            with Wire(daemon.path) as wire:
                until(lambda: post(wire) and running.process.poll() is not None)
            assert running.line("stderr") == f"contextdiffctl: recording to {folder}/recording"
            assert running.line("stderr") == f"contextdiffctl: recorded 0 events in {folder}/recording"
            assert running.line("stderr") == f"contextdiffctl: cannot write to {folder}/recording: Broken pipe"
            assert running.process.returncode == 1

    @pytest.mark.parametrize("options", [[], ["--force"]], ids=["", "force"])
    def test_a_recordings_reader_that_never_comes(self, daemon, folder, options):
        os.mkfifo(folder / "recording")
        with Running("--socket", daemon.path, "record", *options, "--since", 0, folder / "recording") as running:
            with Wire(daemon.path) as wire:
                # Its own threads run.
                until(lambda: post(wire) and len(os.listdir(f"/proc/{running.process.pid}/task")) > 2)
            running.process.send_signal(signal.SIGTERM)
            assert running.process.wait(PATIENCE) == -signal.SIGTERM

    def test_it_leaves_no_core_file(self, daemon):
        with Running("--socket", daemon.path, "monitor") as running:
            limits = pathlib.Path(f"/proc/{running.process.pid}/limits")
            until(lambda: re.search(r"Max core file size +0 +0 ", limits.read_text()))

    @pytest.mark.parametrize("listen", [["monitor"], ["record", "-"]], ids=lambda listen: listen[0])
    def test_a_listeners_reader_that_went_away(self, daemon, listen):
        with Wire(daemon.path) as wire:
            for _ in range(3):
                post(wire)
            with Running("--socket", daemon.path, *listen, "--since", 0) as running:
                assert "insertion" in running.line()
                running.process.stdout.close()
                # Nothing more is posted.
                until(lambda: running.process.poll() is not None)
                assert (running.process.returncode, running.process.stderr.read()) == (-signal.SIGPIPE, b"")

    @pytest.mark.parametrize("listen", [["monitor"], ["record", "-"]], ids=lambda listen: listen[0])
    def test_a_reader_that_goes_once_it_has_all(self, daemon, listen):
        with Wire(daemon.path) as wire:
            post(wire), post(wire)
        for _ in range(20):
            with Running("--socket", daemon.path, *listen, "--since", 0, "--count", 1) as running:
                assert "insertion" in running.line()
                running.process.stdout.close()
                assert running.process.wait(PATIENCE) == 0

    @pytest.mark.parametrize("closed, command, complaint", [
        (1, "classify --local", "cannot write to standard output: Bad file descriptor"),
        (0, "classify --local", "cannot read standard input: Bad file descriptor"),
    ])
    def test_a_closed_descriptor(self, closed, command, complaint):
        result = subprocess.run(
            f'"$PROGRAM" {command} {closed}>&-', shell=True, input=pair("a", "b"), text=True, capture_output=True,
            env=environment(PROGRAM=str(PROGRAMS / "contextdiffctl")), timeout=PATIENCE)
        assert (result.returncode, result.stderr) == (1, f"contextdiffctl: {complaint}\n")

    def test_input_that_another_process_made_non_blocking_is_waited_for(self):
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        line = (pair("a", "ab") + "\n").encode()
        with subprocess.Popen(
                [PROGRAMS / "contextdiffctl", "classify", "--local"], stdin=reader, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, env=environment()) as process:
            os.close(reader)
            for _ in range(10):
                os.write(writer, line)
                assert b"insertion" in process.stdout.readline()
            os.close(writer)
            assert process.stderr.read() == b""
        assert process.returncode == 0

    @pytest.mark.parametrize("arguments", [
        ["classify", "--local"], ["--help"], ["help", "status"], ["--version"], ["--generate-completion-script", "bash"],
    ], ids=" ".join)
    def test_a_full_disk(self, arguments):
        with open("/dev/full", "w") as full:
            result = subprocess.run(
                [PROGRAMS / "contextdiffctl", *arguments], input=pair("a", "b"), text=True, stdout=full,
                stderr=subprocess.PIPE, env=environment(), timeout=PATIENCE)
        assert result.returncode == 1
        assert result.stderr == "contextdiffctl: cannot write to standard output: No space left on device\n"


class TestUsage:
    @pytest.mark.parametrize("arguments", [
        ["nonsense"], ["--nonsense"], ["classify", "--window", "door"], ["classify", "--session", ""],
        ["classify", "--session", "x" * 256], ["classify", "--session", "a\nb"], ["classify", "one", "two"],
        ["monitor", "--kind", "nonsense"], ["monitor", "--since", "-1"], ["record"], ["replay"],
        ["replay", "--speed", "-1", "x"], ["replay", "--speed", "inf", "x"], ["forget"], ["status", "--socket"],
        ["explain", "--window", "door"], ["explain", "--nonsense"],
        ["explain", "--session", "--new-before", "a"], ["--timeout", "-1", "ping"], ["--timeout", "x", "ping"], ["--socket", "", "ping"],
        ["--color", "red", "ping"], ["forget", "--all", "s"], ["post", "s", "--key", "door", "--new-before", "a"],
        ["expect", "s"], ["expect", "s", "--insert", "a", "--new-before", "b"], ["expect", "s", "--unit", "miles"],
        ["withdraw", "s"], ["withdraw", "s", "x"], ["try", "--window", "door"], ["monitor", "--count", "0"],
        ["monitor", "--stat", "--json"], ["monitor", "--since", "-1"], ["record", "--count", "-1", "x"],
        ["help", "nonsense"], ["nonsense", "--help"], ["expect", "s", "--delete-backward", "-1"], ["playground", "--port", "-1"],
        ["withdraw", "s", "-1"], ["forget", "-1"], ["expect", "s", "--insert", ""], ["replay", "--local", "--session", "s", "x"],
        ["monitor", "--instance", "f" * 32], ["monitor", "--since", "last", "--instance", "f" * 32],
    ], ids=" ".join)
    def test_wrong_usage_is_64(self, ctl, arguments):
        result = ctl(*arguments)
        assert (result.returncode, result.stdout) == (64, "")
        assert result.stderr.startswith("Error: ")

    @pytest.mark.parametrize("arguments", [
        ["withdraw", "s", "-1"], ["withdraw", "s", "x"], ["withdraw", "-1", "s"], ["withdraw", "s", "-1.5", "--timeout", "3"], ["monitor", "--since", "-1"],
        ["record", "--since", "-1", "x"], ["monitor", "--count", "-1"], ["replay", "--speed", "x", "y"], ["playground", "--port", "-1"],
        ["expect", "s", "--delete-forward", "-1"], ["explain", "--composition-after", "-1"],
    ], ids=" ".join)
    def test_a_number_that_is_wrong_is_not_called_missing(self, ctl, arguments):
        [number] = [argument for argument in arguments if argument.startswith("-") and argument[1].isdigit()] or ["x"]
        result = ctl(*arguments)
        assert (result.returncode, result.stdout) == (64, "")
        assert result.stderr.startswith(f"Error: The value '{number}' is invalid")

    def test_each_commands_usage_is_one_line_of_a_terminal(self, ctl):
        commands = re.findall(r"^  (\w+) {2,}\w", ctl("--help").stdout.partition("SUBCOMMANDS:")[2], re.M)
        assert len(commands) > 10
        for command in commands:
            usage = re.search(rf"^Usage: (contextdiffctl {command} .*)$", ctl(command, "--nonsense").stderr, re.M)[1]
            assert len(usage) < 73 and " ".join(usage.split()[:2]) == f"contextdiffctl {command}"

    @pytest.mark.parametrize("word", ["-inf", "-nan", "-infinity"])
    def test_a_word_that_is_no_number_is_not_taken_for_one(self, ctl, word):
        result = ctl("status", word)
        assert (result.returncode, result.stdout) == (64, "")
        assert result.stderr.startswith(f"Error: Unknown option '{word}'")

    @pytest.mark.parametrize("word, meant", [
        ("statsu", "status"), ("sesions", "sessions"), ("clasify", "classify"), ("pign", "ping"), ("forgte", "forget"),
    ])
    def test_a_mistyped_command_is_guessed(self, ctl, word, meant):
        for arguments in ([word], ["--socket", "x", word, "--json"], ["help", word]):
            result = ctl(*arguments)
            assert (result.returncode, result.stdout) == (64, "")
            assert result.stderr == f"Error: there is no command '{word}'. Did you mean '{meant}'?\n"

    def test_a_command_that_is_like_none_gets_the_list(self, ctl):
        result = ctl("\x1b[31mnonsense")
        assert result.returncode == 64 and "\x1b" not in result.stderr
        assert result.stderr.startswith("Error: there is no command '␛[31mnonsense'. There are classify, expect, ")

    def test_what_was_given_cannot_act_on_a_terminal(self, ctl):
        result = ctl("forget", "\x1b[2J")
        assert result.returncode == 64
        assert "␛[2J" in result.stderr and "\x1b" not in result.stderr
        assert "Usage: contextdiffctl" in result.stderr

    @pytest.mark.parametrize("arguments", [("classify", "caf\udce9.jsonl"), ("post", "s", "--new-before", "\udcff")], ids=["file", "text"])
    def test_arguments_are_utf_8(self, ctl, arguments):
        result = ctl(*arguments)
        assert (result.returncode, result.stdout) == (64, "")
        assert result.stderr == f"Error: argument {len(arguments)} is not UTF-8.\n"

    @pytest.mark.parametrize("listen", [["monitor"], ["record", "-"]], ids=lambda listen: listen[0])
    def test_more_sessions_than_are_taken_are_counted(self, ctl, folder, listen):
        def told(count):
            names = [part for number in range(count) for part in ("--session", number)]
            return ctl("--socket", folder / "nobody", *listen, *names)

        assert told(1_024).returncode == 3
        result = told(1_025)
        assert (result.returncode, result.stdout) == (64, "")
        assert result.stderr.startswith("Error: --session is given 1025 times, and 1024 at most are taken.\n")

    def test_what_is_left_out_is_named(self, ctl):
        assert ctl("expect", "s").stderr.startswith("Error: Give what the edit does, or the snapshot that it leads to.\n")
        both = ctl("expect", "s", "--insert", "a", "--new-before", "a")
        assert both.stderr.startswith("Error: Give what the edit does or the snapshot that it leads to, not both.\n")
        for blank in "", "\n \n":
            assert ctl("explain", input=blank).stderr == "contextdiffctl: standard input: no pair\n"

    @pytest.mark.parametrize("command", COMMANDS)
    def test_each_command_has_help_with_an_example(self, ctl, command):
        result = ctl(command, "--help")
        assert result.returncode == 0
        assert f"Example:\n  contextdiffctl {command}" in result.stdout

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_completions(self, ctl, shell):
        result = ctl("--generate-completion-script", shell)
        assert result.returncode == 0
        for command in COMMANDS:
            assert command in result.stdout
