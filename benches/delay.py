#!/usr/bin/env python3
"""Passes connections on with a delay, as over a long line: delay.py PORT TO_PORT MILLISECONDS, of which each direction has half."""
import asyncio, sys

port, to, delay = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) / 2000


async def forward(reader, writer):
    loop, arrived = asyncio.get_running_loop(), asyncio.Queue()

    async def read():
        while data := await reader.read(1 << 16):
            arrived.put_nowait((loop.time() + delay, data))
        arrived.put_nowait((loop.time() + delay, b""))

    reading = asyncio.create_task(read())
    try:
        while True:
            at, data = await arrived.get()
            await asyncio.sleep(max(0, at - loop.time()))
            if not data:
                break
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    reading.cancel()
    writer.close()


async def connected(reader, writer):
    # A connection takes a round trip, too.
    await asyncio.sleep(2 * delay)
    far_reader, far_writer = await asyncio.open_connection("127.0.0.1", to)
    await asyncio.gather(forward(reader, far_writer), forward(far_reader, writer))


async def main():
    async with await asyncio.start_server(connected, "127.0.0.1", port) as server:
        await server.serve_forever()


asyncio.run(main())
