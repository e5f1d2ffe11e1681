"""contextdiffd in a booted systemd, as an administrator has it: installed by `make install`, started by its socket."""

import json
import re
import statistics
import time

import pytest

from machine import wait_for

SYSTEM = "/run/contextdiff/io.contextdiff"
SERVICE = "contextdiffd.service"
SOCKET = "contextdiffd.socket"
SETTINGS = "/etc/contextdiff/contextdiffd.yaml"
MARKER = "ひみつの印7391"

CUT = {"old": {"before": "今日は", "selected": "とても", "after": "暑い"}, "new": {"before": "今日は", "after": "暑い"},
       "pasteboard": "とても"}


@pytest.fixture(scope="module")
def machine(bookworm):
    """The machine with contextdiffd installed and its socket listening, and three people on it."""
    bookworm.before = bookworm.files()
    bookworm.install()
    bookworm.run("systemctl", "enable", "--now", SOCKET)
    for name in ("alice", "bob", "carol"):
        bookworm.run("useradd", "--create-home", name)
    for name in ("alice", "carol"):
        bookworm.run("usermod", "--append", "--groups", "contextdiff", name)
    return bookworm


@pytest.fixture
def drop_in(machine):
    """Adds lines to the service's [Service] section, for one test."""
    path = f"/etc/systemd/system/{SERVICE}.d/test.conf"

    def add(*lines):
        machine.write(path, "\n".join(["[Service]", *lines, ""]))
        machine.run("systemctl", "daemon-reload")
        machine.run("systemctl", "restart", SERVICE)

    yield add
    machine.run("rm", "-r", path.rsplit("/", 1)[0])
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", SERVICE)


@pytest.fixture
def settings(machine):
    """Replaces the settings file and reloads, for one test."""
    before = machine.run("cat", SETTINGS) + "\n"

    def replace(text):
        machine.write(SETTINGS, text)
        machine.run("systemctl", "reload", SERVICE)

    yield replace
    machine.write(SETTINGS, before)
    machine.run("systemctl", "reload-or-restart", SERVICE)


def call(machine, *calls, user=None, path=SYSTEM):
    """Makes calls on one connection; returns the replies."""
    words = [word for method, parameters in calls
             for word in (f"io.contextdiff.{method}", json.dumps(parameters, ensure_ascii=False))]
    return [json.loads(line) for line in machine.guest("call", path, *words, user=user).splitlines()]


def entries(machine, *matches, since=0):
    """The journal's entries with these fields, not older than `since`, once all that was logged until now is there."""
    machine.run("journalctl", "--sync")
    lines = machine.run("journalctl", "--output=json", "--all", *matches).splitlines()
    return [entry for entry in map(json.loads, lines) if int(entry["__REALTIME_TIMESTAMP"]) >= since]


def entry_since(machine, since, *matches):
    """The first entry with these fields that isn't older than `since`; waited for."""
    return wait_for(lambda: entries(machine, *matches, since=since), f"an entry with {matches}")[0]


def now():
    """The time as the journal counts it, in microseconds."""
    return time.time_ns() // 1000


def message_id(machine, name):
    source = machine.run("cat", "/src/Sources/ContextDiffService/MessageID.swift")
    return re.search(rf'case {name} = "(\w+)"', source)[1]


def test_no_process_before_the_first_call(machine):
    assert machine.run("systemctl", "is-active", SOCKET) == "active"
    assert machine.main_pid() == 0
    assert machine.run("stat", "--format=%a %U:%G", SYSTEM) == "660 root:contextdiff"


def test_the_first_call_starts_it(machine, figures):
    times = []
    for _ in range(7):
        machine.run("systemctl", "stop", SERVICE)
        assert machine.main_pid() == 0
        times.append(float(machine.guest("activation", SYSTEM)))
    assert machine.run("ps", "-o", "user=", "-p", machine.main_pid()) == "contextdiff"
    figures.append(f"socket activation, connect to first answer: {statistics.median(times):.1f} ms median "
                   f"of {len(times)} (to be 50 at most), {min(times):.1f} best, {max(times):.1f} worst")


def test_the_status_line_says_what_there_is(machine):
    call(machine, ("Post", {"session": "status", "new": {"before": "a"}}))
    wait_for(lambda: re.fullmatch(r"\d+ sessions?, \d+ subscribers?, \d+ pairs?",
                                  machine.property(SERVICE, "StatusText")), "a status line with counts")
    with machine.session(SYSTEM) as client:
        # The first one's line may be due because somebody connected.
        for _ in range(2):
            before = machine.property(SERVICE, "StatusText")
            client.send("Classify", CUT)
            assert client.receive()["parameters"]["transition"]["kind"] == "cut"
            wait_for(lambda: machine.property(SERVICE, "StatusText") != before, "a status line that counts the pair")


def test_a_transition_is_an_entry_with_every_field(machine):
    begin = now()
    reply, = call(machine, ("Post", {"session": "notes-1", **CUT}))
    assert reply["parameters"]["transition"]["kind"] == "cut"
    machine.run("journalctl", "--sync")
    found = entries(machine, "--unit=contextdiffd", "CONTEXTDIFF_KIND=cut", since=begin)
    assert len(found) == 1
    entry = found[0]
    assert entry["MESSAGE"].startswith("notes-1: cut, certain")
    assert entry["MESSAGE_ID"] == message_id(machine, "transition")
    assert entry["CONTEXTDIFF_SESSION"] == "notes-1"
    assert entry["CONTEXTDIFF_BASIC_KIND"] == "cut"
    assert entry["CONTEXTDIFF_CERTAINTY"] == "certain"
    assert entry["CONTEXTDIFF_SEQUENCE"] == str(reply["parameters"]["sequence"])
    assert entry["CONTEXTDIFF_CLIENT_UID"] == "0"
    assert int(entry["CONTEXTDIFF_CLIENT_PID"]) > 1
    assert int(entry["CONTEXTDIFF_DURATION_USEC"]) >= 0
    assert entry["PRIORITY"] == "6"
    assert entry["_SYSTEMD_UNIT"] == SERVICE
    assert entry["_TRANSPORT"] == "journal"


@pytest.mark.parametrize("locale, subject", [
    ("C.UTF-8", "A transition in session notes-1 was classified"),
    ("ja_JP.UTF-8", "セッション notes-1 の変化を判定しました"),
])
def test_the_catalog_explains_it(machine, locale, subject):
    begin = now()
    call(machine, ("Post", {"session": "notes-1", **CUT}))
    entry_since(machine, begin, "CONTEXTDIFF_SESSION=notes-1")
    shown = machine.run("env", f"LC_ALL={locale}", "journalctl", "-x", "--lines=1", "CONTEXTDIFF_SESSION=notes-1")
    assert f"Subject: {subject}" in shown
    assert "man:contextdiffd(8)" in shown


def test_over_200_a_second_are_summed_up(machine):
    begin = now()
    machine.guest("burst", SYSTEM, 1, 1000)

    def counts():
        transitions = entries(machine, "CONTEXTDIFF_SESSION=burst-0", since=begin)
        left_out = [int(entry["CONTEXTDIFF_LEFT_OUT"]) for entry in transitions if "CONTEXTDIFF_LEFT_OUT" in entry]
        return len(transitions) - len(left_out), sum(left_out)

    wait_for(lambda: sum(counts()) == 1000, "as many entries and counts as there were posts")
    logged, left_out = counts()
    assert left_out > 0 and logged >= 200


def test_a_good_reload_takes_effect_and_loses_no_client(machine, settings):
    begin = now()
    before = machine.main_pid()
    with machine.session(SYSTEM) as client:
        client.call("Post", {"session": "reload", "new": {"before": "a"}})
        settings("limits: {fieldBytes: 8}\nlogLevel: debug\n")
        entry_since(machine, begin, f"MESSAGE_ID={message_id(machine, 'settingsReloaded')}")
        reply = client.call("Post", {"session": "reload", "new": {"before": "123456789"}})
        assert reply["error"] == "io.contextdiff.SnapshotTooLarge"
        assert reply["parameters"]["limit"] == 8
        assert "reload" in client.call("ListSessions", {})["parameters"]["sessions"]
    limit = entry_since(machine, begin, f"MESSAGE_ID={message_id(machine, 'limitReached')}")
    assert "limits.fieldBytes" in limit["MESSAGE"]
    assert machine.run("systemctl", "is-active", SERVICE) == "active"
    assert machine.main_pid() == before


def test_a_reload_changes_what_is_logged(machine, settings):
    settings("logTransitions: false\n")
    begin = now()
    call(machine, ("Post", {"session": "quiet", **CUT}))
    # The connection's end is logged after whatever else it would have been logged for.
    entry_since(machine, begin, f"MESSAGE_ID={message_id(machine, 'clientGone')}")
    assert entries(machine, "CONTEXTDIFF_SESSION=quiet") == []
    settings("logTransitions: true\n")
    call(machine, ("Post", {"session": "quiet", **CUT}))
    entry_since(machine, begin, "CONTEXTDIFF_SESSION=quiet")


def test_a_reload_changes_what_ends_a_sentence(machine, settings):
    # One to the right of a sentence's end, in "ab|efgh|": the window shows the next sentence, if "|" ends one.
    pair = {"old": {"before": "ab|", "after": "efgh|"}, "new": {"before": "efg", "after": "h|"}}
    before, = call(machine, ("Classify", pair))
    assert before["parameters"]["transition"]["kind"] == "outOfRangeTap"
    settings('terminators: "。.|"\n')
    after, = call(machine, ("Classify", pair))
    assert after["parameters"]["transition"]["kind"] == "cursorMove"


@pytest.mark.parametrize("text, where", [
    ("limits:\n  fieldBytes: many\n", ":2: limits.fieldBytes"),
    ("logTransitions: true\nshoeSize: 43\n", ":2: there is no setting shoeSize"),
    ("limits: [1\n", SETTINGS),
])
def test_a_bad_reload_keeps_the_old_settings_and_says_where(machine, settings, text, where):
    settings("limits: {fieldBytes: 8}\n")
    begin = now()
    before = machine.main_pid()
    settings(text)
    rejected = entry_since(machine, begin, f"MESSAGE_ID={message_id(machine, 'settingsRejected')}")
    assert SETTINGS in rejected["MESSAGE"] and where in rejected["MESSAGE"]
    reply, = call(machine, ("Classify", {"old": {"before": "123456789"}, "new": {}}))
    assert reply["error"] == "io.contextdiff.SnapshotTooLarge"
    assert machine.main_pid() == before
    assert machine.run("systemctl", "is-active", SERVICE) == "active"


def test_wrong_settings_at_the_start_are_told_once_and_no_restart_is_tried(machine):
    def shown(name):
        return machine.run("systemctl", "show", "--property", name, "--value", SERVICE)

    before, restarts = machine.run("cat", SETTINGS) + "\n", shown("NRestarts")
    machine.run("systemctl", "stop", SERVICE)
    machine.write(SETTINGS, "limits:\n  fieldBytes: many\n")
    begin = now()
    try:
        # Its connection starts the daemon, which turns it away.
        told = machine.run(
            "sh", "-c", f"python3 /src/Tests/SystemTests/guest/call.py {SYSTEM} io.contextdiff.GetStatistics '{{}}' 2>&1",
            check=False)
        assert "statistics" not in told
        wait_for(lambda: shown("ActiveState") == "failed", "the end of the unit")
        assert (shown("ExecMainStatus"), shown("NRestarts")) == ("78", restarts)
        unusable, = entries(machine, f"MESSAGE_ID={message_id(machine, 'settingsUnusable')}", since=begin)
        assert unusable["PRIORITY"] == "3"
        assert f"{SETTINGS}:2: limits.fieldBytes" in unusable["MESSAGE"]
        assert machine.run("systemctl", "is-active", "contextdiffd.socket") == "active"
    finally:
        machine.write(SETTINGS, before)
        machine.run("systemctl", "reset-failed", SERVICE)
    assert call(machine, ("GetStatistics", {}))[0]["parameters"]


def test_a_wrong_option_in_the_unit_ends_it_with_the_status_of_options(machine, drop_in):
    def shown(name):
        return machine.run("systemctl", "show", "--property", name, "--value", SERVICE)

    program = re.search(r"path=(\S+)", shown("ExecStart"))[1]
    begin, restarts = now(), shown("NRestarts")
    with pytest.raises(AssertionError, match="systemctl restart"):
        drop_in("ExecStart=", f"ExecStart={program} --set limits.fieldBytes=99999999")
    assert (shown("ExecMainStatus"), shown("NRestarts")) == ("64", restarts)
    unusable, = entries(machine, f"MESSAGE_ID={message_id(machine, 'settingsUnusable')}", since=begin)
    assert "command line: limits.fieldBytes is to be at most limits.frameBytes" in unusable["MESSAGE"]


def under_load(machine, rate, rounds, *command):
    machine.run("systemctl", "reset-failed", SERVICE, check=False)
    seen = json.loads(machine.guest("load", SYSTEM, rate, rounds, *command))
    assert not seen["failure"] and not seen["unfinished"], seen["failure"]
    answered, heard = seen["answered"], seen["heard"]
    assert len(answered) > 10 * rounds
    assert len(seen["instances"]) == 1
    assert seen["lost"] == []
    assert heard == sorted(set(heard)), "doubled, or out of order"
    assert set(answered) <= set(heard), "answered, and lost"
    assert len(answered) == len(set(answered))
    return seen


def test_a_restart_under_load_loses_nothing(machine, figures):
    seen = under_load(machine, 2000, 3, "systemctl", "restart", SERVICE)
    figures.append(f"restart under 2,000 posts/s: {len(seen['answered'])} answered, 0 lost or doubled; back in "
                   f"{statistics.median(seen['recoveries']):.0f} ms median")


def test_a_kill_under_load_loses_nothing(machine, figures):
    seen = under_load(machine, 2000, 20, "systemctl", "kill", "--kill-whom=main", "--signal=KILL", SERVICE)
    recovery = statistics.median(seen["recoveries"])
    figures.append(f"SIGKILL 20 times under 2,000 posts/s: {len(seen['answered'])} answered, 0 lost or doubled; back in "
                   f"{recovery:.0f} ms median (to be 100 at most), {max(seen['recoveries']):.0f} ms worst")


def test_session_memory_outlives_a_clean_restart(machine):
    call(machine, ("Post", {"session": "memory", "new": {"before": "abc"}}))
    machine.run("systemctl", "restart", SERVICE)
    reply, = call(machine, ("Post", {"session": "memory", "new": {"before": "abcd"}}))
    assert reply["parameters"]["transition"]["kind"] == "insertion"


def test_expected_edits_outlive_a_clean_restart(machine):
    call(machine, ("Post", {"session": "expecting", "new": {"before": "abc"}}),
         ("Expect", {"session": "expecting", "edit": {"insert": "d"}}))
    machine.run("systemctl", "restart", SERVICE)
    reply, = call(machine, ("Post", {"session": "expecting", "new": {"before": "abcd"}}))
    assert reply["parameters"]["transition"]["kind"] == "expected"
    assert reply["parameters"]["transition"]["expectedEdits"] == 1


def test_a_damaged_store_is_noticed_and_a_new_instance_begins(machine):
    first, _ = call(machine, ("GetStatistics", {}), ("Post", {"session": "damage", **CUT}))
    begin = now()
    machine.guest("damage", machine.main_pid())
    machine.run("systemctl", "kill", "--kill-whom=main", "--signal=KILL", SERVICE)
    second, = call(machine, ("GetStatistics", {}))
    damaged = entry_since(machine, begin, f"MESSAGE_ID={message_id(machine, 'storeDamaged')}")
    assert damaged["PRIORITY"] == "3"
    instances = [reply["parameters"]["statistics"]["instance"] for reply in (first, second)]
    assert instances[0] != instances[1]
    with machine.session(SYSTEM) as client:
        client.send("Subscribe", {"since": 1, "instance": instances[0]}, more=True)
        assert client.receive()["parameters"]["ready"]
        assert client.receive()["parameters"]["lost"] == -1


def test_a_stuck_process_is_replaced_by_the_watchdog(machine, drop_in, figures):
    drop_in("WatchdogSec=2")
    call(machine, ("GetStatistics", {}))
    stuck = machine.main_pid()
    began = time.monotonic()
    machine.run("kill", "-STOP", stuck)
    wait_for(lambda: machine.main_pid() not in (0, stuck), "another process")
    took = time.monotonic() - began
    figures.append(f"stuck process replaced after {took:.1f} s with WatchdogSec=2 (to be 4 at most)")
    assert "Watchdog timeout (limit 2s)" in machine.run("journalctl", "--unit", SERVICE, "--output=cat")
    assert call(machine, ("GetStatistics", {}))


def test_a_user_outside_the_group_is_kept_out(machine):
    assert "PermissionError" in machine.run(
        *["setpriv", "--reuid=bob", "--regid=bob", "--init-groups"],
        "sh", "-c", f"python3 /src/Tests/SystemTests/guest/call.py {SYSTEM} 2>&1", check=False)


def test_two_users_sessions_of_one_name_are_two(machine):
    with machine.session(SYSTEM, user="carol") as carol:
        carol.send("Subscribe", {}, more=True)
        assert carol.receive()["parameters"]["ready"]
        call(machine, ("Post", {"session": "ours", **CUT}), user="alice")
        mine, = call(machine, ("Post", {"session": "ours", "old": {"before": "a"}, "new": {"before": "ab"}}),
                     user="carol")
        assert carol.receive()["parameters"]["event"]["transition"]["kind"] == "insertion"
        assert mine["parameters"]["sequence"] == 1
    listed = [call(machine, ("ListSessions", {}), user=name)[0] for name in ("alice", "carol")]
    assert [reply["parameters"]["sessions"] for reply in listed] == [["ours"], ["ours"]]


def test_a_user_has_a_daemon_of_their_own(machine):
    machine.run("loginctl", "enable-linger", "alice")
    uid = machine.run("id", "-u", "alice")
    path = f"/run/user/{uid}/contextdiff/io.contextdiff"
    manager = ["systemctl", "--user", "--machine=alice@"]
    wait_for(lambda: machine.status(*manager, "is-active", "default.target") == 0, "alice's manager")
    machine.run(*manager, "enable", "--now", SOCKET)
    assert machine.run(*manager, "show", SERVICE, "--property=MainPID", "--value") == "0"
    reply, = call(machine, ("Post", {"session": "own", **CUT}), user="alice", path=path)
    assert reply["parameters"]["transition"]["kind"] == "cut"
    pid = int(machine.run(*manager, "show", SERVICE, "--property=MainPID", "--value"))
    assert machine.run("ps", "-o", "user=", "-p", pid) == "alice"
    assert machine.run("stat", "--format=%a %U", path) == "600 alice"
    assert machine.run("stat", "--format=%a %U", path.rsplit("/", 1)[0]) == "700 alice"
    assert "PermissionError" in machine.run(
        "setpriv", "--reuid=bob", "--regid=bob", "--init-groups",
        "sh", "-c", f"python3 /src/Tests/SystemTests/guest/call.py {path} 2>&1", check=False)
    found = wait_for(lambda: entries(machine, "_SYSTEMD_USER_UNIT=contextdiffd.service", "CONTEXTDIFF_KIND=cut"),
                     "the entry of the user's daemon")
    assert found[0]["CONTEXTDIFF_CLIENT_UID"] == uid
    # Kept events and reload work under a user's manager as well.
    instance = call(machine, ("GetStatistics", {}), user="alice", path=path)[0]["parameters"]["statistics"]["instance"]
    machine.run(*manager, "kill", "--kill-whom=main", "--signal=KILL", SERVICE)
    after = call(machine, ("GetStatistics", {}), user="alice", path=path)[0]["parameters"]["statistics"]
    assert after["instance"] == instance
    machine.run(*manager, "reload", SERVICE)
    assert machine.run(*manager, "is-active", SERVICE) == "active"
    machine.run(*manager, "disable", "--now", SOCKET)


def test_a_flood_of_connections_is_none_of_the_journal(machine):
    begin = now()
    machine.guest("connections", SYSTEM, 2000)
    left_out = entry_since(machine, begin, f"MESSAGE_ID={message_id(machine, 'entriesLeftOut')}")
    assert int(left_out["CONTEXTDIFF_LEFT_OUT"]) > 0 and left_out["CONTEXTDIFF_CLIENT_UID"] == "0"

    def told():
        singles = sum(len(entries(machine, f"MESSAGE_ID={message_id(machine, name)}", since=begin))
                      for name in ("clientConnected", "clientGone"))
        sums = entries(machine, f"MESSAGE_ID={message_id(machine, 'entriesLeftOut')}", since=begin)
        return singles + sum(int(entry["CONTEXTDIFF_LEFT_OUT"]) for entry in sums)

    wait_for(lambda: told() >= 4000, "as many entries and counts as there were")


def test_a_journal_that_hangs_holds_nobody_up(machine, figures):
    call(machine, ("GetStatistics", {}))
    begin = now()
    machine.run("systemctl", "kill", "--kill-whom=main", "--signal=STOP", "systemd-journald")
    try:
        # A user's posts make a thousand entries a second: so long until they are more than the queue holds.
        bursts, began = [], time.monotonic()
        while time.monotonic() - began < 8:
            bursts.append(float(machine.guest("burst", SYSTEM, 10, 200)))
    finally:
        machine.run("systemctl", "kill", "--kill-whom=main", "--signal=CONT", "systemd-journald")
    figures.append(f"2,000 posts while the journal hangs: answered in {max(bursts):.2f} s")
    dropped = entry_since(machine, begin, f"MESSAGE_ID={message_id(machine, 'entriesDropped')}")
    assert dropped["PRIORITY"] == "4" and int(dropped["CONTEXTDIFF_LEFT_OUT"]) > 0
    # What the queue held is there.
    assert len(entries(machine, f"MESSAGE_ID={message_id(machine, 'transition')}", since=begin)) >= 1000


def test_nothing_typed_is_found_anywhere(machine, drop_in):
    # A control: where cores may be, another process does leave one.
    machine.run("install", "-d", "-m", "1777", "/tmp/cores")
    machine.run("sh", "-c", "cd /tmp/cores && ulimit -c unlimited && sh -c 'MARK=" + MARKER + " kill -SEGV $$' || true")
    assert machine.status("grep", "-r", "-q", MARKER, "/tmp/cores") == 0, "no core file where one should be"
    machine.run("sh", "-c", "rm -f /tmp/cores/*")

    begin = now()
    drop_in("Environment=CONTEXTDIFF_LOG_LEVEL=trace", "LimitCORE=infinity", "WorkingDirectory=/tmp/cores",
            "PrivateTmp=no", "ReadWritePaths=/tmp/cores")
    machine.guest("privacy", SYSTEM, MARKER)
    pid = machine.main_pid()
    assert MARKER not in machine.run("systemctl", "status", SERVICE)
    assert MARKER not in machine.property(SERVICE, "StatusText")
    environments = machine.run("sh", "-c", "cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'")
    # The search itself is not to find itself: the marker goes to guest/privacy.py on its command line, which has ended.
    assert MARKER not in environments
    machine.run("kill", "-SEGV", pid)
    wait_for(lambda: machine.main_pid() not in (0, pid), "another process")
    assert machine.run("ls", "-A", "/tmp/cores") == ""
    machine.run("journalctl", "--sync")
    everything = machine.run("journalctl", f"--since=@{begin // 1_000_000}", "--output=export", "--all")
    assert "CONTEXTDIFF_SESSION=privacy" in everything
    assert MARKER not in everything


def test_the_sandbox_holds_and_is_rated(machine, figures):
    rated = machine.run("systemd-analyze", "security", "--no-pager", SERVICE)
    exposure = float(re.search(r"Overall exposure level .*: ([\d.]+)", rated)[1])
    figures.append(f"exposure of the running service: {exposure} (at most 1.2)")
    assert exposure <= 1.2
    status = machine.run("cat", f"/proc/{machine.main_pid()}/status")
    assert re.search(r"CapEff:\s*0+\n", status) and re.search(r"NoNewPrivs:\s*1\n", status)
    assert re.search(r"Seccomp:\s*2\n", status)


def switches(machine, pid):
    """How often each thread went to sleep again; that others took the processor is not its doing."""
    # One that ends meanwhile cannot be read.
    counts = machine.run("sh", "-c", f"grep -Hs ^voluntary_ctxt_switches: /proc/{pid}/task/*/status || true")
    return {thread: int(count) for thread, count in re.findall(r"(?m)task/(\d+)/status:\w+:\s*(\d+)$", counts)}


def test_idle_it_does_nothing_but_feed_the_watchdog(machine, figures):
    machine.run("systemctl", "restart", SERVICE)
    with machine.session(SYSTEM) as client:
        client.call("Classify", CUT)
        pid = machine.main_pid()
        served = switches(machine, pid)

    def sleeps():
        before = switches(machine, pid)
        time.sleep(2)
        return switches(machine, pid) == before

    wait_for(lambda: switches(machine, pid).keys() < served.keys(), "the end of the user's thread")
    # What is put in order then takes a second.
    wait_for(sleeps, "a daemon that sleeps")
    began = time.monotonic()
    before = switches(machine, pid)
    time.sleep(60)
    after = switches(machine, pid)
    seconds = time.monotonic() - began
    assert before.keys() == after.keys() and str(pid) in before
    count = sum(after[thread] - before[thread] for thread in before)
    # Every 10 s, by WatchdogSec=20: the loop wakes and sleeps again.
    figures.append(f"context switches in an idle minute: {count}, of which the watchdog's 6")
    assert count <= seconds / 10 + 1


def test_idle_exit_ends_the_process_and_the_next_call_starts_it(machine, settings):
    call(machine, ("Classify", CUT))
    settings("idleExitSeconds: 1\n")
    call(machine, ("Classify", CUT))
    wait_for(lambda: machine.main_pid() == 0, "the end of the idle process")
    assert machine.run("systemctl", "is-failed", SERVICE, check=False) == "inactive"
    assert call(machine, ("Classify", CUT))[0]["parameters"]["transition"]["kind"] == "cut"
    assert machine.main_pid() != 0


def test_stop_is_clean_and_the_socket_goes_with_its_unit(machine):
    call(machine, ("Classify", CUT))
    machine.run("systemctl", "stop", SERVICE)
    assert machine.property(SERVICE, "Result") == "success"
    assert machine.property(SERVICE, "ExecMainStatus") == "0"
    assert machine.status("test", "-S", SYSTEM) == 0
    machine.run("systemctl", "stop", SOCKET)
    assert machine.status("test", "-e", SYSTEM) == 1


def test_nothing_failed_on_the_way(machine):
    searched = ("_PID=1", "--grep=contextdiff", "--output=cat")
    machine.run("journalctl", "--sync")
    # What there is for certain is found so. Without a match journalctl ends with 1, as it does when it cannot search.
    assert "Listening on contextdiff" in machine.run("journalctl", *searched)
    warnings = machine.run("journalctl", "--priority=warning", *searched, check=False)
    unexpected = [line for line in warnings.splitlines()
                  if not re.search(r"Watchdog timeout|Failed with result|status=\d+/(KILL|SEGV|ABRT|CONFIG|USAGE)|Killing process", line)]
    # With wrong settings, and with a wrong option, it was to start in vain, once each.
    refused = [line for line in unexpected if line.startswith("Failed to start contextdiffd.service")]
    assert unexpected == refused and len(refused) <= 2


def test_what_keeps_it_from_starting_is_an_entry_that_is_explained(machine, drop_in):
    begin = now()
    with pytest.raises(AssertionError, match="systemctl restart"):
        drop_in("LimitNOFILE=8", "Restart=no")
    entry, = entries(machine, f"MESSAGE_ID={message_id(machine, 'notStarted')}", since=begin)
    assert entry["PRIORITY"] == "3" and "Too many open files" in entry["MESSAGE"]


def test_uninstall_leaves_the_system_as_it_was(machine):
    machine.run("systemctl", "start", SOCKET)
    machine.run("systemctl", "--global", "enable", SOCKET)
    machine.uninstall()
    left = machine.files() - machine.before
    # What useradd and sysusers wrote stays: users are never taken away.
    assert {path for path in left if "contextdiff" in path} == set()
    assert machine.status("systemctl", "cat", SOCKET) != 0
