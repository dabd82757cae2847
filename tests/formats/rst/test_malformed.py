"""Discourse trees that cannot be read: every format names the fault."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.exceptions import RstError
from analyzer.formats.registry import (
    read_document,
)
from tests.support.examples import some
from tests.support.rst_specimens import DIS, RS3, RSD, SPECIMENS, WITHOUT_TEXTS

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
        r":2:3: the outermost unit is not a Root",
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
    "rs3: a gap": (
        RS3.replace('id="2" parent="1"', 'id="2" parent="3"').replace(
            '<segment id="3"',
            '<segment id="8" parent="1" relname="reason">x</segment><segment id="3"',
        ),
        r":\d+: a gap below segment 1: EDU 3 follows EDU 1",
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
    "rs3: no segments": ("<rst><body/></rst>", r": contains no segments"),
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
        r": EDU 3 cannot be attached to EDU 1 before EDU 2, which is between them",
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
        r":3:1: span 2-1 is not a span of EDUs",
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
        r": unit 3: has parent 4, which does not come before it",
    ),
    "json: version": (
        JSON.replace('"version": 1', '"version": 2'),
        r"version 2 of the",
    ),
    "unknown": (
        "Once upon a time",
        r":1: an unknown format: it begins with 'Once upon",
    ),
    "empty": (" \n", r": is empty"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(name: str) -> None:
    text, message = MALFORMED[name]
    with pytest.raises(RstError, match=message) as caught:
        read_document(text, "weather")
    assert str(caught.value).startswith("weather"), caught.value


@settings(max_examples=some(50), deadline=None)
@given(data=st.data())
def test_garbled_documents_never_crash(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([*SPECIMENS.values(), *WITHOUT_TEXTS.values()]))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    text = text[:start] + data.draw(st.text(max_size=5)) + text[end:]
    with contextlib.suppress(RstError):
        assert read_document(text).nuclearity == "R"
