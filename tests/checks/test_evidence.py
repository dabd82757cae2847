"""What a finding is decided by: the words in question here and elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import check, read_trees
from analyzer.checks.evidence import (
    Uses,
    concordance_line,
    contrast,
    evidence,
    group_counts,
)
from analyzer.checks.findings import Analysis, Edit, Finding, LeafSpan, TreeFinding
from analyzer.checks.word_stream import WordStream
from tests.support.examples import some

TREES = """
(S (NP-SBJ (PRP I)) (VP (VBP think) (PP (IN about) (NP (NN food)))))
(S (NP-SBJ (PRP we)) (VP (VBP talk) (PP (IN about)) (NP (PRP it))))
(S (NP-VOC (PRP You)) (VP (VBP talk) (ADVP (RB so))))
(FRAG (ADVP (IN so)) (PP (IN of) (NP (NN course))))
"""


def stream_of(text: str) -> WordStream:
    return WordStream.of([read_trees(text)])


def row_of(stream: WordStream, label: str, tree: int) -> int:
    """The first row of a tree with a label."""
    start, end = stream.bank.node_start[tree : tree + 2].tolist()
    rows = range(start, end)
    return next(row for row in rows if stream.bank.label_name(row) == label)


def words_of(stream: WordStream, analysis: Analysis) -> list[str]:
    return [concordance_line(stream, span).words for span in analysis.spans]


@pytest.mark.parametrize(
    ("action", "row", "other", "label", "expected"),
    [
        ("retag", ("IN", 3), None, "RB", ("RB", 1, ["so"])),
        ("retag", ("IN", 3), None, "UH", ("UH", 0, [])),
        # The same children and the same first word come first.
        ("move", ("NP", 1), ("PP", 1), "", ("PP over IN NP", 2, ["about food"])),
        ("relabel", ("ADVP", 3), None, "PP", ("PP over IN", 1, ["about"])),
        (
            *("functions", ("NP-VOC", 2), None, "SBJ"),
            ("NP-SBJ over PRP", 2, ["I", "we"]),
        ),
        ("drop", ("PP", 1), None, "", ("VP over VBP IN NP", 0, [])),
        ("drop", ("NP", 0), None, "", ("PP over IN NN", 0, [])),
        ("add", ("PP", 1), ("NP", 1), "PP", ("PP over PP NP", 0, [])),
        ("add", ("VBP", 2), None, "VP", ("VP over VBP", 0, [])),
        ("move", ("NP", 0), ("VP", 0), "", ("VP over VBP PP NP", 1, None)),
    ],
)
def test_uses_of_what_an_edit_makes(
    action: str,
    row: tuple[str, int],
    other: tuple[str, int] | None,
    label: str,
    expected: tuple[str, int, list[str] | None],
) -> None:
    """By hand, in four trees."""
    stream = stream_of(TREES)
    end = row_of(stream, *other) if other else -1
    made = Uses(stream).after(Edit(action, row_of(stream, *row), end, label))
    text, count, words = expected
    assert (made.text, made.count) == (text, count)
    assert words is None or words_of(stream, made) == words


_LABELS = st.sampled_from(["NP", "VP", "PP"])
_TREES = st.recursive(
    st.builds("({} {})".format, st.sampled_from("AB"), st.sampled_from("xyX")),
    lambda below: st.builds(
        lambda label, children: f"({label} {' '.join(children)})",
        _LABELS,
        st.lists(below, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@settings(max_examples=some(60))
@given(st.lists(_TREES, min_size=1, max_size=5), _LABELS, st.data())
def test_uses_are_counted_as_by_hand(
    trees: list[str], label: str, data: st.DataObject
) -> None:
    """A relabelled phrase: all phrases of that label with the same children."""
    stream = stream_of("\n".join(f"(S {tree})" for tree in trees))
    nodes = [node for tree in stream.bank for node in tree.nodes]
    phrases = [row for row, node in enumerate(nodes) if node.children]
    row = data.draw(st.sampled_from(phrases))

    def children(at: int) -> list[str]:
        return [child.label for child in nodes[at].children]

    alike = [
        at
        for at in phrases
        if nodes[at].label == label and children(at) == children(row)
    ]
    made = Uses(stream).after(Edit("relabel", row, label=label))
    assert made.count == len(alike)
    assert len(made.spans) <= min(3, len(alike))
    assert set(made.spans) <= {stream.span_of_row(at) for at in alike}


def test_a_line_is_cut_where_the_sentence_goes_on() -> None:
    words = " ".join(f"(X w{number})" for number in range(30))
    stream = stream_of(f"(S {words})")
    line = concordance_line(stream, LeafSpan(0, 10, 12))
    assert line.words == "w10 w11"
    assert line.before.split() == ["…", *(f"w{n}" for n in range(2, 10))]
    assert line.after.split() == [*(f"w{n}" for n in range(12, 20)), "…"]
    assert concordance_line(stream, LeafSpan(0, 0, 1)).before == ""


def test_the_analysis_in_doubt_comes_first() -> None:
    good = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))"
    result = check("\n".join([good] * 6 + [good.replace("NN", "NNP")]))
    (found,) = [one for one in result.findings if one.code == "T501"]
    assert result.stream is not None
    here, other = evidence(found, Uses(result.stream))
    assert (here.text, here.count, here.spans) == ("NNP", 1, found.suspects)
    assert (other.text, other.count, len(other.spans)) == ("NN", 6, 3)


def test_groups_tell_how_often_each_analysis_occurs() -> None:
    """Of words that recur, once for all their findings."""
    nil = (Analysis("NIL", 2, ()), Analysis("NX", 1, ()))
    alike = [
        TreeFinding("V302", "", group="variation: NIL | NX", now="NX", analyses=told)
        for told in (nil, nil, (Analysis("NX", 1, ()), Analysis("NIL", 1, ())))
    ]
    assert group_counts(alike) == [("NIL", 3), ("NX", 2)]
    assert [contrast(one) for one in alike] == [("NX", "NIL")] * 3
    by_model = [Finding("T502", "", group="tag: IN | RB", now=now) for now in ("IN",)]
    assert group_counts(by_model) == [("IN", 1), ("RB", 0)]
    alone = Finding("S101", "", group="shape: S101")
    assert (group_counts([alone]), contrast(alone)) == ([], ("", ""))
