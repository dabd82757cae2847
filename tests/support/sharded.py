"""Gold and parsed as many files, and what one process makes of them."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import NamedTuple

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


def finished(checkpoint: Path) -> dict[str, int]:
    """The finished pieces in a folder, and when they were written."""
    if not checkpoint.exists():
        return {}
    return {path.name: path.stat().st_mtime_ns for path in checkpoint.glob("*.json")}


def in_one_process(*arguments: str | Path) -> Ran:
    return spinal(*arguments, "--jobs", "1")
