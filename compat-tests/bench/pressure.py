#!/usr/bin/env python3
"""Measures the table of docs/connections.md: the memory of the server and the latencies of a healthy client beside slow
readers, half-sent frames, a flood of connections, requests of 100 MiB, batches that inflate far, and 5,000 idle connections.

    ninja -C build dohle && compat-tests/bench/pressure.py [--server dohle|reference] [--seconds 10] [--budget-mib 128]

The healthy client sends one record of 1 KB with acks=1 on one connection, waits for the answer, then 2 ms. Exit code 1 if
Dohle's memory grew by more than queued.max.request.bytes, the reserve for small frames, one frame of the largest size, and
16 KiB for each connection allow.
"""

import argparse
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness import pressure, server as servers  # noqa: E402

MIB = 1 << 20
RESERVE_BYTES = 16 * MIB
# Buffers of sockets are the kernel's; this is for what the server keeps of a connection, and for its own coming and going.
CONNECTIONS, CONNECTION_BYTES, SLACK_BYTES = 5000, 16 << 10, 32 * MIB


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", choices=servers.KINDS, default="dohle")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--budget-mib", type=int, default=128)
    parser.add_argument("--only", action="append", help="one of the pressures, by name")
    options = parser.parse_args()
    bound = options.budget_mib * MIB + RESERVE_BYTES + pressure.FRAME_BYTES_MAX + CONNECTIONS * CONNECTION_BYTES + SLACK_BYTES
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pressure-"))
    server = servers.Server(options.server, folder, {"queued.max.request.bytes": str(options.budget_mib * MIB)}, open_files=(20000, 20000))
    exceeded = []
    try:
        server.start()
        pressure.prepare(server.port)
        before = pressure.memory_bytes(server.pid, "VmRSS")
        print(f"{options.server}: {before / MIB:.0f} MiB resident before; it may grow by {bound / MIB:.0f} MiB")
        print("| beside | healthy p50 ms | p99 ms | max ms | requests | resident, most MiB |\n|---|---|---|---|---|---|")
        for name in [None, *(options.only or pressure.ORDER)]:
            pressure.forget_peak(server.pid)
            if name is None:
                taken = pressure.healthy_latencies(server.port, options.seconds)
            else:
                with pressure.pressed(server.port, name):
                    taken = pressure.healthy_latencies(server.port, options.seconds)
            peak = pressure.memory_bytes(server.pid, "VmHWM")
            shown = " | ".join(f"{pressure.percentile(taken, share):.2f}" for share in (0.5, 0.99, 1))
            print(f"| {name or 'nobody'} | {shown} | {len(taken)} | {peak / MIB:.0f} |", flush=True)
            if options.server == "dohle" and peak - before > bound:
                exceeded.append(name)
        server.check()
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)
    if exceeded:
        print(f"the memory grew beyond its bound beside {', '.join(map(str, exceeded))}")
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
