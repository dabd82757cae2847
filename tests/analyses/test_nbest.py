"""n-best lists: how they are read, and what is the best of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import InputError, SettingsError, evalb, score, score_nbest
from analyzer.formats.nbest import parse_lists, read_nbest
from tests.support.command import spinal
from tests.support.examples import some

GOLD = [
    "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN b)) (PP (IN of) (NP (NN x))))))",
    "(S (NP (NNS Dogs)) (VP (VBP bark)))",
    "(S (NP (DT The) (NN cat)) (VP (VBZ sleeps) (ADVP (RB now))))",
]
# The second is right; both others lack NP-modr, and the third a bracket more.
LISTS = [
    [
        "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN b)) (PP (IN of) (NP (NN x)))))",
        GOLD[0],
        "(S (NP (PRP I)) (VP (VBD saw) (DT a) (NN b) (PP (IN of) (NP (NN x)))))",
    ],
    [GOLD[1]],
    [
        "(S (NP (DT The) (NN cat)) (VP (VBZ sleeps) (RB now)))",
        "(S (DT The) (NN cat) (VP (VBZ sleeps) (ADVP (RB now))))",
    ],
]
BLLIP = "".join(
    f"{len(parses)} s{number}\n"
    + "".join(f"-{rank}.5\n{tree}\n\n" for rank, tree in enumerate(parses))
    for number, parses in enumerate(LISTS, start=1)
)
BLOCKS = "\n\n".join("\n".join(parses) for parses in LISTS) + "\n"
SCORED = "\n\n".join(
    "\n".join(f"{rank} -{rank}.25\t{tree}" for rank, tree in enumerate(parses, 1))
    for parses in LISTS
)
NUMBERED = "\n".join(
    f"# Parse {rank} with score -{rank}\n{tree.replace(' (VP', chr(10) + '  (VP')}\n"
    for parses in LISTS
    for rank, tree in enumerate(parses, start=1)
)
JSON_LISTS = "".join(json.dumps(parses) + "\n" for parses in LISTS)
OBJECTS = "".join(json.dumps({"id": 7, "parses": one}) + "\n" for one in LISTS)
TEXTS = {
    "bllip": BLLIP,
    "blocks": BLOCKS,
    "scored": SCORED,
    "numbered": NUMBERED,
    "lists": JSON_LISTS,
    "objects": OBJECTS,
}


def saved(folder: Path, text: str, name: str = "parsed.nbest") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("name", TEXTS)
def test_all_formats_hold_the_same_lists(name: str, tmp_path: Path) -> None:
    lists = read_nbest(saved(tmp_path, TEXTS[name]))
    assert lists.parses.tolist() == [3, 1, 2]
    flat = [tree for parses in LISTS for tree in parses]
    assert [str(tree) for tree in lists.bank] == flat
    assert lists.out_of_order == 0


def test_scores_names_and_lines_are_kept(tmp_path: Path) -> None:
    lists = read_nbest(saved(tmp_path, BLLIP))
    assert lists.scores.tolist() == [-0.5, -1.5, -2.5, -0.5, -0.5, -1.5]
    assert lists.bank.ids == ("s1", "s1", "s1", "s2", "s3", "s3")
    lines = BLLIP.split("\n")
    assert [lines[line - 1] for line in lists.bank.line.tolist()] == [
        tree for parses in LISTS for tree in parses
    ]
    scored = read_nbest(saved(tmp_path, SCORED))
    assert scored.scores.tolist() == [-1.25, -2.25, -3.25, -1.25, -1.25, -2.25]
    numbered = read_nbest(saved(tmp_path, NUMBERED))
    assert numbered.scores.tolist() == [-1, -2, -3, -1, -1, -2]


def test_two_scores_a_parse_and_sentences_without_one() -> None:
    """As the reranker writes them: its own score stands before the parser's."""
    text = "0 a\n1 b\n-7.5 -29.5\n(S (NN x))\n0 c\n"
    found = list(parse_lists(text, ""))
    assert [(one.id, len(one.parses)) for one in found] == [
        ("a", 0),
        ("b", 1),
        ("c", 0),
    ]
    assert found[1].parses[0].score == -7.5


def test_first_best_and_oracle_by_hand() -> None:
    """Brackets of gold: 7, 3 and 4; the first parses have 6, 3 and 3 of them.

    The first parse of the third sentence lacks ADVP, the second NP: 3 brackets, all
    right, in each; of equal ones the first is the best.
    """
    scores = score_nbest(GOLD, LISTS)
    first, oracle = scores.first.tally.evalb, scores.oracle.tally.evalb
    assert (first.matched, first.gold, first.parsed) == (12, 14, 12)
    assert (oracle.matched, oracle.gold, oracle.parsed) == (13, 14, 13)
    assert scores.ranks.tolist() == [2, 1, 1]
    assert scores.rank_counts == {1: 2, 2: 1}
    assert scores.n == 3
    rows = {row.construction: row for row in scores.rows}
    # Only a parse that is not the best has it.
    assert rows["ADVP-t"].recall_oracle == 0
    assert rows["ADVP-t"].recall_any == 1
    assert rows["NP-modr"][2:] == (0, 1, 0, 1, 1)
    assert scores.total.recall_any == 1
    assert [one.parses for one in scores.list_rows] == [3, 1, 2]
    assert scores.list_rows[0].f1_first == 12 / 13
    assert "2 sentences of 3 have fewer than 3 parses" in scores.notes
    assert "nbest:3|oracle:sentence-f1" in str(scores.signature)
    assert scores.frame().loc["total", "gold"] == 14
    assert scores.sentences_frame()["rank"].tolist() == [2, 1, 1]


def test_a_parse_of_other_words_cannot_be_the_best() -> None:
    other = "(S (NP (NNS Cats)) (VP (VBP bark)))"
    scores = score_nbest(GOLD, [[GOLD[0]], [other, "(S (", GOLD[1]], []])
    assert scores.ranks.tolist() == [1, 3, 0]
    assert (scores.first.ledger.scored, scores.oracle.ledger.scored) == (1, 2)
    notes = "\n".join(scores.notes)
    assert "the oracle has 1 sentence more than the first best" in notes
    assert "1 parse below the first of a list cannot be compared" in notes
    assert "2 sentences of 3 have fewer than 3 parses, 1 of them none" in notes
    zero = score_nbest(GOLD, [[GOLD[0]], [other, GOLD[1]], []], on_mismatch="zero")
    assert zero.first.ledger.scored == zero.oracle.ledger.scored == 3
    assert zero.ranks.tolist() == [1, 2, 1]


def test_a_list_too_few_is_told() -> None:
    scores = score_nbest(GOLD, LISTS[:2])
    assert scores.surplus.in_gold == 1
    assert scores.ranks.tolist() == [2, 1]


def test_scores_that_contradict_the_order_are_told(tmp_path: Path) -> None:
    lists = saved(tmp_path, "2 1\n-9\n(S (NN x))\n-3\n(X (NN x))\n")
    scores = score_nbest("(S (NN x))", lists)
    assert any("a later parse has a higher score" in note for note in scores.notes)
    assert scores.ranks.tolist() == [1]


LABELS = st.sampled_from(["NP", "VP", "S", "PP"])


@st.composite
def parses(draw: st.DrawFn, size: int) -> str:
    """A tree over so many words, `w0 w1 …`."""

    def tree(first: int, last: int) -> str:
        if first == last:
            return f"(NN w{first})"
        cut = draw(st.integers(first, last - 1))
        below = f"{tree(first, cut)} {tree(cut + 1, last)}"
        return f"({draw(LABELS)} {below})" if draw(st.booleans()) else below

    return f"(S {tree(0, size - 1)})"


@st.composite
def lists_and_gold(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))
    gold = [draw(parses(size)) for size in sizes]
    lists = [draw(st.lists(parses(size), min_size=1, max_size=4)) for size in sizes]
    return gold, lists


@settings(max_examples=some(40))
@given(lists_and_gold())
def test_the_oracle_is_never_below_the_first_best(
    given_trees: tuple[list[str], list[list[str]]],
) -> None:
    gold, lists = given_trees
    scores = score_nbest(gold, lists)
    for row, parses_of, tree in zip(scores.list_rows, lists, gold, strict=True):
        # By the rule, from scores of single parses.
        each = [evalb([tree], [one]).summary.f1 or 0.0 for one in parses_of]
        assert row.rank == each.index(max(each)) + 1
        assert row.f1_best == max(each) >= each[0] == row.f1_first
    for row in (*scores.rows, scores.total):
        assert (row.recall_any or 0) >= (row.recall_oracle or 0)
    best = [each[rank - 1] for each, rank in zip(lists, scores.ranks, strict=True)]
    assert scores.oracle.tally == score(gold, best).tally
    assert scores.first.tally == score(gold, [each[0] for each in lists]).tally


@settings(max_examples=some(20))
@given(lists_and_gold())
def test_lists_of_one_parse_are_scored_like_that_parse(
    given_trees: tuple[list[str], list[list[str]]],
) -> None:
    gold, lists = given_trees
    alone = [each[:1] for each in lists]
    scores, plain = score_nbest(gold, alone), score(gold, [each[0] for each in alone])
    assert scores.first.tally == scores.oracle.tally == plain.tally
    assert scores.rank_counts == {1: len(gold)}
    for row in (*scores.rows, scores.total):
        assert row.recall_any == row.recall_oracle == row.recall_first


def test_blocks_and_processes_do_not_change_the_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = score_nbest(GOLD * 5, LISTS * 5)
    monkeypatch.setattr("analyzer.analyses.nbest._BLOCK", 4)
    parts = score_nbest(GOLD * 5, LISTS * 5)
    assert parts == whole


# -- what is refused ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bllip", "blocks", "scored", "numbered"])
@pytest.mark.parametrize("command", ["score", "evalb", "errors"])
def test_nothing_is_silently_taken_from_a_list(
    name: str, command: str, tmp_path: Path
) -> None:
    gold = saved(tmp_path, "\n".join(GOLD), "gold.mrg")
    ran = spinal(command, gold, saved(tmp_path, TEXTS[name]))
    assert ran.code == 2
    assert "contains several parses of each sentence" in ran.err
    assert "spinal score GOLD PARSED --nbest" in ran.err


def test_trees_of_a_sentence_each_are_no_lists(tmp_path: Path) -> None:
    """Blank lines between trees, failed parses, sentences that come twice."""
    same = "(S (NP (DT the) (NN cat)) (VP (VBZ sits)))"
    for text in (
        "\n\n".join(GOLD) + "\n",
        "\n".join([*GOLD, "", GOLD[0]]) + "\n",
        f"{same}\n{same}\n\n{GOLD[0]}\n",
        # As in EVALB's sample: several trees of one sentence, but only of one.
        f"{same}\n{same.replace('NP', 'X')}\n\n{GOLD[0]}\n",
        f"{same}\n{same.replace('NP', 'X')}\n\n{GOLD[0]}\n{GOLD[1]}\n",
    ):
        ran = spinal("evalb", *[saved(tmp_path, text, "gold.mrg")] * 2)
        assert (ran.code, "several parses" in ran.err) == (0, False)
    # From Python each string is a tree.
    variants = [same, same.replace("NP", "X"), same.replace("VP", "X")]
    assert evalb(variants, variants).summary.f1 == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "2 a\n-1.5\n(S (NN x))\n2 b\n",
            "has 2 parses by its first line, and 1 before",
        ),
        ("2 a\n-1.5\n(S (NN x))\n", "before 'the end of the file'"),
        ("1 a\n-1.5\n(S (NN x))\n-2.5\n(X (NN x))\n", "before '-2.5'"),
        ("(S (NN x))\nhello\n\n(S (NN y))\n", "'hello' is neither a tree"),
        ('["(S (NN x))"]\n{"a": 1}\n', "is no list of trees"),
        ('["(S (NN x))", 3]\n', "is no list of trees"),
        ("(S (NN x))\n(S (NN y))\n", "2 of them have different words"),
        ("\n", "contains no trees"),
    ],
)
def test_what_is_no_list_is_named_with_its_place(
    text: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"parsed\.nbest") as caught:
        read_nbest(saved(tmp_path, text))
    assert message in str(caught.value)


def test_malformed_parses_are_named_with_their_line() -> None:
    text = "2 s7\n-1\n(S (NN x))\n-2\n(S (NN x\n"
    lists = read_nbest(text)
    problem = lists.bank.problems[1]
    assert problem.place is not None
    assert (problem.place.line, problem.place.sentence, problem.place.id) == (
        5,
        1,
        "s7",
    )


@pytest.mark.parametrize("options", [{"pair": "text"}, {"on_mismatch": "align"}])
def test_options_that_lists_do_not_have(options: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match=r"leave out (pair|on_mismatch)="):
        score_nbest(GOLD, LISTS, **options)  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="a list of trees for each sentence"):
        score_nbest(GOLD, GOLD)


# -- the command ----------------------------------------------------------------------


def test_the_command_prints_what_the_function_gives(tmp_path: Path) -> None:
    gold = saved(tmp_path, "\n".join(GOLD), "gold.mrg")
    lists = saved(tmp_path, BLLIP)
    ran = spinal("score", gold, lists, "--nbest", "--by-sentence", "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    data, scores = json.loads(ran.out), score_nbest(gold, lists)
    assert data["first"]["evalb"]["matched"] == 12
    assert data["oracle"]["evalb"]["matched"] == 13
    assert data["ranks"] == [{"rank": 1, "sentences": 2}, {"rank": 2, "sentences": 1}]
    assert data["total"] == scores.total._asdict()
    assert [row["id"] for row in data["sentences"]] == ["s1", "s2", "s3"]
    assert (data["n"], data["parses"], data["fewer_parses"]) == (3, 6, 2)
    assert data["notes"] == scores.notes
    text = spinal("score", gold, lists, "--nbest", "--top", "1").out
    assert "first best            3     85.71       100.00  92.31" in text
    assert "oracle                3     92.86       100.00  96.30" in text
    assert "5 constructions not shown" in text
    ran = spinal("score", gold, lists, "--nbest", "--columns", "all")
    assert (ran.code, "--columns has no effect with --nbest" in ran.err) == (2, True)


def test_ranks_are_told_together_where_they_are_many(tmp_path: Path) -> None:
    wrong = "(X (NP (NNS Dogs)) (VP (VBP bark)))"
    gold = saved(tmp_path, GOLD[1] + "\n", "gold.mrg")
    lists = saved(tmp_path, json.dumps([wrong] * 27 + [GOLD[1]]) + "\n")
    rows = spinal("score", gold, lists, "--nbest").out.split("Rank of the best")[1]
    assert "21–28             1  100.0    100.0" in rows
    assert "6–10              0" in rows
