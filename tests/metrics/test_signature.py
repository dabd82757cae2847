"""Signatures: every setting that moves a number, as a value."""

from __future__ import annotations

import pickle

import pytest

from analyzer import __version__, compare_domains, compare_systems, score
from analyzer.metrics.signature import Signature
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

GOLD = f"{EXAMPLES}/web.gold.mrg"
CHART = f"{EXAMPLES}/web.chart.mrg"
GREEDY = f"{EXAMPLES}/web.greedy.mrg"
MERGE = {"NP-pos": "NP-t"}
# What scores per construction follow from, whoever prints them.
DERIVATION = ("patterns", "merged", "params", "deleted", "equal", "quotes")


def test_it_is_a_value() -> None:
    one = Signature.of(scorer="evalb", deleted=("TOP", "."), labeled=False, equal=())
    text = f"scorer:evalb|deleted:TOP .|labeled:no|equal:-|spinal:{__version__}"
    assert str(one) == text
    again = Signature.of(scorer="evalb", deleted=("TOP", "."), labeled=False, equal=())
    assert one == again
    assert hash(one) == hash(again)
    assert pickle.loads(pickle.dumps(one)) == one
    assert one.replace(scorer="rst") != one
    assert one.replace(scorer="rst").replace(scorer="evalb") == one


def test_the_version_stays_last_and_is_that_of_the_numbers() -> None:
    old = Signature.of(scorer="rst")
    old = Signature(old.settings, version="0.0.1")
    assert str(old.replace(seed=1)) == "scorer:rst|seed:1|spinal:0.0.1"
    assert str(old.insert("scorer", n=1)) == "n:1|scorer:rst|spinal:0.0.1"


def test_a_comparison_of_systems_names_what_its_scores_name() -> None:
    systems = [("chart", CHART), ("greedy", GREEDY)]
    found = compare_systems(GOLD, systems, merge=MERGE, resamples=10).signature
    alone = score(GOLD, CHART, merge=MERGE).signature
    for name in DERIVATION:
        assert found.get(name) == alone.get(name), name
    assert found.get("merged") == "NP-pos=NP-t"
    assert found.get("resamples") == "10"


def test_merging_shows_in_the_signature_of_compare() -> None:
    ran = spinal(
        *("compare", GOLD, CHART, GREEDY, "--resamples", "10", "-q"),
        *("--merge", "NP-t=NP-t,NP-pos"),
    )
    assert ran.code == 0
    assert "|merged:NP-pos=NP-t|" in ran.out


@pytest.mark.parametrize("style", ["text", "json"])
def test_domains_print_a_signature(style: str) -> None:
    data = (f"a={GOLD}:{CHART}", f"b={GOLD}:{GREEDY}")
    ran = spinal("domains", *data, "-q", "--format", style)
    expected = compare_domains([("a", GOLD, CHART), ("b", GOLD, GREEDY)]).signature
    assert str(expected) in ran.out
    assert expected == score(GOLD, CHART).signature
