"""Signatures: every setting that moves a number, as a value."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from analyzer import __version__, compare_domains, compare_systems, score
from analyzer.derivation.discourse import discourse_deriver
from analyzer.derivation.syntax import syntax_deriver
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


_DIS = """\
( Root (span 1 3)
  ( Nucleus (leaf 1) (rel2par span) (text _!one_!) )
  ( Satellite (span 2 3) (rel2par elaboration)
    ( Nucleus (leaf 2) (rel2par span) (text _!two_!) )
    ( Satellite (leaf 3) (rel2par cause) (text _!three_!) )
  )
)
"""


@pytest.fixture
def document(tmp_path: Path) -> str:
    path = tmp_path / "d.dis"
    path.write_text(_DIS)
    return str(path)


@pytest.mark.parametrize("command", ["rst score", "domains", "compare", "agree"])
def test_discourse_tells_binarisation_and_relations(
    command: str, document: str
) -> None:
    inputs = {
        "rst score": [document, document, "--constructions"],
        "domains": [f"a={document}:{document}", f"b={document}:{document}"],
        "compare": [document, f"a={document}", f"b={document}", "--resamples", "10"],
        "agree": [document, document],
    }[command]
    ran = spinal(
        *command.split(), *inputs, "-q", "--binarize", "left", "--relations", "rstdt"
    )
    assert ran.code == 0
    lines = {line for line in ran.out.splitlines() if line.startswith("scorer:")}
    assert all("|binarize:left|relations:rstdt|" in line for line in lines)
    (line,) = {line for line in lines if line.startswith("scorer:derivation")} or lines
    assert "|patterns:rst/" in line
    if command == "compare":  # which tells of metrics, too
        (other,) = lines - {line}
        assert other.startswith("scorer:rst|")
        assert "|resamples:10|seed:12345|" in other


def test_levels_show_in_the_signature() -> None:
    plain = discourse_deriver().settings
    levelled = discourse_deriver(sentences=np.array([1, 1, 2])).settings
    assert "levels" not in plain
    assert levelled["levels"] == "sentence document"


def test_derivers_travel() -> None:
    for deriver in (
        syntax_deriver(merge=MERGE),
        discourse_deriver(binarize="none", merge={"a-s": "b-s"}),
    ):
        again = pickle.loads(pickle.dumps(deriver))
        assert again.settings == deriver.settings
