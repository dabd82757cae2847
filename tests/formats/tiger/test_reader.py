"""TIGER-XML is read as trees in brackets would be."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer import read_trees
from analyzer.exceptions import InputWarning
from analyzer.formats.crossing import continuous
from tests.support.crossing_trees import Crossing, crossing_trees
from tests.support.tiger_xml import (
    SEEN,
    SEEN_IN_BRACKETS,
    YES,
    brackets,
    corpus,
    phrase,
    sentence,
    words,
)


def test_virtual_root_functions_punctuation_and_crossing_branches() -> None:
    assert brackets(corpus(SEEN)) == [SEEN_IN_BRACKETS]


def test_a_root_that_is_a_phrase_or_a_word_gets_one_above() -> None:
    no_punctuation = sentence(
        words("Komm/VVIMP", "!/$.") + phrase("p1", "S", "HD:w1"), name="s3"
    )
    assert brackets(corpus(YES, no_punctuation)) == [
        "(ROOT (PTKANT Ja))",
        "(ROOT (S (VVIMP Komm)) ($. !))",
    ]


def test_words_and_labels_that_brackets_could_not_hold() -> None:
    odd = words("(/$(", "10 000/CARD", "a)b/XY", "/XY") + phrase(
        "p1", "N P", "NK:w1", "-:w2", ":w3", "NK:w4"
    )
    tree = "(ROOT (N_P ($*LRB* -LRB-) (CARD 10_000) (XY a-RRB-b) (XY )))"
    assert brackets(corpus(sentence(odd))) == [tree]
    assert read_trees(tree)[0].words == ["-LRB-", "10_000", "a-RRB-b", ""]


def test_phrases_without_words_are_left_out() -> None:
    empty = words("Ja/PTKANT") + phrase("p1", "S", "HD:w1", "MO:p2")
    assert brackets(corpus(sentence(empty + phrase("p2", "PP")))) == [
        "(ROOT (S (PTKANT Ja)))"
    ]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "ISO-8859-1", "windows-1252", "utf-8-sig", "utf-16"]
)
def test_encodings_are_those_that_the_xml_declares(
    encoding: str, tmp_path: Path
) -> None:
    declared = encoding.removesuffix("-sig")
    xml = f'<?xml version="1.0" encoding="{declared}"?>\n<!-- é -->\n'
    xml += corpus(sentence(words("schöne/ADJA"), root="w1"))
    path = tmp_path / "gold.xml"
    path.write_bytes(xml.encode(encoding))
    assert str(read_trees(path)[0]) == "(ROOT (ADJA schöne))"


def test_an_encoding_that_is_given_overrules_the_declared_one(tmp_path: Path) -> None:
    xml = '<?xml version="1.0" encoding="UTF-8"?>'
    xml += corpus(sentence(words("schöne/ADJA"), root="w1"))
    path = tmp_path / "gold.xml"
    path.write_bytes(xml.encode("latin-1"))
    bank = read_trees(path, encoding="latin-1")
    assert str(bank[0]) == "(ROOT (ADJA schöne))"


def test_subcorpora_headers_and_other_elements() -> None:
    header = '<head><annotation><feature name="pos" domain="T"><value name="NN">a (noun'
    header += "</value></feature></annotation></head>"
    assert brackets(
        f"<corpus>{header}<body><subcorpus>{YES}</subcorpus></body></corpus>"
    )
    assert brackets(f"<subcorpus name='a'>{YES}</subcorpus>") == ["(ROOT (PTKANT Ja))"]


def test_trees_are_on_the_lines_of_their_sentences() -> None:
    bank = read_trees(corpus(YES, "<!--\n\n\n-->", YES, YES))
    assert bank.line.tolist() == [2, 6, 7]


def test_lines_far_apart_make_no_trees() -> None:
    bank = read_trees(corpus(YES, "\n" * 600_000, YES), keep_blank_lines=True)
    assert bank.line.tolist() == [2, 600_003]


def test_what_brackets_cannot_keep_is_said() -> None:
    secondary = '<secedge label="SB" idref="w1"/></nt>'
    xml = corpus(SEEN.replace("</nt>", secondary, 1), YES)
    with pytest.warns(InputWarning) as caught:
        read_trees(xml)
    assert [str(one.message) for one in caught] == [
        "<text>: 1 of 2 trees has crossing branches, resolved by raising; in 1 tree "
        "words under the root moved down to their neighbours; 1 secondary edge left out"
    ]


def test_parts_in_other_files_are_not_read_and_said(tmp_path: Path) -> None:
    (tmp_path / "other.xml").write_text(f"<subcorpus>{YES}</subcorpus>")
    part = f'<subcorpus name="b" external="file:{tmp_path}/other.xml"/>\n'
    with pytest.warns(InputWarning, match="1 part in other files .* not read"):
        assert len(read_trees(corpus(YES, part))) == 1


def test_nothing_to_say_of_continuous_trees(recwarn: pytest.WarningsRecorder) -> None:
    read_trees(corpus(YES))
    assert not recwarn.list


_TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]),
    min_size=1,
    max_size=6,
)


@given(crossing_trees(), st.data())
def test_trees_in_xml_come_back(tree: Crossing, data: st.DataObject) -> None:
    """Any continuous tree, written as TIGER-XML, read, and printed."""
    children = continuous(*tree).children
    count = len(tree.parents)
    labels = data.draw(st.lists(_TEXT, min_size=count, max_size=count))
    forms = data.draw(st.lists(_TEXT, min_size=tree.words, max_size=tree.words))
    nodes = [node for node in range(tree.words, count) if children[node]]
    # Edges in any order: the words say what comes first.
    edges = {node: data.draw(st.permutations(children[node])) for node in nodes}
    xml = "".join(
        f'<t id="n{word}" word={quoteattr(forms[word])} pos={quoteattr(labels[word])}/>'
        for word in range(tree.words)
    )
    for node in data.draw(st.permutations(nodes)):
        xml += f'<nt id="n{node}" cat={quoteattr(labels[node])}>'
        xml += "".join(f'<edge label="--" idref="n{child}"/>' for child in edges[node])
        xml += "</nt>"

    def printed(node: int) -> str:
        name = labels[node].replace("(", "*LRB*").replace(")", "*RRB*")
        name = name.replace(" ", "_")
        if node >= tree.words:
            return f"({name} {' '.join(printed(child) for child in children[node])})"
        form = forms[node].replace("(", "-LRB-").replace(")", "-RRB-")
        return f"({name} {form.replace(' ', '_')})"

    expected = f"(ROOT {printed(count - 1)})"
    assert brackets(corpus(sentence(xml, root=f"n{count - 1}"))) == [expected]
