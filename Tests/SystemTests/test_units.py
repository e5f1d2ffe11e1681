"""The units as they are installed, judged by systemd's own tools; needs no container and no root."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")


@pytest.fixture
def units(tmp_path):
    """A folder for each manager, with the units in it and a program where they say that it is."""
    program = tmp_path / "bin/contextdiffd"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for manager in ("system", "user"):
        folder = tmp_path / manager
        folder.mkdir()
        shutil.copy(SOURCE / f"systemd/{manager}/contextdiffd.socket", folder)
        template = (SOURCE / f"systemd/{manager}/contextdiffd.service.in").read_text()
        (folder / "contextdiffd.service").write_text(template.replace("@bindir@", str(program.parent)))
    return tmp_path


@pytest.mark.parametrize("manager", ["system", "user"])
@pytest.mark.parametrize("unit", ["contextdiffd.socket", "contextdiffd.service"])
def test_verify_is_silent(units, manager, unit):
    verified = subprocess.run(
        ["systemd-analyze", f"--{manager}", "verify", "--man=no", units / manager / unit],
        capture_output=True, text=True, env={**os.environ, "XDG_RUNTIME_DIR": str(units)}, check=False)
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")


def test_exposure_is_at_most_1_2(units, figures):
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", units / "system/contextdiffd.service"],
        capture_output=True, text=True, check=True)
    exposure = float(re.search(r"Overall exposure level .*: ([\d.]+)", judged.stdout)[1])
    figures.append(f"exposure of the system's service: {exposure} (at most 1.2)")
    assert exposure <= 1.2
