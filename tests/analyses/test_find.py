"""`find`: numbers, groups, what is kept, what was not searched, and heads."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from analyzer import (
    Found,
    LeftOutWarning,
    QueryError,
    SettingsError,
    derive,
    find,
    read_trees,
)
from analyzer.analyses import find as module
from analyzer.queries import matching
from tests.support.data_paths import EXAMPLES, SYNTAX, WEB_PAIR, needs_shared_data

WEB = WEB_PAIR[0]
DISCOURSE = EXAMPLES / "discourse"


def places(found: Found) -> list[tuple[str, int]]:
    return [(Path(match.file).name, match.sentence) for match in found.rows]


def test_sentences_are_numbered_in_their_file(tmp_path: Path) -> None:
    for name in ("a.mrg", "b.mrg"):
        (tmp_path / name).write_text("(S (X x))\n(S (Y y))\n")
    found = find("Y", tmp_path)
    assert places(found) == [("a.mrg", 2), ("b.mrg", 2)]
    assert [tuple(row)[1:] for row in found.counts_by_file()] == [(2, 1, 1), (2, 1, 1)]


def test_blank_lines_are_sentences_without_a_tree() -> None:
    assert [
        match.sentence for match in find("X", "(X x)\n\n(X x)\n(X x)\n(X x)\n").rows
    ] == [*(1, 3, 4, 5)]


def test_groups() -> None:
    trees = "(X x)\n(Y y)\n(X (X x) (X x))\n"
    found = find("X", trees, group_by=["a", "b", "a"])
    assert [match.group for match in found.rows] == ["a", "a", "a", "a"]
    assert [tuple(row) for row in found.counts_by_group()] == [
        ("a", 2, 2, 4),
        ("b", 1, 0, 0),
    ]
    for groups in (["a"], ["a"] * 4):
        with pytest.raises(SettingsError):
            find("X", trees, group_by=groups)


def test_a_limit_keeps_the_first_and_counts_all() -> None:
    whole, some = find("NP=x << DT=d", WEB), find("NP=x << DT=d", WEB, limit=3)
    assert some.total == whole.total > 3
    assert some.rows == whole.rows[:3]
    assert find("NP", WEB, count=True).total == find("NP", WEB).total
    assert find("NP", WEB, count=True).rows == []


def test_of_the_text_only_words_of_matches_are_kept() -> None:
    for block in find("UH", WEB).blocks:
        words = [word for tree in block.bank for word in tree.words]
        assert block.bank.text == "".join(words).encode()


def test_a_list_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 10)
    with pytest.raises(QueryError, match="more than 10 matches"):
        find("NP", WEB)
    assert find("NP", WEB, count=True).total > 10
    assert len(find("NP", WEB, limit=12).rows) == 12


def test_nodes_that_are_not_bound_are_none() -> None:
    found = find("X [< A=a | < B=b]", "(X (A a))\n(X (B b) (A a))")
    assert [list(match.nodes.values())[1:] for match in found.rows] == [
        [(*("A", "a", 0, 1), 1), None],
        [None, (*("B", "b", 0, 1), 3)],
        [(*("A", "a", 1, 2), 4), None],
    ]
    assert found.frame()["b"].isna().tolist() == [True, False, True]


def test_bad_trees_are_told() -> None:
    with pytest.warns(LeftOutWarning):
        found = find("X", "(X x)\n(X x\n(X x)\n(X x)\n")
    assert found.total == 3
    assert [item.sentence for item in found.ledger.left_out] == [2]
    assert "searched 3 of 4 sentences; 1 left out: 1 malformed" in found.scored_text()


def test_a_tree_that_is_given_up_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MOST_ROWS", 4)
    monkeypatch.setattr(
        module,
        "find_matches",
        lambda *given, **options: matching.find_matches(*given, **options, most_rows=4),
    )
    trees = "(X (A a))\n(X (A a) (A a) (A a))\n(X (A a))\n"
    with pytest.warns(LeftOutWarning):
        found = find("X=x << __=y", trees)
    assert [match.sentence for match in found.rows] == [1, 1, 3, 3]
    (item,) = found.ledger.left_out
    assert (item.sentence, item.reason.value) == (2, "search given up")
    assert "sentence 2" in str(item.error)


def test_why_nothing_matches() -> None:
    assert find("PPP", WEB).hints == ["no label or word is PPP; did you mean 'PP'?"]
    assert find("S < (VP !< XYZ)", WEB).hints == []
    assert find("S < (VP < qqq) [< A | < qqq]", WEB).hints == [
        "no label or word is qqq"
    ]
    assert find("__{NP-modrr}", WEB).hints == [
        "no node is __{construction=NP-modrr}; did you mean 'NP-modr'?"
    ]
    assert find("NP <: VP", WEB).hints == []
    tagged = "(S (NP-SBJ (PRP I)) (VP (VBP see)))"
    assert find("S < NP", tagged).hints == [
        "no label or word is NP; did you mean '@NP'?"
    ]


def test_words_of_tiger_have_functions() -> None:
    german = EXAMPLES / "treebanks" / "german.gold.xml"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = find("__{function=SB}", german, patterns="german")
    assert [match.root.words for match in found.rows[:3]] == [
        *("er", "Der alte Mann", "Sie")
    ]


def test_processes_find_the_same(tmp_path: Path) -> None:
    path = tmp_path / "many.mrg"
    path.write_text(Path(WEB).read_text("utf-8") * 400, "utf-8")
    query = "NP=np < (PP < (IN=p < __)) ?<# NN=n"
    one, two = find(query, path), find(query, path, jobs=2)
    assert one == two
    assert one.frame().equals(two.frame())


def test_trees_in_memory_are_searched() -> None:
    bank = read_trees(WEB)
    assert (
        find("NP", bank)
        .frame()
        .drop(columns="file")
        .equals(find("NP", WEB).frame().drop(columns="file"))
    )


def test_many_trees_in_memory_are_searched_in_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = find("NP=n < PP", read_trees(WEB))
    monkeypatch.setattr(module, "_AT_ONCE", 10)
    parts = find("NP=n < PP", read_trees(WEB), jobs=2)
    assert len(parts.blocks) == 5
    assert parts.frame().equals(whole.frame())
    assert parts.ledger == whole.ledger


def test_documents() -> None:
    found = find("__{relation=/^elab/, nuclearity=S}=s $, __=n", DISCOURSE)
    assert found.rows[0].id == "bakery"
    assert found.rows[0].root.words == "One of them wrote an angry letter."
    assert found.rows[0].root.label == "elaboration/S"
    whole = find(
        "__{relation=/^elab/, nuclearity=S}=s $, __=n", DISCOURSE, binarize="right"
    )
    assert whole.ledger.gold == found.ledger.gold
    assert find("__{construction=/-s$/}", DISCOURSE).total > 0
    assert find("__=a{text=/letter/} ~> __=b{text=/customers/}", DISCOURSE).total > 0


@needs_shared_data
@pytest.mark.parametrize(
    "path", ["gold/dev.gold.mrg", "parsed/dev.berkeley-sm4.mrg", "wsj_sample/wsj01.mrg"]
)
def test_attachment_is_that_of_derivation_trees(path: str) -> None:
    """Word by word: what a word depends on is where its spine attaches."""
    bank = read_trees(SYNTAX / path)[:120]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        derived = derive(bank)
    expected = set()
    for sentence in derived.rows:
        (spines,) = sentence.sides
        governed = {spine.position: spine for spine in spines}
        for spine in spines:
            if spine.governor is not None:
                governor = governed[spine.governor]
                expected.add((sentence.number, spine.word, governor.word))
    found = find("__=a{word=/./} ~> __=b{word=/./}", bank)
    told = [
        [node.words for node in match.nodes.values() if node] for match in found.rows
    ]
    ours = {
        (match.sentence, *words) for match, words in zip(found.rows, told, strict=True)
    }
    assert ours == expected


def test_a_result_is_shown() -> None:
    found = find("NP=np < PP", WEB)
    assert repr(found).startswith("<Found: 8 matches, searched 44 of 44 sentences")
    html = found._repr_html_()
    assert "every minute of it" in html
    assert "8 matches of NP=np" in html
