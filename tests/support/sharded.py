"""Gold and parsed as many files, and what is made of them, at once or in shards."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from analyzer.pairing.in_step import Part
from analyzer.pairing.tasks import Shards
from analyzer.runtime.executor import Backend
from tests.support.command import Ran, spinal
from tests.support.data_paths import EXAMPLES


class Sharded(NamedTuple):
    """Files of both sides in folders of their own."""

    folder: Path

    @property
    def gold(self) -> str:
        return f"{self.folder}/gold/*"

    @property
    def parsed(self) -> str:
        return f"{self.folder}/parsed/*"

    @property
    def specs(self) -> tuple[str, str]:
        return self.gold, self.parsed

    def shard(self, side: str, number: int) -> Path:
        return sorted((self.folder / side).iterdir())[number]


def sharded(folder: Path, *, size: int = 7, zipped: bool = False) -> Sharded:
    """The examples in files of some sentences each."""
    for side, system in (("gold", "gold"), ("parsed", "chart")):
        (folder / side).mkdir(parents=True)
        lines = [
            line
            for name in ("news", "web")
            for line in (EXAMPLES / f"{name}.{system}.mrg").read_bytes().splitlines()
        ]
        for start in range(0, len(lines), size):
            data = b"\n".join([*lines[start : start + size], b""])
            path = folder / side / f"{start // size:03}.mrg"
            if zipped:
                path, data = path.with_suffix(".mrg.gz"), gzip.compress(data)
            path.write_bytes(data)
    return Sharded(folder)


def long_run(folder: Path, *, shards: int = 40, repeats: int = 10) -> Sharded:
    """Shards that take some seconds: all the same file, under many names."""
    for side, system in (("gold", "gold"), ("parsed", "chart")):
        (folder / side).mkdir(parents=True)
        (folder / side / "000.mrg").write_bytes(
            (EXAMPLES / f"news.{system}.mrg").read_bytes() * repeats
        )
        for number in range(1, shards):
            (folder / side / f"{number:03}.mrg").symlink_to("000.mrg")
    return Sharded(folder)


def in_one_process(*arguments: str | Path) -> Ran:
    return spinal(*arguments, "--jobs", "1")


@contextmanager
def as_shards() -> Iterator[list[int]]:
    """Files are shards, as on a cluster, though the work is done here.

    What is given lists how many shards each input was divided into.
    """
    divided: list[int] = []
    counts = Shards.counts

    def noted(shards: Shards, *arguments: Any) -> Iterator[Part[Any]]:
        divided.append(len(shards._paths))
        return counts(shards, *arguments)

    with (
        patch.object(Backend, "is_for_shards", True),
        patch.object(Shards, "counts", noted),
    ):
        yield divided


def in_shards(*arguments: str | Path) -> Ran:
    """What a command prints if the files are shards; in this process unless told."""
    with as_shards() as divided:
        where = () if "--jobs" in arguments else ("--jobs", "1")
        ran = spinal(*arguments, *where)
    assert divided, "nothing was divided into shards"
    return ran
