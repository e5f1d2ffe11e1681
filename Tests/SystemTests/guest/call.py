"""call.py SOCKET: reads calls from the arguments, METHOD PARAMETERS each, makes them on one connection, prints each reply as a line."""

import json
import sys

from wire import Connection

connection = Connection(sys.argv[1])
words = sys.argv[2:]
for method, parameters in zip(words[::2], words[1::2]):
    print(json.dumps(connection.call(method, json.loads(parameters)), ensure_ascii=False))
