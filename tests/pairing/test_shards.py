"""Files that are scored one by one: bad trees, lengths, warnings as in one input."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Ran, spinal
from tests.support.sharded import (
    Sharded,
    as_shards,
    in_one_process,
    in_shards,
    sharded,
)


@pytest.mark.slow
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
    assert in_shards(*given) == alone
    strict = in_one_process(*given, "--strict")
    assert in_shards(*given, "--strict") == strict
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
    assert in_shards(*given) == alone


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
    assert in_shards(*given) == alone


@pytest.mark.parametrize("command", ["score", "evalb"])
def test_shards_of_unequal_length_are_named(command: str, tmp_path: Path) -> None:
    files = sharded(tmp_path / "in")
    for side, number in (("parsed", 2), ("gold", 7)):
        shard = files.shard(side, number)
        shard.write_text("".join(shard.read_text().splitlines(True)[:-2]))
    ran = in_shards(command, *files.specs, "--format", "json")
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
    domains = in_shards("domains", f"a={files.gold}:{files.parsed}")
    assert domains.code == 2
    assert "differ in length by" in domains.err


def test_a_shard_that_is_damaged_or_gone(tmp_path: Path) -> None:
    files = sharded(tmp_path / "in", zipped=True)
    given = ["score", *files.specs, "--format", "json"]
    shard = files.shard("gold", 6)
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-20])
    ran = in_shards(*given)
    assert (ran.code, ran.out) == (2, "")
    assert f"{shard}: damaged compressed file: " in ran.err
    shard.write_bytes(whole)
    assert in_shards(*given) == in_one_process(*given)
    assert gzip.decompress(whole)


def test_files_of_other_names_are_one_long_input(tmp_path: Path) -> None:
    files = sharded(tmp_path / "in")
    for shard in sorted((files.folder / "parsed").iterdir()):
        shard.rename(shard.with_name(f"part{shard.name}"))
    last, before = files.shard("parsed", 12), files.shard("parsed", 11)
    before.write_text(before.read_text() + last.read_text())
    last.unlink()
    given = ["score", *files.specs, "--format", "json"]
    alone = in_one_process(*given)
    assert alone.code == 0
    with as_shards() as divided:
        assert in_one_process(*given) == alone
    assert not divided


def test_discourse_is_one_piece(tmp_path: Path) -> None:
    path = tmp_path / "a.dis"
    path.write_text(
        "( Root (span 1 2)\n  ( Nucleus (leaf 1) (rel2par span) (text _!I see_!) )\n"
        "  ( Satellite (leaf 2) (rel2par cause) (text _!as I go_!) ) )\n"
    )
    with as_shards():
        ran = in_one_process("domains", f"a={path}:{path}")
    assert ran.code == 2
    assert "--cluster is not for discourse trees" in ran.err


TIGER = """<corpus><body><s id="s1"><graph root="s1_500"><terminals>
<t id="s1_1" word="I" pos="P"/><t id="s1_2" word="see" pos="V"/>
<t id="s1_3" word="it" pos="P"/></terminals><nonterminals>
<nt id="s1_500" cat="S"><edge label="HD" idref="s1_2"/><edge idref="s1_501"/></nt>
<nt id="s1_501" cat="NP"><edge idref="s1_1"/><edge idref="s1_3"/></nt>
</nonterminals></graph></s></body></corpus>
"""


@pytest.mark.slow
def test_what_a_reader_warns_of_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        ran = in_shards(*given, "--jobs", jobs)
        assert ran.out == alone.out
        assert sorted(ran.err.splitlines()) == sorted(alone.err.splitlines())
    assert in_shards(*given, "-q").err == ""


def wrapped(folder: Path, *, size: int = 5) -> Sharded:
    """The examples in shards, with the wrapper ROOT, which COLLINS.prm counts."""
    files = sharded(folder, size=size)
    for side in ("gold", "parsed"):
        for path in (folder / side).iterdir():
            path.write_bytes(path.read_bytes().replace(b"(TOP ", b"(ROOT "))
    return files


@pytest.mark.slow
@pytest.mark.parametrize(
    ("run", "jobs"), [(spinal, "2"), (in_shards, "1"), (in_shards, "2")]
)
def test_evalb_of_score_is_evalbs_in_shards_too(
    run: Callable[..., Ran], jobs: str, tmp_path: Path
) -> None:
    files = wrapped(tmp_path / "in")
    shown = ("--format", "json", "--by-sentence", "-q")
    theirs = json.loads(spinal("evalb", *files.specs, *shown).out)
    ours = json.loads(run("score", *files.specs, *shown, "--jobs", jobs).out)
    summary = theirs["summary"]
    for name in ("gold", "test", "matched"):
        assert ours["evalb"][name] == summary[name]
    assert sum(ours["reconciliation"].values()) == summary["matched"]
    assert ours["reconciliation"]["wrapper"] == summary["valid"]
    assert [row["evalb_matched"] for row in ours["sentences"]] == [
        row["matched"] for row in theirs["sentences"]
    ]
