"""The Varlink target against PyPI's varlink package, by org.varlink.certification, from both sides."""

import os
import pathlib
import subprocess
import threading

import pytest
import varlink
from varlink.tests import test_certification as certification

from conftest import ROOT

BIN = pathlib.Path(os.environ.get("CONTEXTDIFF_TEST_BIN", ROOT / ".build/release")).absolute()
TOOL = BIN / "varlink-certification"

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"needs varlink-certification in {BIN}")


@pytest.fixture
def swift_server(tmp_path):
    path = tmp_path / "certification"
    process = subprocess.Popen([TOOL, "server", path], stdout=subprocess.PIPE, text=True)
    try:
        # Said once clients can connect; at the end of a server that could not start, nothing is.
        assert process.stdout.readline().startswith("Listening"), "the server did not start"
        yield f"unix:{path}"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def python_server(tmp_path):
    path = tmp_path / "certification"
    server = varlink.ThreadingServer(f"unix:{path}", certification.ServiceRequestHandler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield path
    server.shutdown()
    server.server_close()
    thread.join()


def test_python_client_passes_swift_server(swift_server, capsys):
    with varlink.Client.new_with_address(swift_server) as client:
        certification.run_client(client)
    assert "Certification passed" in capsys.readouterr().out


def test_swift_server_notices_a_wrong_client(swift_server):
    with varlink.Client.new_with_address(swift_server) as client:
        with client.open("org.varlink.certification") as connection:
            identity = connection.Start()["client_id"]
            assert connection.Test01(identity)["bool"] is True
            with pytest.raises(varlink.VarlinkError) as raised:
                connection.Test02(identity, False)
            assert raised.value.error() == "org.varlink.certification.CertificationError"
            with pytest.raises(varlink.VarlinkError) as raised:
                connection.Test02(identity, True)
            assert raised.value.error() == "org.varlink.certification.ClientIdError"


def test_python_client_reads_the_service(swift_server):
    with varlink.Client.new_with_address(swift_server) as client:
        info = client.get_interfaces()
        assert "org.varlink.certification" in info
        service = client.open("org.varlink.service")
        assert service.GetInfo()["product"] == "varlink-certification"
        service.close()


def test_another_service_answers_no_ping(swift_server, ctl):
    done = ctl("--socket", swift_server.removeprefix("unix:"), "ping")
    assert (done.returncode, done.stdout) == (1, "")
    assert "does not offer io.contextdiff" in done.stderr


def test_swift_client_passes_python_server(python_server):
    done = subprocess.run(
        [TOOL, "client", python_server], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "Certification passed" in done.stdout
