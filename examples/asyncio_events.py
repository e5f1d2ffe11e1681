"""Posts to a session of contextdiffd's and hears its events, in asyncio's loop."""

import asyncio
import os
import sys

from contextdiff import Snapshot, aio
from contextdiff.client import Disconnected, Event, Ready

# One field's, and no other process's: a program with several fields counts them, too.
NAME = f"example-{os.getpid()}"


async def main() -> None:
    async with aio.Client() as client:
        async for message in client.events(sessions=[NAME]):
            match message:
                case Ready():
                    await client.post(NAME, Snapshot(before="今日"))
                    await client.post(NAME, Snapshot(before="今日は"))
                case Event(transition=done):
                    print(done.kind, done.inserted)
                    # The field, or its focus, is gone, and so is what is kept of it.
                    await client.forget(NAME)
                    return
                case Disconnected(error=error):
                    print(error, file=sys.stderr)


asyncio.run(main())
