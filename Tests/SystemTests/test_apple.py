"""What uses the standard library alone needs no newer system of Apple's than Package.swift says.

There is no such system here. But the toolchain's standard library comes with its interface, which says since when each part
is there: read for an Apple target, it lets the compiler check each use. What Objective-C adds is not in it.
"""

import json
import pathlib
import platform
import re
import subprocess

import pytest

from machine import SOURCE


@pytest.fixture(scope="module")
def type_check(tmp_path_factory):
    """Has the compiler check files for the oldest iOS of Package.swift; returns what it says of them."""
    oldest = re.search(r"\.iOS\(\.v(\d+)\)", (SOURCE / "Package.swift").read_text())[1]
    architecture = {"aarch64": "arm64"}.get(platform.machine(), platform.machine())
    target = f"{architecture}-apple-ios{oldest}.0-simulator"
    said = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True)
    toolchain = json.loads(said.stdout)
    library = pathlib.Path(toolchain["paths"]["runtimeResourcePath"])
    interface = library / f"linux/Swift.swiftmodule/{toolchain['target']['moduleTriple']}.swiftinterface"

    folder = tmp_path_factory.mktemp("apple")
    module = folder / "resources/iphonesimulator/Swift.swiftmodule"
    module.mkdir(parents=True)
    for name in ["shims", "clang"]:
        (folder / "resources" / name).symlink_to((library / name).resolve())
    text = re.sub(r"(?m)^(// swift-module-flags:.*-target )\S+", rf"\g<1>{target}", interface.read_text())
    # The compiler asks for a body behind it, which interfaces leave out.
    text = re.sub(r"(?m)^ *@backDeployed\(.*\)\n", "", text)
    (module / f"{architecture}-apple-ios-simulator.swiftinterface").write_text(text)

    def check(name, *files):
        checked = subprocess.run(
            ["swiftc", "-frontend", "-typecheck", "-target", target, "-disable-objc-interop", "-swift-version", "6",
             "-resource-dir", folder / "resources", "-module-cache-path", folder / "cache", "-module-name", name,
             "-package-name", "contextdiff", "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
             "MemberImportVisibility", "-enable-upcoming-feature", "InternalImportsByDefault",
             "-disable-implicit-concurrency-module-import", "-disable-implicit-string-processing-module-import", *files],
            capture_output=True, text=True, check=False)
        return re.findall(r"(?m)^\S+: error: (.*)$", checked.stderr), checked.returncode

    return check


@pytest.mark.parametrize("name", ["ContextDiff", "JSON"])
def test_the_oldest_system_has_what_is_used(type_check, name):
    sources = [file for file in (SOURCE / "Sources" / name).rglob("*.swift") if ".docc" not in str(file)]
    assert sources
    assert type_check(name, *sources) == ([], 0)


def test_what_the_oldest_system_lacks_is_found(type_check, tmp_path):
    (tmp_path / "newer.swift").write_text("let numbers: InlineArray<1, Int> = [1]\n")
    errors, _ = type_check("Newer", tmp_path / "newer.swift")
    assert any("'InlineArray' is only available in iOS 26.0 or newer" in error for error in errors)
