"""Who shares the processors with whom while an attack lasts: as under systemd, where services and users are parted first.

The kernel shares the processors between control groups before it does between what is in them. On a machine with systemd all that
people start is below user.slice, a group for each of them, and all services are below system.slice, which has as much of the
processors as user.slice. The same groups are made here where that is permitted; else sessions part the processes (autogroups,
sched(7)), and a daemon has no more than each of the attackers.
"""

import contextlib
import os
from pathlib import Path

# The folder of the groups; None where there are none.
_folder = None


@contextlib.contextmanager
def made():
    """Makes the groups for as long as this lasts; gives whether there are any."""
    global _folder
    folder = next((place / f"contextdiff-attack-{os.getpid()}" for place in _hierarchies()), None)
    try:
        for part in ("", "system.slice", "user.slice") if folder else ():
            _make(folder / part)
        _folder = folder
    except OSError:
        _folder = None
    try:
        yield _folder is not None
    finally:
        _folder = None
        for path, _, _ in os.walk(folder, topdown=False) if folder else ():
            # One that is not empty yet is left: nothing is shared with it any more.
            with contextlib.suppress(OSError):
                os.rmdir(path)


def enter(part, name):
    """Puts this process into a group of `part`, "system.slice" or "user.slice"; does nothing where there are none."""
    if _folder is None:
        return
    group = _folder / part / name
    _make(group, has_parts=False)
    (group / "cgroup.procs").write_text("0")


def _hierarchies():
    """Where groups that share processors can be made: the top of version 2 with that controller, or of version 1's."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, place, kind, options = line.split()[:4]
        place = Path(place)
        if kind == "cgroup" and "cpu" in options.split(","):
            yield place
        elif kind == "cgroup2" and "cpu" in (place / "cgroup.subtree_control").read_text().split():
            yield place


def _make(group, has_parts=True):
    group.mkdir(exist_ok=True)
    control = group / "cgroup.subtree_control"
    if has_parts and control.exists():
        control.write_text("+cpu")
