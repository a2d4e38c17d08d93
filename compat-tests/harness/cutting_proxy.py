"""A TCP proxy that cuts connections at random: after a request and before its answer, in the middle of an answer, or idle.

    cutting_proxy.py --listen PORT --target PORT --mean-seconds S --seed N

Runs until the standard input closes, and prints how many connections it cut, in which way, as JSON.
"""

import argparse
import asyncio
import contextlib
import json
import random
import socket
import struct
import sys

WAYS = ("before-answer", "within-answer", "now")


class Link:
    """A client's connection and ours to the server."""

    def __init__(self, writers):
        self.writers = writers
        self.way = None

    def cut(self):
        for writer in self.writers:
            with contextlib.suppress(OSError):
                # With this the kernel sends a reset instead of an orderly end.
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()


class Proxy:
    def __init__(self, target, mean_seconds, seed):
        self.target = target
        self.mean_seconds = mean_seconds
        self.chance = random.Random(seed)
        self.links = set()
        self.cuts = dict.fromkeys(WAYS, 0)

    async def accept(self, reader, writer):
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        link = Link((writer, server_writer))
        self.links.add(link)
        try:
            ends = [asyncio.ensure_future(self.copy(reader, server_writer)),
                    asyncio.ensure_future(self.copy_answers(link, server_reader, writer))]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
        finally:
            self.links.discard(link)
            for each in link.writers:
                each.close()

    async def copy(self, reader, writer):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()

    async def copy_answers(self, link, reader, writer):
        while data := await reader.read(1 << 16):
            if link.way is not None:
                if link.way == "within-answer":
                    writer.write(data[: len(data) // 2])
                    await asyncio.sleep(0.005)
                self.cuts[link.way] += 1
                link.cut()
                return
            writer.write(data)
            await writer.drain()

    async def cut_at_random(self):
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / self.mean_seconds))
            whole = [link for link in self.links if link.way is None]
            if not whole:
                continue
            link = self.chance.choice(whole)
            link.way = self.chance.choice(WAYS)
            if link.way == "now":
                self.cuts["now"] += 1
                link.cut()


async def run(options):
    proxy = Proxy(options.target, options.mean_seconds, options.seed)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", options.listen)
    cutter = asyncio.ensure_future(proxy.cut_at_random()) if options.mean_seconds > 0 else None
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    if cutter is not None:
        cutter.cancel()
    server.close()
    print(json.dumps(proxy.cuts), flush=True)
    for link in list(proxy.links):
        link.cut()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--listen", type=int, required=True)
    parser.add_argument("--target", type=int, required=True)
    parser.add_argument("--mean-seconds", type=float, required=True)
    parser.add_argument("--seed", default="cut")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
