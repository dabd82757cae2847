"""Dependencies and graphs of other people: read, and scored as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer import convert, read_rst, score_rst
from analyzer.analyses.rst_scores import MICRO, RstScores
from analyzer.exceptions import RstError
from analyzer.formats.registry import detect, parse_documents
from analyzer.formats.rst.arcs import (
    read_dialogues,
    read_rels,
    read_scidtb,
    read_segments,
)
from analyzer.model.discourse import DependencyTree
from tests.support.command import spinal
from tests.support.data_paths import RST_CORPORA, needs_rst_corpora

ABSTRACT = """\ufeff{
\t"root": [
\t\t{"id": 0, "parent": -1, "text": "ROOT", "relation": "null"},
\t\t{"id": 1, "parent": 2, "text": "Parsing is hard . <S>", "relation": "bg-goal"},
\t\t{"id": 2, "parent": 0, "text": "We try ", "relation": "ROOT"},
\t\t{"id": 3, "parent": 2, "text": "to parse . <S>", "relation": "enablement"}
\t]
}"""
DIALOGUE = [
    {
        "id": "7",
        "edus": [
            {"text": text, "speaker": "ab"[n % 2]} for n, text in enumerate("abcd")
        ],
        "relations": [
            {"x": 0, "y": 1, "type": "QAP"},
            {"x": 0, "y": 2, "type": "Contrast"},
            {"x": 1, "y": 2, "type": "Comment"},
            {"x": 2, "y": 3, "type": "Result"},
        ],
    }
]
HEADER = (
    "doc unit1_toks unit2_toks unit1_txt unit2_txt u1_raw u2_raw s1_toks s2_toks "
    "unit1_sent unit2_sent dir rel_type orig_label label"
).replace(" ", "\t")


def relation(first: str, second: str, direction: str, label: str) -> str:
    cells = ["news", first, second, *["_"] * 8, direction, "none", label, label.lower()]
    return "\t".join(cells)


# He | , who left , | came , | as we know
RELS = "\n".join(
    [
        HEADER,
        relation("1,6-7", "2-5", "1<2", "elaboration"),
        relation("1,6-7", "8-10", "1<2", "attribution"),
    ]
)
WORDS = ["He", ",", "who", "left", ",", "came", ",", "as", "we", "know"]
CONLLU = "# newdoc id = news\n" + "".join(
    f"{number}\t{word}\t_\t_\t_\t_\t0\t_\t_\t"
    f"{'Seg=B-seg' if number in (1, 2, 6, 8) else 'Seg=O'}\n"
    for number, word in enumerate(WORDS, start=1)
)


def test_scidtb() -> None:
    assert detect(ABSTRACT).name == "scidtb"
    tree = read_scidtb(ABSTRACT)
    assert tree.heads == [2, 0, 2]
    assert tree.relations == ["bg-goal", "ROOT", "enablement"]
    assert tree.texts == ["Parsing is hard .", "We try", "to parse ."]
    assert tree.sentences == [1, 2, 2]
    assert tree.nuclearities is tree.ranks is None


def test_scidtb_with_an_edu_that_nothing_attaches() -> None:
    tree = read_scidtb(
        ABSTRACT.replace('"parent": 2, "text": "P', '"parent": -1, "text": "P')
    )
    assert tree.heads == [0, 0, 2]


def test_words_with_seg_are_a_segmentation(tmp_path: Path) -> None:
    both = "1-2\tHe,\t_\t_\t_\t_\t_\t_\t_\t_\n1\tHe"
    written = CONLLU.replace("1\tHe", both, 1)
    assert detect(CONLLU).name == detect(written).name == "segments"
    assert detect(CONLLU.replace("Seg=B-seg", "Seg=O")) is None
    [one] = read_segments(written)
    assert one.name == "news"
    assert one.tree.texts == ["He", ", who left ,", "came ,", "as we know"]
    # One boundary of three is missed, one that is none is found.
    lines = CONLLU.replace("Seg=O", "Seg=B-seg", 1).splitlines(keepends=True)
    lines[6] = lines[6].replace("B-seg", "O")
    paths = tmp_path / "gold.tok", tmp_path / "predicted.tok"
    paths[0].write_text(CONLLU)
    paths[1].write_text("".join(lines))
    scores = score_rst(*map(str, paths), segmentation="edu-ends")
    micro = [row for row in scores.rows if row.average == MICRO]
    assert micro[0][:6] == ("segmentation", "boundaries", MICRO, 3, 4, 4)
    assert all(row.f1 is None for row in micro[1:])


def test_dialogues() -> None:
    text = json.dumps(DIALOGUE, indent=4)
    assert detect(text).name == detect(json.dumps(DIALOGUE[0])).name == "dialogue"
    [one] = read_dialogues(text)
    assert isinstance(one.tree, DependencyTree)
    assert one.tree.heads == [0, 1, 1, 3]
    assert list(one.tree.more) == [(3, 2, "Comment")]
    assert "2 speakers left out" in one.warnings[0]


def test_rels_with_the_text_beside_them(tmp_path: Path) -> None:
    assert detect(RELS).name == "rels"
    path = tmp_path / "eng.rels"
    path.write_text(RELS)
    (tmp_path / "eng.conllu").write_text(CONLLU)
    [one] = read_rels(RELS, str(path))
    assert one.name == "news"
    assert not one.readings
    assert one.tree.texts == ["He", ", who left ,", "came ,", "as we know"]
    assert one.tree.heads == [0, 1, 1, 1]
    assert one.tree.relations == ["ROOT", "elaboration", "same-unit", "attribution"]
    assert score_rst(str(path), str(path)).ledger.scored == 1
    found = read_rst(str(path))
    assert found.names == ["news"]
    labels = [unit.label for unit in found.unit(0).walk()]
    assert labels == [
        *("---/R", "span/N", "same-unit/N", "span/N", "elaboration/S"),
        *("same-unit/N", "attribution/S"),
    ]


def test_rels_alone_say_what_is_missing() -> None:
    [one] = read_rels(RELS)
    assert one.tree.heads == [0, 1, 1, 1]
    assert "without its .conllu" in one.readings[0].fate


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ABSTRACT.replace('"parent": 2', '"parent": "2"', 1), "E953"),
        (json.dumps([{"edus": [{}], "relations": []}]), "E953"),
        (json.dumps(DIALOGUE).replace('"x": 2', '"x": 9'), "E954"),
        (RELS.replace("1<2", "2"), "E955"),
        (RELS.replace("2-5", "two"), "E956"),
    ],
)
def test_malformed(text: str, message: str) -> None:
    with pytest.raises(RstError) as caught:
        parse_documents(text, "here")
    assert caught.value.code == message
    assert str(caught.value).startswith("here")


def micro(scores: RstScores) -> dict[str, tuple[int | None, int, int | None]]:
    return {
        row.metric: (row.matched, row.gold, row.predicted)
        for row in scores.rows
        if row.average == MICRO and row.encoding in ("dependency", "arcs")
    }


def test_a_dialogue_counted_by_hand() -> None:
    """Predicted: 1>0 with another label, 2>0 right, 3>1 wrong, and 2>1 is not found."""
    other = json.loads(json.dumps(DIALOGUE))
    other[0]["relations"] = [
        {"x": 0, "y": 1, "type": "Comment"},
        {"x": 0, "y": 2, "type": "Contrast"},
        {"x": 1, "y": 3, "type": "Result"},
    ]
    scores = score_rst(json.dumps(DIALOGUE), json.dumps(other))
    found = micro(scores)
    assert found["link"] == (2, 4, 3)
    assert found["link+relation"] == (1, 4, 3)
    # The first EDU's, which has no governor, counts here as well.
    assert found["UAS"] == found["UUAS"] == (3, 5, 4)
    assert found["root"] == (1, 1, 1)
    assert found["LAS-N"] == found["OUAS"] == (0, 0, 0)
    [row] = [one for one in scores.rows if (one.metric, one.average) == ("S", MICRO)][
        :1
    ]
    assert (row.gold, row.f1) == (0, None)
    assert scores.ledger.scored == 1
    assert not scores.problems


def test_a_tree_that_crosses_is_scored_as_arcs(tmp_path: Path) -> None:
    """Beside documents that have constituents; `convert` says what is wrong with it."""
    gold, parsed = tmp_path / "gold", tmp_path / "parsed"
    crossing, plain = "1 3 a\n2 4 b\n3 0 ROOT\n4 3 c\n", "1 0 ROOT\n2 1 a\n"
    for folder in (gold, parsed):
        folder.mkdir()
        (folder / "one.txt").write_text(crossing)
        (folder / "two.txt").write_text(plain)
    scores = score_rst(str(gold), str(parsed))
    assert scores.ledger.scored == 2
    assert scores.counts["rst-parseval", "S"].micro == (2, 2, 2)  # of one of them
    assert micro(scores)["UAS"] == (6, 6, 6)
    ran = spinal("rst", "score", gold, parsed)
    assert ran.code == 0
    assert "1 dependency graph read as arcs in 1 document (one)" in ran.out
    [problem] = convert(str(gold), to="dis").problems
    assert problem.code == "E382"


def test_dialogues_are_drawn_as_arcs(tmp_path: Path) -> None:
    """A line for each governor; what differs is marked, arc by arc."""
    texts = [{"text": text, "speaker": "a"} for text in ("hi", "hello", "and?", "no")]
    gold = [(0, 1, "ack"), (0, 2, "cont"), (2, 3, "answer"), (1, 3, "comment")]
    for name, arcs in (
        ("gold", gold),
        ("parsed", [*gold[:1], (1, 2, "cont"), gold[2]]),
    ):
        relations = [{"x": x, "y": y, "type": kind} for x, y, kind in arcs]
        record = {"id": "7", "edus": texts, "relations": relations}
        (tmp_path / name).mkdir()
        (tmp_path / name / "d.json").write_text(json.dumps([record]))
    folders = [tmp_path / "gold", tmp_path / "parsed"]
    lines = spinal("rst", "show", folders[0]).out.splitlines()
    assert [line.strip("┌┬─┼┴▶│└├ ") for line in lines] == [
        "1  ROOT       hi",
        "2  1 ack      hello",
        "3  1 cont     and?",
        "4  3 answer   no",
        "2 comment",
    ]
    picture = tmp_path / "both.svg"
    ran = spinal("rst", "show", *folders, "--picture", picture)
    assert ran.code == 0
    drawn = picture.read_text("utf-8")
    assert "2 arcs only in gold" in drawn
    assert "1 arc only in predicted" in drawn
    assert drawn.count(">comment<") == 1
    both = spinal("rst", "show", *folders).out
    assert "*1 cont*" in both
    assert "*2 comment*" in both
    assert "2 arcs only in gold, 1 only in predicted" in both
    # A parser's tree says nuclearity, the graph does not: it is not compared.
    tree = tmp_path / "tree.dis"
    written = spinal("rst", "convert", folders[1], "--to", "dis")
    tree.write_text(written.out)
    beside = spinal("rst", "show", folders[1] / "d.json", tree).out
    assert "0 arcs only in gold, 0 only in predicted" in beside
    for option in (["--style", "line"], ["--units", "1-2"], ["--picture", "a.tex"]):
        refused = spinal("rst", "show", folders[0], *option)
        assert refused.code == 2
        assert "has arcs and no tree" in refused.err


@needs_rst_corpora
def test_two_annotations_of_scidtb() -> None:
    """As norikinishida/discourse-parsing counts: UAS, LAS, UUAS, root accuracy."""
    folders = [RST_CORPORA / "scidtb" / side for side in "AB"]
    right = dict.fromkeys(("UAS", "LAS-R", "UUAS", "root"), 0)
    total = 0
    for path in folders[0].iterdir():
        heads, others = (
            {
                entry["id"]: (entry["parent"], entry["relation"])
                for entry in json.loads((folder / path.name).read_text("utf-8-sig"))[
                    "root"
                ]
                if entry["id"]
            }
            for folder in folders
        )
        total += len(heads)
        for edu, (head, label) in others.items():
            right["UAS"] += head == heads[edu][0]
            right["LAS-R"] += (head, label) == heads[edu]
            right["UUAS"] += head == heads[edu][0] or (
                head in heads and heads[head][0] == edu
            )
        roots = [{e for e, (h, _) in one.items() if not h} for one in (heads, others)]
        right["root"] += roots[0] == roots[1]
    found = micro(score_rst(*map(str, folders)))
    assert total == found["UAS"][1] == 1051
    assert {name: found[name][0] for name in right} == right
    assert right["UAS"] == 861


def test_graphs_lose_nothing_in_silence(tmp_path: Path) -> None:
    """What a format has no place for is said; trees of a graph cannot be told apart."""
    text = json.dumps(DIALOGUE)
    found = convert(text, to="conllu")
    assert len(found.documents) == 1
    assert any("1 further governor left out" in line for line in found.warnings)
    [problem] = convert(text, to="dis").problems
    assert problem.code == "E958"


def test_marks_of_connectives_are_no_edus(tmp_path: Path) -> None:
    (tmp_path / "eng.rels").write_text(RELS)
    (tmp_path / "eng.conllu").write_text(CONLLU.replace("B-seg", "B-conn"))
    [problem] = read_rst(str(tmp_path)).problems
    assert problem.code == "E961"


def test_relations_of_arcs(tmp_path: Path) -> None:
    (tmp_path / "dialogue.json").write_text(json.dumps(DIALOGUE))
    ran = spinal("rst", "score", *[tmp_path / "dialogue.json"] * 2, "--by-relation")
    assert "By relation, arcs (link and relation)" in ran.out
    assert "Contrast" in ran.out
