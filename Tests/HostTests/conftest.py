import os
import pathlib
import shutil
import subprocess

import pytest

from desk import Desk
from method import Fcitx5, IBus
from program import Program

TREE = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = {"Xvfb": "xvfb", "xdotool": "xdotool", "dbus-daemon": "dbus", "fcitx5": "fcitx5", "cmake": "cmake", "c++": "g++",
            "pkg-config": "pkg-config", "ibus-daemon": "ibus"}

# What each program needs of this machine: what the system's Python imports for it, and the plugins of the input methods.
TOOLKITS = {
    "firefox": ("gi", {"fcitx5": "gtk-3.0/*/immodules/im-fcitx5.so", "ibus": "gtk-3.0/*/immodules/im-ibus.so"}),
    "gtk3": ("gi; gi.require_version('Gtk', '3.0'); gi.require_version('GtkSource', '4')",
             {"fcitx5": "gtk-3.0/*/immodules/im-fcitx5.so", "ibus": "gtk-3.0/*/immodules/im-ibus.so"}),
    "gtk4": ("gi; gi.require_version('Gtk', '4.0')",
             {"fcitx5": "gtk-4.0/*/immodules/libim-fcitx5.so", "ibus": "gtk-4.0/*/immodules/libim-ibus.so"}),
    "qt6": ("PyQt6.QtWidgets", {"fcitx5": "qt6/plugins/platforminputcontexts/libfcitx5*.so",
                                "ibus": "qt6/plugins/platforminputcontexts/libibus*.so"}),
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
    library = pathlib.Path(os.environ.get("CONTEXTDIFF_BIN", TREE / ".build/product/release")).resolve()
    if not (library / "libcontextdiff.so").exists():
        pytest.skip("libcontextdiff is not built (make build)")
    subprocess.run(["packaging/fcitx5.sh", library], cwd=TREE, check=True)
    if not (library / "fcitx5/libfcitx5-contextdiff.so").exists():
        pytest.skip("no headers of fcitx5 here (libfcitx5core-dev)")
    engine = tmp_path_factory.mktemp("engine")
    subprocess.run(["packaging/tree-pc.sh", library, engine], cwd=TREE, check=True)
    environment = dict(os.environ, PKG_CONFIG_PATH=str(engine))
    for command in (["cmake", "-S", str(TREE / "Tests/HostTests/fcitx5"), "-B", str(engine)], ["cmake", "--build", str(engine)]):
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return str(engine), str(library / "fcitx5")


def lacks(toolkit, method):
    """What this machine lacks for a toolkit's program with an input method (None: the toolkit's own); None where it has all."""
    imports, plugins = TOOLKITS[toolkit]
    imports = "cffi, " * (method == "ibus") + imports
    if not os.path.exists("/usr/bin/python3") or subprocess.run(["/usr/bin/python3", "-c", "import " + imports], capture_output=True).returncode:
        return f"no Python here that imports {imports.split(';')[0]}"
    if method and not any(pathlib.Path("/usr/lib").glob("*/" + plugins[method])):
        return f"no plugin of {method} for {toolkit} here"
    if toolkit == "firefox" and not shutil.which("firefox-esr"):
        return "no firefox-esr here"
    return None


@pytest.fixture(params=sorted(TOOLKITS))
def toolkit(request):
    """Each toolkit."""
    return request.param


@pytest.fixture
def desk():
    with Desk() as desk:
        desk.start_display()
        yield desk


@pytest.fixture(params=["fcitx5"])
def method(request):
    """The input method's name; for tests of both, `both_methods`."""
    return request.param


both_methods = pytest.mark.parametrize("method", ["fcitx5", "ibus"], indirect=True)


@pytest.fixture
def host(desk, built, toolkit, method):
    """Begins an input method, and a program that holds a text."""
    if reason := lacks(toolkit, method):
        pytest.skip(reason)

    def begin(text, **settings):
        engine, addon = built
        begun = Fcitx5(desk, engine, addon, settings) if method == "fcitx5" else IBus(desk, os.path.dirname(addon))
        return begun, Program(desk, toolkit, text, begun)

    return begin
