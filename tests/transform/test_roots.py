"""Documents of several trees, groups without a nucleus, spans of several: as rstWeb."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import convert, read_rst, score_rst
from analyzer.analyses.rst_trees import show_rst
from analyzer.exceptions import SettingsError
from analyzer.formats.rst.rs3 import read_rs3
from analyzer.model.discourse import NUCLEUS, Documents, Unit, joined, trees_of
from analyzer.transform.documents import pruned, rooted
from tests.support.command import spinal
from tests.support.examples import some
from tests.support.rst_strategies import discourse_trees

HEAD = (
    '<rst><header><relations><rel name="joint" type="multinuc"/>'
    '<rel name="cause" type="rst"/></relations></header><body>'
)
# A title, then: It rained, so we stayed.
TITLED = (
    f'{HEAD}<segment id="1">Rain</segment>'
    '<segment id="2" parent="3" relname="cause">It rained,</segment>'
    '<segment id="3" parent="4" relname="span">so we stayed.</segment>'
    '<group id="4" type="span"/></body></rst>'
)
ALONE = "(NS-cause (1) (2))"


def labels(text: str) -> list[str]:
    tree = read_rs3(text).tree
    assert isinstance(tree, Unit)
    return [unit.label for unit in tree.walk()]


def readings(text: str) -> list[tuple[str, str, int]]:
    return [one[:3] for one in read_rs3(text).readings]


def test_a_title_is_joined() -> None:
    assert labels(TITLED) == [
        *("---/R", "unattached/N", "unattached/N"),
        *("cause/S", "span/N"),
    ]
    assert readings(TITLED) == []  # it is said where it is known what becomes of it


def test_a_heading_within_a_tree_stands_where_it_is() -> None:
    """EDU 2 is attached to nothing, and lies within the unit of 1 and 3."""
    text = (
        f'{HEAD}<segment id="1" parent="4" relname="span">a</segment>'
        '<segment id="2">b</segment>'
        '<segment id="3" parent="1" relname="cause">c</segment>'
        '<group id="4" type="span"/></body></rst>'
    )
    assert labels(text) == ["---/R", "span/N", "unattached/S", "cause/S"]
    document = Documents.of_units([("a", joined([read_rs3(text).tree]))])
    assert [one.number for one in rooted(document).readings] == [2]
    dropped = rooted(document, "drop").unit(0)
    assert [unit.label for unit in dropped.walk()] == ["---/R", "span/N", "cause/S"]


def test_a_group_without_a_nucleus() -> None:
    """Children of a `span` that are multinuclear are its nuclei (AMALGUM's roots)."""
    text = (
        f'{HEAD}<segment id="1" parent="3" relname="joint">a</segment>'
        '<segment id="2" parent="3" relname="joint">b</segment>'
        '<group id="3" type="span"/></body></rst>'
    )
    assert labels(text) == ["---/R", "joint/N", "joint/N"]
    assert readings(text) == [("group without a nucleus", "read as multinuclear", 1)]


def test_a_group_of_satellites_alone() -> None:
    text = (
        f'{HEAD}<segment id="1" parent="3" relname="cause">a</segment>'
        '<segment id="2" parent="3" relname="cause">b</segment>'
        '<group id="3" type="span"/></body></rst>'
    )
    assert labels(text) == ["---/R", "cause/N", "cause/N"]
    assert readings(text) == [("group without a nucleus", "read as multinuclear", 1)]


def test_a_span_of_two_nuclei() -> None:
    text = (
        f'{HEAD}<segment id="1" parent="3" relname="span">a</segment>'
        '<segment id="2" parent="3" relname="span">b</segment>'
        '<group id="3" type="span"/></body></rst>'
    )
    assert labels(text) == ["---/R", "span/N", "span/N"]
    assert readings(text) == [("span of several nuclei", "kept", 1)]


def test_empty_groups_are_left_out() -> None:
    text = TITLED.replace(
        "</body>", '<group id="8"/><group id="9" parent="8" relname="span"/></body>'
    )
    assert labels(text) == labels(TITLED)
    assert readings(text) == [("empty group", "left out", 2)]


@pytest.mark.parametrize(
    ("roots", "units_and_arcs", "says"),
    [
        # The title, the rest and its two parts; four EDUs' arcs less the root's.
        ("join", (4, 2, 3), "2 trees joined under one unit in 1 document (text)"),
        ("drop", (2, 1, 2), "1 unattached segment dropped in 1 document (text)"),
        ("forest", (2, 1, 3), "2 trees scored one by one in 1 document (text)"),
    ],
)
def test_what_is_counted(
    roots: str, units_and_arcs: tuple[int, int, int], says: str
) -> None:
    scores = score_rst(TITLED, TITLED, roots=roots)
    counted = [
        scores.counts[key].micro
        for key in (
            ("rst-parseval", "F"),
            ("labelled-attachment", "F"),
            ("dependency", "LAS-F"),
        )
    ]
    assert counted == [(size,) * 3 for size in units_and_arcs]
    assert says in scores.scored_text()
    assert f"{says} of gold, and of parsed" in scores.ledger.text()
    assert ("roots:" in str(scores.signature)) == (roots != "join")


def test_a_prediction_without_the_title() -> None:
    """It has as many EDUs as gold once the title is dropped."""
    other = "(SN-cause (1) (2))"
    assert score_rst(TITLED, other).ledger.scored == 0
    scores = score_rst(TITLED, other, roots="drop")
    assert scores.counts["dependency", "UAS"].micro == (2, 2, 2)


def test_by_characters_a_title_may_be_part_of_an_edu() -> None:
    predicted = Unit("R", "---", [Unit("N", "span"), Unit("S", "cause")])
    predicted.children[0].text, predicted.children[1].text = (
        "Rain It",
        "rained, so we stayed.",
    )
    other = Documents.of_units([("text", predicted)])
    scores = score_rst(read_rst(TITLED), other, roots="drop", segmentation="offsets")
    assert scores.ledger.scored == 1
    # "It | rained, so we stayed." against "It rained, | so we stayed."
    assert scores.counts["segmentation", "boundaries"].micro == (0, 1, 1)


def test_read_as_chosen() -> None:
    assert [len(read_rst(TITLED, roots=one)) for one in ("drop", "forest")] == [1, 2]
    assert [one.code for one in read_rst(TITLED, roots="error").problems] == ["E950"]


def test_error_names_the_document() -> None:
    scores = score_rst(TITLED, TITLED, roots="error")
    assert [error.code for error in scores.problems] == ["E950", "E950"]
    with pytest.raises(SettingsError, match="join, drop, forest, error"):
        score_rst(TITLED, TITLED, roots="first")


def test_a_document_of_titles_alone() -> None:
    text = f'{HEAD}<segment id="1">a</segment><segment id="2">b</segment></body></rst>'
    assert labels(text) == ["---/R", "unattached/N", "unattached/N"]
    [error, _] = score_rst(text, text, roots="drop").problems
    assert error.code == "E951"


def test_dependencies_of_several_roots() -> None:
    forest = "1\t0\tROOT\n2\t0\tROOT\n3\t2\tcause\n"
    [shown] = show_rst(forest).rows
    assert [unit.label for unit in trees_of(shown.trees[0])] == ["unattached/N"] * 2
    assert len(show_rst(forest, roots="forest").rows) == 2
    [whole] = convert(forest, to="conllu").documents
    assert [line.split("\t")[6] for line in whole.text.split("\n")[1:4]] == list("002")
    parts = convert(forest, to="conllu", roots="forest").documents
    assert [one.name for one in parts] == ["text:1", "text:2"]
    [left] = convert(forest, to="conllu", roots="drop").documents
    assert [line.split("\t")[6] for line in left.text.split("\n")[1:3]] == list("01")
    [error] = convert(forest, to="conllu", roots="error").problems
    assert error.code == "E950"


def test_every_command_takes_them(tmp_path: Path) -> None:
    path = tmp_path / "rain.rs3"
    path.write_text(TITLED)
    for command, says in (
        (["rst", "score", path, path], "dropped in 1 document (rain)"),
        (["rst", "score", path, path, "--constructions"], "1 unattached segment"),
        (["rst", "similarity", f"a={path}", f"b={path}"], "1 unattached segment"),
        (["compare", path, f"a={path}", f"b={path}", "--resamples=2"], "dropped"),
        (["agree", path, path], "1 unattached segment dropped"),
        (["rst", "convert", path, "--to", "dis"], "1 unattached segment dropped"),
        (["rst", "show", path], "1 unattached segment dropped"),
        (["rst", "ambiguity", path], "1 unattached segment dropped"),
        (["check", path], "1 unattached segment dropped"),
        (["kernel", path, path], "1 unattached segment dropped"),
    ):
        ran = spinal(*command, "--roots=drop")
        assert ran.code == 0, (command, ran.err)
        assert says in ran.out + ran.err, command
    assert "R102" in spinal("check", path).out
    assert "R102" not in spinal("check", path, "--roots=forest").out
    ledger = json.loads(spinal("rst", "score", path, path, "--format=json").out)[
        "ledger"
    ]
    assert ledger["readings"][0] == {
        "side": "gold",
        "noun": "tree",
        "fate": "joined under one unit",
        "number": 2,
        "document": "rain",
    }


@given(discourse_trees(), st.data())
@settings(max_examples=some(60))
def test_what_is_left_is_a_tree(root: Unit, data: st.DataObject) -> None:
    """Without some EDUs: the others in order, no unit of one, a nucleus in each."""
    texts = [unit.text for unit in root.walk() if unit.is_edu]
    gone = data.draw(st.sets(st.sampled_from(range(len(texts)))))
    before = root.copy()
    left = pruned(root, gone)
    assert root == before
    if len(gone) == len(texts):
        assert left is None
        return
    assert left is not None
    kept = [unit.text for unit in left.walk() if unit.is_edu]
    assert kept == [text for at, text in enumerate(texts) if at not in gone]
    for unit in left.walk():
        assert len(unit.children) != 1
        if unit.children:
            assert any(child.nuclearity == NUCLEUS for child in unit.children)
    assert left.label == root.label
