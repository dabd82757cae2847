"""A parser from our own sample trees: trained, saved, loaded, and given odd texts."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer import RstParser, read_rst, score_rst
from analyzer.exceptions import AnalyzerError, InputError, SettingsError
from analyzer.rst_parser.storage import model_bytes
from analyzer.rst_parser.text import read_plain, read_texts
from tests.support.data_paths import ROOT

SAMPLE = ROOT / "examples" / "discourse"
CONLLU = """\
# newpar
1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\tSeg=B-seg
2\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\t_
3\tbecause\tbecause\tSCONJ\tIN\t_\t5\tmark\t_\tSeg=B-seg
4\tit\tit\tPRON\tPRP\t_\t5\tnsubj\t_\t_
5\train\train\tVERB\tVBD\t_\t2\tadvcl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


@pytest.fixture(scope="module")
def parser() -> RstParser:
    return RstParser.train(SAMPLE)


def test_it_learns_what_it_is_shown(parser: RstParser) -> None:
    scores = score_rst(read_rst(SAMPLE), parser.parse(SAMPLE).documents)
    [f1] = [r.f1 for r in scores.rows if (r.metric, r.average) == ("LAS-F", "micro")]
    assert f1 > 0.8


@pytest.mark.slow
def test_the_same_bytes_each_time_and_after_loading(
    parser: RstParser, tmp_path: Path
) -> None:
    again = RstParser.train(SAMPLE)
    assert again.to_bytes() == parser.to_bytes()
    parser.save(tmp_path / "a.model")
    loaded = RstParser.load(tmp_path / "a.model")
    assert loaded.to_bytes() == parser.to_bytes()
    text = "He left because it rained. We stayed, but nobody came."
    assert loaded.parse_text(text) == parser.parse_text(text)
    assert pickle.loads(pickle.dumps(loaded)).to_bytes() == parser.to_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("stages", [["document"], ["sentence", "document"]])
@pytest.mark.parametrize("encoding", ["chain", "tree"])
@pytest.mark.parametrize("heuristics", [False, True])
def test_every_way_to_train_gives_trees(
    stages: list[str], encoding: str, heuristics: bool
) -> None:
    found = RstParser.train(
        SAMPLE,
        encoding=encoding,  # type: ignore[arg-type]
        stages=stages,
        heuristics=heuristics,
        relations="coarse",
    )
    parsed = found.parse(SAMPLE)
    assert parsed.documents.edu_counts.tolist() == read_rst(SAMPLE).edu_counts.tolist()


def test_confidences_are_probabilities(parser: RstParser) -> None:
    [one] = parser.parse(SAMPLE / "garden.tsv")
    assert all(0 <= value <= 1 for value in (*one.governors, *one.labels))
    assert one.governors[one.tree.root - 1] == 1.0


def test_a_text_is_parsed_the_same_alone_and_among_others(parser: RstParser) -> None:
    texts = read_texts(SAMPLE).texts
    together = parser.parse(texts).rows
    assert [parser.parse([text]).rows[0] for text in texts] == together


@pytest.mark.parametrize("damage", ["cut", "bit", "text", "pickle", "version", "shape"])
def test_a_damaged_model_is_refused(
    parser: RstParser, tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "a.model"
    data = parser.to_bytes()
    if damage == "cut":
        data = data[: len(data) // 2]
    elif damage == "bit":
        middle = len(data) // 2
        data = data[:middle] + bytes([data[middle] ^ 64]) + data[middle + 1 :]
    elif damage == "text":
        data = b"not a model"
    elif damage == "shape":
        facts, arrays = parser._packed()
        arrays["words.splits0.weights"] = arrays["words.splits0.weights"][:-1]
        data = model_bytes(facts, arrays)[0]
    else:
        data = _rewritten(data, damage)
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        RstParser.load(path)
    assert str(path) in str(caught.value)
    assert damage != "version" or "version 99" in str(caught.value)


def _rewritten(data: bytes, damage: str) -> bytes:
    buffer = io.BytesIO()
    source = zipfile.ZipFile(io.BytesIO(data))
    with zipfile.ZipFile(buffer, "w") as archive:
        for entry in source.infolist():
            content = source.read(entry)
            if damage == "version" and entry.filename == "model.json":
                content = json.dumps({**json.loads(content), "version": 99}).encode()
            if damage == "pickle" and entry.filename == "words.splits0.weights.npy":
                pickled = io.BytesIO()
                np.save(pickled, np.array([{}], object), allow_pickle=True)
                content = pickled.getvalue()
            archive.writestr(entry, content)
    return buffer.getvalue()


def test_odd_texts_give_trees(parser: RstParser) -> None:
    assert parser.parse_text("Yes").is_edu
    assert parser.parse_text("日本語の文。 ☃ 12").is_edu is not None
    assert parser.parse_edus(["one", "two", "three"]).children
    many = parser.parse_edus([f"Edu {number} and more." for number in range(400)])
    assert sum(unit.is_edu for unit in many.walk()) == 400
    with pytest.raises(InputError):
        parser.parse_text(" \n ")


def test_bad_files_are_named_and_the_others_parsed(
    parser: RstParser, tmp_path: Path
) -> None:
    (tmp_path / "good.txt").write_text("He left, because it rained.\n")
    (tmp_path / "empty.txt").write_text("\n\n")
    (tmp_path / "latin.txt").write_bytes("café noir".encode("latin-1"))
    (tmp_path / "short.conllu").write_text("1\ta\tb\n")
    found = parser.parse(tmp_path)
    assert [one.name for one in found] == ["good", "short"]
    told = " ".join(map(str, found.problems))
    assert "empty.txt" in told
    assert "latin.txt" in told


@pytest.mark.slow
def test_syntax_is_laid_over_edus(tmp_path: Path) -> None:
    trees, syntax = tmp_path / "trees", tmp_path / "syntax"
    trees.mkdir()
    syntax.mkdir()
    rows = "edu\thead\trelation\tnuclearity\ttext\n1\t0\tROOT\tN\tHe left\n"
    for name, last in (("a", "because it rain."), ("b", "because it snow.")):
        (trees / f"{name}.tsv").write_text(f"{rows}2\t1\tcause\tS\t{last}\n")
        (syntax / f"{name}.conllu").write_text(CONLLU)
    notes: list[AnalyzerError] = []
    found = RstParser.train(trees, syntax=syntax, notes=notes)
    assert found.facts["corpus"]["documents"] == 2
    assert found.facts["corpus"]["with_syntax"] == 1
    assert "EDU 2 of b" in str(notes[0])
    assert "used without syntax" in str(notes[0])
    assert set(found.views) == {"syntax", "words"}
    [one] = found.parse(syntax / "a.conllu")
    assert one.tree.heads == [0, 1]


def test_documents_of_one_file_begin_with_newdoc(tmp_path: Path) -> None:
    path = tmp_path / "two.conllu"
    for between in ("\n", ""):  # a blank line before it, or none
        first, second = f"# newdoc id = a\n{CONLLU}", f"# newdoc id = b\n{CONLLU}"
        path.write_text(first.rstrip("\n") + "\n" + between + second)
        texts = read_texts(path).texts
        assert [text.name for text in texts] == ["a", "b"]
        assert texts[0].governors == texts[1].governors == [1, -1, 4, 4, 1, 1]


def test_marks_of_edus_are_all_that_is_taken_from_them(tmp_path: Path) -> None:
    for mark in ("Seg=B-seg", "BeginSeg=Yes", "Discourse=cause:2->1:0"):
        path = tmp_path / "a.conllu"
        path.write_text(CONLLU.replace("Seg=B-seg", mark))
        [text] = read_texts(path).texts
        assert text.edu_starts == [0, 2]


def test_wrong_settings_are_named() -> None:
    for wrong in (["paragraph", "sentence"], ["sentence"], ["page", "document"]):
        with pytest.raises(SettingsError):
            RstParser.train(SAMPLE, stages=wrong)


def test_single_edus_teach_nothing(tmp_path: Path) -> None:
    rows = "edu\thead\trelation\tnuclearity\ttext\n1\t0\tROOT\tN\tHe left\n"
    (tmp_path / "a.tsv").write_text(rows)
    with pytest.raises(InputError, match="no relation to learn"):
        RstParser.train(tmp_path)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("settings", "encoding"), "x"),
        (("settings", "stages"), ["document", "sentence"]),
        (("settings", "stages"), []),
        (("classes",), {}),
        (("classes", "words", 0), ["cause", "M"]),
        (("corpus",), []),
        (("settings", "seed"), float("inf")),
        (("scores",), {"long": " " * (1 << 24)}),  # compresses well
    ],
)
def test_settings_that_make_no_sense_are_refused(
    parser: RstParser, tmp_path: Path, where: tuple[str | int, ...], value: object
) -> None:
    facts, arrays = parser._packed()
    *path, last = where
    within: Any = facts
    for step in path:
        within = within[step]
    within[last] = value
    (tmp_path / "a.model").write_bytes(model_bytes(facts, arrays)[0])
    with pytest.raises(InputError, match="damaged"):
        RstParser.load(tmp_path / "a.model")


def test_sentences_of_raw_text() -> None:
    text = read_plain("Dr. Li came. “Why?” she asked.\n\nNobody knew etc. Or did they?")
    starts = [
        form
        for at, form in enumerate(text.forms)
        if not at or text.sentences[at] != text.sentences[at - 1]
    ]
    assert starts == ["Dr.", "“", "Nobody", "Or"]
    assert text.paragraphs[-1] == 1


def test_scores_on_other_documents_are_what_they_were(tmp_path: Path) -> None:
    """The whole way from trees to scores, pinned: training, decoding, scoring."""
    train, dev = tmp_path / "train", tmp_path / "dev"
    for folder in (train, dev):
        folder.mkdir()
    for number, path in enumerate(sorted(SAMPLE.iterdir())):
        folder = dev if number % 3 == 2 else train
        (folder / path.name).write_bytes(path.read_bytes())
    found = RstParser.train(train, relations="coarse").scored_on(dev)
    scores = found.facts["scores"]
    assert scores["documents"] == 2
    pinned = {
        "dependency UAS": 0.875,
        "dependency OUAS": 0.75,
        "dependency LAS-N": 0.625,
        "dependency LAS-F": 0.375,
        "labelled-attachment N": 0.5,
        "labelled-attachment F": 0.2143,
    }
    assert {name: scores["micro_f1"][name] for name in pinned} == pinned
