"""The demo shows what it says and leaves nothing behind."""

import os
import subprocess

from conftest import PATIENCE, PROGRAMS, ROOT, environment
from running import SESSION, lines


class TestDemo:
    def test_shows_each_pair_and_leaves_nothing(self, folder):
        result = subprocess.run(
            [ROOT / "demo" / "run"], env=environment(
                CONTEXTDIFF_BIN=str(PROGRAMS), TMPDIR=str(folder), HOME=str(folder), XDG_STATE_HOME=""),
            capture_output=True, text=True, timeout=PATIENCE)
        assert result.returncode == 0, result.stdout + result.stderr
        for case in lines(SESSION.read_text()):
            assert case["name"] in result.stdout
        assert "Posted 26 pairs; the subscriber heard of 26." in result.stdout
        assert list(folder.iterdir()) == []
        # Whatever it had started would still carry the folder in its command line.
        ours = [p for p in os.listdir("/proc") if p.isdigit() and str(folder).encode() in command_line(p)]
        assert ours == []

    def test_says_when_the_daemon_does_not_start(self, folder):
        (folder / "contextdiffd").symlink_to("/bin/false")
        (folder / "contextdiffctl").symlink_to("/bin/false")
        result = subprocess.run(
            [ROOT / "demo" / "run"], env=environment(CONTEXTDIFF_BIN=str(folder)), capture_output=True, text=True,
            timeout=PATIENCE)
        assert result.returncode == 1
        assert "contextdiffd did not start" in result.stderr


def command_line(process):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return file.read()
    except OSError:
        return b""
