"""make install and make uninstall into a folder; needs no container and no root."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from machine import BIN, SOURCE

pytestmark = pytest.mark.skipif(not (BIN / "contextdiffd").exists(), reason=f"needs the built programs in {BIN}")


def make(target, root, environment=None, **variables):
    done = subprocess.run(
        ["make", "--silent", f"--directory={SOURCE}", "--file=packaging/install.mk", target, f"BIN={BIN}",
         f"DESTDIR={root}", *(f"{name}={value}" for name, value in variables.items())],
        capture_output=True, text=True, check=True, env=environment)
    return done.stdout


def tree(root):
    return {path: path.read_bytes() if path.is_file() else None for path in pathlib.Path(root).rglob("*")}


@pytest.fixture
def root(tmp_path):
    """A tree that somebody lives in: with an empty folder and a file where the installation goes too."""
    (tmp_path / "usr/local/share/man/man8").mkdir(parents=True)
    (tmp_path / "usr/local/bin").mkdir()
    (tmp_path / "usr/local/bin/other").write_text("other")
    return tmp_path


def test_uninstall_leaves_the_tree_as_it_was(root):
    before = tree(root)
    make("install-built", root)
    assert len(tree(root)) > len(before) + 20
    make("uninstall", root)
    assert tree(root) == before


def test_a_second_install_changes_nothing(root):
    before = tree(root)
    make("install-built", root)
    once = tree(root)
    make("install-built", root)
    assert tree(root) == once
    make("uninstall", root)
    assert tree(root) == before


def test_what_a_failed_install_made_can_be_taken_away(root):
    (root / "usr/local/share/man/man8/contextdiffd.8").mkdir()
    before = tree(root)
    with pytest.raises(subprocess.CalledProcessError):
        make("install-built", root)
    assert len(tree(root)) > len(before) + 20
    make("uninstall", root)
    assert tree(root) == before


def test_a_folder_that_cannot_be_written_is_named_before_anything_is_put(root):
    (root / "etc").write_text("no folder")
    before = tree(root)
    with pytest.raises(subprocess.CalledProcessError) as refused:
        make("install-built", root)
    assert "nothing installed: sysconfdir:" in refused.value.stderr
    assert tree(root) == before


def test_a_home_takes_all_as_the_documentation_says(root):
    operating = (SOURCE / "docs/Operating.md").read_text()
    said = dict(re.findall(r"(\w+)=\$HOME(\S+)", operating))
    make("install-built", root, **{name: "/home/alice" + path for name, path in said.items()})
    assert {path.name for path in root.iterdir()} == {"usr", "home"}
    home = root / "home/alice"
    assert "ExecStart=/home/alice/.local/bin/contextdiffd" in (home / ".local/share/systemd/user/contextdiffd.service").read_text()
    assert (home / ".config/contextdiff/contextdiffd.yaml").exists()


def test_settings_that_nobody_changed_follow_the_defaults(root):
    make("install-built", root)
    settings = root / "etc/contextdiff/contextdiffd.yaml"
    defaults = root / "usr/local/share/contextdiff/contextdiffd.yaml"
    for installed in settings, defaults:
        installed.write_text("# An earlier version's.\n")
    make("install-built", root)
    assert settings.read_bytes() == defaults.read_bytes() != b"# An earlier version's.\n"


def test_changed_settings_stay(root):
    settings = root / "etc/contextdiff/contextdiffd.yaml"
    make("install-built", root)
    settings.write_text("logTransitions: false\n")
    assert "kept" in make("install-built", root)
    assert settings.read_text() == "logTransitions: false\n"
    assert "kept" in make("uninstall", root)
    assert settings.read_text() == "logTransitions: false\n"


def test_settings_of_another_installation_stay(root):
    settings = root / "etc/contextdiff/contextdiffd.yaml"
    make("install-built", root)
    make("install-built", root, PREFIX="/opt/contextdiff", sysconfdir="/etc")
    make("uninstall", root, PREFIX="/opt/contextdiff", sysconfdir="/etc")
    assert settings.exists()
    make("uninstall", root)
    assert not settings.exists()


@pytest.mark.skipif(shutil.which("objcopy") is None, reason="needs objcopy")
@pytest.mark.parametrize("path", ["bin/contextdiffd", "bin/contextdiffctl", "lib/libcontextdiff.so.1.0.0", "lib/fcitx5/libfcitx5-contextdiff.so"])
def test_what_is_run_is_stripped_and_its_symbols_apart(root, path):
    make("install-built", root)
    installed = root / "usr/local" / path
    if "fcitx5" in path and not installed.exists():
        pytest.skip("the addon was not built")
    # RPM takes the symbols of what may be run alone.
    assert installed.stat().st_mode & 0o777 == 0o755
    symbols = root / f"usr/lib/debug/usr/local/{path}.debug"

    def sections(path):
        return subprocess.run(["readelf", "--sections", "--wide", path], capture_output=True, text=True, check=True).stdout

    assert ".symtab" not in sections(installed) and ".debug_info" not in sections(installed) and ".gnu_debuglink" in sections(installed)
    assert installed.stat().st_size < (BIN / path.partition("/")[2]).stat().st_size
    assert ".symtab" in sections(symbols)
    if path.startswith("bin/"):
        assert subprocess.run([installed, "--version"], capture_output=True, check=True).stdout


@pytest.mark.skipif(shutil.which("readelf") is None, reason="needs readelf")
@pytest.mark.parametrize("name", ["contextdiffd", "contextdiffctl", "libcontextdiff.so"])
def test_what_the_linker_fills_in_is_read_only_afterwards(name):
    said = subprocess.run(["readelf", "--dynamic", "--segments", "--wide", BIN / name], capture_output=True, text=True, check=True).stdout
    assert "GNU_RELRO" in said and re.search(r"\(FLAGS_1\).*\bNOW\b", said)


def test_uninstall_without_install_fails(root):
    with pytest.raises(subprocess.CalledProcessError) as failed:
        make("uninstall", root)
    assert "nothing installed here" in failed.value.stderr


def test_an_install_of_what_was_not_built_says_so_and_makes_nothing(root, tmp_path):
    before = tree(root)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        make("install-built", root, BIN=tmp_path / "nothing")
    assert failed.value.stderr.startswith(f"nothing to install: no contextdiffd in {tmp_path}/nothing; make build makes it\n")
    assert tree(root) == before


def test_units_run_the_program_of_their_prefix(root):
    make("install-built", root, PREFIX="/opt/contextdiff")
    unit = root / "opt/contextdiff/lib/systemd/system/contextdiffd.service"
    assert "ExecStart=/opt/contextdiff/bin/contextdiffd" in unit.read_text()
    assert "@bindir@" not in unit.read_text()


def test_the_machines_daemon_is_told_of_settings_that_are_elsewhere(root):
    make("install-built", root, sysconfdir="/usr/local/etc")
    settings = "/usr/local/etc/contextdiff/contextdiffd.yaml"
    units = root / "usr/local/lib/systemd"
    assert (root / settings[1:]).exists()
    assert f"ExecStart=/usr/local/bin/contextdiffd --config {settings}\n" in (units / "system/contextdiffd.service").read_text()
    assert "ExecStart=/usr/local/bin/contextdiffd\n" in (units / "user/contextdiffd.service").read_text()


@pytest.mark.parametrize("name", ["LIBDIR", "SYSCONFDIR"])
def test_a_folder_in_capitals_is_refused(root, name):
    before = tree(root)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        make("install-built", root, **{name: "/usr/lib64"})
    assert f"{name}= is not read: it is written in small letters" in failed.value.stderr
    assert tree(root) == before


@pytest.mark.parametrize("name", ["contextdiffd", "contextdiffctl", "libcontextdiff.so", "fcitx5/libfcitx5-contextdiff.so"])
def test_what_is_built_names_no_path_of_the_tree(name):
    if not (BIN / name).exists():
        pytest.skip("the addon was not built")
    # The tree, wherever it was built.
    built = BIN.resolve().as_posix().partition("/.build/")[0]
    held = (BIN / name).read_bytes()
    assert [part for part in ("Sources", "Integrations", ".build") if f"{built}/{part}".encode() in held] == []


@pytest.mark.parametrize("found", [True, False])
def test_without_dpkg_what_a_build_lacks_is_named(tmp_path, found):
    (tmp_path / "bash").symlink_to("/bin/bash")
    for program in ("make", "git", "pkg-config"):
        (tmp_path / program).write_text(f"#!/bin/sh\nexit {0 if found else 1}\n")
        (tmp_path / program).chmod(0o755)
    if not found:
        (tmp_path / "git").unlink()

    def dependencies(**environment):
        return subprocess.run(
            ["/bin/bash", SOURCE / "scripts/dependencies", "build"], capture_output=True, text=True, check=False,
            env={"PATH": str(tmp_path), **environment})

    done = dependencies()
    assert (done.returncode, done.stderr) == (
        (0, "") if found else (1, "missing, install it by your system's own means: git libsystemd.pc yaml-0.1.pc\n"))
    assert dependencies(DEPENDENCIES="no").returncode == 0


@pytest.mark.parametrize("prefix", ["/home/somebody/.local", "/root/.local", "/tmp/contextdiff"])
def test_units_that_cannot_see_their_program_are_left_out(root, prefix):
    before = tree(root)
    said = make("install-built", root, PREFIX=prefix)
    assert f"left out: the system manager's units, for which {prefix}/bin is out of sight" in said
    assert not (root / prefix[1:] / "lib/systemd/system").exists()
    assert f"ExecStart={prefix}/bin/contextdiffd" in (root / prefix[1:] / "lib/systemd/user/contextdiffd.service").read_text()
    make("uninstall", root, PREFIX=prefix)
    assert tree(root) == before


@pytest.mark.parametrize("variables", [{"PREFIX": "/usr/"}, {"PREFIX": "/usr", "libdir": "/usr//lib"}, {"prefix": "/usr"}])
def test_a_prefix_may_end_with_a_slash_or_have_the_name_that_gnu_gives_it(root, variables):
    before = tree(root)
    make("install-built", root, PREFIX="/usr")
    once = tree(root)
    make("uninstall", root, PREFIX="/usr")
    make("install-built", root, **variables)
    assert tree(root) == once
    make("uninstall", root, **variables)
    assert tree(root) == before


@pytest.mark.parametrize("prefix", ["/opt/con text", "/opt/a,b", "/opt/a&b", "/opt/a%b", "/opt/a'b"])
def test_a_prefix_that_no_unit_can_name_is_refused_before_anything_is_made(root, prefix):
    before = tree(root)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        make("install-built", root, PREFIX=prefix)
    assert failed.value.stderr.startswith("nothing installed: PREFIX")
    assert tree(root) == before


@pytest.mark.parametrize("name", ["PREFIX", "mandir", "sysconfdir"])
def test_a_relative_path_is_refused_by_its_name_before_anything_is_made(root, name):
    before = tree(root)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        make("install-built", root, **{name: "opt/contextdiff"})
    assert failed.value.stderr.startswith(f"nothing done: {name} is no absolute path: opt/contextdiff\n")
    assert "Error 64" in failed.value.stderr
    assert tree(root) == before


def test_a_folder_that_no_unit_names_may_have_a_quote(root):
    make("install-built", root, mandir="/usr/o'man")
    assert (root / "usr/o'man/man8/contextdiffd.8").exists()


def test_a_umask_changes_no_mode(root):
    def modes_below(folder):
        return {path.relative_to(folder): oct(path.lstat().st_mode) for path in [folder, *folder.rglob("*")]}

    ordinary, strict = root / "ordinary", root / "strict"
    umask = os.umask(0o022)
    try:
        make("install-built", ordinary)
        os.umask(0o077)
        make("install-built", strict)
    finally:
        os.umask(umask)
    assert modes_below(ordinary) == modes_below(strict)


def test_who_installs_needs_no_swift_to_name_the_one_that_is_linked(root):
    make("install-built", root, environment={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    spdx = (root / "usr/local/share/contextdiff/contextdiff.spdx").read_text()
    assert "PackageName: swift-argument-parser" in spdx
    assert re.search(r"PackageName: swift-runtime\n.*\nPackageVersion: \d+\.\d+", spdx)


def static(spdx):
    """The names of what a file of SPDX says is linked statically, or held by such a thing."""
    return set(re.findall(r"Relationship: \S+ (?:STATIC_LINK|CONTAINS) SPDXRef-(\S+)", spdx))


def test_the_licences_and_notices_of_what_is_linked_are_installed(root):
    make("install-built", root)
    documents = root / "usr/local/share/doc/contextdiff"
    assert (documents / "LICENSE").read_bytes() == (SOURCE / "LICENSE").read_bytes()
    notices = (documents / "third-party-notices").read_text()
    linked = static((root / "usr/local/share/contextdiff/contextdiff.spdx").read_text())
    assert {"swift-nio", "swift-runtime", "llhttp"} <= linked
    for name in linked - {"llhttp"}:
        assert re.search(rf"(?m)^{name} \d+\.\d+", notices), name
    # Of another tree's, where the programs were moved.
    fetched = next(path for path in (BIN.parents[1] / "checkouts", SOURCE / ".build/product/checkouts") if path.is_dir())
    texts = 0
    for name in linked:
        for file in [*(fetched / name).glob("LICENSE*"), *(fetched / name).glob("NOTICE*")]:
            assert file.read_text().rstrip("\n") in notices, file
            texts += 1
    assert texts > len(linked) - 5
    assert "Copyright Fedor Indutny" in notices and "Runtime Library Exception" in notices
    assert "swift-async-algorithms" not in notices


def test_debian_names_all_that_is_linked(root):
    make("install-built", root)
    named = (SOURCE / "packaging/debian/copyright").read_text()
    linked = static((root / "usr/local/share/contextdiff/contextdiff.spdx").read_text())
    assert {name for name in linked if f"{name}/*" not in named and f"Comment: {name}," not in named} == set()


@pytest.mark.skipif(shutil.which("readelf") is None, reason="needs readelf")
def test_the_spdx_file_names_the_dynamic_libraries_and_the_parts_of_swift(root):
    make("install-built", root)
    spdx = (root / "usr/local/share/contextdiff/contextdiff.spdx").read_text()
    needed, symbols = set(), ""
    for name in ("contextdiffd", "contextdiffctl", "libcontextdiff.so"):
        said = subprocess.run(["readelf", "--dynamic", "--wide", BIN / name], capture_output=True, text=True, check=True).stdout
        needed |= set(re.findall(r"NEEDED.*\[(.*?)\.so", said))
        symbols += subprocess.run(["readelf", "--symbols", "--wide", BIN / name], capture_output=True, text=True, check=True).stdout
    of = {"libyaml-0": "libyaml", "libm": "glibc", "libc": "glibc", "ld-linux-x86-64": "glibc", "ld-linux-aarch64": "glibc"}
    assert {of.get(name, name) for name in needed} == set(re.findall(r"PackageName: (\S+)\n(?:.+\n)*.*DYNAMIC_LINK", spdx))
    ids = re.findall(r"SPDXRef-(\S+)", spdx)
    assert [wrong for wrong in ids if not re.fullmatch(r"[A-Za-z0-9.-]+", wrong)] == []
    assert set(ids) == set(re.findall(r"SPDXID: SPDXRef-(\S+)", spdx))
    for name, symbol in (("swift-foundation", "20FoundationEssentials"), ("swift-corelibs-libdispatch", "_dispatch_queue_init")):
        assert (name in static(spdx)) == (symbol in symbols), name


def test_programs_of_another_place_are_installed_by_the_trees_own_record(root, tmp_path):
    fetched = next(path for path in (BIN.parents[1] / "checkouts", SOURCE / ".build/product/checkouts") if path.is_dir())
    if not (SOURCE / "Package.resolved").exists():
        pytest.skip("needs the Package.resolved that a build makes")
    place = tmp_path / "other/place/release"
    place.mkdir(parents=True)
    checkouts = tmp_path / "other/checkouts"
    checkouts.mkdir()
    for package in fetched.iterdir():
        (checkouts / package.name).symlink_to(package)
    for path in BIN.iterdir():
        (place / path.name).symlink_to(path)
    make("install-built", root, BIN=place)
    assert "PackageName: swift-nio" in (root / "usr/local/share/contextdiff/contextdiff.spdx").read_text()


def test_what_is_missing_to_say_what_is_linked_is_named_by_its_path(tmp_path):
    for name in ("contextdiffd", "contextdiffctl"):
        (tmp_path / name).symlink_to(BIN / name)
    done = subprocess.run(
        [SOURCE / "packaging/spdx.sh"], capture_output=True, text=True, check=False, env={**os.environ, "BIN": str(tmp_path)})
    assert done.returncode == 1
    assert f"{tmp_path}/contextdiffd.product/Objects.LinkFileList" in done.stderr or f"{tmp_path.parents[1]}/checkouts" in done.stderr


def test_packages_of_what_was_built_need_no_rule_to_build():
    said = subprocess.run(
        ["make", "--dry-run", f"--directory={SOURCE}", "--file=packaging/install.mk", "deb-built", f"BIN={BIN}"],
        capture_output=True, text=True, check=True).stdout
    assert "packaging/deb.sh .build/deb" in said


def test_clean_leaves_nothing_that_was_built(tmp_path):
    shutil.copy(SOURCE / "Makefile", tmp_path)
    shutil.copytree(SOURCE / "packaging", tmp_path / "packaging")
    before = tree(tmp_path)
    for folder in (".build/product", "Benchmarks/.build", "Integrations/python/build", "Integrations/python/src/contextdiff.egg-info"):
        (tmp_path / folder).mkdir(parents=True)
    subprocess.run(["make", "--silent", f"--directory={tmp_path}", "clean"], check=True)
    assert {path for path in set(tree(tmp_path)) - set(before) if "build" in path.name or "egg" in path.name} == set()


def test_completions_are_those_of_the_programs(root):
    make("install-built", root)
    share = root / "usr/local/share"
    for program in ("contextdiffd", "contextdiffctl"):
        for shell, path in (
            ("bash", f"bash-completion/completions/{program}"),
            ("zsh", f"zsh/site-functions/_{program}"),
            ("fish", f"fish/vendor_completions.d/{program}.fish"),
        ):
            script = subprocess.run(
                [BIN / program, "--generate-completion-script", shell], capture_output=True, text=True, check=True)
            # What a shell reads into itself names no interpreter.
            assert (share / path).read_text() == script.stdout.removeprefix("#!/bin/bash\n")
