"""damage.py PID: spoils the kept events of a running contextdiffd, as faulty memory would."""

import os
import sys

folder = f"/proc/{sys.argv[1]}/fd"
spoiled = 0
for name in os.listdir(folder):
    if "contextdiff-events" in os.readlink(f"{folder}/{name}"):
        with open(f"{folder}/{name}", "r+b", buffering=0) as file:
            for place in range(4096, 4096 + 64):
                file.seek(place)
                byte = file.read(1)[0]
                file.seek(place)
                file.write(bytes([byte ^ 0xFF]))
        spoiled += 1
assert spoiled, "no kept events found"
