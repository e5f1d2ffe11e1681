"""systemd's own Varlink client, against contextdiffd under systemd 257."""

import json
import subprocess

import pytest

SOCKET = "/run/contextdiff/io.contextdiff"
INSERTION = json.dumps({"session": "ctl", "old": {"before": "今日"}, "new": {"before": "今日は"}})


@pytest.fixture(scope="module")
def machine(trixie):
    trixie.install()
    trixie.run("systemctl", "enable", "--now", "contextdiffd.socket")
    return trixie


def test_this_is_a_systemd_with_sd_varlink(machine):
    assert int(machine.run("systemctl", "--version").split()[1]) >= 257


def test_info(machine):
    told = machine.run("varlinkctl", "info", SOCKET)
    assert "contextdiffd" in told and "io.contextdiff" in told and "org.varlink.service" in told


def test_introspect_shows_the_interface_and_finds_it_valid(machine):
    told = machine.run("varlinkctl", "introspect", SOCKET, "io.contextdiff")
    assert "method Classify(" in told and "error SnapshotTooLarge" in told
    machine.run("varlinkctl", "validate-idl", "/usr/local/share/contextdiff/io.contextdiff.varlink")


def test_call(machine):
    reply = json.loads(machine.run("varlinkctl", "call", "--json=short", SOCKET, "io.contextdiff.Post", INSERTION))
    assert reply["transition"]["kind"] == "insertion"
    assert reply["sequence"] >= 1


def test_an_error_is_told_by_its_name(machine):
    told = machine.run("sh", "-c", f"varlinkctl call {SOCKET} io.contextdiff.Forget '{{\"session\": \"none\"}}' 2>&1",
                       check=False)
    assert "io.contextdiff.NoSuchSession" in told


def call(machine, method, **parameters):
    return json.loads(machine.run(
        "varlinkctl", "call", "--json=short", SOCKET, f"io.contextdiff.{method}", json.dumps(parameters)))


def refusal(machine, method, **parameters):
    return machine.run(
        "sh", "-c", f"varlinkctl call {SOCKET} io.contextdiff.{method} '{json.dumps(parameters)}' 2>&1", check=False)


def test_evidence_and_announced_edits(machine):
    call(machine, "Post", session="announcing", new={"before": "今日"}, window="line")
    assert call(machine, "Expect", session="announcing", edit={"insert": "は"}) == {"expected": 1}
    assert call(machine, "Expect", session="announcing", edit={"deleteBackward": 1, "unit": "backspace"}) == {
        "expected": 2}
    listed = call(machine, "ListSessions")["details"][0]
    assert (listed["name"], listed["window"], listed["expecting"]) == ("announcing", "line", 2)
    call(machine, "Withdraw", session="announcing", expected=2)
    assert "io.contextdiff.NoSuchExpectation" in refusal(machine, "Withdraw", session="announcing", expected=2)
    shown = call(machine, "Post", session="announcing", new={"before": "今日は", "caret": 3}, key="character")
    assert shown["transition"]["expected"] == [1]


def test_a_typo_is_told(machine):
    told = refusal(machine, "Classify", old={}, new={"befor": "a"})
    assert "org.varlink.service.InvalidParameter" in told or "Invalid argument" in told


def test_call_with_more_streams(machine):
    command = machine.command("varlinkctl", "call", "--more", "--json=short", SOCKET, "io.contextdiff.Subscribe",
                              '{"sessions": ["ctl"]}')
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as stream:
        try:
            ready = _next_object(stream.stdout)
            assert ready["ready"] is True
            posted = json.loads(
                machine.run("varlinkctl", "call", "--json=short", SOCKET, "io.contextdiff.Post", INSERTION))
            event = _next_object(stream.stdout)["event"]
            assert event["sequence"] == posted["sequence"]
            assert event["transition"]["kind"] == "insertion"
        finally:
            stream.terminate()


def _next_object(stream):
    """The next JSON object of a stream that separates them by RS (RFC 7464) or by lines."""
    line = stream.readline()
    while not line.strip(" \n\x1e"):
        assert line, "the stream ended"
        line = stream.readline()
    return json.loads(line.strip(" \n\x1e"))


def test_units_are_clean_for_this_systemd(machine):
    verified = subprocess.run(
        machine.command("systemd-analyze", "verify", "--man=no", "contextdiffd.socket", "contextdiffd.service"),
        capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")


def test_a_reload_is_told_to_this_manager(machine):
    machine.run("systemctl", "reload", "contextdiffd.service")
    assert machine.run("systemctl", "is-active", "contextdiffd.service") == "active"
