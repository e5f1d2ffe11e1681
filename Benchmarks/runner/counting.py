"""What a call costs that no clock tells, where the machine lets it be counted: instructions by valgrind, system calls by perf."""

import re
import shutil
import subprocess
import time

from tools import Failure, Server, run_json

# Each post goes on where the last one ended, 64 characters and then anew.
TYPED = ["--typed", 64]
# What is posted (or classified), and how the generator is told so.
KINDS = {
    "classify": ("varlink-classify", TYPED),
    "post": ("varlink-post", TYPED),
    "again": ("varlink-post", []),
    "jumping": ("varlink-post", ["--places", 8]),
    "64 sessions": ("varlink-post", [*TYPED, "--sessions", 64]),
    "30 bytes": ("varlink-post", [*TYPED, "--text", 30]),
    "4,000 bytes": ("varlink-post", [*TYPED, "--text", 4000]),
}
WINDOW = 32
# To valgrind each byte of a `rep stosb` is an instruction: the C library is to clear and copy memory by vectors, as it does for what is small.
PLAIN_COPIES = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-ERMS,-FSRM"
CALLS = "raw_syscalls:sys_enter"
COUNT = re.compile(rf"^(\d+),[^\n]*{CALLS}", re.M)


def can_count_instructions():
    return all(shutil.which(tool) for tool in ("valgrind", "callgrind_control", "callgrind_annotate", "strip"))


def instructions(kind, folder, load, daemon):
    """Of a pipelined run in contextdiffd: how many calls, the instructions of all, and those of each function with what it calls.

    Transitions are not logged meanwhile: of the few thousand calls a second that valgrind lets through, the 200 that are logged would count for
    a hundred times what they do in earnest."""
    counts, socket, program = folder / "callgrind", folder / "counted.sock", folder / "counted"
    # Swift's debug information is newer than what valgrind reads; the functions' names stay.
    subprocess.run(["strip", "--strip-debug", "-o", program, daemon], check=True)
    command = ["env", PLAIN_COPIES, "valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={counts}", program, "--listen",
               socket, "--set", "logTransitions=false"]
    protocol, options = KINDS[kind]
    with Server(socket, command, folder / "counted.log") as server:
        run = [load, "--protocol", protocol, "--mode", "pipelined", "--socket", socket, "--window", WINDOW, "--warmup", 0, *options, "--seconds"]
        run_json([*run, 0.5])
        control(server.process.pid, "on")
        calls = run_json([*run, 2])["calls"]
        control(server.process.pid, "off")
    text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", counts], capture_output=True, text=True,
                          check=True).stdout
    total, functions = 0, []
    for line in text.splitlines():
        if match := re.match(r"\s*([\d,]+)\s+\([^)]*\)\s+(.*)", line):
            count, name = int(match[1].replace(",", "")), match[2]
            if name.startswith("PROGRAM TOTALS"):
                total = count
            else:
                functions.append((name.partition(":")[2], count))
    if total == 0:
        raise Failure("valgrind has counted nothing")
    return calls, total, functions


def control(process, state):
    subprocess.run(["callgrind_control", f"--instr={state}", str(process)], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    time.sleep(0.2)


def can_count_system_calls():
    """Whether perf is there, and may look at system calls."""
    if shutil.which("perf") is None:
        return False
    done = subprocess.run(["perf", "stat", "-x", ",", "-e", CALLS, "true"], capture_output=True, text=True)
    return done.returncode == 0 and COUNT.search(done.stderr) is not None


def perf(process, command):
    """How many system calls the process makes while `command` runs, and what that prints; None where they cannot be counted."""
    done = subprocess.run(["perf", "stat", "-x", ",", "-e", CALLS, "-p", str(process), "--", *map(str, command)], capture_output=True, text=True)
    match = COUNT.search(done.stderr)
    return (int(match[1]), done.stdout) if done.returncode == 0 and match else None
