"""A desk on Wayland: sway without a screen, and fcitx5's front end for it between keyboard and programs."""

import glob
import os
import pwd
import time

from desk import PATIENCE, Desk, Silence
from wayland_hand import HEIGHT, WIDTH, WaylandHand

SWAY = f"""output * resolution {WIDTH}x{HEIGHT}
default_border none
focus_follows_mouse no
xwayland disable
"""


class WaylandDesk(Desk):
    front_ends = ("wayland", "waylandim")
    # GTK's own client of text-input-v3: fcitx5 is asked by way of the compositor.
    input_method = {"GTK_IM_MODULE": "wayland"}
    swallows_releases = True

    def start_display(self):
        folder = os.path.join(self.folder, "sway")
        os.mkdir(folder, 0o700)
        settings = os.path.join(self.folder, "sway.conf")
        with open(settings, "w") as file:
            file.write(SWAY)
        # Sway refuses to be root.
        other = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            os.chmod(self.folder, 0o711)
            other = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        sway = self.run("sway", "--config", settings, environment={
            "XDG_RUNTIME_DIR": folder, "HOME": folder, "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1",
            "WLR_RENDERER": "pixman"}, **other)
        deadline = time.monotonic() + PATIENCE
        while True:
            for path in glob.glob(os.path.join(folder, "wayland-*[0-9]")):
                try:
                    self._hand = WaylandHand(path)
                    self.environment.update(
                        WAYLAND_DISPLAY=path, GDK_BACKEND="wayland", MOZ_ENABLE_WAYLAND="1", XDG_SESSION_TYPE="wayland")
                    return
                except ConnectionRefusedError:
                    pass
            if sway.poll() is not None or time.monotonic() > deadline:
                raise Silence("sway did not start")
            time.sleep(0.02)

    def hand(self, *acts):
        self._hand.do(*acts)

    def clear(self):
        if hasattr(self, "_hand"):
            self._hand.link.close()
        super().clear()
