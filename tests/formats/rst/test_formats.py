"""Discourse trees in every format: specimens, round trips, and what is malformed."""

from __future__ import annotations

import contextlib
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.exceptions import InputError
from analyzer.formats.detecting import detect
from analyzer.formats.registry import (
    FORMATS,
    WRITTEN,
    parse_documents,
    read_document,
    write_document,
)
from analyzer.formats.rst.dis import (
    DoubtError,
    plain_text,
    quickly_read,
    read_dis,
    write_dis,
)
from analyzer.formats.rst.dis_grammar import read_by_grammar
from analyzer.formats.rst.reader import document_name, read_corpus
from analyzer.formats.rst.rs3 import read_rs3
from analyzer.formats.rst.rs3_writer import rs3_losses, write_rs3
from analyzer.model.discourse import RstError, Unit
from analyzer.transform.head_order import (
    DependencyTree,
    constituent_tree,
    dependency_tree,
)
from analyzer.transform.relations import load_relations
from tests.support.data_paths import SHARED
from tests.support.rst_strategies import Shape, discourse_trees, shape, tree_of

RST = SHARED / "rst"
needs_rst = pytest.mark.skipif(
    not RST.exists(), reason="NOT RUN: the shared data (../shared/data/rst) is not here"
)

# One tree in every format: a list of two, and a reason for the first of them.
TREE = "[N:list[N:span S:reason] N:list]"
TEXTS = ["He left", "because it rained.", "She stayed."]

SPECIMENS = {
    "dis": """
( Root (span 1 3)
  ( Nucleus (span 1 2) (rel2par list)
    ( Nucleus (leaf 1) (rel2par span) (text _!He left_!) )
    ( Satellite (leaf 2) (rel2par reason) (text _!because it rained._!) )
  )
  ( Nucleus (leaf 3) (rel2par list) (text _!She stayed._!) )
)
""",
    "dis: RST-DT's quirks": """
//TT_ERR
( Root (span 1 3) //TT_ERR
  ( Nucleus (span 1 2) (rel2par list//TT_ERR)
    ( Nucleus (leaf 1) (rel2par span) (text _!He left_!) ) ( Satellite (leaf 2)
      (rel2par reason) (text <s><EDU>because it rained.</EDU></s>) ) )//TT_ERR
  ( Nucleus (leaf 3) (rel2par list) (text _!She stayed._!//TT_ERR) ) )
""",
    "rs3": """<?xml version="1.0" encoding="ISO-8859-1"?>
<rst><header><relations>
  <rel name="reason" type="rst"/><rel name="list" type="multinuc"/>
</relations></header><body>
  <segment id="1" parent="5" relname="span">He left</segment>
  <segment id="2" parent="1" relname="reason">
    because it rained.
  </segment>
  <segment id="3" parent="4" relname="list">She stayed.</segment>
  <group id="4" type="multinuc"/>
  <group id="5" type="span" parent="4" relname="list"/>
</body></rst>
""",
    "rs3: a satellite of a nucleus that is in no span": """
<rst><header><relations><rel name="reason" type="rst"/>
<rel name="list" type="multinuc"/></relations></header><body>
<segment id="1" parent="9" relname="list">He left</segment>
<segment id="2" parent="1" relname="reason">because it rained.</segment>
<segment id="3" parent="9" relname="list">She stayed.</segment>
<group id="9" type="multinuc"/></body></rst>
""",
    "rsd": (
        "1\tHe left\t0\t_\t_\tsid=1\t0\tROOT\t_\t_\n"
        "2\tbecause it rained.\t0\t_\t_\tsid=1\t1\treason_r\t_\t_\n"
        "3\tShe stayed.\t1\t_\t_\tsid=2\t1\tlist_m\t_\tdm-and-1-gold\n"
    ),
    "conllu": (
        "# newdoc id = weather\n"
        "1\tHe left\t_\t_\t_\tNuclearity=N|Rank=1\t0\tROOT\t_\t_\n"
        "2\tbecause it rained.\t_\t_\t_\tNuclearity=S|Rank=1\t1\treason\t_\t_\n"
        "3\tShe stayed.\t_\t_\t_\tNuclearity=N|Rank=2\t1\tlist\t_\t_\n\n"
    ),
    "table": (
        "edu\thead\tlabel\tnuc\trank\ttext\n"
        "1\t0\tROOT\tN\t1\tHe left\n"
        "2\t1\treason\tSatellite\t1\tbecause it rained.\n"
        "3\t1\tlist\tNucleus\t2\tShe stayed.\n"
    ),
    "json": """{"format": "rst", "version": 1,
 "edus": ["He left", "because it rained.", "She stayed."],
 "units": [
  {"span": [1, 3], "nuclearity": "root", "parent": null},
  {"span": [1, 2], "nuclearity": "nucleus", "relation": "list", "parent": 1},
  {"span": [1, 1], "nuclearity": "nucleus", "relation": "span", "parent": 2},
  {"span": [2, 2], "nuclearity": "satellite", "relation": "reason", "parent": 2},
  {"span": [3, 3], "nuclearity": "nucleus", "relation": "list", "parent": 1}]}
""",
    "brackets": (
        "(Root (Nucleus:list (Nucleus:span _!He left!_)"
        " (Satellite:reason _!because it rained.!_)) (Nucleus:list _!She stayed.!_))\n"
    ),
    "brackets: gCRF": """(list[N][N]
  (reason[N][S]
    _!He left!_
    _!because it rained.!_)
  _!She stayed.!_)
""",
    "brackets: HILDA in Python": (
        "ParseTree('list[N][N]', [ParseTree('reason[N][S]', "
        "['He left', \"because it rained.\"]), 'She stayed.'])"
    ),
    "brackets: Surdeanu": """(list
  (reason (LeftToRight)
    (TEXT:He left)
    (TEXT:because it rained.))
  (TEXT:She stayed.))
""",
    "brackets: Surdeanu as evaluated": (
        "(list (reason:NS (TEXT He left) (TEXT because it rained.)) (TEXT She stayed.))"
    ),
}
# The same tree where the format has no texts, or writes relations its own way.
WITHOUT_TEXTS = {
    "brackets: Hayashi's HILDA": (
        "(Root (Nucleus:list (Nucleus:span leaf1_1_1) (Satellite:reason leaf2_1_1))"
        " (Nucleus:list leaf3_2_1))"
    ),
    "brackets: Braud 2016": "(NN-list (NS-reason (1 ) (2)) (3))",
    "brackets: numbers": "(Root (N:list (N:span 1) (S:reason 2)) (N:list 3))",
    "spans: DPLP": (
        "((1, 1), 'Nucleus', 'span')\n((2, 2), 'Satellite', 'reason')\n"
        "((1, 2), 'Nucleus', 'list')\n((3, 3), 'Nucleus', 'list')\n"
    ),
    "spans: a Python list": (
        "[((1, 2), 'Nucleus', 'list'), ((3, 3), 'Nucleus', 'list'), "
        "((1, 1), 'Nucleus', 'span'), ((2, 2), 'Satellite', 'reason')]"
    ),
    "spans: pairs": (
        "(1-Nucleus:list-2, 3-Nucleus:list-3) (1-Nucleus:span-1, 2-Satellite:reason-2)"
    ),
    "spans: Lin": (
        "(1:Nucleus=list:2,3:Nucleus=list:3) (1:Nucleus=span:1,2:Satellite=reason:2)"
    ),
    "decisions": "1-2 3 NN list\n1 2 NS reason\n",
    "decisions: with brackets": "(1, 2) NS reason\n(1-2, 3) NN-list\n",
}


def named_format(name: str) -> str:
    return name.partition(":")[0]


def expected(texts: list[str] | None = None) -> Shape:
    root = tree_of(TREE)
    words = iter(texts or [""] * 3)
    for unit in root.walk():
        if unit.is_edu:
            unit.text = next(words)
    return shape(root)


@pytest.mark.parametrize("name", SPECIMENS)
def test_specimens(name: str) -> None:
    text = SPECIMENS[name]
    assert detect(text) == named_format(name)
    assert shape(read_document(text)) == expected(TEXTS)


@pytest.mark.parametrize("name", WITHOUT_TEXTS)
def test_specimens_without_texts(name: str) -> None:
    text = WITHOUT_TEXTS[name]
    assert detect(text) == named_format(name)
    assert shape(read_document(text)) == expected()


def test_every_format_has_a_specimen() -> None:
    there = {named_format(name) for name in (*SPECIMENS, *WITHOUT_TEXTS)}
    assert there | {"triples"} == FORMATS


def test_braud_2017_a_document_a_line() -> None:
    line = "(ROOT (NNList (NSReason (EDU He_left) (EDU rain)) (EDU She_stayed.)))\n"
    documents = parse_documents(line * 2)
    assert [document.format for document in documents] == ["brackets"] * 2
    tree = documents[0].tree
    assert isinstance(tree, Unit)
    assert [unit.relation for unit in tree.walk()] == [
        *("---", "List", "span", "Reason", "List")
    ]
    with pytest.raises(RstError, match="a second root"):
        read_document(line * 2)


def test_triples_get_nuclearity_and_order_by_heuristics() -> None:
    text = "1 0 root\n2 1 reason\n3 1 joint\n"
    assert detect(text) == "triples"
    found = shape(read_document(text))
    assert [label for label, _, _ in found] == [
        *("---/R", "joint/N", "span/N", "reason/S", "joint/N")
    ]
    given = read_document(text, multinuclear={"reason"})
    assert [unit.label for unit in given.walk()][-1] == "joint/S"


@pytest.mark.parametrize("to", WRITTEN)
def test_golden_text(to: str) -> None:
    """What is written is what the specimens show, but for layout of the XML."""
    root = read_document(SPECIMENS["dis"])
    written = write_document(root, to, name="weather")
    golden = SPECIMENS[to].lstrip("\n")
    if to in ("dis", "conllu", "brackets"):
        assert written == golden
    elif to == "json":
        assert json.loads(written)["units"][1:] == json.loads(golden)["units"][1:]
    elif to == "rsd":
        columns = [0, 1, 2, 6, 7]
        for mine, theirs in zip(written.splitlines(), golden.splitlines(), strict=True):
            cells, others = mine.split("\t"), theirs.split("\t")
            assert [cells[at] for at in columns] == [others[at] for at in columns]
    else:
        assert '<segment id="2" parent="1" relname="reason">because' in written
        assert '<rel name="list" type="multinuc"/>' in written


# -- round trips ----------------------------------------------------------------------

_TEXTS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp", "Cn", "Co"]
    ),
    min_size=1,
    max_size=12,
).filter(lambda text: not {"_!", "!_"} & {text[at : at + 2] for at in range(len(text))})


@st.composite
def with_texts(draw: st.DrawFn, *, proper: bool = True) -> Unit:
    root = draw(discourse_trees(proper=proper))
    for unit in root.walk():
        if unit.is_edu:
            words = draw(st.lists(_TEXTS, min_size=1, max_size=3))
            unit.text = " ".join(words)
    return root


@pytest.mark.parametrize("to", WRITTEN)
@settings(max_examples=60, deadline=None)
@given(root=with_texts())
def test_round_trips(to: str, root: Unit) -> None:
    written = write_document(root, to)
    assert detect(written) == to
    assert shape(read_document(written)) == shape(root)


@pytest.mark.parametrize("to", ["dis", "json", "brackets", "conllu"])
@settings(max_examples=60, deadline=None)
@given(root=with_texts(proper=False))
def test_round_trips_of_any_mixture(to: str, root: Unit) -> None:
    """Nuclei beside satellites, several relations in one unit."""
    assert shape(read_document(write_document(root, to))) == shape(root)


@settings(max_examples=100, deadline=None)
@given(root=with_texts(proper=False))
def test_rs3_says_what_it_loses(root: Unit) -> None:
    if any(unit.label == "span/S" for unit in root.walk()):
        with pytest.raises(RstError, match="keeps for nuclei"):
            write_rs3(root)
        return
    again = read_rs3(write_rs3(root))
    is_same = shape(again) == shape(root)
    assert is_same or rs3_losses(root)
    assert [unit.text for unit in again.walk() if unit.is_edu] == [
        unit.text for unit in root.walk() if unit.is_edu
    ]


def test_deep_trees_in_every_format() -> None:
    """Depth is no limit: 3,000 units, each in the one before."""
    root = Unit("N", "span", text="end")
    for number in range(3000):
        root.nuclearity, root.relation = "S", "reason"
        root = Unit("N", "span", [Unit("N", "span", text=str(number)), root])
    root.nuclearity, root.relation = "R", "---"
    for to in WRITTEN:
        assert shape(read_document(write_document(root, to))) == shape(root)


def test_odd_texts() -> None:
    texts = [" edges ", "a < b & c > d", "]]>", "(brackets) [too]", "____", "a_", "!x"]
    texts += ["été\r\n日本", '"quoted"', "tab\there"]
    root = Unit("R", "---", [Unit("N", "list", text=text) for text in texts])
    for to in ("dis", "rs3", "json"):
        assert shape(read_document(write_document(root, to))) == shape(root), to
    for to in ("rsd", "conllu", "brackets"):  # where white space becomes blanks
        found = read_document(write_document(root, to))
        expected_texts = [" ".join(text.split()) for text in texts]
        assert [unit.text for unit in found.walk()][1:] == expected_texts, to


def test_texts_that_hold_delimiters() -> None:
    root = Unit("R", "---", text="a _! b")
    assert read_dis(write_dis(root)).text == "a _! b"
    root.text = "a _! b </EDU>"
    with pytest.raises(RstError, match="EDU 1 holds both"):
        write_dis(root)
    root.text = "a !_ ( b"
    with pytest.raises(RstError, match="EDU 1 holds what ends texts"):
        write_document(root, "brackets")


def test_marks_of_sentences_and_paragraphs_are_kept_in_texts() -> None:
    root = read_dis("( Root (leaf 1) (text _!<s>He left.<P></s>_!) )")
    assert root.text == "<s>He left.<P></s>"
    assert plain_text(root.text) == "He left."


# -- the two readers of .dis ----------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(root=with_texts(proper=False))
def test_both_readers_of_dis_agree(root: Unit) -> None:
    text = write_dis(root)
    quick = quickly_read(text)
    assert quick == read_by_grammar(text, "<text>")  # lines too


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_both_readers_of_dis_agree_on_garbled_text(data: st.DataObject) -> None:
    """What the fast reader takes, the grammar takes for the same; it may doubt more."""
    text = SPECIMENS[data.draw(st.sampled_from(["dis", "dis: RST-DT's quirks"]))]
    for _ in range(data.draw(st.integers(1, 2))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        pieces = ["", "(", ")", " ", "_!", "//TT_ERR", "2", "Root", "Satellite", "<s>"]
        text = text[:start] + data.draw(st.sampled_from(pieces)) + text[end:]
    try:
        quick = quickly_read(text)
    except DoubtError:
        with contextlib.suppress(RstError):
            read_by_grammar(text, "<text>")
        return
    assert quick == read_by_grammar(text, "<text>")


# -- what is malformed ----------------------------------------------------------------

DIS, RS3, RSD = SPECIMENS["dis"], SPECIMENS["rs3"], SPECIMENS["rsd"]
JSON = SPECIMENS["json"]

MALFORMED = {
    "dis: no nucleus": (
        DIS.replace(
            "( Nucleus (leaf 1) (rel2par span)", "( Satellite (leaf 1) (rel2par x)"
        ),
        r":3:\d+: span 1-2 has no nucleus",
    ),
    "dis: two roots": (DIS + DIS, r":10:3: a second root; the first is on line 2"),
    "dis: a root within": (
        DIS.replace("( Nucleus (leaf 3) (rel2par list)", "( Root (leaf 3)"),
        r":7:5: a second root: EDU 3 is a Root within the tree",
    ),
    "dis: a gap": (
        DIS.replace("leaf 3", "leaf 4"),
        r":7:\d+: a gap: EDU 4 follows EDU 2",
    ),
    "dis: an EDU twice": (
        DIS.replace("leaf 2", "leaf 1"),
        r":5:\d+: EDU 1 a second time; expected EDU 2",
    ),
    "dis: a span too long": (
        DIS.replace("span 1 2", "span 1 3"),
        r":3:\d+: the units of span 1-3 end with EDU 2",
    ),
    "dis: a span too late": (
        DIS.replace("span 1 2", "span 2 2"),
        r":3:\d+: the units of span 2-2 begin with EDU 1",
    ),
    "dis: no relation": (
        DIS.replace(" (rel2par reason)", ""),
        r":5:7: EDU 2 has no \(rel2par …\)",
    ),
    "dis: a relation of the root": (
        DIS.replace("span 1 3)", "span 1 3) (rel2par list)"),
        r":2:3: a root with \(rel2par …\)",
    ),
    "dis: no root": (
        DIS.replace("Root (span 1 3)", "Nucleus (span 1 3) (rel2par x)"),
        r":2:3: the outermost unit is no Root",
    ),
    "dis: no text": (
        DIS.replace(" (text _!He left_!)", ""),
        r":4:\d+: found '\)'; expected '\('",
    ),
    "dis: no end of a text": (DIS.replace("left_!", "left"), r":5:\d+: found"),
    "dis: a bracket missing": (DIS.rstrip()[:-1], r": ends too early: 1 bracket still"),
    "dis: a bracket too many": (DIS + ")", r":9:1: '\)' without '\('"),
    "rs3: a cycle": (
        RS3.replace(
            '<group id="4" type="multinuc"/>',
            '<group id="4" type="multinuc" '
            'parent="3" relname="reason"/><segment id="0">x</segment>',
        ),
        r":\d+: a cycle of parents: .*→",
    ),
    "rs3: two roots": (
        RS3.replace(' parent="4" relname="list"/>', "/>"),
        r":11: a second root: group 5; the first is group 4 on line 10",
    ),
    "rs3: no nucleus": (
        RS3.replace('parent="5" relname="span"', 'parent="5" relname="reason"'),
        r":11: group 5 has no nucleus",
    ),
    "rs3: an empty group": (
        RS3.replace(
            "</body>", '<group id="7" type="span" parent="1" relname="reason"/></body>'
        ),
        r":12: group 7 has no units in it",
    ),
    "rs3: a gap": (
        RS3.replace('id="2" parent="1"', 'id="2" parent="3"').replace(
            '<segment id="3"',
            '<segment id="8" parent="1" relname="reason">x</segment><segment id="3"',
        ),
        r":\d+: a gap below segment 1: EDU 3 follows EDU 1",
    ),
    "rs3: two nuclei of a span": (
        RS3.replace('parent="1" relname="reason"', 'parent="5" relname="span"'),
        r":11: group 5, a span, has several nuclei: 1 and 2",
    ),
    "rs3: an unknown parent": (
        RS3.replace('id="2" parent="1"', 'id="2" parent="77"'),
        r":6: segment 2 has parent 77, which is not in the document",
    ),
    "rs3: an id twice": (
        RS3.replace('segment id="2"', 'segment id="1"'),
        r":6: id 1 a second time; the first is on line 5",
    ),
    "rs3: no id": (
        RS3.replace('segment id="2"', "segment"),
        r":6: a segment without an id",
    ),
    "rs3: no segments": ("<rst><body/></rst>", r": no segments in here"),
    "rs3: broken XML": (
        RS3.replace("</body>", ""),
        r":\d+:\d+: broken XML: mismatched tag",
    ),
    "rs3: an entity": (
        '<!DOCTYPE rst [<!ENTITY a "aaaa">]>' + RS3.partition("\n")[2],
        r":1: document types and entities are not read",
    ),
    "rsd: two roots": (
        RSD.replace("1\treason_r", "0\tROOT"),
        r":2: a second root: EDU 2; the first is EDU 1 on line 1",
    ),
    "rsd: no root": (
        RSD.replace("0\tROOT", "3\tx_r"),
        r":1: no root: no EDU has head 0",
    ),
    "rsd: a cycle": (
        RSD.replace("1\treason_r", "3\treason_r").replace("1\tlist_m", "2\tlist_m"),
        r":2: a cycle of heads: 2 → 3 → 2",
    ),
    "rsd: a gap": (RSD.replace("\n3\t", "\n4\t"), r":3: a gap: EDU 4 follows EDU 2"),
    "rsd: an EDU twice": (RSD.replace("\n3\t", "\n2\t"), r":3: EDU 2 a second time"),
    "rsd: a head that is not there": (
        RSD.replace("1\tlist_m", "9\tlist_m"),
        r":3: EDU 3 has head 9; there are EDUs 1 to 3",
    ),
    "rsd: no number": (
        RSD.replace("\n3\t", "\nx\t"),
        r":3: found 'x'; expected the number",
    ),
    "rsd: columns": (RSD.replace("\t0\tROOT", ""), r":1: found 8 columns"),
    "conllu: columns": (
        SPECIMENS["conllu"].replace("\n2\t", "\n2\t2\t"),
        r":3: found 11 columns; expected 10",
    ),
    "conllu: nuclearity": (
        SPECIMENS["conllu"].replace("Nuclearity=S", "Nuclearity=head"),
        r":3: found nuclearity 'head'; expected N or S",
    ),
    "table: columns": (
        SPECIMENS["table"].replace("\thead\t", "\tgovernor\t"),
        r":1: no column head in the header",
    ),
    "triples: words": ("1 0 root\n2 1\n", r":2: found 2 words; expected an EDU"),
    "spans: a gap": (
        WITHOUT_TEXTS["spans: DPLP"].replace("((2, 2), 'Satellite', 'reason')\n", ""),
        r": a gap: EDU 2 is missing",
    ),
    "spans: an overlap": (
        WITHOUT_TEXTS["spans: DPLP"] + "((2, 3), 'Nucleus', 'list')\n",
        r":5:1: span 2-3 overlaps with span 1-2",
    ),
    "spans: twice": (
        WITHOUT_TEXTS["spans: DPLP"] + "((2, 2), 'Nucleus', 'list')\n",
        r":5:1: EDU 2 is given twice",
    ),
    "spans: no nucleus": (
        WITHOUT_TEXTS["spans: DPLP"].replace("Nucleus', 'span", "Satellite', 'x"),
        r":3:1: span 1-2 has no nucleus",
    ),
    "spans: backwards": (
        WITHOUT_TEXTS["spans: DPLP"].replace("(1, 2)", "(2, 1)"),
        r":3:1: span 2-1 is no span of EDUs",
    ),
    "spans: something else": (
        WITHOUT_TEXTS["spans: DPLP"] + "oops",
        r":5:1: found 'oops'; expected a span",
    ),
    "decisions: a gap": ("1 2 NS x\n1-2 4 NN y\n", r":2: a gap: EDU 4 follows EDU 2"),
    "decisions: an overlap": ("1-2 2 NS x\n", r":1: an overlap: EDU 2 follows EDU 2"),
    "decisions: something else": (
        "1 2 NS x\noops\n",
        r":2: found 'oops'; expected two",
    ),
    "brackets: a gap": (
        "(NN-list (1) (3))",
        r":1:14: a gap: found EDU 3; expected EDU 2",
    ),
    "brackets: an EDU twice": ("(NN-list (1) (1))", r":1:14: EDU 1 a second time"),
    "brackets: no nucleus": (
        "(x[S][S] _!a!_ _!b!_)",
        r":1:1: x\[S\]\[S\] has no nucleus",
    ),
    "brackets: no nucleus here": (
        "(Root (Satellite:x _!a!_) (Satellite:y _!b!_))",
        r":1:1: span 1-2 has no nucleus",
    ),
    "brackets: three": ("(NS-x (1) (2) (3))", r":1:1: NS-x joins two units; found 3"),
    "brackets: a bracket missing": (
        "(NS-x (1) (2)",
        r"ends too early: 1 bracket still",
    ),
    "brackets: a bracket too many": ("(NS-x (1) (2)))", r":1:15: '\)' without '\('"),
    "brackets: a word outside": (
        "(NS-x (1) (2)) x",
        r":1:16: found 'x' outside of any",
    ),
    "brackets: no labels": ("(Root (1) (2))", r":1:1: a unit without nuclearity"),
    "brackets: Python cut short": ("Tree('x[N][S]', ['a', ", r"ends too early"),
    "json: broken": (JSON.replace("],", "]", 1), r":\d+:\d+: broken JSON"),
    "json: too deep": (
        '{"format": "rst", "a":' + '{"a":' * 100_000,
        r": broken JSON: nested too deep",
    ),
    "json: a span that is not so": (
        JSON.replace('"span": [1, 2]', '"span": [1, 3]'),
        r": unit 2: says span 1-3, but has span 1-2 below",
    ),
    "json: two roots": (
        JSON.replace('"relation": "list", "parent": 1}]', '"parent": null}]'),
        r": unit 5:",
    ),
    "json: no nucleus": (
        JSON.replace('"nucleus", "relation": "span"', '"satellite", "relation": "x"'),
        r": span 1-2 has no nucleus",
    ),
    "json: too many texts": (
        JSON.replace('["He left",', '["He left", "and",'),
        r": 4 texts, but the units have 3 EDUs",
    ),
    "json: a later parent": (
        JSON.replace('"span", "parent": 2', '"span", "parent": 4'),
        r": unit 3: has parent 4, which does not stand before it",
    ),
    "json: version": (
        JSON.replace('"version": 1', '"version": 2'),
        r"version 2 of the",
    ),
    "unknown": (
        "Once upon a time",
        r":1: an unknown format: it begins with 'Once upon",
    ),
    "empty": (" \n", r": nothing in here"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(name: str) -> None:
    text, message = MALFORMED[name]
    with pytest.raises(RstError, match=message) as caught:
        read_document(text, "weather")
    assert str(caught.value).startswith("weather"), caught.value


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_garbled_documents_never_crash(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([*SPECIMENS.values(), *WITHOUT_TEXTS.values()]))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    text = text[:start] + data.draw(st.text(max_size=5)) + text[end:]
    with contextlib.suppress(RstError):
        assert read_document(text).nuclearity == "R"


# -- corpora --------------------------------------------------------------------------


def test_a_directory_of_many_formats(tmp_path: Path) -> None:
    for number, (name, text) in enumerate(SPECIMENS.items()):
        path = tmp_path / f"d{number:02}.{named_format(name)}"
        path.write_text(text, "utf-8")
    (tmp_path / "packed.dis.gz").write_bytes(gzip.compress(DIS.encode()))
    (tmp_path / "bad.dis").write_text(DIS.replace("leaf 2", "leaf 9"))
    (tmp_path / "README.md").write_text("What these files are.")
    (tmp_path / "page.html").write_text("<!DOCTYPE html><p>More.</p>")
    (tmp_path / "settings.json").write_text('{"trees": []}')
    (tmp_path / "begun.dis").write_text("nothing yet")
    warnings: list[str] = []
    documents, errors = read_corpus(str(tmp_path), warnings=warnings)
    assert len(documents) == len(SPECIMENS) + 1
    assert all(shape(root) == expected(TEXTS) for _, root in documents)
    assert [str(error).split("/")[-1] for error in errors] == [
        "bad.dis:5:23: a gap: EDU 9 follows EDU 1",
        "begun.dis:1: an unknown format: it begins with 'nothing yet'; known are "
        + ", ".join(sorted(FORMATS)),
    ]
    assert any(
        "1 column of secondary edges and signals left out" in w for w in warnings
    )
    some, _ = read_corpus(str(tmp_path / "d0*"))
    assert len(some) == 10
    assert documents[0][0] == "d00"


def test_a_file_that_is_named_must_be_readable(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("What these files are.")
    _, errors = read_corpus(str(path))
    assert "unknown format" in errors[0].message
    with pytest.raises(InputError, match="no such file"):
        read_corpus(str(tmp_path / "nothing"))
    with pytest.raises(InputError, match="no discourse trees"):
        read_corpus(str(tmp_path))
    latin = tmp_path / "latin.dis"
    latin.write_bytes(DIS.replace("He", "Hé").encode("latin-1"))
    _, errors = read_corpus(str(latin))
    assert str(errors[0]).startswith(f"{latin}:4: byte 0xE9 is not UTF-8")
    documents, _ = read_corpus(str(latin), encoding="latin-1")
    assert documents[0][1].children[0].children[0].text == "Hé left"


def test_two_files_of_one_name(tmp_path: Path) -> None:
    for ending in ("dis", "rs3"):
        (tmp_path / f"weather.{ending}").write_text(SPECIMENS[ending])
    documents, errors = read_corpus(str(tmp_path))
    assert [name for name, _ in documents] == ["weather"]
    assert "a second document 'weather'" in errors[0].message


def test_names() -> None:
    assert document_name("a/b/wsj_0601.out.dis.gz") == "wsj_0601"
    assert document_name("GUM_bio.v9.rs4") == "GUM_bio.v9"
    assert document_name(".dis") == ".dis"


def test_rs4_reports_what_it_leaves_out() -> None:
    more = '<secedges><secedge id="2-3"/></secedges>'
    more += "<signals><signal/><signal/></signals>"
    warnings: list[str] = []
    read_rs3(RS3.replace("</body>", f"{more}</body>"), "weather", warnings)
    assert warnings == [
        "weather: 1 secondary edge and 2 signals left out: not part of the tree"
    ]


def test_rs3_schemas_and_satellites_of_groups() -> None:
    """A multinuclear group may have satellites, and RSTTool's schemas are as such."""
    text = """<rst><header><relations><rel name="title" type="rst"/>
    <rel name="part" type="schema"/></relations></header><body>
    <segment id="1" parent="4" relname="title">T</segment>
    <segment id="2" parent="4" relname="part">A</segment>
    <segment id="3" parent="4" relname="part">B</segment>
    <group id="4" type="constit"/></body></rst>"""
    root = tree_of("[S:title N:span[N:part N:part]]")
    labels = [unit.label for unit in read_rs3(text).walk()]
    assert labels == [unit.label for unit in root.walk()]


def test_several_satellites_of_one_nucleus_are_one_unit() -> None:
    root = tree_of("[S:a N:span S:b S:c]")
    assert shape(read_rs3(write_rs3(root))) == shape(root)
    assert rs3_losses(root) == []


def test_dependencies_without_heights_have_no_order() -> None:
    tree = parse_documents(RSD.replace("\t0\t_\t_\t", "\t_\t_\t_\t"))[0].tree
    assert isinstance(tree, DependencyTree)
    assert tree.ranks is None
    assert tree.nuclearities == ["N", "S", "N"]
    assert tree.sentences == [1, 1, 2]


# -- the shared data ------------------------------------------------------------------


@pytest.fixture(scope="module")
def gold() -> dict[str, Unit]:
    documents, errors = read_corpus(str(RST / "gold" / "dis"))
    assert not errors
    assert len(documents) == 32
    return dict(documents)


@needs_rst
@pytest.mark.parametrize("other", ["rs4", "rsd"])
def test_gum_is_the_same_in_every_format(gold: dict[str, Unit], other: str) -> None:
    documents, errors = read_corpus(str(RST / "gold" / other))
    assert not errors
    assert {name: shape(root) for name, root in documents} == {
        name: shape(root) for name, root in gold.items()
    }


@needs_rst
def test_gums_own_dependencies_are_ours(gold: dict[str, Unit]) -> None:
    for name, root in gold.items():
        theirs = (RST / "gold" / "rsd" / f"{name}.rsd").read_text("utf-8").strip()
        ours = write_document(root, "rsd").strip()
        for line, other in zip(ours.split("\n"), theirs.split("\n"), strict=True):
            one, two = line.split("\t"), other.split("\t")
            assert [one[at] for at in (0, 1, 2, 6, 7)] == [
                two[at] for at in (0, 1, 2, 6, 7)
            ]


@needs_rst
@pytest.mark.parametrize("to", WRITTEN)
def test_gum_round_trips(gold: dict[str, Unit], to: str) -> None:
    for name, root in gold.items():
        written = write_document(root, to, name=name)
        assert detect(written) == to
        assert shape(read_document(written, name)) == shape(root)


@needs_rst
def test_gum_through_dependencies(gold: dict[str, Unit]) -> None:
    for root in gold.values():
        assert shape(constituent_tree(dependency_tree(root))) == shape(root)


@needs_rst
def test_arcs_become_the_constituents_of_the_released_program() -> None:
    """`dep_raw` has nuclearity and order by heuristics, `pred/dep` the trees."""
    arcs, errors = read_corpus(str(RST / "dep_raw"))
    assert not errors
    trees, _ = read_corpus(str(RST / "pred" / "dep"))
    assert {name: [u.label for u in root.walk()] for name, root in arcs} == {
        name: [u.label for u in root.walk()] for name, root in trees
    }


@needs_rst
def test_all_files_go_through_both_readers() -> None:
    for path in sorted(RST.rglob("*.dis")):
        text = path.read_text("utf-8")
        assert quickly_read(text) == read_by_grammar(text, str(path))


# -- maps of relations ----------------------------------------------------------------


def test_the_map_of_rst_dt() -> None:
    relations = load_relations("rstdt")
    assert relations is not None
    assert len(set(relations.values())) == 18
    assert relations["elaboration-object-attribute-e"] == "elaboration"
    assert relations["comment-topic"] == "topic-comment"
    for passes_through in ("list-e", "same-unit-e", "contingency-e", "span"):
        assert passes_through not in relations


@needs_rst
def test_the_map_of_gum_is_the_one_of_the_oracle() -> None:
    assert load_relations("gum") == load_relations(str(RST / "gum_relmap.txt"))
