"""The engine and the codec alone, in one process: runs the Swift package beside this."""


def measure():
    return {}
