"""session.py SOCKET: a connection for as long as standard input lasts.

Reads a line of JSON for each thing to do and answers with a line each: {"send": [METHOD, PARAMETERS, FLAGS]} sends a
call, {"receive": true} waits for a reply.
"""

import json
import sys

from wire import Connection

connection = Connection(sys.argv[1])
for line in sys.stdin:
    order = json.loads(line)
    if "send" in order:
        method, parameters, flags = order["send"]
        connection.send(method, parameters, **flags)
        answer = None
    else:
        answer = connection.receive()
    print(json.dumps(answer, ensure_ascii=False), flush=True)
