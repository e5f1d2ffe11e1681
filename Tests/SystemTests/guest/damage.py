"""damage.py PID: spoils the kept events of a running contextdiffd, as faulty memory would."""

import mmap
import os
import sys

HEADER = 4096
folder = f"/proc/{sys.argv[1]}/fd"
spoiled = 0
for name in os.listdir(folder):
    if "contextdiff-events" in os.readlink(f"{folder}/{name}"):
        with open(f"{folder}/{name}", "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
            # Everywhere: only a part of it holds events, and only that part is to be noticed.
            for place in range(HEADER, len(memory), 64):
                memory[place] ^= 0xFF
        spoiled += 1
assert spoiled, "no kept events found"
