"""fcitx5-contextdiff over Debian 13's fcitx5, 5.1: it is built, linked and loaded. What it does, Tests/HostTests see over 5.0."""

import os
import subprocess

import pytest

import machine

BUILD = """set -e
mkdir -p /tmp/tree/bin
cd /tmp/tree
cp -r /src/Integrations /src/packaging /src/Sources .
cp -P /build/libcontextdiff.so* bin
packaging/fcitx5.sh bin
"""

LOAD = """set -e
cd /tmp/tree
export HOME=/tmp XDG_RUNTIME_DIR=/tmp XDG_DATA_HOME=/tmp/data LD_LIBRARY_PATH=/tmp/tree/bin
export FCITX_ADDON_DIRS=/tmp/tree/bin/fcitx5:$(pkg-config --variable=libdir Fcitx5Core)/fcitx5
mkdir -p /tmp/data/fcitx5/addon
cp bin/fcitx5/contextdiff.conf /tmp/data/fcitx5/addon
ldd -r bin/fcitx5/libfcitx5-contextdiff.so | grep -E 'undefined|not found' && exit 1
fcitx5 --disable all --enable keyboard,clipboard,contextdiff 2>/tmp/log &
until grep -q 'Loaded addon contextdiff' /tmp/log; do
  kill -0 $! || { cat /tmp/log; exit 1; }
  sleep 0.05
done
kill $!
"""


@pytest.mark.skipif(not (machine.BIN / "libcontextdiff.so").exists(), reason=f"needs libcontextdiff.so in {machine.BIN}")
def test_the_addon_is_built_linked_and_loaded_on_debian_13(trixie):
    trixie.run("sh", "-c", BUILD)
    assert trixie.run("pkg-config", "--modversion", "Fcitx5Core").startswith("5.1.")
    trixie.run("bash", "-c", LOAD)


@pytest.mark.parametrize("flags, compiler, fortified", [
    ("-O2 -g", "", True), ("-O2 -Wp,-D_FORTIFY_SOURCE=3", "", False), ("-O2", "#define _FORTIFY_SOURCE 2", False)])
def test_a_packagers_flags_are_kept(tmp_path, flags, compiler, fortified):
    programs, folder = tmp_path / "programs", tmp_path / "folder"
    for path in (programs, folder / "fcitx5/build"):
        path.mkdir(parents=True)
    # Of another tree.
    (folder / "fcitx5/build/CMakeCache.txt").write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n")
    for name, script in {
        "pkg-config": "",
        "c++": f"echo '{compiler}'",
        "cmake": f"printf '%s\\n' \"$@\" >>{tmp_path}/said; touch {folder}/fcitx5/build/contextdiff.conf",
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if name not in ("CPPFLAGS", "CXX")}
    subprocess.run(
        [machine.SOURCE / "packaging/fcitx5.sh", folder], cwd=machine.SOURCE, check=True, capture_output=True,
        env=environment | {"PATH": f"{programs}:{environment['PATH']}", "CXXFLAGS": flags, "LDFLAGS": "-Wl,--as-needed"})
    said = (tmp_path / "said").read_text()
    assert flags in said and "=-Wl,--as-needed" in said
    assert ("-D_FORTIFY_SOURCE=2" in said) == fortified
    assert not (folder / "fcitx5/build/CMakeCache.txt").exists()
