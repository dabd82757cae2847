"""Every miss has one cause, and the cause is what lies between the two edges."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction

import pytest

from analyzer import compare_domains, score
from analyzer.analyses.causes import KINDS
from analyzer.analyses.score import ConstructionScores
from analyzer.cli.main import main
from analyzer.metrics.measures import Measure
from analyzer.pairing.tasks import read_groups
from tests.support.data_paths import (
    EXAMPLES,
    NEWS_PAIR,
    SYNTAX,
    WEB_GREEDY,
    WEB_PAIR,
    needs_shared_data,
)

NP = "(NP (PRP I))"
PP = "(PP (IN with) (NP (NNS tears)))"
LOW = f"(S {NP} (VP (VBD saw) (NP (NP (DT the) (NN man)) {PP})))"
HIGH = f"(S {NP} (VP (VBD saw) (NP (DT the) (NN man)) {PP}))"
SHORT = f"(S {NP} (VP (VBD ran)) (ADVP (RB home)) {PP})"
LONG = f"(S {NP} (VP (VBD ran) (ADVP (RB home)) {PP}))"
APART = f"(S (S {NP} (VP (VBD saw) (NP (NNS dogs)))) (CC and) (NP (NNS cats)))"
TOGETHER = f"(S {NP} (VP (VBD saw) (NP (NP (NNS dogs)) (CC and) (NP (NNS cats)))))"


def causes_of(gold: str, parsed: str) -> dict[tuple[str, str], Counter[str]]:
    found = score(gold, parsed, causes=True).causes
    assert found is not None
    return found.by_misses


def test_a_pp_attached_too_high_and_too_low() -> None:
    high = causes_of(LOW, HIGH)
    assert high["NP-modr", "missed"] == {"(nothing)": 1}
    assert high["PP-t", "attachment"] == {"at VP, not at NP, farther": 1}
    low = causes_of(HIGH, LOW)
    assert low["NP-modr", "spurious"] == {"(nothing)": 1}
    assert low["PP-t", "attachment"] == {"at NP, not at VP, nearer": 1}


def test_what_lies_between_two_edges() -> None:
    # The parser's VP goes on: the adverb is the first that it takes in.
    assert causes_of(SHORT, LONG)["VP-t", "right"] == {"ADVP attached lower": 1}
    assert causes_of(LONG, SHORT)["VP-t", "right"] == {"ADVP attached higher": 1}
    conjunct = causes_of(APART, TOGETHER)
    assert conjunct["VP-t", "right"] == {"CC and NP attached lower": 1}
    before = "(S (ADVP (RB Now)) (NP (DT the) (NN man)) (VP (VBZ runs)))"
    inside = "(S (NP (RB Now) (DT the) (NN man)) (VP (VBZ runs)))"
    assert causes_of(before, inside)["NP-t", "left"] == {"RB attached lower": 1}
    assert causes_of(inside, before)["NP-t", "left_only"] == {"RB attached higher": 1}


def misses_of(scores: ConstructionScores) -> None:
    """The causes of each construction and kind are as many as its misses."""
    assert scores.causes is not None
    for name, counts in scores.tally.constructions.items():
        for kind, (_, misses) in KINDS.items():
            expected, _ = Measure("x", misses, "gold", "").fraction(counts.__getattr__)
            assert scores.causes.by_kind(name, kind).total() == expected, (name, kind)


@pytest.mark.parametrize("options", [{}, {"on_mismatch": "zero"}, {"jobs": 2}])
def test_causes_sum_to_the_misses(options: dict[str, object]) -> None:
    for pair in (NEWS_PAIR, WEB_PAIR, (WEB_PAIR[0], WEB_GREEDY)):
        misses_of(score(*pair, causes=True, **options))  # type: ignore[arg-type]


def test_by_characters_and_of_documents() -> None:
    misses_of(score(WEB_PAIR[0], WEB_GREEDY, causes=True, pair="characters"))
    documents = EXAMPLES / "discourse", EXAMPLES / "discourse_greedy"
    misses_of(score(*map(str, documents), causes=True))


@pytest.mark.parametrize("measure", ["f_s", "recall", "precision"])
def test_causes_sum_to_the_accuracy_part(measure: str) -> None:
    sets = [("news", *NEWS_PAIR), ("web", WEB_PAIR[0], WEB_GREEDY)]
    found = compare_domains(sets, causes=True)
    (split,) = found.splits([measure])  # type: ignore[list-item]
    for part in split.parts:
        for kind in ("head", "right", "left"):
            points = [
                one.points
                for one in split.causes
                if (one.construction, one.kind) == (part.construction, kind)
            ]
            assert sum(points, Fraction(0)) == getattr(part, kind)
    assert sum(one.points for one in split.summed_causes) == split.total.accuracy
    assert compare_domains(sets).splits()[0].causes == []


def test_groups_have_causes_of_their_own() -> None:
    groups = read_groups(str(EXAMPLES / "web.tsv"), "genre")
    parts = compare_domains([("web", *WEB_PAIR)], group_by=groups, causes=True).domains
    for part in parts:
        misses_of(part.scores)
    together = Counter()  # type: ignore[var-annotated]
    for part in parts:
        assert part.scores.causes is not None
        together.update(part.scores.causes.counts)
    whole = score(*WEB_PAIR, causes=True).causes
    assert whole is not None
    assert together == whole.counts


def test_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *WEB_PAIR, "--causes", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["causes"]
    right = [
        one for one in rows if (one["construction"], one["kind"]) == ("VP-t", "right")
    ]
    assert sum(one["share"] for one in right) == pytest.approx(1)
    assert main(["score", *WEB_PAIR, "--causes", "--format", "csv"]) == 0
    head, *_ = capsys.readouterr().out.splitlines()
    assert head == "construction,kind,cause,misses,share"
    sets = f"news={':'.join(NEWS_PAIR)}", f"web={':'.join(WEB_PAIR)}"
    assert main(["domains", *sets, "--causes"]) == 0
    assert "Which causes make the gap: web against news" in capsys.readouterr().out


@needs_shared_data
def test_real_data() -> None:
    name = "dev.berkeley-sm4.mrg"
    pair = SYNTAX / "gold" / "dev.gold.mrg", SYNTAX / "parsed" / name
    with pytest.warns(match="3 left out"):
        misses_of(score(*map(str, pair), causes=True))
