"""What a run on a cluster costs: measured on two workers of this machine.

    .venv/bin/python benchmarks/cluster.py GOLD PARSED [--shards 100] [--repeat 2]

GOLD and PARSED, of one tree a line, are one shard under many names. The scheduler is in
this process, the client in one of its own, and so are the workers: CPU time tells them
apart, and does not depend on what else the machine has to do. Bytes are those that the
loopback device carries meanwhile, all connections together.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from distributed import LocalCluster

from analyzer.runtime.executor import Backend, run_tasks

EMPTY_TASKS = 1000


class Cost(NamedTuple):
    wall: float
    scheduler: float  # CPU seconds, as the next two
    workers: float
    client: float
    bytes: int
    memory: int  # the client's largest, in bytes

    def lines(self, tasks: int) -> list[str]:
        return [
            f"wall time               {self.wall:8.2f} s",
            f"workers, CPU a task     {1000 * self.workers / tasks:8.2f} ms",
            f"scheduler, CPU a task   {1000 * self.scheduler / tasks:8.2f} ms",
            f"client, CPU in all      {self.client:8.2f} s",
            f"bytes sent a task       {self.bytes / tasks:8,.0f}",
            f"client, largest memory  {self.memory / 1e6:8.1f} MB",
        ]


def cost_of(cluster: Any, command: list[str]) -> Cost:
    """Run a command that uses the cluster, and look at everyone's meter."""
    workers = [psutil.Process(worker.pid) for worker in cluster.workers.values()]

    def meters() -> tuple[float, float, float, int]:
        busy = sum(sum(worker.cpu_times()[:2]) for worker in workers)
        sent = psutil.net_io_counters(pernic=True)["lo"].bytes_sent
        return time.perf_counter(), time.process_time(), busy, sent

    before = meters()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, code, used = os.wait4(process.pid, 0)
    if code:
        raise SystemExit(f"failed: {' '.join(command)}")
    wall, scheduler, busy, sent = (b - a for a, b in zip(before, meters(), strict=True))
    client = used.ru_utime + used.ru_stime
    return Cost(wall, scheduler, busy, client, int(sent), used.ru_maxrss * 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("parsed", type=Path)
    parser.add_argument("--shards", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=1, help="the files, in a shard")
    args = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=":0",
        ) as cluster,
    ):
        specs = [
            make_shards(
                Path(folder) / side, path.read_bytes() * args.repeat, args.shards
            )
            for side, path in (("gold", args.gold), ("parsed", args.parsed))
        ]
        sentences = args.repeat * args.gold.read_bytes().count(b"\n")
        address = cluster.scheduler_address
        spinal = [sys.executable, "-m", "analyzer", "score", *specs, "-q"]
        on_cluster = [*spinal, "--cluster", address]
        cost_of(cluster, on_cluster)  # so that the workers have imported everything
        print(f"{args.shards} shards of {sentences:,} sentences, spinal score:")
        print("\n".join(cost_of(cluster, on_cluster).lines(args.shards)))
        print("\nthe same in one process:")
        alone = cost_of(cluster, [*spinal, "--jobs", "1"])
        print(f"CPU a shard             {1000 * alone.client / args.shards:8.2f} ms")
        print(f"\n{EMPTY_TASKS:,} tasks that do nothing:")
        empty = cost_of(cluster, [sys.executable, __file__, "--empty", address])
        print("\n".join(empty.lines(EMPTY_TASKS)))


def make_shards(folder: Path, data: bytes, number: int) -> str:
    folder.mkdir()
    (folder / "0000.mrg").write_bytes(data)
    for at in range(1, number):
        (folder / f"{at:04}.mrg").symlink_to("0000.mrg")
    return f"{folder}/*.mrg"


def nothing(address: str) -> None:
    for _ in run_tasks(str, range(EMPTY_TASKS), backend=Backend(cluster=address)):
        pass


if __name__ == "__main__":
    if sys.argv[1] == "--empty":
        nothing(sys.argv[2])
    else:
        main()
