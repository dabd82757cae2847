"""Function tags: the slow twin of the scores, and the values of another script."""

from __future__ import annotations

import json
import warnings
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import LeftOutWarning, SettingsError, find_errors, score
from analyzer.analyses.functions import FunctionScores
from analyzer.metrics.functions import LevelTally, TagCounts
from tests.support.command import spinal
from tests.support.data_paths import SHARED, needs_shared_data
from tests.support.examples import some

FAROESE = SHARED / "languages" / "faroese"
Bracket = tuple[tuple[str, int, int], frozenset[str]]

LABELS = ("NP", "NP-SBJ", "NP-SBJ-1", "NP-TMP-SBJ", "PP", "PP-TMP", "S=2", "S-SBJ-SBJ")


@st.composite
def trees(draw: st.DrawFn, words: int) -> str:
    """A tree over so many words, unary chains included."""
    leaves = [f"(X w{n})" for n in range(words)]
    for _ in range(draw(st.integers(1, 6))):
        first = draw(st.integers(0, len(leaves) - 1))
        last = draw(st.integers(first + 1, len(leaves)))
        label = draw(st.sampled_from(LABELS))
        leaves[first:last] = [f"({label} {' '.join(leaves[first:last])})"]
    return f"(TOP {' '.join(leaves)})"


def brackets(tree: str) -> list[Bracket]:
    """Brackets with their tags, the innermost first."""
    found: list[Bracket] = []
    open_: list[tuple[str, int]] = []
    words = 0
    for token in tree.replace("(", " (").replace(")", " ) ").split():
        if token.startswith("("):
            open_.append((token[1:], words))
        elif token == ")":
            label, first = open_.pop()
            bare, *tags = label.replace("=", "-").split("-")
            if bare not in ("TOP", "X"):
                named = frozenset(tag for tag in tags if not tag.isdigit())
                found.append(((bare, first, words), named))
        else:
            words += 1
    return found


def naive(pairs: list[tuple[str, str]]) -> tuple[int, ...]:
    """matched, exact, gold tags on matched, parsed ones, right ones."""
    matched = exact = gold_on = parsed_on = right = 0
    for pair in pairs:
        sides: list[dict[tuple[str, int, int], list[frozenset[str]]]] = []
        for tree in pair:
            by_key = defaultdict(list)
            for key, tags in brackets(tree):
                by_key[key].append(tags)
            sides.append(by_key)
        for key, of_gold in sides[0].items():
            left, of_parsed = [], sides[1].get(key, [])
            both: list[tuple[frozenset[str], frozenset[str]]] = []
            for tags in of_gold:
                if tags in of_parsed:
                    of_parsed.remove(tags)
                    both.append((tags, tags))
                else:
                    left.append(tags)
            both += zip(left, of_parsed, strict=False)
            matched += len(both)
            exact += sum(one == other for one, other in both)
            gold_on += sum(len(one) for one, _ in both)
            parsed_on += sum(len(other) for _, other in both)
            right += sum(len(one & other) for one, other in both)
    return matched, exact, gold_on, parsed_on, right


def functions(gold: str, parsed: str, separator: str | None = None) -> FunctionScores:
    """The scores; one tag more on each side, so that neither has none."""
    more = "(TOP (NP-ZZZ (X w)))\n"
    found = score(
        gold + more, parsed + more, functions=True, function_separator=separator
    ).functions
    assert found is not None
    return found


@settings(deadline=None, max_examples=some(25))
@given(st.data())
def test_equal_to_the_naive_twin(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    pairs = [(data.draw(trees(n)), data.draw(trees(n))) for n in sizes]
    gold, parsed = ("".join(f"{one[at]}\n" for one in pairs) for at in (0, 1))
    found = functions(gold, parsed)
    total = found.total
    ours = (total.gold_on_matched, total.parsed_on_matched, total.matched)
    counted = (found.matched, found.tally.exact, *ours)
    assert counted == tuple(n + 1 for n in naive(pairs))
    of_gold = sum(len(tags) for tree, _ in pairs for _, tags in brackets(tree))
    assert total.gold == of_gold + 1
    # What is confused, with nothing too, is all that is not right.
    wrong = sum(row.times for row in found.confusions if row.gold != "(none)")
    assert wrong == total.gold_on_matched - total.matched


def test_gold_against_itself_is_right() -> None:
    found = functions("(S (NP-SBJ (X a)) (VP (X b)))\n", "(S (NP-SBJ (X a)) (X b))\n")
    assert found.total.f_fn == found.exact_set == 1.0
    assert found.strict_f == 2 * 3 / (4 + 3)


def test_separators_and_indices() -> None:
    found = functions("(S (NP*SBJ (X a)))\n", "(S (NP*OBJ (X a)))\n", "*-")
    assert [row[:6] for row in found.rows] == [
        ("ZZZ", 1, 1, 1, 1, 1),
        ("SBJ", 1, 0, 1, 0, 0),
        ("OBJ", 0, 1, 0, 1, 0),
    ]
    assert [tuple(row) for row in found.confusions] == [("SBJ", "OBJ", 1)]
    with pytest.raises(SettingsError, match="cannot divide labels"):
        functions("(S (X a))", "(S (X a))", "N")


@pytest.mark.parametrize("at", [0, 1])
def test_refused_where_one_side_has_none(at: int) -> None:
    sides = ["(S (NP-SBJ (X a)))", "(S (NP-SBJ (X a)))"]
    sides[at] = "(S (NP (X a)))"
    with pytest.raises(SettingsError, match=r"has no function tags"):
        score(*sides, functions=True)


def test_errors_of_kind_function() -> None:
    gold, parsed = "(S (NP-SBJ (X a)))", "(S (NP-OBJ-TPC (X a)))"
    found = find_errors(gold, parsed, kind=["function"])
    error = found.rows[0].error
    assert error.gold
    assert error.parsed
    assert (error.gold.functions, error.parsed.functions) == (("SBJ",), ("OBJ", "TPC"))
    assert found.total == 1
    assert not find_errors(gold, parsed).total


def test_errors_in_the_tags_of_words(tmp_path: Path) -> None:
    gold = "( (SENT (VN (CLS-SUJ il) (V dort)) (PONCT ,) (NP-MOD (NC jour))))\n"
    parsed = gold.replace("CLS-SUJ", "CLS-OBJ").replace("NP-MOD", "NP-OBJ")
    found = find_errors(gold, parsed, kind=["function"], patterns="french")
    told = [(one.kind.value, one.word, one.gold, one.parsed) for one, _ in found.rows]
    assert [one[:2] for one in told] == [("word-function", "il"), ("function", "jour")]
    sides = [(side.construction, side.functions) for side in told[0][2:] if side]
    assert sides == [("CLS", ("SUJ",)), ("CLS", ("OBJ",))]
    one = find_errors(gold, parsed, kind=["word-function"], patterns="french")
    assert one.total == 1
    # A construction has brackets only.
    one = find_errors(
        gold, parsed, kind=["function"], patterns="french", construction="NP-t"
    )
    assert one.total == 1
    # Labels of edges to words, in graphs; the second sentence is left out.
    graph = "#BOS 1\na\tA\t--\t{}\t500\nb\tB\t--\tHD\t500\n#500\tS\t--\t--\t0\n#EOS 1\n"
    other = "#BOS 2\n{}\tA\t--\tSB\t0\n#EOS 2\n"
    sides = [tmp_path / "gold.export", tmp_path / "parsed.export"]
    sides[0].write_text(other.format("x") + graph.format("SB"))
    sides[1].write_text(other.format("y") + graph.format("OA"))
    ran = spinal("errors", *sides, "--patterns", "german", "--kind", "function", "-q")
    row = ran.out.splitlines()[4]
    assert row.split()[:7] == ["2", "1", "word-function", "A", "a", "SB", "OA"]
    confused = spinal(
        "errors", *sides, "--patterns", "german", "--functions", "--confusions", "-q"
    )
    assert "Wrong tags on words" in confused.out


def test_a_bracket_without_tags_on_either_side_is_refused_in_plain_words() -> None:
    with pytest.raises(SettingsError, match="gold and parsed have no function tags"):
        score("(S (X a))", "(S (X a))", functions=True)


@needs_shared_data
@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("e1", (81.68, 73.50, 12126, 89.98, 91.63, 75.10, 94.7, 88.9, 84.6, 71.2)),
        ("ei0", (83.39, 75.00, 12362, 89.93, 91.80, 76.92, 95.0, 89.9, 86.7, 75.1)),
    ],
)
def test_the_values_of_another_script(system: str, expected: tuple[float, ...]) -> None:
    """Faroese, folds 0 to 3: ../shared/data/languages/faroese/README.md."""
    sides = [
        [str(FAROESE / f"far_split{fold}.{side}.psd") for fold in range(4)]
        for side in ("gold", system)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LeftOutWarning)  # one parse of e1 failed
        scores = score(*sides, functions=True, function_separator="*", delete=['"'])
    found = scores.functions
    assert found is not None
    tags = {row.tag: row for row in found.rows}
    values = [scores.tally.brackets.f1, found.strict_f, found.matched / 100]
    values += [found.exact_set, found.total.f_fn, found.total.end_to_end_f]
    assert [round(100 * (value or 0), 2) for value in values] == [*expected[:6]]
    both = [(tags[tag].f_fn, tags[tag].end_to_end_f) for tag in ("SBJ", "OB1")]
    shown = [round(100 * (value or 0), 1) for pair in both for value in pair]
    assert shown == [*expected[6:]]


@pytest.mark.slow
def test_json_of_every_command(tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    gold.write_text("(S (NP-SBJ (X a)) (VP (X b)))\n")
    parsed.write_text("(S (NP-OBJ (X a)) (VP (X b)))\n")
    asked = ("--functions", "--format", "json")
    scored = json.loads(spinal("score", gold, parsed, *asked).out)["functions"]
    assert scored["matched"] == 3
    assert scored["f_fn"] == scored["end_to_end_f"] == 0
    assert scored["exact_set"] == scored["strict_f"] == 2 / 3
    assert scored["tags"][0]["tag"] == "SBJ"
    compared = spinal("compare", gold, f"a={gold}", f"b={parsed}", *asked)
    found = json.loads(compared.out)["functions"]
    assert [row["f_fn"] for row in found["systems"]] == [1.0, 0.0]
    last = found["comparisons"][0]["differences"][-1]
    assert (last["tag"], last["difference"]) == ("F-fn", -1.0)
    domains = spinal("domains", f"a={gold}:{gold}", f"b={gold}:{parsed}", *asked)
    both = json.loads(domains.out)["domains"]
    assert [one["functions"]["f_fn"] for one in both] == [1.0, 0.0]
    page = tmp_path / "page.html"
    assert spinal("report", gold, parsed, "--functions", "--html", page).code == 0
    assert "Function tags" in page.read_text("utf-8")


@pytest.mark.parametrize("command", ["compare", "domains", "report"])
def test_refused_by_every_command(tmp_path: Path, command: str) -> None:
    gold, bare = tmp_path / "gold.mrg", tmp_path / "bare.mrg"
    gold.write_text("(S (NP-SBJ (X a)) (VP (X b)))\n")
    bare.write_text("(S (NP (X a)) (VP (X b)))\n")
    arguments: dict[str, list[str]] = {
        "compare": [str(gold), f"a={gold}", f"b={bare}"],
        "domains": [f"a={gold}:{gold}", f"b={gold}:{bare}"],
        "report": [str(gold), str(bare), "--html", str(tmp_path / "page.html")],
    }
    ran = spinal(command, *arguments[command], "--functions", "-q")
    assert ran.code == 2
    assert "parsed has no function tags" in ran.err


def test_features_of_spmrl_are_no_tags() -> None:
    tree = "(S (NP-SUJ##n=s## (X a)) (VP (X b)))"
    found = score(tree, tree, functions=True, params="spmrl").functions
    assert found is not None
    assert [row.tag for row in found.rows] == ["SUJ"]


def test_counts_of_nothing_are_zero() -> None:
    assert TagCounts() == (0, 0, 0, 0, 0)
    assert LevelTally().exact == 0
