"""call.py SOCKET (METHOD PARAMETERS)...: makes these calls on one connection, and prints each reply as a line."""

import json
import sys

from wire import Connection

connection = Connection(sys.argv[1])
words = sys.argv[2:]
for method, parameters in zip(words[::2], words[1::2]):
    print(json.dumps(connection.call(method, json.loads(parameters)), ensure_ascii=False))
