"""examples/, each as its first lines say how; and the README's shortest programs, each as it stands there."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from conftest import PATIENCE, PROGRAMS, ROOT, environment

EXAMPLES = ROOT / "examples"
TEST_BIN = pathlib.Path(os.environ.get("CONTEXTDIFF_TEST_BIN", ROOT / ".build/release")).absolute()

pytestmark = pytest.mark.skipif(
    not (PROGRAMS / "libcontextdiff.so").exists(), reason=f"needs libcontextdiff.so in {PROGRAMS}")


def has(*modules):
    return shutil.which("pkg-config") and subprocess.run(["pkg-config", "--exists", *modules], check=False).returncode == 0


def output(*command, **variables):
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, env=environment(**variables), check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def runtime(daemon, tmp_path):
    """A user's runtime folder, with a daemon where programs look for one."""
    (tmp_path / "contextdiff").mkdir(mode=0o700)
    (tmp_path / "contextdiff/io.contextdiff").symlink_to(daemon.path)
    return {"XDG_RUNTIME_DIR": str(tmp_path)}


@pytest.fixture
def compiled(installed, tmp_path):
    """Compiles a source against the installed library and other modules of pkg-config's."""

    def compiled(compiler, source, *modules):
        library = installed / "usr/local/lib"
        flags = output(
            "pkg-config", "--cflags", "--libs", "contextdiff", PKG_CONFIG_LIBDIR=str(library / "pkgconfig"),
            PKG_CONFIG_SYSROOT_DIR=str(installed)).split()
        if modules:
            flags += output("pkg-config", "--cflags", "--libs", *modules).split()
        program = tmp_path / "program"
        output(*compiler, "-Wall", "-Wextra", "-Werror", "-o", program, source, *flags, f"-Wl,-rpath,{library}")
        return program

    return compiled


def test_each_is_short():
    sources = [path for path in EXAMPLES.rglob("*") if path.is_file()]
    assert len(sources) >= 7
    for path in sources:
        # An engine is all of an input method.
        assert len(path.read_text().splitlines()) < (140 if path.name == "kana_engine.py" else 60), path


@pytest.mark.parametrize("compiler", [["gcc"], ["gcc", "-std=c99", "-pedantic"]])
def test_an_engine_in_c(compiled, compiler):
    assert output(compiled(compiler, EXAMPLES / "engine.c")) == "cursorMove\ncommitted 今日\nexpected\n"


@pytest.mark.skipif(not has("libsystemd"), reason="needs libsystemd-dev")
def test_c_over_sd_event(compiled, runtime):
    assert output(compiled(["gcc"], EXAMPLES / "sd-event.c", "libsystemd"), **runtime) == "insertion は\n"


@pytest.mark.skipif(not has("Fcitx5Utils"), reason="needs libfcitx5utils-dev")
def test_cpp_in_fcitx5s_loop(compiled, runtime):
    program = compiled(["g++", "-std=c++17"], EXAMPLES / "fcitx5-loop.cpp", "Fcitx5Utils")
    assert output(program, **runtime) == "insertion は\n"


@pytest.fixture(scope="session")
def trixie():
    """The libraries and headers that Debian 13's programs over sd-varlink run with, unpacked from its packages."""
    root = ROOT / ".build/trixie"
    if (root / "complete").exists():
        return root
    told = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Component: main"],
        capture_output=True, text=True, check=False) if shutil.which("apt-get") else None
    site = next((site for site in (told.stdout if told else "").split() if site.endswith("/debian")), None)
    if site is None:
        pytest.skip("needs a Debian mirror in apt's sources for Debian 13's libsystemd")
    for folder in ("lists/partial", "cache/archives/partial", "packages"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "sources.list").write_text(f"deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {site} trixie main\n")
    options = [f"-oDir::Etc::sourcelist={root}/sources.list", "-oDir::Etc::sourceparts=-", f"-oDir::State::lists={root}/lists",
               f"-oDir::Cache={root}/cache", "-oDir::State::status=/dev/null", "-oAPT::Sandbox::User="]
    for command in (["update"], ["download", "libsystemd-dev", "libsystemd0", "libc6", "libcap2", "libgcc-s1"]):
        done = subprocess.run(
            ["apt-get", "-qq", *options, *command], cwd=root / "packages", capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"needs Debian 13's packages: {(done.stderr.strip().splitlines() or ['apt-get failed'])[-1]}")
    for package in (root / "packages").glob("*.deb"):
        output("dpkg-deb", "--extract", package, root / "root")
    (root / "complete").touch()
    return root


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_sd_varlink_of_debian_13(trixie, runtime, tmp_path):
    libraries = next(trixie.glob("root/usr/lib/*/libsystemd.so.0"))
    program = tmp_path / "sd-varlink"
    output("gcc", "-Wall", "-Wextra", "-Werror", f"-I{trixie}/root/usr/include", "-o", program, EXAMPLES / "sd-varlink.c",
           libraries, "-Wl,--allow-shlib-undefined")
    # By Debian 13's own loader: this machine's C library may be older than what its libsystemd needs.
    loader = next(trixie.glob("root/usr/lib/*/ld-linux-*.so.*"), None) or next(trixie.glob("root/usr/lib64/ld-linux-*.so.*"))
    told = output(loader, "--library-path", libraries.parent, program,
                  CONTEXTDIFF_SOCKET=f"{runtime['XDG_RUNTIME_DIR']}/contextdiff/io.contextdiff")
    assert told == "insertion\n"


def python(*arguments, **variables):
    return output(
        sys.executable, *arguments, PYTHONPATH=str(ROOT / "Integrations/python/src"),
        CONTEXTDIFF_LIBRARY=str(PROGRAMS / "libcontextdiff.so.1"), **variables)


def test_python_in_asyncio(runtime):
    pytest.importorskip("cffi")
    assert python(EXAMPLES / "asyncio_events.py", **runtime) == "insertion は\n"


@pytest.mark.skipif(not (TEST_BIN / "swift-example").exists(), reason=f"needs swift-example in {TEST_BIN}")
@pytest.mark.parametrize("arguments", [(), ("--daemon",)])
def test_swift_here_and_by_the_daemon(runtime, arguments):
    assert output(TEST_BIN / "swift-example", *arguments, **runtime) == "insertion は\nexpected 良い\n"


def test_they_are_installed_with_the_documentation(installed):
    there = installed / "usr/local/share/doc/contextdiff/examples"
    for path in EXAMPLES.rglob("*"):
        if path.is_file():
            assert (there / path.relative_to(EXAMPLES)).read_bytes() == path.read_bytes()


def readme(language):
    """The README's shortest program in a language."""
    section = (ROOT / "README.md").read_text().split("\n## In an input method\n")[1].split("\n## ")[0]
    code = section.split(f"```{language}\n")[1].split("```")[0]
    assert len(code.splitlines()) <= 10
    return code


@pytest.mark.parametrize("language, compiler, name", [("c", ["gcc"], "first.c"), ("cpp", ["g++", "-std=c++17"], "first.cpp")])
def test_the_readmes_first_reading_in_c_and_cpp(compiled, tmp_path, language, compiler, name):
    if not shutil.which(compiler[0]):
        pytest.skip(f"needs {compiler[0]}")
    source = tmp_path / name
    source.write_text(readme(language))
    assert output(compiled(compiler, source)) == "insertion\n"


def test_the_readmes_first_reading_in_python():
    pytest.importorskip("cffi")
    assert python("-c", readme("python")) == "insertion\n"


TUTORIAL = ROOT / "Sources/ContextDiff/Documentation.docc/Tutorials"


def says(source):
    """What a program of the tutorial prints, by the comments behind its calls of print."""
    comments = re.findall(r"print\(.*  // (.*)$", source, re.MULTILINE)
    return [line for comment in comments for line in comment.split(", then ")]


# What docs/Migrating.md takes for granted.
KEYBOARD = """import ContextDiff
let proxy = (
  documentContextBeforeInput: String?.some("今日は"), selectedText: String?.none, documentContextAfterInput: String?.none, hasText: true)
let classifier = Classifier()
var session = Session()
"""


def pieces(page):
    """A page's pieces of Swift, as one program."""
    return "".join(re.findall(r"```swift\n(.*?)```", (ROOT / page).read_text(), re.DOTALL))


@pytest.mark.skipif(shutil.which("swift") is None, reason="needs swift")
def test_the_readmes_first_reading_and_the_tutorials_steps_in_swift():
    """And two pages' pieces. With the README's lines of Package.swift, and none of the package's own dependencies."""
    section = (ROOT / "README.md").read_text().split("\n## In an input method\n")[1]
    lines = section.split("```swift\n")[2].split("```")[0].splitlines()
    dependency = next(line for line in lines if ".package(" in line).split("//")[0].strip().rstrip(",")
    folder = ROOT / ".build/readme"
    programs = {path.stem: path.read_text() for path in TUTORIAL.glob("*.swift")}
    assert sum(len(says(source)) > 0 for source in programs.values()) >= len(programs) - 1 > 0
    shutil.rmtree(folder / "Sources", ignore_errors=True)
    others = {
        "first": readme("swift"), "overview": "import ContextDiff\n" + pieces("Sources/ContextDiff/Documentation.docc/ContextDiff.md"),
        "keyboard": KEYBOARD + pieces("docs/Migrating.md")}
    for name, source in {**programs, **others}.items():
        (folder / "Sources" / name).mkdir(parents=True)
        (folder / "Sources" / name / "main.swift").write_text(source)
    (folder / "Package.swift").write_text(
        "// swift-tools-version: 6.2\nimport PackageDescription\nlet package = Package(\n  name: \"first\",\n"
        "  dependencies: [" + dependency.replace("../contextdiff", str(ROOT))
        + "],\n  targets: [" + ", ".join(f'"{name}"' for name in [*programs, *others])
        + "].map {\n    .executableTarget(name: $0, dependencies: ["
        + next(line for line in lines if ".product(" in line).strip().rstrip(",") + "]) })\n")
    output("swift", "build", "--quiet", "--package-path", folder)
    assert not list((folder / ".build").glob("checkouts/*"))
    assert output(folder / ".build/debug/first") == "insertion\n"
    for name in ("overview", "keyboard"):
        output(folder / ".build/debug" / name)
    for name, source in programs.items():
        assert output(folder / ".build/debug" / name).splitlines() == says(source), name
