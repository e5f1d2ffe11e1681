"""The least Varlink client: one object, one NUL byte."""

import json
import socket


class Connection:
    """A connection to a daemon. `errors` are returned as they come: {"error": …, "parameters": …}."""

    def __init__(self, path, timeout=60):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.socket.connect(path)
        self._rest = b""

    def send(self, method, parameters=None, **flags):
        call = {"method": method, "parameters": parameters or {}, **flags}
        self.send_bytes(json.dumps(call, ensure_ascii=False).encode())

    def send_bytes(self, frame):
        self.socket.sendall(frame + b"\0")

    def receive(self):
        """The next reply; None where the connection ended."""
        while b"\0" not in self._rest:
            chunk = self.socket.recv(1 << 16)
            if not chunk:
                return None
            self._rest += chunk
        frame, self._rest = self._rest.split(b"\0", 1)
        return json.loads(frame)

    def call(self, method, parameters=None):
        self.send(method, parameters)
        return self.receive()

    def close(self):
        self.socket.close()
