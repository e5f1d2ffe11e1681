import contextlib
import pathlib
import re

import pytest

import machine


@pytest.fixture(scope="session")
def figures(request):
    """Where tests leave what they measured; printed at the end."""
    request.config.figures = []
    return request.config.figures


def pytest_terminal_summary(terminalreporter, config):
    figures = getattr(config, "figures", [])
    for line in figures:
        terminalreporter.write_line(line)
    with contextlib.suppress(OSError):
        pressure = re.search(r"some .*avg60=([\d.]+)", pathlib.Path("/proc/pressure/cpu").read_text())
        if figures and float(pressure[1]) > 20:
            terminalreporter.write_line(
                f"(times are a busy machine's: something waited for a processor {pressure[1]} % of the last minute)")


def boot(suite):
    """A booted machine for a module's tests; skips them where this machine can't do it."""
    reason = machine.missing()
    if reason:
        pytest.skip(reason)
    try:
        with machine.booted(suite) as booted:
            yield booted
    except machine.Unavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def bookworm():
    """Debian 12 (systemd 252)."""
    yield from boot("bookworm")


@pytest.fixture(scope="module")
def trixie():
    """Debian 13 (systemd 257)."""
    yield from boot("trixie")
