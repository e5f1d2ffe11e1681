"""A keyboard and a pointer at a Wayland compositor, held for as long as it is there: what xdotool is on X11, in its words.

Speaks the wire of virtual-keyboard-unstable-v1 and wlr-virtual-pointer-unstable-v1 itself. A tool that plugs a keyboard in for each
word and out again would have every program enter and leave its seat as often.
"""

import array
import ctypes
import os
import socket
import struct
import tempfile
import time

# evdev's codes of the US layout's keys; on a line from the code at its beginning.
ROWS = {2: ("1234567890-=", "!@#$%^&*()_+"), 16: ("qwertyuiop[]", "QWERTYUIOP{}"), 30: ("asdfghjkl;'`", 'ASDFGHJKL:"~'),
        43: ("\\zxcvbnm,./", "|ZXCVBNM<>?")}
CODES = {"Return": 28, "BackSpace": 14, "Delete": 111, "Left": 105, "Right": 106, "Up": 103, "Down": 108, "Home": 102, "End": 107,
         "F9": 67, "Shift_L": 42, "shift": 42, "ctrl": 29, " ": 57, "space": 57}
SHIFTED = {}
for first, (plain, shifted) in ROWS.items():
    for place, (low, high) in enumerate(zip(plain, shifted)):
        CODES[low] = first + place
        SHIFTED[high] = low
MODIFIERS = {"shift": 1, "Shift_L": 1, "ctrl": 4}
BUTTON = 0x110
WIDTH, HEIGHT = 1024, 768


def keymap():
    """The US layout as XKB's text."""
    xkb = ctypes.CDLL("libxkbcommon.so.0")
    for function in ("xkb_context_new", "xkb_keymap_new_from_names", "xkb_keymap_get_as_string"):
        getattr(xkb, function).restype = ctypes.c_void_p
    names = (ctypes.c_char_p * 5)(b"evdev", b"pc105", b"us", None, None)
    made = xkb.xkb_keymap_new_from_names(ctypes.c_void_p(xkb.xkb_context_new(0)), names, 0)
    return ctypes.string_at(xkb.xkb_keymap_get_as_string(ctypes.c_void_p(made), 1)) + b"\0"


class WaylandHand:
    def __init__(self, path):
        self.link = socket.socket(socket.AF_UNIX)
        self.link.connect(path)
        self.received = b""
        self.last = 1
        self.globals = {}
        self.held = 0
        registry = self.new()
        self.send(1, 1, struct.pack("I", registry))
        self.registry = registry
        self.roundtrip()
        seat = self.bind("wl_seat", 1)
        manager = self.bind("zwp_virtual_keyboard_manager_v1", 1)
        self.keyboard = self.new()
        self.send(manager, 0, struct.pack("II", seat, self.keyboard))
        text = keymap()
        with tempfile.TemporaryFile() as file:
            file.write(text)
            file.flush()
            self.send(self.keyboard, 0, struct.pack("II", 1, len(text)), file.fileno())
        manager = self.bind("zwlr_virtual_pointer_manager_v1", 1)
        self.pointer = self.new()
        self.send(manager, 0, struct.pack("II", seat, self.pointer))
        self.roundtrip()

    def do(self, *words):
        """Does what xdotool does, and returns when the compositor has it."""
        words = list(words)
        while words:
            word = words.pop(0)
            options = self.options(words)
            if word == "key":
                self.chord(words.pop(0).split("+"))
            elif word == "type":
                for character in words.pop(0):
                    self.chord(["shift", SHIFTED[character]] if character in SHIFTED else [character])
            elif word in ("keydown", "keyup"):
                self.press(words.pop(0), word == "keydown")
            elif word == "mousemove":
                # What is scrolled out of sight lies outside of the screen: the pointer goes to the edge, as an X server's does.
                x, y = (min(max(int(words.pop(0)), 0), size - 1) for size in (WIDTH, HEIGHT))
                self.send(self.pointer, 1, struct.pack("IIIII", self.now(), x, y, WIDTH, HEIGHT))
                self.send(self.pointer, 4)
            elif word in ("mousedown", "mouseup"):
                words.pop(0)
                self.button(word == "mousedown")
            elif word == "click":
                words.pop(0)
                for _ in range(options.get("--repeat", 1)):
                    self.button(True)
                    self.button(False)
            else:
                raise ValueError(f"no word for a hand: {word}")
        self.roundtrip()

    def options(self, words):
        """The options at the words' beginning, with their numbers."""
        told = {}
        while words[0].startswith("--"):
            name = words.pop(0)
            if name == "--":
                break
            told[name] = int(words.pop(0))
        return told

    def chord(self, keys):
        for key in keys:
            self.press(key, True)
        for key in reversed(keys):
            self.press(key, False)

    def press(self, key, down):
        self.send(self.keyboard, 1, struct.pack("III", self.now(), CODES[key], int(down)))
        if key in MODIFIERS:
            self.held = self.held | MODIFIERS[key] if down else self.held & ~MODIFIERS[key]
            self.send(self.keyboard, 2, struct.pack("IIII", self.held, 0, 0, 0))

    def button(self, down):
        self.send(self.pointer, 2, struct.pack("III", self.now(), BUTTON, int(down)))
        self.send(self.pointer, 4)

    # ---- The wire: an object, an opcode and the arguments' bytes.

    def new(self):
        self.last += 1
        return self.last

    def now(self):
        return int(time.monotonic() * 1000) & 0xFFFFFFFF

    def send(self, target, opcode, arguments=b"", descriptor=None):
        message = struct.pack("II", target, (8 + len(arguments)) << 16 | opcode) + arguments
        passed = [] if descriptor is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]
        self.link.sendmsg([message], passed)

    def bind(self, interface, version):
        if interface not in self.globals:
            raise RuntimeError(f"the compositor has no {interface}")
        text = interface.encode() + b"\0"
        made = self.new()
        self.send(self.registry, 0, struct.pack("II", self.globals[interface], len(text)) + text + b"\0" * (-len(text) % 4)
                  + struct.pack("II", version, made))
        return made

    def roundtrip(self):
        """Until all that was sent is done with."""
        callback = self.new()
        self.send(1, 0, struct.pack("I", callback))
        while True:
            while len(self.received) < 8 or len(self.received) < struct.unpack("I", self.received[4:8])[0] >> 16:
                piece = self.link.recv(1 << 16)
                if not piece:
                    raise RuntimeError("the compositor is gone")
                self.received += piece
            target, head = struct.unpack("II", self.received[:8])
            body, self.received = self.received[8:head >> 16], self.received[head >> 16:]
            if target == 1 and head & 0xFFFF == 0:
                raise RuntimeError(f"the compositor refuses: {body[12:]!r}")
            if target == self.registry and head & 0xFFFF == 0:
                name, length = struct.unpack("II", body[:8])
                self.globals[body[8:8 + length - 1].decode()] = name
            elif target == callback:
                return
