"""Runs that are stopped go on where they were; nothing stale is ever used."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analyzer.analyses.score_work import ScoreWork
from analyzer.derivation.syntax import syntax_deriver
from analyzer.pairing.shards import ShardPair
from analyzer.runtime.checkpoints import Checkpoint
from analyzer.runtime.executor import Backend, run_tasks
from tests.support.command import Ran, spinal, started
from tests.support.data_paths import EXAMPLES
from tests.support.sharded import Sharded, finished, in_one_process, long_run, sharded

COMMANDS = [
    ["score"],
    ["score", "--by-sentence"],
    ["evalb"],
    ["evalb", "--by-label", "--by-sentence"],
    ["evalb", "--conventions"],
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Sharded:
    return sharded(tmp_path_factory.mktemp("shards"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "jobs"), [*((one, "1") for one in COMMANDS), (COMMANDS[1], "2")]
)
def test_shards_add_up_to_the_same(
    command: list[str], jobs: str, files: Sharded, tmp_path: Path
) -> None:
    given = [*command, *files.specs, "--format", "json"]
    alone = in_one_process(*given)
    kept = ["--checkpoint", tmp_path / "kept", "--jobs", jobs]
    assert spinal(*given, *kept) == alone
    before = finished(tmp_path / "kept")
    assert len(before) == 13
    again = spinal(*given, *kept)
    assert (again.code, again.out) == (alone.code, alone.out)
    assert "resumed: 13 of 13 pieces were already done" in again.err
    assert finished(tmp_path / "kept") == before


@pytest.mark.parametrize("command", [*COMMANDS, ["evalb", "--format", "evalb"]])
def test_blocks_are_kept_too(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", 2048)
    pair = EXAMPLES / "news.gold.mrg", EXAMPLES / "news.chart.mrg"
    given = [command[0], *pair, "--format", "json", *command[1:]]
    alone = in_one_process(*given)
    assert in_one_process(*given, "--checkpoint", tmp_path) == alone
    before = finished(tmp_path)
    assert len(before) > 5
    again = in_one_process(*given, "--checkpoint", tmp_path)
    assert (again.code, again.out) == (alone.code, alone.out)
    assert f"resumed: {len(before)} of {len(before)} pieces" in again.err
    assert finished(tmp_path) == before
    assert "resumed" not in in_one_process(*given, "--checkpoint", tmp_path, "-q").err


@pytest.mark.parametrize("groups", [True, False])
def test_domains_are_kept_too(groups: bool, tmp_path: Path) -> None:
    files = sharded(tmp_path / "in")
    shown = ["--format", "json"]
    if groups:
        lines = [f"{'ab'[number % 2]}\n" for number in range(88)]
        (tmp_path / "groups.tsv").write_text("side\n" + "".join(lines))
        specs = [f"all={files.gold}:{files.parsed}"]
        shown += ["--group-by", f"{tmp_path / 'groups.tsv'}:side"]
    else:
        news = f"{EXAMPLES}/news.gold.mrg:{EXAMPLES}/news.greedy.mrg"
        specs = [f"all={files.gold}:{files.parsed}", f"news={news}"]
    alone = in_one_process("domains", *specs, *shown)
    assert alone.code == 0
    kept = ["--checkpoint", tmp_path / "kept"]
    assert in_one_process("domains", *specs, *shown, *kept) == alone
    before = finished(tmp_path / "kept")
    again = in_one_process("domains", *specs, *shown, *kept)
    assert again.out == alone.out
    assert "resumed" in again.err
    assert finished(tmp_path / "kept") == before


def changed(ran: Ran, checkpoint: Path, before: int) -> int:
    """How many pieces a run added, by its word and by the files."""
    new = len(finished(checkpoint)) - before
    if "resumed" not in ran.err:
        return new
    assert f"resumed: {13 - new} of 13 pieces" in ran.err
    return new


@pytest.mark.slow
def test_what_changes_is_done_again(tmp_path: Path) -> None:
    files, kept = sharded(tmp_path / "in"), tmp_path / "kept"

    def added(*options: str) -> int:
        before = len(finished(kept))
        given = ["evalb", *files.specs, "--format", "json", *options]
        ran = in_one_process(*given, "--checkpoint", kept)
        assert ran.out == in_one_process(*given).out
        return changed(ran, kept, before)

    assert added() == 13
    assert added() == 0
    assert added("--params", "new") == 13
    assert added("--on-mismatch", "zero") == 13
    assert added("--strict") == 13
    assert added("--encoding", "latin-1") == 13
    shard = files.shard("parsed", 4)
    shard.write_text(shard.read_text().replace("NP", "XP"))
    assert added() == 1
    status = shard.stat()
    os.utime(shard, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert added() == 1  # only the time is another: who knows


def test_another_version_is_not_used(
    files: Sharded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ["score", *files.specs, "--checkpoint", tmp_path]
    in_one_process(*given)
    monkeypatch.setattr("analyzer.runtime.checkpoints.version", lambda: "0.0.9+else")
    assert changed(in_one_process(*given), tmp_path, 13) == 13


DAMAGES: list[Callable[[str], str]] = [
    lambda text: text[: len(text) // 2],
    lambda text: "",
    lambda text: "[" * 100_000,
    lambda text: "[]",
    lambda text: text.replace("1", "2"),
    lambda text: text.replace('"part": [', '"part": [1, '),
    lambda text: "\0" * len(text),
]


def test_a_damaged_piece_is_done_again(files: Sharded, tmp_path: Path) -> None:
    given = ["score", *files.specs, "--format", "json", "--checkpoint", tmp_path]
    right = in_one_process(*given)
    pieces = sorted(tmp_path.glob("*.json"))
    before = [piece.read_text() for piece in pieces]
    for piece, damage in zip(pieces, DAMAGES, strict=False):
        piece.write_text(damage(piece.read_text()))
    again = in_one_process(*given, "-v")
    assert again.out == right.out
    assert "resumed: 6 of 13" in again.err
    for piece, whole in zip(pieces[: len(DAMAGES)], before, strict=False):
        assert f"{piece}: not a finished piece" in again.err
        # The same counts; which construction was met first may differ.
        assert json.loads(piece.read_text())["part"] == json.loads(whole)["part"]


def test_a_piece_under_another_name_is_not_used(files: Sharded, tmp_path: Path) -> None:
    given = ["score", *files.specs, "--format", "json", "--checkpoint", tmp_path]
    right = in_one_process(*given)
    first, second, *_ = sorted(tmp_path.glob("*.json"))
    second.write_bytes(first.read_bytes())
    again = in_one_process(*given)
    assert again.out == right.out
    assert "resumed: 12 of 13" in again.err


def test_a_folder_that_cannot_be_written(files: Sharded, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = in_one_process(
        "score", *files.specs, "--checkpoint", tmp_path / "file" / "kept"
    )
    assert (ran.code, ran.out) == (2, "")
    assert "kept: cannot be written: " in ran.err


def test_a_disk_that_fills_up_does_not_lose_the_run(
    files: Sharded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ["score", *files.specs, "--format", "json"]
    real, left = os.replace, [3]

    def full(source: Any, target: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr("os.replace", full)
    ran = spinal(*given, "--checkpoint", tmp_path, "--jobs", "1")
    monkeypatch.undo()
    assert ran.out == in_one_process(*given).out
    assert ran.err.count("No space left on device") == 1
    assert len(finished(tmp_path)) == len(list(tmp_path.iterdir())) == 3


def test_a_shard_that_changes_while_it_is_scored_is_not_kept(tmp_path: Path) -> None:
    files = sharded(tmp_path / "in")
    names = [str(files.shard(side, 0)) for side in ("gold", "parsed")]

    class Meddling(ShardPair):
        def pairs(self) -> Any:
            yield from super().pairs()
            Path(self.gold).write_text("")

    told: list[str] = []
    backend = Backend(checkpoint=Checkpoint(str(tmp_path / "kept"), told.append))
    work = ScoreWork(syntax_deriver())
    (part,) = run_tasks(work, [Meddling(*names, (False, False))], backend=backend)
    assert part.tally.sentences == 7
    assert finished(tmp_path / "kept") == {}


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], str]:
    """A command that takes a while, and what it prints."""
    files = long_run(tmp_path_factory.mktemp("long"))
    given = ["score", *files.specs, "--format", "json"]
    return given, in_one_process(*given).out


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_that_is_killed_goes_on(
    jobs: str, long: tuple[list[str], str], tmp_path: Path
) -> None:
    (given, right), kept = long, tmp_path / "kept"
    killed = started(*given, "--checkpoint", kept, "--jobs", jobs)
    while len(finished(kept)) < 3:
        assert killed.poll() is None, killed.communicate()
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    assert killed.communicate()[0] == b""
    assert killed.returncode == -signal.SIGKILL
    before = finished(kept)
    assert 3 <= len(before) < 40
    again = spinal(*given, "--checkpoint", kept, "--jobs", jobs)
    assert again.out == right
    assert f"resumed: {len(before)} of 40 pieces were already done" in again.err
    after = finished(kept)
    assert len(after) == 40
    assert before.items() <= after.items()  # none was written again


@pytest.mark.slow
def test_two_runs_share_a_folder(tmp_path: Path) -> None:
    files, kept = long_run(tmp_path / "in", shards=12, repeats=3), tmp_path / "kept"
    given = ["score", *files.specs, "--format", "json"]
    runs = [started(*given, "--checkpoint", kept, "--jobs", "1") for _ in range(2)]
    outputs = [run.communicate() for run in runs]
    right = in_one_process(*given).out.encode()
    assert [out for out, _ in outputs] == [right, right]
    assert not any(b"not a finished piece" in err for _, err in outputs)
    assert "resumed: 12 of 12" in spinal(*given, "--checkpoint", kept).err
    assert len(list(kept.iterdir())) == 12
