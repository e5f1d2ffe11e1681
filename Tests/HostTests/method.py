"""The input methods on the desk: each with an engine that does what it is told and tells all that it sees."""

import os
import shutil
import socket
import subprocess

from desk import HERE, Feed


class Method:
    """Presses of F9 carry out the next order; see ibus_engine.py."""

    def __init__(self, desk):
        self.desk = desk
        self.path = os.path.join(desk.folder, "engine")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        self.start()
        self.link, _ = self.listener.accept()
        self.feed = Feed(self.link.makefile("rb"), self.name)
        self.feed.wait(lambda all: any(x["e"] == "ready" for x in all), "engine")
        self.orders = 0

    def count(self, event):
        return sum(x["e"] == event for x in self.feed.all)

    def order(self, *words):
        """Says what the next press of F9 is to do that none does yet."""
        self.orders += 1
        self.link.sendall("\t".join(map(str, words)).encode() + b"\n")
        wanted = self.orders
        self.feed.wait(lambda all: sum(x["e"] == "order" for x in all) >= wanted, "order")

    def releases(self):
        return sum(x["e"] == "key" and x["release"] for x in self.feed.all)

    def news(self):
        """What it was told of the text so far, each with cursor and anchor as they came."""
        return [x for x in self.feed.all if x["e"] == "news"]


class IBus(Method):
    """`library` is the folder where libcontextdiff was built."""

    name = "ibus"
    environment = {"GTK_IM_MODULE": "ibus", "QT_IM_MODULE": "ibus", "XMODIFIERS": "@im=ibus"}

    def __init__(self, desk, library, preedit="clear"):
        self.library, self.preedit = library, preedit
        super().__init__(desk)

    def start(self):
        self.start_daemon()
        self.engine = self.desk.run(
            "/usr/bin/python3", os.path.join(HERE, "ibus_engine.py"),
            environment={"CONTEXTDIFF_HOST_SOCKET": self.path, "CONTEXTDIFF_HOST_PREEDIT": self.preedit, **self.package()})

    def package(self):
        """Where the package contextdiff is, and its library."""
        return {"PYTHONPATH": os.path.join(HERE, "../../Integrations/python/src"),
                "CONTEXTDIFF_LIBRARY": os.path.join(self.library, "libcontextdiff.so.1")}

    def start_daemon(self):
        # What the desktop's dialogs and settings would add tells nothing here.
        self.daemon = self.desk.run(
            "ibus-daemon", "--panel=disable", "--emoji-extension=disable", "--config=disable", "--cache=none",
            "--address", "unix:path=" + os.path.join(self.desk.folder, "ibus"), stdout=subprocess.DEVNULL)
        # It writes its address below the configuration, and answers there.
        waiter = self.desk.run("/usr/bin/python3", "-c", WAIT_FOR_IBUS)
        if waiter.wait() != 0:
            raise RuntimeError("ibus-daemon did not start")


WAIT_FOR_IBUS = """
import gi
gi.require_version("IBus", "1.0")
from gi.repository import GLib, IBus
IBus.init()
bus = IBus.Bus.new_async()
loop = GLib.MainLoop()
bus.connect("connected", lambda _: loop.quit())
if not bus.is_connected():
    loop.run()
"""


class Fcitx5(Method):
    """`engine` is the folder where the tests' engine was built, `addon` that of fcitx5-contextdiff, where it is to be there, with its
    `settings`."""

    name = "fcitx5"

    def __init__(self, desk, engine, addon=None, settings=None):
        self.environment = desk.input_method
        self.engine, self.addon, self.settings = engine, addon, settings or {}
        super().__init__(desk)

    def start(self):
        data = os.path.join(self.desk.environment["XDG_DATA_HOME"], "fcitx5")
        settings = os.path.join(self.desk.environment["XDG_CONFIG_HOME"], "fcitx5")
        for folder in ("addon", "inputmethod"):
            shutil.copytree(os.path.join(HERE, "fcitx5", folder), os.path.join(data, folder))
        os.makedirs(os.path.join(settings, "conf"), exist_ok=True)
        write(os.path.join(settings, "profile"), PROFILE)
        write(os.path.join(settings, "config"), "[Behavior]\nActiveByDefault=True\nShareInputState=No\n")
        # The clipboard's text comes by way of the X server or the compositor.
        names = [*self.desk.front_ends, "keyboard", "clipboard", "contextdiffhost"]
        folders = [self.engine]
        if self.addon:
            shutil.copy(os.path.join(self.addon, "contextdiff.conf"), os.path.join(data, "addon"))
            self.write_settings()
            names.append("contextdiff")
            folders.append(self.addon)
        own = subprocess.run(["pkg-config", "--variable=libdir", "Fcitx5Core"], capture_output=True, text=True)
        folders.append(os.path.join(own.stdout.strip() or "/usr/lib", "fcitx5"))
        self.daemon = self.desk.run(
            "fcitx5", "-D", "--keep", "--disable", "all", "--enable", ",".join(names),
            environment={"CONTEXTDIFF_HOST_SOCKET": self.path, "FCITX_ADDON_DIRS": ":".join(folders),
                         # Beside the addon's folder, where it was built.
                         "LD_LIBRARY_PATH": os.path.dirname(self.addon or "")})

    def write_settings(self):
        path = os.path.join(self.desk.environment["XDG_CONFIG_HOME"], "fcitx5", "conf", "contextdiff.conf")
        write(path, "".join(f"{k}={v}\n" for k, v in self.settings.items()))

    def set(self, **settings):
        """Has the addon go on with other settings."""
        self.settings.update(settings)
        self.write_settings()
        subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.fcitx.Fcitx5", "/controller",
             "org.fcitx.Fcitx.Controller1.ReloadAddonConfig", "string:contextdiff"],
            env=self.desk.environment, stdout=subprocess.DEVNULL, check=True)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


PROFILE = """[Groups/0]
Name=Default
Default Layout=us
DefaultIM=contextdiff-host

[Groups/0/Items/0]
Name=contextdiff-host
Layout=

[GroupOrder]
0=Default
"""
