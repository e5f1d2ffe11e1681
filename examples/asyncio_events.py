"""Posts to a session of contextdiffd's and hears its events, in asyncio's loop."""

import asyncio

from contextdiff import Snapshot, aio
from contextdiff.client import Event, Ready


async def main():
    async with aio.Client() as client:
        async for message in client.events(sessions=["example"]):
            match message:
                case Ready():
                    await client.post("example", Snapshot(before="今日"))
                    await client.post("example", Snapshot(before="今日は"))
                case Event(transition=done):
                    print(done.kind, done.inserted)
                    return


asyncio.run(main())
