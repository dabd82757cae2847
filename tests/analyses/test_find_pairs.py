"""Queries over gold and parsed: counts by an independent route, and what is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from analyzer import (
    InputError,
    SettingsError,
    Treebank,
    find_pairs,
    load_queries,
    read_trees,
    score,
)
from analyzer.analyses.find_pairs import INVENTED, MISSED, NO_BRACKET, FoundPairs
from analyzer.exceptions import QueryError
from analyzer.model.tree import Node, Tree
from analyzer.queries.named import read_queries
from tests.support.data_paths import (
    EXAMPLES,
    LANGUAGES,
    SYNTAX,
    WEB_GREEDY,
    WEB_PAIR,
    needs_languages,
    needs_shared_data,
)

# -- by an independent route: conditions written in Python, words counted by hand ------

DELETED = {"TOP", "-NONE-", ",", ":", "``", "''", "."}  # COLLINS.prm
Found = Iterator[tuple[Node, ...]]


def bare(node: Node) -> str:
    return node.label.split("-")[0].split("=")[0] or node.label


def of_phrases(tree: Tree) -> Found:
    for node in tree.nodes:
        for child in node.children:
            is_of = any(
                one.label == "IN" and one.form == "of" for one in child.children
            )
            if bare(node) == "NP" and bare(child) == "PP" and is_of:
                yield (child,)


def objects(tree: Tree) -> Found:
    for node in tree.nodes:
        for child in node.children:
            if bare(node) == "VP" and bare(child) == "NP" and not node.is_leaf:
                yield node, child


def clauses(tree: Tree) -> Found:
    return ((node,) for node in tree.nodes if bare(node) == "SBAR")


def subjects(tree: Tree) -> Found:
    """An NP with a later sister that is a VP, both below S."""
    for node in tree.nodes:
        for at, child in enumerate(node.children):
            later = [one for one in node.children[at + 1 :] if bare(one) == "VP"]
            if bare(node) == "S" and bare(child) == "NP":
                yield from ((child, one) for one in later)


def flat_phrases(tree: Tree) -> Found:
    for node in tree.nodes:
        if bare(node) == "NP" and not any(bare(one) == "NP" for one in node.children):
            yield (node,)


def adverbs(tree: Tree) -> Found:
    """A verb's tag right before one that is RB."""
    leaves = tree.leaves
    for first, second in pairwise(leaves):
        if first.label.startswith("VB") and second.label == "RB":
            yield first, second


NAIVE: dict[str, Callable[[Tree], Found]] = {
    "@NP < (@PP=of < (IN < of))": of_phrases,
    "@VP=verb < @NP=object": objects,
    "@SBAR": clauses,
    "@S < (@NP=subject $.. @VP=verb)": subjects,
    "@NP !< @NP": flat_phrases,
    "/^VB/=verb . RB=adverb": adverbs,
}


def places(tree: Tree) -> list[int]:
    """The number of the word that each leaf is; with the number of all at the end."""
    numbers = [0]
    for leaf in tree.leaves:
        numbers.append(numbers[-1] + (leaf.label not in DELETED))
    return numbers


def words(tree: Tree) -> list[str]:
    return [str(one.form) for one in tree.leaves if one.label not in DELETED]


def naive_counts(
    gold: Treebank, parsed: Treebank, found: Callable[[Tree], Found]
) -> tuple[int, int, int]:
    """Gold, parsed, matched; in sentences whose words are the same."""
    sums = [0, 0, 0]
    for trees in zip(gold, parsed, strict=True):
        if words(trees[0]) != words(trees[1]) or not words(trees[1]):
            continue
        sides = []
        for tree in trees:
            number = places(tree)
            spans: Counter[tuple[tuple[int, int], ...]] = Counter()
            for nodes in dict.fromkeys(
                tuple(node.row for node in nodes) for nodes in found(tree)
            ):
                ends = [Node(tree, row).span for row in nodes]
                span = tuple((number[first], number[last]) for first, last in ends)
                if all(first < last for first, last in span):
                    spans[span] += 1
            sides.append(spans)
        for at, spans in enumerate((*sides, sides[0] & sides[1])):
            sums[at] += spans.total()
    return sums[0], sums[1], sums[2]


def counts(found: FoundPairs) -> list[tuple[int, int, int]]:
    return [(row.gold, row.parsed, row.matched) for row in found.rows]


def test_counts_are_those_of_conditions_in_python() -> None:
    pair = [read_trees(path) for path in WEB_PAIR]
    found = find_pairs({query: query for query in NAIVE}, *WEB_PAIR, resamples=1)
    expected = [naive_counts(*pair, condition) for condition in NAIVE.values()]
    assert counts(found) == expected
    assert all(matched for *_, matched in expected)
    assert any(matched < min(both) for *both, matched in expected)


@pytest.mark.slow
@needs_shared_data
@pytest.mark.parametrize("query", NAIVE)
def test_counts_on_real_data_are_those_of_conditions_in_python(query: str) -> None:
    gold = SYNTAX / "gold" / "dev.gold.mrg"
    parsed = SYNTAX / "parsed" / "dev.berkeley-sm4.mrg"
    sides = read_trees(str(gold)), read_trees(str(parsed))
    found = find_pairs(query, *sides, resamples=1)
    assert counts(found) == [naive_counts(*sides, NAIVE[query])]
    assert found.rows[0].gold > 100


# -- worked examples -------------------------------------------------------------------

GOLD = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS hats)))) (. .)))"  # noqa: E501
PARSED = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS hats)))) (. .))"  # noqa: E501


def test_what_is_named_is_what_is_compared() -> None:
    """The NP over `a man with hats` is missed; its PP is there, attached elsewhere."""
    named = find_pairs("NP < PP=pp", GOLD, PARSED, resamples=1)
    assert counts(named) == [(1, 0, 0)]
    [missed] = named.matches
    assert missed.kind == MISSED
    assert missed.nodes["pp"][:4] == ("PP", "with hats", 4, 6)
    assert missed.instead == "PP-t"  # the bracket is there: what is around it differs
    [whole] = find_pairs("NP < PP", GOLD, PARSED, resamples=1).matches
    assert (whole.nodes["match"].words, whole.instead) == (
        "a man with hats",
        NO_BRACKET,
    )
    both = find_pairs("NP=np < PP=pp", GOLD, PARSED, resamples=1)
    assert both.matches[0].instead == f"np: {NO_BRACKET}, pp: PP-t"
    [row] = both.instead
    assert (row.times, row.share) == (1, 1.0)


def test_one_named_node_counts_once_however_often_it_is_reached() -> None:
    """Two NPs dominate the PP's NP: it is one node all the same."""
    found = find_pairs("__ << PP=pp", GOLD, GOLD, resamples=1)
    assert counts(found) == [(1, 1, 1)]


def test_heads_may_be_the_same_where_spans_are_not() -> None:
    spans = find_pairs("VP", GOLD, PARSED.replace(")) (. .))", ") (. .)))"))
    assert counts(spans) == [(1, 1, 1)]  # full stops do not count
    parsed = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man))) (PP (IN with) (NP (NNS hats))) (. .))"  # noqa: E501
    assert counts(find_pairs("VP", GOLD, parsed, resamples=1)) == [(1, 1, 0)]
    assert counts(find_pairs("VP", GOLD, parsed, key="head", resamples=1)) == [
        (1, 1, 1)
    ]


def test_a_node_that_need_not_be_there_is_a_part_of_the_key() -> None:
    found = find_pairs("NP=np ?< PP=pp", GOLD, PARSED, resamples=1)
    # I, a man, hats are the same on both sides; a man with hats is gold's alone.
    assert counts(found) == [(4, 3, 3)]
    assert {*found.matches[0].nodes} == {"np", "pp"}


def test_words_and_tags_are_compared_with_what_stands_there() -> None:
    gold, parsed = "(S (NP (NN run)))", "(S (VP (VB run)))"
    for query in ("NN", "NN < /u/=word"):
        [missed] = find_pairs(query, gold, parsed, resamples=1).matches
        assert missed.instead == "VB"


def test_traces_are_left_out_and_that_is_said() -> None:
    gold = "(S (NP-SBJ (-NONE- *)) (VP (VB go)))"
    found = find_pairs("@NP", gold, "(S (VP (VB go)))", resamples=1)
    assert counts(found) == [(0, 0, 0)]
    assert found.rows[0].recall is None
    assert any("1 match of gold left out" in note for note in found.notes)


def test_function_tags_that_hide_a_match_are_told_of() -> None:
    gold = "(S (NP-SBJ (PRP I)) (VP (VB go)))"
    parsed = "(S (NP (PRP I)) (VP (VB go)))"
    found = find_pairs("NP", gold, parsed, resamples=1)
    assert [(one.kind, one.instead) for one in found.matches] == [(INVENTED, "NP-SBJ")]
    assert any("@NP stands for NP" in note for note in found.notes)
    assert not find_pairs("@NP", gold, parsed, resamples=1).notes


def test_a_query_that_cannot_match_says_so() -> None:
    found = find_pairs({"np": "@NP", "odd": "@NP < PPP"}, GOLD, PARSED, resamples=1)
    assert found.notes == ["odd: no label or word is PPP; did you mean 'PP'?"]
    only_gold = find_pairs("NP < PP", GOLD, PARSED, resamples=1)
    assert not only_gold.notes


def test_what_separates_function_tags_may_be_said() -> None:
    pair = "(S (NP*SBJ (PRP I)) (VP (VB go)))", "(S (NP (PRP I)) (VP (VB go)))"
    assert counts(find_pairs("@NP", *pair, resamples=1)) == [(0, 1, 0)]
    found = find_pairs("@NP", *pair, function_separator="*", resamples=1)
    assert counts(found) == [(1, 1, 1)]


def test_sides_swap() -> None:
    queries = {query: query for query in NAIVE}
    there = find_pairs(queries, *WEB_PAIR, resamples=1)
    back = find_pairs(queries, *WEB_PAIR[::-1], resamples=1)
    for one, other in zip(there.rows, back.rows, strict=True):
        assert (one.precision, one.recall) == (other.recall, other.precision)
        assert one.f1 == other.f1
    kinds = Counter(match.kind for match in there.matches)
    swapped = Counter(match.kind for match in back.matches)
    assert (kinds[MISSED], kinds[INVENTED]) == (swapped[INVENTED], swapped[MISSED])


# -- systems, groups, samples ----------------------------------------------------------


def test_groups_add_up() -> None:
    found = find_pairs(
        {"np": "@NP", "of": "@NP < (@PP=of < (IN < of))"},
        *WEB_PAIR,
        group_by=str(EXAMPLES / "web.tsv") + ":genre",
        resamples=20,
    )
    assert len(found.groups) > 1
    for query in ("np", "of"):
        rows = [row for row in found.rows if row.query == query]
        whole, *parts = [(row.gold, row.parsed, row.matched) for row in rows]
        assert tuple(map(sum, zip(*parts, strict=True))) == whole
        assert [row.group for row in rows] == [None, *found.groups]
    assert {match.group for match in found.matches} <= {*found.groups}


def test_intervals_hold_the_score_and_are_the_same_again() -> None:
    one, other = (find_pairs("@NP", *WEB_PAIR, resamples=200) for _ in range(2))
    [row] = one.rows
    assert other.rows == [row]
    for name in ("precision", "recall", "f1"):
        low, value, high = (
            getattr(row, f"{name}{end}") for end in ("_low", "", "_high")
        )
        assert 0 <= low < value < high <= 1


def test_files_are_drawn_where_there_are_enough(tmp_path: Path) -> None:
    """Sentences of a file are alike: so intervals of files are wider."""
    right, wrong = "(S (NP (NN a)) (VP (VB b)))", "(S (NN a) (VP (VB b)))"
    for number in range(12):
        for side, tree in (("gold", right), ("parsed", right if number % 3 else wrong)):
            path = tmp_path / side / f"{number:02}.mrg"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"{tree}\n" * 20, "utf-8")
    pair = str(tmp_path / "gold"), str(tmp_path / "parsed")
    found = find_pairs("NP", *pair, resamples=500)
    [row] = found.rows
    assert (row.gold, row.matched) == (240, 160)
    assert found.signature.get("intervals") == "12 documents"
    together = [read_trees(path) for path in pair]
    [of_sentences] = find_pairs("NP", *together, resamples=500).rows
    assert of_sentences.recall == row.recall
    widths = [one.recall_high - one.recall_low for one in (row, of_sentences)]
    assert widths[0] > 2 * widths[1] > 0


def test_systems_are_tested_on_common_sentences() -> None:
    with pytest.warns(match="failed parse"):
        found = find_pairs(
            {"np": "@NP", "clause": "@SBAR"},
            WEB_PAIR[0],
            {"chart": WEB_PAIR[1], "greedy": WEB_GREEDY},
            resamples=50,
        )
    chart, greedy = found.systems
    assert (chart.ledger.scored, greedy.ledger.scored) == (44, 43)
    assert any(note.startswith("greedy: compared 43 of 44") for note in found.notes)
    rows = found.differences(greedy)
    assert [row.query for row in rows] == ["np", "clause"]
    assert rows[0].score_b == found.rows[2].f1  # greedy's own sentences are the common
    assert rows[0].score_a != found.rows[0].f1
    assert {*found.matches_frame().system} == {"chart", "greedy"}


def test_a_sample_is_the_same_however_the_input_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = find_pairs("@NP", *WEB_PAIR, resamples=1)
    some = find_pairs("@NP", *WEB_PAIR, resamples=1, limit=3)
    monkeypatch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", 2000)
    cut = find_pairs("@NP", *WEB_PAIR, resamples=1, limit=3)
    places = [(one.kind, one.sentence, one.nodes) for one in some.matches]
    assert places == [(one.kind, one.sentence, one.nodes) for one in cut.matches]
    assert len(places) == 6
    assert {*map(str, places)} < {
        str((one.kind, one.sentence, one.nodes)) for one in whole.matches
    }
    assert some.instead == whole.instead == cut.instead  # of all, not of the sample


# -- what the runner does --------------------------------------------------------------


def test_words_that_differ() -> None:
    gold = ["(S (NP (PRP it)) (VP (VBZ rains)))", "(S (NP (PRP I)) (VP (VBP go)))"]
    parsed = ["(S (NP (PRP it)) (VP (VBZ snows)))", "(S (NP (PRP I)) (VP (VBP go)))"]
    with pytest.warns(match="1 left out"):
        assert counts(find_pairs("NP", gold, parsed, resamples=1)) == [(1, 1, 1)]
    zero = find_pairs("NP", gold, parsed, resamples=1, on_mismatch="zero")
    assert counts(zero) == [(2, 1, 1)]
    assert not any("no words" in note for note in zero.notes)
    aligned = find_pairs("NP|VP", gold, parsed, resamples=1, on_mismatch="align")
    assert counts(aligned) == [(4, 4, 4)]  # one word in the place of another
    longer = ["(S (NP (PRP it)) (VP (RB now) (VBZ rains)))", parsed[1]]
    doubtful = find_pairs("NP|VP", gold, longer, resamples=1, on_mismatch="align")
    assert counts(doubtful) == [(4, 4, 3)]  # a VP with a word that gold has not


def test_one_text_in_other_sentences() -> None:
    gold = "(S (NP (PRP I)) (VP (VBP go))) (S (NP (PRP it)) (VP (VBZ rains)))"
    parsed = (
        "(S (S (NP (PRP I)) (VP (VBP go))) (S (NP (PRP it)) (VP (VBZ ra) (X ins))))"
    )
    for key in ("span", "head"):
        found = find_pairs(
            "NP|VP", gold, parsed, pair="characters", key=key, resamples=1
        )
        assert found.rows[0].gold == found.rows[0].parsed == 4
        assert found.rows[0].matched == (4 if key == "span" else 3)


def test_discourse() -> None:
    pair = str(EXAMPLES / "discourse"), str(EXAMPLES / "discourse_chart")
    found = find_pairs({"all": "__", "spans": "/N$/"}, *pair, resamples=10)
    assert found.ledger.noun == "document"
    for row in found.rows:
        assert 0 < row.matched <= row.gold
    same = find_pairs("__", pair[0], pair[0], resamples=10, key="head")
    assert same.rows[0].f1 == 1


@needs_languages
def test_german() -> None:
    """Trees with crossing branches, and labels that are not Penn's."""
    pair = (
        str(EXAMPLES / "treebanks" / "german.gold.xml"),
        str(EXAMPLES / "treebanks" / "german.parsed.mrg"),
    )
    assert LANGUAGES.exists()
    found = find_pairs("@NP < @PP=pp", *pair, patterns="german", resamples=10)
    assert found.rows[0].gold


# -- files of queries ------------------------------------------------------------------

FILE = """
of = "@NP < (@PP=of < (IN < of))"

[relative]
query = "@NP < (@SBAR=clause < /^WH/)"
description = "relative clauses"
key = "head"
"""


def test_score_has_queries_like_constructions(tmp_path: Path) -> None:
    path = tmp_path / "queries.toml"
    path.write_text(FILE, "utf-8")
    scores = score(*WEB_PAIR, queries=str(path))
    assert scores.queries is not None
    assert scores.rows == score(*WEB_PAIR).rows
    of, relative = load_queries(path)
    assert (of.key, relative.key) == ("span", "head")
    assert relative.description == "relative clauses"
    assert scores.queries.rows == find_pairs([of, relative], *WEB_PAIR).rows


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("of = \nx = 1", "E665", "queries.toml:1:6"),
        ("a = 'NP'\nof = ", "E665", "queries.toml:2: broken TOML"),
        ("# none", "E666", "has no queries"),
        ("of = 3", "E667", "queries.toml [of]"),
        ("[of]\ndescription = 'x'", "E667", "queries.toml [of]"),
        ("[of]\nquery = 'NP'\nkeys = 'head'", "E668", "did you mean 'key'?"),
        ("[of]\nquery = 'NP'\nkey = 'spam'", "E669", "did you mean 'span'?"),
    ],
)
def test_a_bad_file_of_queries(text: str, code: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_queries(text, "queries.toml")
    assert caught.value.code == code
    assert said in str(caught.value)


def test_a_bad_query_is_named_with_its_file() -> None:
    with pytest.raises(QueryError) as caught:
        read_queries('of = "NP << << PP"', "queries.toml")
    assert str(caught.value).startswith("queries.toml [of]")


def test_misuse() -> None:
    with pytest.raises(SettingsError, match="no key 'edge'"):
        find_pairs("NP", GOLD, PARSED, key="edge")
    with pytest.raises(SettingsError, match="no system"):
        find_pairs("NP", GOLD, {})
    with pytest.raises(SettingsError, match="resamples"):
        find_pairs("NP", GOLD, PARSED, resamples=0)
