import os
import pathlib
import shutil
import subprocess

import pytest

from desk import Desk
from method import Fcitx5
from program import Program

TREE = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = {"Xvfb": "xvfb", "xdotool": "xdotool", "dbus-daemon": "dbus", "fcitx5": "fcitx5", "cmake": "cmake", "c++": "g++",
            "pkg-config": "pkg-config", "ibus-daemon": "ibus"}

# What each program needs of this machine: a Python of the system's that can import these, and these files' owners.
TOOLKITS = {
    "gtk3": ("import gi; gi.require_version('Gtk', '3.0'); gi.require_version('GtkSource', '4')", "gtk-3.0/*/immodules/im-fcitx5.so"),
    "gtk4": ("import gi; gi.require_version('Gtk', '4.0')", "gtk-4.0/*/immodules/libim-fcitx5.so"),
    "qt6": ("import PyQt6.QtWidgets", "qt6/plugins/platforminputcontexts/libfcitx5*.so"),
    "firefox": ("pass", "gtk-3.0/*/immodules/im-fcitx5.so"),
}


@pytest.fixture(scope="session")
def figures(request):
    """Where tests leave what they counted; printed at the end."""
    request.config.figures = []
    return request.config.figures


def pytest_terminal_summary(terminalreporter, config):
    for line in getattr(config, "figures", []):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The folders of the tests' engine for fcitx5, and of the addon."""
    for command, package in COMMANDS.items():
        if not shutil.which(command):
            pytest.skip(f"no {command} here ({package})")
    library = pathlib.Path(os.environ.get("CONTEXTDIFF_BIN", TREE / ".build/product/release"))
    if not (library / "libcontextdiff.so").exists():
        pytest.skip("libcontextdiff is not built (make build)")
    subprocess.run(["packaging/fcitx5.sh", library], cwd=TREE, check=True)
    if not (library / "fcitx5/libfcitx5-contextdiff.so").exists():
        pytest.skip("no headers of fcitx5 here (libfcitx5core-dev)")
    engine = tmp_path_factory.mktemp("engine")
    environment = dict(os.environ, PKG_CONFIG_PATH=str(library / "fcitx5"))
    for command in (["cmake", "-S", str(TREE / "Tests/HostTests/fcitx5"), "-B", str(engine)], ["cmake", "--build", str(engine)]):
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return str(engine), str(library / "fcitx5")


@pytest.fixture(params=sorted(TOOLKITS), ids=str)
def toolkit(request):
    """Each toolkit that this machine has."""
    importing, module = TOOLKITS[request.param]
    python = subprocess.run(["/usr/bin/python3", "-c", importing], capture_output=True) if os.path.exists("/usr/bin/python3") else None
    if python is None or python.returncode or not any(pathlib.Path("/usr/lib").glob("*/" + module)):
        pytest.skip(f"no {request.param} for fcitx5 here")
    if request.param == "firefox" and not shutil.which("firefox-esr"):
        pytest.skip("no firefox-esr here")
    return request.param


@pytest.fixture
def desk():
    with Desk() as desk:
        desk.start_display()
        yield desk


@pytest.fixture
def host(desk, built, toolkit):
    """Begins fcitx5 with the addon, and a program that holds a text."""

    def begin(text, **settings):
        method = Fcitx5(desk, *built, settings=settings)
        return method, Program(desk, toolkit, text, method)

    return begin
