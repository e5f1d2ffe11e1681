"""What one permitted user does harms no other: each attack of Benchmarks/attack, shortly, and a soak.

Nothing is timed here: `make attack` has the figures. What must hold at any speed is that the other user is answered while the attack
goes on, that nothing of its is lost, that memory stays within the budget, and that the daemon ends when it is asked to."""

import os
import subprocess
import sys
import tempfile
import time

import pytest

from conftest import PROGRAMS, ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))
from attacks import attacks, peers  # noqa: E402

# Accounts hold 512 MiB where there is no MemoryMax=, which is three quarters.
BUDGET = (512 << 20) * 4 // 3
# How long the soak lasts, in seconds; `make soak` goes on for twenty minutes.
SOAK = float(os.environ.get("CONTEXTDIFF_SOAK_SECONDS", 60))

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not peers.can_be_others(), reason="only root can be several users")
@pytest.mark.parametrize("attack", attacks.ALL, ids=lambda attack: attack.name)
def test_another_user_is_answered_meanwhile(attack):
    with tempfile.TemporaryDirectory(prefix="contextdiff-attack-") as folder:
        os.chmod(folder, 0o755)
        with peers.Daemon(PROGRAMS / "contextdiffd", folder) as daemon:
            children = [peers.attacker(peers.ATTACKER + user, attack.act, daemon.path)
                        for user in range(min(attack.users, 8))]
            try:
                for child in children:
                    child.wait_for_news(peers.Victim.PATIENCE)
                    child.tell()
                victim = peers.Victim(daemon.path)
                time.sleep(0.5)  # How long it goes on; nothing is waited for.
                seen = victim.result()
                memory = daemon.memory()
            finally:
                for child in children:
                    child.kill()
            assert daemon.is_alive()
            assert seen["lost"] == 0, seen["why"]
            assert seen["samples"]
            assert memory < BUDGET
            assert peers.takes_calls(daemon.path)
        assert daemon.stopped is not None, "it did not end when it was asked to"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be several users, and look into a process that allows no core")
def test_a_soak_finds_nothing_lost():
    outcome = subprocess.run(
        [sys.executable, ROOT / "Benchmarks/soak", "--seconds", str(SOAK)],
        env={**os.environ, "CONTEXTDIFF_BIN": str(PROGRAMS)}, capture_output=True, text=True, timeout=SOAK * 5 + 120)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
