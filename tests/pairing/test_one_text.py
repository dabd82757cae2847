"""One text in other sentences and other tokens: `--pair characters` and `jp-evalb`."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import analyzer
from analyzer.cli.main import main
from analyzer.pairing import one_text
from analyzer.pairing.jp_evalb import _is_near, word_groups
from analyzer.pairing.one_text import differences
from analyzer.pairing.texts import text_of
from tests.support.data_paths import SHARED
from tests.support.examples import some
from tests.support.strategies import Plain, grouped, one_line, pair_lists, pair_texts

KOREAN = SHARED / "syntax_more" / "korean_end_to_end" / "BGAA0001.test"
needs_korean = pytest.mark.skipif(
    not Path(f"{KOREAN}.gold").exists(),
    reason="NOT RUN: ../shared/data/syntax_more/korean_end_to_end is not here",
)

# Two sentences of gold; the parser took them for one, of other tokens.
GOLD = (
    "(S (NP (PRP I)) (VP (MD can) (RB not) (VP (VB swim))))\n"
    "(S (NP (PRP you)) (VP (VBP fly)))\n"
)
PARSED = (
    "(S (S (NP (PRP I)) (VP (MD cannot) (VP (VB swim)))) (NP (PRP you)) "
    "(VP (VBP fly)))\n"
)


def scored(gold: str, parsed: str, pair: str = "characters", **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return analyzer.evalb(
            gold, parsed, pair=pair, by_label=True, by_sentence=True, **options
        )


def counts(gold: str, parsed: str, **options: Any) -> tuple[int, int, int]:
    found = scored(gold, parsed, **options).summary
    return found.matched, found.gold, found.test


# -- worked examples -------------------------------------------------------------------


def test_by_hand() -> None:
    # All of gold's but the S of the second sentence; parsed has an S more over all.
    assert counts(GOLD, PARSED) == (6, 7, 7)
    found = scored(GOLD, PARSED)
    assert found.ledger.text() == "scored 2 of 2 sentences, paired by characters"
    assert found.signature.get("pair") == "characters"
    # Parsed brackets are of the sentence in which they begin.
    assert found.sentences.gold.tolist() == [4, 3]
    assert found.sentences.test.tolist() == [5, 2]
    assert found.sentences.matched.tolist() == [4, 2]
    assert counts(GOLD, PARSED, pair="order") == (0, 0, 0)


def test_constructions_and_heads_by_characters() -> None:
    gold = "(S (NP (NN base) (NN ball)) (VP (VBZ ends)))\n" + LONG[0]
    parsed = f"(S (S (NP (NN baseball)) (VP (VBZ ends))) {LONG[0]})"
    rows = analyzer.score(gold, parsed, pair="characters").rows
    found = {row.construction: (row.gold, row.matched_h, row.matched_s) for row in rows}
    # The head of gold's NP is "ball", which is no word of the parse.
    assert found["NP-t"] == (2, 1, 1)
    assert found["VP-t"] == (2, 2, 2)
    assert counts(gold, parsed) == (7, 7, 8)


def test_sentences_that_the_parser_divides() -> None:
    parsed = "(NP (PRP I))\n(VP (MD can) (RB not) (VP (VB swim)))\n" + (
        "(S (NP (PRP you)) (VP (VBP fly)))\n"
    )
    assert counts(GOLD, parsed) == (6, 7, 6)


@pytest.mark.parametrize(
    ("parsed", "matched"),
    [
        ("(S (NP (NN CAT)) (VP (VBD sat) (RB down) (RB there)))", 3),  # case
        ("(S (NP (NN dog)) (VP (VBD sat) (RB down) (RB there)))", 3),  # another word
        ("(S (NP (NN cats)) (VP (VBD sat) (RB down) (RB there)))", 3),  # more of it
        # A word that is missing, and one that is added: doubtful are the phrases that
        # hold it, and the parsed ones beside it.
        ("(S (NP (NN cat)) (VP (VBD sat) (RB there)))", 1),
        ("(S (NP (NN cat)) (VP (VBD sat) (RB down) (RB over) (RB there)))", 1),
    ],
)
def test_texts_that_differ(parsed: str, matched: int) -> None:
    before, after = "(X (NN beginning))\n", "\n(X (NN continuation))\n"
    gold = "(S (NP (NN cat)) (VP (VBD sat) (RB down) (RB there)))"
    found = scored(before + gold + after, before + parsed + after)
    assert found.summary.matched == matched + 2
    assert found.ledger.scored == 3
    told = [item.sentence for item in found.ledger.items]
    assert told == ([] if "CAT" in parsed else [2])
    if told:
        assert found.ledger.items[0].error.code == "E437"
        assert "1 scored by aligned words: 1 word mismatch" in found.ledger.text()
        with pytest.raises(analyzer.PairingError, match="the texts differ at char"):
            scored(before + gold + after, before + parsed + after, on_mismatch="error")


LONG = [
    f"(S (NP (NN {word})) (VP (VBD {word[::-1]}ed) (ADVP (RB again))))"
    for word in ("beginning", "continuation", "interruption", "conclusion")
]


def text(*trees: str) -> str:
    return "".join(f"{tree}\n" for tree in trees)


def test_what_only_one_side_has() -> None:
    gold, parsed = text(*LONG[:3]), text(LONG[0], LONG[2], LONG[3])
    found = scored(gold, parsed)
    assert (found.summary.matched, found.summary.gold, found.summary.test) == (8, 8, 8)
    assert (found.ledger.gold, found.ledger.parsed, found.ledger.scored) == (3, 3, 2)
    assert [item.reason.value for item in found.ledger.items] == [
        "only in gold",
        "only in parsed",
    ]
    assert found.ledger.lost_brackets == 4
    zero = scored(gold, parsed, on_mismatch="zero")
    assert (zero.summary.matched, zero.summary.gold) == (8, 12)
    assert zero.ledger.scored == 3


def test_trees_that_cannot_be_read() -> None:
    broken = "(S (NP (NN x)"
    found = scored(text(*LONG[:2], broken), text(broken, *LONG[:2]), on_mismatch="zero")
    assert (found.summary.matched, found.summary.gold, found.summary.test) == (8, 8, 8)
    assert found.ledger.scored == 2
    reasons = {item.reason.value for item in found.ledger.left_out}
    assert reasons == {"malformed gold", "malformed parse"}


@pytest.mark.parametrize("pairing", ["characters", "jp-evalb"])
@pytest.mark.parametrize("on_mismatch", ["skip", "zero", "align"])
@pytest.mark.parametrize(
    ("gold", "parsed", "found"),
    [
        ("(S (NN a))", "", "1 only in gold"),
        ("", "(S (NN a))", "1 only in parsed"),
        ("(S (NN a))", "(((", "1 malformed parse"),
        ("(((\n(S (NN a))", "(S (NN a))", "1 malformed gold"),
    ],
)
def test_a_side_without_trees(
    gold: str, parsed: str, found: str, on_mismatch: str, pairing: str
) -> None:
    ledger = scored(gold, parsed, pairing, on_mismatch=on_mismatch).ledger
    assert found in ledger.text()


def test_nothing_in_common() -> None:
    failure = scored(LONG[0], "(X (NN other))").ledger.failure("gold", "parsed")
    assert "nothing could be scored" in str(failure)


def test_punctuation_that_one_side_deletes() -> None:
    gold = "(S (NP (NN end)) (. .))\n(S (NP (NN more)))\n"
    parsed = "(S (NP (NN end.)))\n(S (NP (NN more)))\n"
    assert counts(gold, parsed) == (4, 4, 4)


def test_folders_have_a_text_for_each_name(tmp_path: Path) -> None:
    for side, trees in (("gold", LONG[:2]), ("parsed", [f"(Z {one})" for one in LONG])):
        (tmp_path / side).mkdir()
        for name, tree in zip(("b.mrg", "a.mrg"), trees, strict=False):
            (tmp_path / side / name).write_text(tree + "\n")
    (tmp_path / "parsed" / "c.mrg").write_text(LONG[3])
    found = scored(str(tmp_path / "gold"), str(tmp_path / "parsed"))
    assert (found.summary.matched, found.summary.gold, found.summary.test) == (8, 8, 10)
    assert found.ledger.surplus.in_parsed == 1


def test_systems_and_groups_have_golds_sentences() -> None:
    gold = text(*LONG)
    systems = {
        "one": text(*LONG),
        "two": f"(Z {' '.join(LONG[:2])})\n{text(*LONG[2:])}",
    }
    compared = analyzer.compare_systems(gold, systems, pair="characters", resamples=10)
    total = [system.scores.total for system in compared.systems]
    assert [one.matched_s for one in total] == [16, 16]
    assert [one.parsed for one in total] == [16, 17]
    assert compared.signature.get("pair") == "characters"
    groups = ["a", "b", "a", "b"]
    for name in systems:
        gap = analyzer.compare_domains(
            [("all", gold, systems[name])], pair="characters", group_by=groups
        )
        assert gap is not None


def test_blocks_are_cut_where_no_parse_is(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, parsed = text(*LONG), f"{LONG[0]}\n(Z {' '.join(LONG[1:3])})\n{LONG[3]}\n"
    whole = counts(gold, parsed)
    monkeypatch.setattr(one_text, "_BLOCK", 1)
    assert counts(gold, parsed) == whole == (16, 16, 17)
    assert scored(gold, parsed).sentences.test.tolist() == [4, 5, 4, 4]


@pytest.mark.parametrize("pairing", ["characters", "jp-evalb"])
def test_where_words_are_compared_one_by_one(pairing: str) -> None:
    for function in (analyzer.agree, analyzer.repairs):
        with pytest.raises(analyzer.SettingsError, match="word by word, so pair="):
            function(GOLD, PARSED, pair=pairing)


def test_every_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, trees in (("gold.mrg", GOLD), ("parsed.mrg", PARSED)):
        (tmp_path / name).write_text(trees)
    sides = [str(tmp_path / name) for name in ("gold.mrg", "parsed.mrg")]
    named = f"all={':'.join(sides)}"
    page = ["--html", str(tmp_path / "page.html")]
    for command in (
        ["score", *sides, "--format", "json"],
        ["evalb", *sides, "--format", "json"],
        ["errors", *sides, "--format", "json"],
        ["compare", sides[0], f"a={sides[1]}", f"b={sides[1]}", "--format", "json"],
        ["domains", named, f"b{named}", "--format", "json"],
        ["report", *sides, *page],
    ):
        assert main([*command, "--pair", "characters", "-q"]) == 0
        shown = capsys.readouterr().out
        assert command[0] == "report" or '"pair": "characters"' in shown
    assert "pair:characters" in (tmp_path / "page.html").read_text()


# -- properties ------------------------------------------------------------------------

WORDS = ["a", "the", "cat", "catalogue", "sat", "understanding", "II", "x1y2z3w4"]
LABELS = ("NP", "VP", "S", "PP")


@st.composite
def phrases_of(draw: st.DrawFn, words: Sequence[str]) -> list[Plain]:
    """Phrases over words, in any tags."""
    leaves: list[Plain] = [
        (draw(st.sampled_from(["NN", "DT"])), word) for word in words
    ]
    groups = st.tuples(st.integers(0, 9), st.integers(1, 4), st.sampled_from(LABELS))
    items = grouped(leaves, draw(st.lists(groups, max_size=12)))
    found: list[Plain] = [
        ("NP", (one,)) if isinstance(one[1], str) else one
        for one in items
        if has_words(one)
    ]
    return found


def has_words(tree: Plain) -> bool:
    content = tree[1]
    return isinstance(content, str) or any(map(has_words, content))


@st.composite
def tokens_of(draw: st.DrawFn, text: str) -> list[str]:
    """A text in tokens, cut anywhere."""
    cuts = draw(st.sets(st.integers(1, max(1, len(text) - 1)), max_size=len(text) // 2))
    edges = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    return [text[a:b] for a, b in pairwise(edges)]


@st.composite
def sentences_of(draw: st.DrawFn, phrases: list[Plain]) -> str:
    """Phrases as sentences: some of them together, below a root that no other has."""
    cuts = draw(st.sets(st.integers(1, len(phrases))))
    edges = sorted({0, len(phrases), *(cut for cut in cuts if cut < len(phrases))})
    return text(*(one_line(("ZZ", tuple(phrases[a:b]))) for a, b in pairwise(edges)))


def told(gold: str, parsed: str) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """All counts but those of the sentences' roots, and the ledger."""
    brackets = scored(gold, parsed)
    labels = {name: row for name, row in brackets.labels.items() if name != "ZZ"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = analyzer.score(gold, parsed, pair="characters").rows
    constructions = {
        row.construction: (row.gold, row.parsed, row.matched_h, row.matched_s)
        for row in rows
        if not row.construction.startswith("ZZ")
    }
    return labels, constructions, brackets.ledger


@settings(deadline=None, max_examples=some(60))
@given(st.data())
def test_parsed_sentences_may_be_divided_and_joined(data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=25))
    gold = data.draw(sentences_of(data.draw(phrases_of(words)))).replace("ZZ", "S")
    parsed = data.draw(phrases_of(data.draw(tokens_of("".join(words)))))
    one, other = (told(gold, data.draw(sentences_of(parsed))) for _ in range(2))
    assert one[:2] == other[:2]
    assert not one[2].items


@settings(deadline=None, max_examples=some(60))
@given(st.data())
def test_so_they_may_where_texts_differ(data: st.DataObject) -> None:
    """Unless a sentence has nothing of gold: that is left out."""
    word = st.text("abcdefghij", min_size=3, max_size=12)
    words = data.draw(st.lists(word, min_size=1, max_size=25))
    changed = list(words)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at : at + 1] = data.draw(st.lists(word, max_size=2))
        assume(changed)
    gold = data.draw(sentences_of(data.draw(phrases_of(words)))).replace("ZZ", "S")
    parsed = data.draw(phrases_of(changed))
    one, other = (told(gold, data.draw(sentences_of(parsed))) for _ in range(2))
    assume(not one[2].surplus.in_parsed and not other[2].surplus.in_parsed)
    assert one[:2] == other[:2]


def is_comparable(pair: tuple[Plain, Plain]) -> bool:
    """Whether the words of a pair are the same, and its texts; traces are not text."""
    gold, parsed = pair_texts([pair])
    said = [text_of(analyzer.read_trees(side), 0).lower() for side in (gold, parsed)]
    in_order = scored(gold, parsed, pair="order")
    return said[0] == said[1] != "" and in_order.ledger.is_complete


@settings(deadline=None, max_examples=some(60))
@given(pair_lists())
def test_the_same_words_give_the_same_numbers(pairs: list[tuple[Plain, Plain]]) -> None:
    pairs = [pair for pair in pairs if is_comparable(pair)]
    assume(pairs)
    gold, parsed = pair_texts(pairs)
    in_order = scored(gold, parsed, pair="order")
    assert in_order.ledger.is_complete
    by_characters = scored(gold, parsed)
    assert by_characters.summary == in_order.summary
    assert by_characters.labels == in_order.labels
    for one, other in zip(by_characters.sentences, in_order.sentences, strict=True):
        assert one.tolist() == other.tolist()
    rows = [
        analyzer.score(gold, parsed, pair=pairing).rows
        for pairing in ("order", "characters", "text")
    ]
    assert rows[0] == rows[1] == rows[2]


@settings(max_examples=some(100))
@given(
    st.text("ab", max_size=40), st.text("ab", max_size=40), st.text("xy", min_size=12)
)
def test_between_differences_texts_are_the_same(
    one: str, other: str, shared: str
) -> None:
    for left, right in ((one, other), (one + shared + other, other + shared + one)):
        at, beside = 0, 0
        for start, end, other_start, other_end in differences(left, right):
            assert left[at:start] == right[beside:other_start]
            assert (start, other_start) != (end, other_end)
            at, beside = end, other_end
        assert left[at:] == right[beside:]


# -- as jp-evalb does ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "parsed", "sizes"),
    [
        ("I can not go", "I cannot go", [(1, 1), (2, 1), (1, 1)]),
        # The side grows that has more characters left.
        ("a b c d e", "ab cd e", [(2, 1), (2, 1), (1, 1)]),
        # At the end, all that is left goes together.
        ("x y z", "x yz", [(1, 1), (2, 1)]),
        ("x", "x y", [(1, 2)]),
        ("a b", "c d", [(1, 1), (1, 1)]),
    ],
)
def test_groups_of_words(gold: str, parsed: str, sizes: list[tuple[int, int]]) -> None:
    groups = word_groups(gold.split(), parsed.split())
    assert [(len(group.gold), len(group.parsed)) for group in groups] == sizes


@settings(max_examples=some(100))
@given(st.text("abc", max_size=12), st.text("abc", max_size=12), st.integers(0, 6))
def test_near_texts(one: str, other: str, most: int) -> None:
    rows = [list(range(len(other) + 1))]
    for row, left in enumerate(one, start=1):
        rows.append([row])
        for column, right in enumerate(other, start=1):
            kept = rows[row - 1][column - 1] + (left != right)
            rows[row].append(min(kept, rows[row - 1][column] + 1, rows[row][-1] + 1))
    assert _is_near(one, other, most) == (rows[-1][-1] <= most)


def test_equal_brackets_match_once_in_jp_evalb() -> None:
    tree = "(S (NP (NP (NN rain))) (VP (VBD fell)))"
    assert counts(tree, tree, pair="jp-evalb") == (3, 4, 4)
    assert counts(tree, tree, pair="characters") == (4, 4, 4)


def test_what_jp_evalb_leaves_over() -> None:
    found = scored(text(*LONG), LONG[0], pair="jp-evalb")
    assert (found.summary.matched, found.summary.gold, found.summary.test) == (4, 4, 4)
    assert found.ledger.text().endswith("3 left out: 3 only in gold")
    found = scored(LONG[0], text(*LONG), pair="jp-evalb")
    assert (found.summary.matched, found.summary.gold, found.summary.test) == (4, 4, 4)
    assert found.ledger.text().endswith("3 only in parsed")
    # A group that has begun takes what is left.
    assert counts(LONG[0], text(*LONG[1:]), pair="jp-evalb")[1:] == (4, 12)


@needs_korean
def test_korean_end_to_end() -> None:
    sides = [str(KOREAN) + end for end in (".gold", ".sys")]
    shown = KOREAN.with_name("jp-evalb.txt").read_text().splitlines()
    [sums] = [line.split() for line in shown if line.startswith(" " * 10)]
    assert sums[:5] == ["72.91", "75.12", "2708", "3714", "3605"]
    assert counts(*sides, pair="jp-evalb") == (2708, 3714, 3605)
    assert counts(*sides) == (2687, 3714, 3605)
    ledger = scored(*sides).ledger
    assert (ledger.scored, ledger.gold, len(ledger.items)) == (148, 148, 20)
    rows = analyzer.score(*sides, pair="characters")
    assert rows.tally.evalb == (2687, 3714, 3605)
    assert json.loads(json.dumps(ledger.as_json()))["pair"] == "characters"


@needs_korean
def test_korean_parses_divided_and_joined() -> None:
    """All sentences of the parser as one, and each of its phrases as one."""
    sides = [Path(f"{KOREAN}.{end}") for end in ("gold", "sys")]
    gold, parsed = (side.read_text() for side in sides)
    roots = [tree.root for tree in analyzer.read_trees(parsed)]
    joined = f"(TOP {' '.join(str(child) for r in roots for child in r.children)})"
    one, other = scored(gold, parsed), scored(gold, joined)
    assert one.labels == other.labels
    assert one.summary.matched == other.summary.matched
    assert one.sentences.test.tolist() == other.sentences.test.tolist()
