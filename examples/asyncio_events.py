"""Posts to a session of contextdiffd's and hears its events, in asyncio's loop."""

import asyncio
import contextlib
import sys

from contextdiff import Refused, Snapshot, aio
from contextdiff.client import Disconnected, Event, Ready


async def main():
    async with aio.Client() as client:
        async for message in client.events(sessions=["example"]):
            match message:
                case Ready():
                    with contextlib.suppress(Refused):
                        await client.forget("example")  # What another run left.
                    await client.post("example", Snapshot(before="今日"))
                    await client.post("example", Snapshot(before="今日は"))
                case Event(transition=done):
                    print(done.kind, done.inserted)
                    # The field is gone, and so is what is kept of it.
                    await client.forget("example")
                    return
                case Disconnected():
                    print("no daemon answers yet", file=sys.stderr)


asyncio.run(main())
