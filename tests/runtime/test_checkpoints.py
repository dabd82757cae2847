"""Runs that are stopped go on where they were; nothing stale is ever used."""

from __future__ import annotations

import gzip
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer.analyses.conventions import ConventionPart, convention_work
from analyzer.analyses.domains import GroupedPairs, GroupWork
from analyzer.analyses.evalb import BracketScores, BracketWork
from analyzer.analyses.score import ScorePart, ScoreWork, settings
from analyzer.constructions.labeller import Labeller
from analyzer.constructions.language import load_inventory
from analyzer.exceptions import InputError
from analyzer.metrics.constructions import Tally
from analyzer.pairing.in_step import open_tasks
from analyzer.pairing.shards import ShardPair
from analyzer.runtime.checkpoints import Checkpoint
from analyzer.runtime.executor import Workplace, results
from analyzer.runtime.typed_json import described, from_plain, to_plain
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.parameters import load_parameters
from tests.support.command import Ran, spinal, started
from tests.support.data_paths import EXAMPLES
from tests.support.sharded import Sharded, finished, in_one_process, long_run, sharded

# Good trees, a failed parse, words that differ, and trees that are none.
GOLD = "(S (NP (PRP I)) (VP (VBP see)))\n" * 4 + "(S (NP (PRP I)\n"
PARSED = (
    "(S (PRP I) (VP (VBP see)))\n\n(S (PRP I) (VP (VBP go)))\n(S (PRP é) (\n"
    "(S (PRP I))\n"
)
COMMANDS = [
    ["score"],
    ["score", "--by-sentence"],
    ["evalb"],
    ["evalb", "--by-label", "--by-sentence"],
    ["evalb", "--conventions"],
]


def parts() -> list[tuple[Any, Any]]:
    """Every kind of part that can be kept, and its type."""
    tables, labeller = settings()
    bracket = BracketWork(tables, by_label=True, by_sentence=True)
    found = []
    for work, kind in (
        (ScoreWork(tables, labeller, by_sentence=True), ScorePart),
        (ScoreWork(tables, labeller), ScorePart),
        (bracket, BracketScores),
        (convention_work(), ConventionPart),
    ):
        (task,) = open_tasks(GOLD, PARSED)[0]
        found.append((kind, work(task)))  # type: ignore[operator]
    (task,) = open_tasks(GOLD, PARSED)[0]
    grouped = GroupedPairs(task, ["a", "b", "a", "b", "a"])
    return [*found, (dict[str, Tally], GroupWork(tables, labeller)(grouped))]


@pytest.mark.parametrize("number", range(5))
def test_parts_survive_being_written_down(number: int) -> None:
    kind, part = parts()[number]
    text = json.dumps(to_plain(part))
    back = from_plain(kind, json.loads(text))
    assert type(back) is type(part)
    assert json.dumps(to_plain(back)) == text
    left_out = getattr(part, "left_out", None)
    if left_out is not None:
        assert [str(x.error) for x in back.left_out] == [str(x.error) for x in left_out]
        assert {type(x.error) for x in back.left_out} == {
            type(x.error) for x in left_out
        }
        assert len(left_out) == 4
    if isinstance(part, BracketScores):
        assert back.roots == part.roots
        assert back.summary == part.summary
        assert all(map(np.array_equal, back.sentences, part.sentences))  # type: ignore


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (int, True),
        (int, "1"),
        (list[int], {"a": 1}),
        (tuple[int, int], [1]),
        (dict[str, int], {"a": 1.5}),
        (Tally, [1, 2, 3]),
        (InputError, ["SystemExit", "x", None, None]),
        (InputError, ["annotations", "x", None, None]),
    ],
)
def test_only_what_is_expected_comes_out(kind: Any, data: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        from_plain(kind, data)


def test_works_are_told_apart_by_every_setting() -> None:
    tables, labeller = settings()
    collins, new = load_parameters("collins"), load_parameters("new")
    merged = Labeller(load_inventory("english"), {"NP-pos": "NP-t"})
    works = [
        ScoreWork(tables, labeller),
        ScoreWork(tables, labeller, by_sentence=True),
        ScoreWork(tables, merged),
        ScoreWork(LabelTables(new), labeller),
        GroupWork(tables, labeller),
        BracketWork(LabelTables(collins)),
        BracketWork(LabelTables(collins.with_deleted("X"))),
        BracketWork(LabelTables(collins), "zero"),
        BracketWork(LabelTables(collins), by_label=True),
        BracketWork(LabelTables(collins, compares_words=False)),
    ]
    told = [json.dumps(described(work)) for work in works]
    assert len(set(told)) == len(works)
    assert told[0] == json.dumps(described(ScoreWork(*settings())))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Sharded:
    return sharded(tmp_path_factory.mktemp("shards"))


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
    where = Workplace(checkpoint=Checkpoint(str(tmp_path / "kept"), told.append))
    work = ScoreWork(*settings())
    (part,) = results(work, [Meddling(*names, (False, False))], where=where)
    assert part.tally.sentences == 7
    assert finished(tmp_path / "kept") == {}


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], str]:
    """A command that takes a while, and what it prints."""
    files = long_run(tmp_path_factory.mktemp("long"))
    given = ["score", *files.specs, "--format", "json"]
    return given, in_one_process(*given).out


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
    time.sleep(0.2)  # its processes end, too
    before = finished(kept)
    assert 3 <= len(before) < 40
    again = spinal(*given, "--checkpoint", kept, "--jobs", jobs)
    assert again.out == right
    assert f"resumed: {len(before)} of 40 pieces were already done" in again.err
    after = finished(kept)
    assert len(after) == 40
    assert before.items() <= after.items()  # none was written again


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


@pytest.mark.parametrize("command", [["score"], ["evalb"], ["evalb", "--conventions"]])
def test_a_bad_tree_keeps_its_number(command: list[str], tmp_path: Path) -> None:
    files = sharded(tmp_path / "in")
    shard = files.shard("parsed", 5)
    lines = shard.read_text().splitlines()
    lines[2] = lines[2][:-2]
    shard.write_text("\n".join([*lines, ""]))
    given = [*command, *files.specs, "--format", "json"]
    alone = in_one_process(*given)
    assert alone.code == 2
    assert f"{shard}:3:" in alone.err
    assert "sentence 38: " in alone.err
    assert in_one_process(*given, "--checkpoint", tmp_path / "kept") == alone
    strict = in_one_process(*given, "--strict")
    assert (
        in_one_process(*given, "--strict", "--checkpoint", tmp_path / "kept") == strict
    )
    assert "sentence 38: " in strict.err


def test_shards_named_from_here_are_named_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = sharded(tmp_path)
    shard = files.shard("parsed", 5)
    shard.write_text(shard.read_text().replace("(NP", "(NP-", 1).replace(")", "", 1))
    monkeypatch.chdir(tmp_path)
    given = ["score", "gold/*", "parsed/*", "--format", "json"]
    alone = in_one_process(*given)
    assert "parsed/005.mrg:1:" in alone.err
    assert in_one_process(*given, "--checkpoint", "kept") == alone


@pytest.mark.parametrize("blanks_in", ["gold", "parsed", "both", "neither"])
def test_blank_lines_mean_the_same(blanks_in: str, tmp_path: Path) -> None:
    """What they mean is decided on the first files, as by one reader."""
    files = sharded(tmp_path / "in")
    for side in ("gold", "parsed") if blanks_in == "both" else (blanks_in,):
        for number in range(13 if side != "neither" else 0):
            shard = files.shard(side, number)
            shard.write_text(shard.read_text().replace("\n", "\n\n"))
    given = ["evalb", *files.specs, "--format", "json"]
    alone = in_one_process(*given)
    assert json.loads(alone.out)["summary"]["valid"] > 80
    assert in_one_process(*given, "--checkpoint", tmp_path / "kept") == alone


@pytest.mark.parametrize("command", ["score", "evalb"])
def test_shards_of_unequal_length_are_named(command: str, tmp_path: Path) -> None:
    files = sharded(tmp_path / "in")
    for side, number in (("parsed", 2), ("gold", 7)):
        shard = files.shard(side, number)
        shard.write_text("".join(shard.read_text().splitlines(True)[:-2]))
    given = [command, *files.specs, "--format", "json", "--checkpoint", tmp_path / "k"]
    for _ in range(2):
        ran = in_one_process(*given)
        gold, parsed = files.shard("gold", 2), files.shard("parsed", 2)
        assert ran.code == 2
        assert (
            f"{gold} and {parsed} differ in length by 2 sentences (and so do 1 more "
            "pair of files); scored the ones they share"
        ) in ran.err
        data = json.loads(ran.out)
        assert data["surplus"] == {"in_gold": 2, "in_parsed": 2}
        if command == "evalb":
            assert data["summary"]["sentences"] == 84
    kept = ["--checkpoint", tmp_path / "k"]
    domains = in_one_process("domains", f"a={files.gold}:{files.parsed}", *kept)
    assert domains.code == 2
    assert "differ in length by" in domains.err


def test_a_shard_that_is_damaged_or_gone(tmp_path: Path) -> None:
    files = sharded(tmp_path / "in", zipped=True)
    given = ["score", *files.specs, "--format", "json"]
    kept = ["--checkpoint", tmp_path / "kept", "--jobs", "1"]
    shard = files.shard("gold", 6)
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-20])
    ran = spinal(*given, *kept)
    assert (ran.code, ran.out) == (2, "")
    assert f"{shard}: damaged compressed file: " in ran.err
    assert len(finished(tmp_path / "kept")) == 6  # those before it
    shard.write_bytes(whole)
    again = spinal(*given, *kept)
    assert again.out == in_one_process(*given).out
    assert "resumed: 6 of 13" in again.err
    assert gzip.decompress(whole)


def test_unequally_many_files_are_one_long_input(tmp_path: Path) -> None:
    files = sharded(tmp_path / "in")
    last, before = files.shard("parsed", 12), files.shard("parsed", 11)
    before.write_text(before.read_text() + last.read_text())
    last.unlink()
    given = ["score", *files.specs, "--format", "json"]
    alone = in_one_process(*given)
    assert alone.code == 0
    assert in_one_process(*given, "--checkpoint", tmp_path / "kept") == alone
    assert finished(tmp_path / "kept")


def test_discourse_is_one_piece(tmp_path: Path) -> None:
    path = tmp_path / "a.dis"
    path.write_text(
        "( Root (span 1 2)\n  ( Nucleus (leaf 1) (rel2par span) (text _!I see_!) )\n"
        "  ( Satellite (leaf 2) (rel2par cause) (text _!as I go_!) ) )\n"
    )
    ran = in_one_process(
        "domains", f"a={path}:{path}", "--checkpoint", tmp_path / "kept"
    )
    assert ran.code == 2
    assert "discourse trees are scored in one piece" in ran.err


TIGER = """<corpus><body><s id="s1"><graph root="s1_500"><terminals>
<t id="s1_1" word="I" pos="P"/><t id="s1_2" word="see" pos="V"/>
<t id="s1_3" word="it" pos="P"/></terminals><nonterminals>
<nt id="s1_500" cat="S"><edge label="HD" idref="s1_2"/><edge idref="s1_501"/></nt>
<nt id="s1_501" cat="NP"><edge idref="s1_1"/><edge idref="s1_3"/></nt>
</nonterminals></graph></s></body></corpus>
"""


def test_what_a_reader_warns_of_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by a run that finds the piece finished."""
    monkeypatch.chdir(tmp_path)
    for side in ("gold", "parsed"):
        (tmp_path / side).mkdir()
        for number in range(3):
            (tmp_path / side / f"{number}.xml").write_text(TIGER)
    given = ["evalb", "gold/*", "parsed/*", "--format", "json"]
    alone = in_one_process(*given)
    assert alone.code == 0
    assert alone.err.count("1 of 1 tree has crossing branches") == 6
    assert "spinal: gold/0.xml: 1 of 1" in alone.err
    for jobs in ("1", "2"):
        ran = spinal(*given, "--checkpoint", jobs, "--jobs", jobs)
        assert ran.out == alone.out
        assert sorted(ran.err.splitlines()) == sorted(alone.err.splitlines())
    again = spinal(*given, "--checkpoint", "1").err.splitlines()
    resumed = "spinal: resumed: 3 of 3 pieces were already done"
    assert sorted(again) == sorted([*alone.err.splitlines(), resumed])
    assert spinal(*given, "--checkpoint", "1", "-q").err == ""
