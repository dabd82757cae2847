"""`spinal repairs`: formats, processes, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import spinal
from tests.support.golden import NEWS, WEB
from tests.support.sharded import in_shards


def test_lists_begin_with_the_columns_of_the_reference() -> None:
    ran = spinal("repairs", *WEB, "--list", "--format", "tsv")
    head = ran.out.splitlines()[0].split("\t")
    assert head[:5] == ["sentence", "step", "error_type", "nodes", "operation"]
    errors = ran.out.splitlines()[1:]
    data = json.loads(spinal("repairs", *WEB, "--format", "json").out)
    assert data["total"]["errors"] == len(errors)
    assert data["total"]["nodes"] == sum(int(line.split("\t")[3]) for line in errors)


def test_lists_begin_so_where_files_name_their_sentences(tmp_path: Path) -> None:
    file = tmp_path / "a.psd"
    file.write_text("( (IP (NP (N a)) (V b)) (ID A,1))\n\n( (IP (V c)) (ID A,2))\n")
    options = ("--patterns", "historical", "--list", "--format", "tsv")
    ran = spinal("repairs", str(file), str(file), *options)
    head = ran.out.splitlines()[0].split("\t")
    assert head[:5] == ["sentence", "step", "error_type", "nodes", "operation"]
    assert head[-1] == "id"


def test_long_words_are_cut_for_the_terminal_only() -> None:
    texts = [
        spinal("repairs", *WEB, "--list", "--format", f).out for f in ("text", "tsv")
    ]
    assert "…" in texts[0]
    assert "…" not in texts[1]


def test_several_processes_find_the_same() -> None:
    options = ("--classifier", "spinal", "--list", "--by-sentence", "--worth")
    ran = [
        spinal("repairs", *WEB, *options, "--jobs", jobs, "--format", "json")
        for jobs in ("1", "2")
    ]
    assert ran[0].out == ran[1].out


@pytest.mark.slow
def test_shards_find_the_same(tmp_path: Path) -> None:
    for side, files in enumerate(zip(WEB, NEWS, strict=True)):
        folder = tmp_path / ("gold", "parsed")[side]
        folder.mkdir()
        for number, file in enumerate(files):
            (folder / f"{number}.mrg").write_bytes(Path(file).read_bytes())
    both = (str(tmp_path / "gold"), str(tmp_path / "parsed"))
    options = ("--classifier", "spinal", "--list", "--worth", "--format", "json")
    plain = spinal("repairs", *both, *options)
    divided = in_shards("repairs", *both, *options)
    assert json.loads(divided.out)["errors"] == json.loads(plain.out)["errors"]
    assert json.loads(divided.out)["worth"] == json.loads(plain.out)["worth"]


def test_what_is_left_out_is_named(tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold", tmp_path / "parsed"
    gold.write_text("(S (NN a))\n(S (NN b))\n(S (NN c)\n(S (NN d))\n")
    parsed.write_text("(S (NN x))\n\n(S (NN c))\n(S (NP (NN d)))\n")
    ran = spinal("repairs", str(gold), str(parsed), "--classifier", "spinal")
    assert ran.code == 2
    assert "searched 1 of 4 sentences; 3 left out" in ran.out
    for told in ("sentence 1: word 1 differs", "sentence 2: failed", "sentence 3"):
        assert told in ran.err
    ran = spinal("repairs", str(gold), str(parsed))
    assert "searched 2 of 4 sentences" in ran.out
    assert "only the number of words is compared" in ran.out
    assert spinal("repairs", str(gold), str(parsed), "--on-mismatch", "error").code == 2


def test_sentences_without_edits_are_drawn_as_such(tmp_path: Path) -> None:
    """Those that cannot be compared, and those that need too many edits."""
    words = [f"(NN w{at})" for at in range(101)]
    gold, parsed = tmp_path / "gold", tmp_path / "parsed"
    gold.write_text(f"(S (NN a))\n(S {' '.join(f'(NP {word})' for word in words)})\n")
    parsed.write_text(f"\n(S {' '.join(words)})\n")
    ran = spinal("repairs", str(gold), str(parsed), "--draw", "1", "2")
    assert ran.out.splitlines() == [
        "sentence 1: refused, 0 edits",
        "sentence 2: no_path_found, 0 edits",
    ]


@pytest.mark.parametrize(
    "options",
    [
        ("--list", "--by-sentence", "--format", "csv"),
        ("--worth", "governor"),
        ("--classifier", "odd"),
    ],
)
def test_bad_usage(options: tuple[str, ...]) -> None:
    ran = spinal("repairs", *WEB, *options)
    assert (ran.code, ran.out) == (2, "")


def test_the_classifier_is_named_where_numbers_are_read(tmp_path: Path) -> None:
    """Types by other rules have other numbers: nobody may take them for the same."""
    for classifier in ("kummerfeld", "spinal"):
        given = ["repairs", *WEB, "--classifier", classifier, "--worth"]
        assert f"What each error type is worth ({classifier})" in spinal(*given).out
        data = json.loads(spinal(*given, "--format", "json").out)
        assert data["worth"]["classifier"] == data["classifier"] == classifier
        for command in (given, given[:-1]):
            header, *rows = spinal(*command, "--format", "csv").out.splitlines()
            assert header.endswith(",classifier")
            assert all(row.endswith(f",{classifier}") for row in rows)
        compared = ["compare", WEB[0], f"a={WEB[1]}", f"b={WEB[0]}", "--resamples=5"]
        option = f"--repairs={classifier}"
        assert f"by type ({classifier})" in spinal(*compared, option).out
        told = json.loads(spinal(*compared, option, "--format", "json").out)
        assert f"classifier:{classifier}|" in told["repairs_signature"]
    page = tmp_path / "page.html"
    assert spinal("report", *WEB, "--html", page).code == 0
    assert "by type (classifier spinal" in page.read_text()
    assert "worth (spinal)" in page.read_text()
