"""The Debian packages: made, judged by lintian, installed, upgraded and purged in a clean Debian 12."""

import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

import pytest

from machine import BIN, SOURCE, missing

SYSTEM = "/run/contextdiff/io.contextdiff"
SERVICE = "contextdiffd.service"

pytestmark = [
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
    pytest.mark.skipif(not all(map(shutil.which, ("dh", "dh_python3"))), reason="needs debhelper and dh-python to make a package"),
]


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The packages as `make deb` makes them, the daemon's first, and that one as a later version."""
    folder = tmp_path_factory.mktemp("packages")
    made = subprocess.run(
        [SOURCE / "packaging/deb.sh", folder], cwd=SOURCE, capture_output=True, text=True, check=True,
        env={**os.environ, "BIN": str(BIN)}).stdout.split()
    later = folder / "later"
    subprocess.run(["dpkg-deb", "--raw-extract", made[0], later], check=True)
    control = later / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: (.*)$", r"Version: \1+later", control.read_text()))
    subprocess.run(["dpkg-deb", "-Znone", "--build", later, folder / "later.deb"], check=True, capture_output=True)
    return [*made, folder / "later.deb"]


@pytest.fixture(scope="module")
def source_package(tmp_path_factory):
    """The source package as `make deb-source` makes it, and where it is unpacked."""
    folder = tmp_path_factory.mktemp("source")
    described = subprocess.run(
        [SOURCE / "packaging/source.sh", folder], cwd=SOURCE, capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run(["dpkg-source", "--no-check", "--extract", described, folder / "tree"], capture_output=True, check=True)
    return described, folder / "tree"


@pytest.fixture(scope="module")
def machine(bookworm, packages):
    bookworm.before = bookworm.files()
    for name, path in (("old", packages[0]), ("new", packages[-1])):
        with open(path, "rb") as package:
            subprocess.run(bookworm.command("install", "/dev/stdin", f"/root/{name}.deb"), stdin=package, check=True)
    return bookworm


@pytest.mark.skipif(shutil.which("lintian") is None, reason="needs lintian")
def test_lintian_finds_nothing(packages, source_package):
    judged = subprocess.run(
        ["lintian", "--allow-root", "--fail-on", "error,warning", *packages[:-1], source_package[0]], capture_output=True, text=True,
        check=False)
    assert judged.returncode == 0, judged.stdout


def test_a_source_package_has_all_that_it_is_built_of_and_nothing_that_is_built(source_package):
    _, tree = source_package
    for path in tree.rglob("*"):
        if path.is_file():
            with open(path, "rb") as file:
                assert file.read(4) != b"\x7fELF", path
    subprocess.run(["make", "--file=debian/rules", ".build/product"], cwd=tree, check=True, capture_output=True)
    # All packages that the tree names, down to the last one's own: SwiftPM reads each, and could fetch none; and it tries to fetch
    # none, the first time or later. It writes in no home.
    for _ in range(2):
        said = subprocess.run(
            ["unshare", "--net", "scripts/swift", "package", "--scratch-path", ".build/product", "show-dependencies", "--format", "flatlist"],
            cwd=tree, env={name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"} | {"HOME": f"{os.devnull}/home"},
            capture_output=True, text=True, check=True)
        found = said.stdout.split()
        assert len(found) > 5 and set(found) == {path.name for path in (tree / "vendor/checkouts").iterdir()}
        assert "Fetching" not in said.stderr
        assert (tree / "Package.resolved").exists()


def test_no_source_package_is_made_of_a_tree_that_lacks_a_file(tmp_path):
    tree = tmp_path / "a tree"
    for file in ("packaging/source.sh", "packaging/debian/control", "scripts/swift"):
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / file, tree / file)
    # Nothing is fetched.
    (tree / "scripts/swift").write_text("#!/bin/sh\n")

    def make():
        return subprocess.run(["packaging/source.sh", tmp_path / "made"], cwd=tree, capture_output=True, text=True, check=False)

    said = make()
    assert said.returncode != 0 and "not a git repository" in said.stderr and said.stdout == ""
    # Of which the tree is no part.
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    said = make()
    assert said.returncode != 0 and "not a git repository" in said.stderr and said.stdout == ""
    subprocess.run(["git", "init", "--quiet"], cwd=tree, check=True)
    (tree / "lost").touch()
    subprocess.run(["git", "add", "."], cwd=tree, check=True)
    (tree / "lost").unlink()
    said = make()
    assert said.returncode != 0 and "lost" in said.stderr and said.stdout == ""


def test_a_source_package_is_built_and_a_built_tree_is_not_built_again(source_package, tmp_path):
    def rules(*arguments):
        return subprocess.run(
            ["make", "--dry-run", "--file=debian/rules", "override_dh_auto_build", *arguments], cwd=source_package[1],
            capture_output=True, text=True, check=True).stdout

    # As root too it installs nothing.
    assert "make build DEPENDENCIES=no\n" in rules()
    assert "make build" not in rules(f"CONTEXTDIFF_SOURCE={SOURCE}", f"BIN={tmp_path}")


def test_the_library_is_a_package_of_its_own_and_what_it_is_compiled_with_another(packages):
    def of(name):
        path = next(path for path in packages if f"/{name}_" in str(path))
        files = subprocess.run(["dpkg-deb", "--contents", path], capture_output=True, text=True, check=True).stdout
        return path, {line.split(maxsplit=5)[5].split(" -> ")[0] for line in files.splitlines() if not line.startswith("d")}

    path, library = of("libcontextdiff1")
    assert {pathlib.Path(name).name for name in library if "/share/doc/" not in name} == {"libcontextdiff.so.1", "libcontextdiff.so.1.0.0"}
    assert list(pathlib.Path(path).parent.glob("libcontextdiff1-dbgsym_*"))
    path, development = of("libcontextdiff-dev")
    names = {pathlib.Path(name).name for name in development}
    assert {"libcontextdiff.so", "contextdiff.h", "contextdiff.pc", "libcontextdiff.3.gz", "sd-event.c", "kana_engine.py"} <= names
    assert not library & development
    depends = subprocess.run(["dpkg-deb", "--field", path, "Version", "Depends"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"Version: (.*)", depends)[1]
    assert f"libcontextdiff1 (= {version})" in depends
    # Each header is in a package of its own, beside what runs.
    if (BIN / "fcitx5/libfcitx5-contextdiff.so").exists():
        _, addon = of("fcitx5-contextdiff")
        _, header = of("fcitx5-contextdiff-dev")
        assert "contextdiff_public.h" in {pathlib.Path(name).name for name in header}
        assert not any(name.endswith(".h") for name in addon)


def test_python_imports_what_is_a_package_for_it(packages, tmp_path):
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import cffi"], capture_output=True, check=False).returncode != 0:
        pytest.skip("needs python3-cffi")
    for name in ("python3-contextdiff", "libcontextdiff1"):
        package = next(path for path in packages if f"/{name}_" in str(path))
        subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    library, = tmp_path.glob("usr/lib/*/libcontextdiff.so.1")
    said = subprocess.run(
        [python, "-c", """
import importlib.metadata
import contextdiff, contextdiff.aio
print(contextdiff.__file__, contextdiff.Session().post(contextdiff.Snapshot()))
assert importlib.metadata.version("contextdiff") == contextdiff.__version__
"""],
        capture_output=True, text=True, check=True, cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "usr/lib/python3/dist-packages"), "LD_LIBRARY_PATH": str(library.parent)}).stdout
    assert said == f"{tmp_path}/usr/lib/python3/dist-packages/contextdiff/__init__.py None\n"


@pytest.mark.parametrize("folder", ["bin", "a folder"])
@pytest.mark.parametrize("built", [True, False])
def test_the_addon_is_packed_where_it_was_built(tmp_path, folder, built):
    addon = tmp_path / folder / "fcitx5/libfcitx5-contextdiff.so"
    if built:
        addon.parent.mkdir(parents=True)
        addon.touch()
    said = subprocess.run(
        ["make", "--dry-run", f"--file={SOURCE}/packaging/debian/rules", "binary", f"CONTEXTDIFF_SOURCE={SOURCE}",
         f"BIN={tmp_path / folder}"],
        capture_output=True, text=True, check=True).stdout
    assert ("-Nfcitx5-contextdiff" in said) != built


def test_the_package_names_what_is_linked_and_nothing_else(packages):
    text = subprocess.run(
        ["dpkg-deb", "--fsys-tarfile", packages[0]], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(text)) as archive:
        spdx = archive.extractfile("./usr/share/contextdiff/contextdiff.spdx").read().decode()
        assert archive.getmember("./usr/share/doc/contextdiff/third-party-notices.gz").size
    names = re.findall(r"(?m)^PackageName: (.*)$", spdx)
    assert {"contextdiff", "swift-runtime", "swift-argument-parser", "swift-nio", "libsystemd"} <= set(names)
    # Fetched for others that were fetched, or for tests.
    assert not {"swift-async-algorithms", "swift-service-lifecycle"} & set(names)


def classify(machine):
    pair = json.dumps({"session": "deb", "old": {"before": "a"}, "new": {"before": "ab"}})
    reply = machine.guest("call", SYSTEM, "io.contextdiff.Post", pair, "io.contextdiff.GetStatistics", "{}")
    return [json.loads(line)["parameters"] for line in reply.splitlines()]


def test_install_leaves_a_socket_that_listens(machine):
    machine.run("dpkg", "--install", "/root/old.deb")
    assert machine.run("systemctl", "is-enabled", "contextdiffd.socket") == "enabled"
    assert machine.run("systemctl", "is-active", "contextdiffd.socket") == "active"
    assert machine.run("systemctl", "--global", "is-enabled", "contextdiffd.socket") == "enabled"
    assert machine.main_pid() == 0
    assert "contextdiff" in machine.run("getent", "passwd", "contextdiff")
    post, _ = classify(machine)
    assert post["transition"]["kind"] == "insertion"


def test_the_catalog_is_there(machine):
    source = (SOURCE / "Sources/ContextDiffService/MessageID.swift").read_text()
    number = source.split('case transition = "')[1][:32]
    assert "was classified" in machine.run("journalctl", "--dump-catalog", number)


def test_an_upgrade_restarts_the_service_and_loses_nothing(machine):
    post, before = classify(machine)
    socket = machine.run("stat", "--format=%i", SYSTEM)
    first = machine.main_pid()
    machine.run("dpkg", "--install", "/root/new.deb")
    assert machine.main_pid() not in (0, first)
    again, after = classify(machine)
    assert after["statistics"]["instance"] == before["statistics"]["instance"]
    assert again["sequence"] == post["sequence"] + 1
    assert machine.run("stat", "--format=%i", SYSTEM) == socket


@pytest.mark.parametrize("command, state", [("disable", "disabled"), ("mask", "masked")])
def test_an_upgrade_leaves_a_socket_that_was_disabled(machine, command, state):
    machine.run("dpkg", "--install", "/root/old.deb")
    machine.run("systemctl", command, "--now", "contextdiffd.socket", "contextdiffd.service")
    try:
        machine.run("dpkg", "--install", "/root/new.deb")
        assert machine.run("systemctl", "is-active", "contextdiffd.socket", check=False) == "inactive"
        assert machine.run("systemctl", "is-enabled", "contextdiffd.socket", check=False) == state
        assert machine.main_pid() == 0
    finally:
        machine.run("systemctl", "unmask", "contextdiffd.socket", "contextdiffd.service")
        machine.run("systemctl", "enable", "contextdiffd.socket")
        machine.run("systemctl", "start", "contextdiffd.socket")
    classify(machine)


def test_changed_settings_survive_removal_and_go_with_purge(machine):
    settings = "/etc/contextdiff/contextdiffd.yaml"
    machine.write(settings, "logTransitions: false\n")
    machine.run("dpkg", "--remove", "contextdiff")
    assert machine.main_pid() == 0
    assert machine.status("test", "-e", SYSTEM) == 1
    assert machine.run("cat", settings) == "logTransitions: false"
    machine.run("dpkg", "--install", "/root/new.deb")
    assert machine.run("cat", settings) == "logTransitions: false"
    classify(machine)
    machine.run("dpkg", "--purge", "contextdiff")
    assert machine.main_pid() == 0
    assert {path for path in machine.files() - machine.before if "contextdiff" in path} == set()
