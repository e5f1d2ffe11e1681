"""libcontextdiff, installed into a folder: what C and C++ programs that are built against it by pkg-config get."""

import ctypes
import os
import pathlib
import re
import resource
import shutil
import socket
import subprocess

import pytest

from conftest import PATIENCE, PROGRAMS, ROOT, environment

SOURCES = pathlib.Path(__file__).parent / "library"

pytestmark = [
    pytest.mark.skipif(not (PROGRAMS / "libcontextdiff.so").exists(), reason=f"needs libcontextdiff.so in {PROGRAMS}"),
    pytest.mark.skipif(not all(map(shutil.which, ("gcc", "g++", "pkg-config"))), reason="needs gcc, g++ and pkg-config"),
]

C = ("gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-D_POSIX_C_SOURCE=200809L")
CPP = ("g++", "-std=c++17", "-pedantic", "-Wall", "-Wextra", "-Wold-style-cast", "-Wzero-as-null-pointer-constant", "-Werror")


def test_its_page_names_each_function():
    header = (ROOT / "Sources/CContextDiff/include/contextdiff.h").read_text()
    page = (ROOT / "docs/libcontextdiff.3").read_text()
    functions = re.findall(r"CONTEXTDIFF_API[^;]*?\b(contextdiff_\w+)\(", header)
    assert len(functions) > 30
    assert [name for name in functions if f"Fn {name}" not in page] == []


def output(*command, **variables):
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, env=environment(**variables), check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def build(installed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    library = installed / "usr/local/lib"
    flags = output(
        "pkg-config", "--cflags", "--libs", "contextdiff", PKG_CONFIG_LIBDIR=str(library / "pkgconfig"),
        PKG_CONFIG_SYSROOT_DIR=str(installed)).split()

    def build(compiler, source, *options):
        program = folder / "-".join([source.replace(".", "-"), *options]).replace("=", "-").replace(",", "-")
        if not program.exists():
            output(*compiler, "-g", *options, "-o", program, SOURCES / source, *flags, f"-Wl,-rpath,{library}")
        return program

    return build


def test_it_exports_its_own_symbols_and_no_others(installed):
    library = installed / "usr/local/lib/libcontextdiff.so"
    symbols = [line.split() for line in output("nm", "-D", "--defined-only", library).splitlines()]
    named = {name.partition("@")[0] for _, kind, name in symbols if kind == "T"}
    header = output("gcc", "-E", "-P", installed / "usr/local/include/contextdiff.h")
    # What the header defines itself is nobody's to export.
    inline = set(re.findall(r"\bstatic inline \w+ (contextdiff_\w+)\(", header))
    declared = set(re.findall(r"\b(contextdiff_\w+)\(", header)) - inline
    assert {kind for _, kind, name in symbols if not name.startswith("CONTEXTDIFF_")} == {"T"}
    assert named == declared


def test_its_soname_has_a_number_and_it_needs_nothing_of_swift(installed):
    dynamic = output("readelf", "-d", installed / "usr/local/lib/libcontextdiff.so")
    assert "[libcontextdiff.so.1]" in dynamic
    needed = [line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "(NEEDED)" in line]
    assert {name.split(".so")[0] for name in needed} <= {
        "libc", "libm", "libstdc++", "libgcc_s", "libpthread", "libdl", "ld-linux-x86-64", "ld-linux-aarch64"}


def test_it_has_the_version_of_the_daemon(installed):
    version = output(PROGRAMS / "contextdiffd", "--version").split()[-1]
    assert output(
        "pkg-config", "--modversion", "contextdiff",
        PKG_CONFIG_LIBDIR=str(installed / "usr/local/lib/pkgconfig")).strip() == version


def test_a_c_program(build):
    assert output(build(C, "sessions.c")) == "ok\n"


def test_a_cpp_program(build):
    assert output(build(CPP, "sessions.cpp")) == "insertion !\n"


def test_the_header_alone_compiles_without_a_warning(installed, tmp_path):
    source = tmp_path / "alone.c"
    source.write_text("#include <contextdiff.h>\n")
    for compiler in (C, CPP, ("gcc", "-std=c17", "-Wall", "-Wextra", "-Wconversion", "-Werror")):
        output(*compiler, "-x", "c" if compiler[0] == "gcc" else "c++", "-c", "-o", tmp_path / "alone.o", source,
               f"-I{installed}/usr/local/include")


@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_is_passed_ends_the_process(build, seed):
    program = build(C, "hostile.c", "-fsanitize=address,undefined", "-fno-sanitize-recover")
    # What Swift's runtime keeps for good, it keeps by pointers that no leak checker sees; valgrind is asked for leaks.
    assert output(program, str(seed), "4000", ASAN_OPTIONS="detect_leaks=0") == "ok\n"


VALGRIND = ("valgrind", "--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite",
            "--error-exitcode=9", "--read-var-info=no")


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
@pytest.mark.parametrize("source, arguments", [("sessions.c", ()), ("hostile.c", ("9", "400"))])
def test_valgrind_finds_no_error_and_no_leak(build, source, arguments):
    assert output(*VALGRIND, build(C, source), *arguments) == "ok\n"


CLIENT = """ready 0
baseline 0 0 -
typed 0 1 insertion
announced 0 1 -
own 0 2 expected
announced 0 2 -
withdrawn 0 0 -
withdrawn -5 0 io.contextdiff.NoSuchExpectation: expected 2
forgotten 0 0 -
event 1 notes insertion
event 2 notes expected
"""


def sorted_lines(text):
    """The answers in their order, then the events in theirs: two connections, whose lines mix as they please."""
    return sorted(text.splitlines(), key=lambda line: line.startswith("event"))


def test_a_c_programs_loop_hears_the_daemon(build, daemon):
    assert sorted_lines(output(build(C, "client.c"), daemon.path)) == CLIENT.splitlines()


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
def test_valgrind_finds_nothing_in_a_loop_either(build, daemon):
    printed = sorted_lines(output(*VALGRIND, build(C, "client.c"), daemon.path, "freed"))
    assert {"freed in a callback 0", "freed in a callback -11"} <= set(printed)


@pytest.mark.parametrize("is_full", [False, True])
def test_a_connection_that_cannot_be_watched_was_never_made(build, folder, is_full):
    path = str(folder / "daemon")
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as other:
        listener.bind(path)
        listener.listen(0)
        if is_full:
            # Has the only place in the queue: the client is to look again.
            other.connect(path)
        with subprocess.Popen([build(C, "unwatched.c"), path], stdout=subprocess.PIPE, text=True) as client:
            assert client.stdout.readline() == "posted\n"
            if is_full:
                listener.accept()[0].close()
            assert client.stdout.read() == f"-8 nobody answers at {path}: epoll_ctl: Cannot allocate memory\n"


def test_it_can_be_opened_and_closed_in_a_process_again_and_again(installed):
    path = str(installed / "usr/local/lib/libcontextdiff.so.1")
    for _ in range(3):
        library = ctypes.CDLL(path)
        library.contextdiff_session_new.restype = ctypes.c_void_p
        library.contextdiff_session_free.argtypes = [ctypes.c_void_p]
        session = library.contextdiff_session_new(None)
        assert session
        library.contextdiff_session_free(session)
        library.dlclose = ctypes.CDLL(None).dlclose
        library.dlclose(ctypes.c_void_p(library._handle))


def test_a_client_gives_its_descriptors_back(installed):
    library = ctypes.CDLL(str(installed / "usr/local/lib/libcontextdiff.so.1"))
    library.contextdiff_client_new.restype = ctypes.c_void_p
    library.contextdiff_client_free.argtypes = [ctypes.c_void_p]

    def used():
        return sorted(os.listdir("/proc/self/fd"), key=int)

    before = used()
    clients = [library.contextdiff_client_new(None) for _ in range(3)]
    assert all(clients) and len(used()) > len(before)
    for client in clients:
        library.contextdiff_client_free(client)
    assert used() == before

    # Where there is room for the first of them alone.
    lowest = os.dup(0)
    os.close(lowest)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + 1, limits[1]))
    try:
        assert library.contextdiff_client_new(None) is None
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert used() == before
