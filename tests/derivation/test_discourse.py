"""Constructions of discourse: names, the two identities, and the commands on them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.derivation.deriver import derive_alone
from analyzer.derivation.discourse import DiscourseDeriver, discourse_deriver
from analyzer.derivation.units import dependencies, unit_columns
from analyzer.metrics.constructions import Tally, compare, tally
from analyzer.metrics.rst import attachment_decisions, count_matches, dependency_key
from analyzer.model.discourse import Documents, Unit
from analyzer.pairing.in_step import Pair
from analyzer.transform.documents import binarize
from tests.support.command import spinal
from tests.support.data_paths import RST, needs_rst_data

RELATIONS = ("cause", "elaboration", "list")


def edu(nuclearity: str, relation: str, text: str = "x") -> Unit:
    return Unit(nuclearity, relation, text=text)


def tallied(gold: Documents, other: Documents, deriver: DiscourseDeriver) -> Tally:
    pair = Pair(gold.bank, other.bank, 1)
    return tally(compare(pair, deriver))


@pytest.mark.parametrize(
    ("children", "schema"),
    [
        ([("N", "span"), ("S", "cause")], "cause-modr"),
        ([("S", "cause"), ("N", "span")], "cause-modl"),
        ([("S", "cause"), ("N", "span"), ("S", "result")], "result-modlr"),
        ([("N", "list"), ("N", "list"), ("N", "list")], "list-crd"),
        ([("S", "cause"), ("N", "list"), ("N", "list")], "cause-crdmod"),
    ],
)
def test_schemas_are_relation_and_shape(
    children: list[tuple[str, str]], schema: str
) -> None:
    root = Unit("R", "---", [edu(*child) for child in children])
    deriver = discourse_deriver()
    corpus = Documents.of_units([("d", root)])
    found = tallied(corpus, corpus, deriver)
    schemas = [
        name for name in found.constructions if deriver.constructions.recurs(name)
    ]
    assert schemas == [schema]


def test_links_are_how_units_attach() -> None:
    """(a (b c)): b heads the satellite, c depends on b, a is the root."""
    inner = Unit("S", "cause", [edu("N", "list"), edu("N", "list")])
    root = Unit("R", "---", [edu("N", "span"), inner])
    deriver = discourse_deriver()
    derivation = derive_alone(Documents.of_units([("d", root)]).bank, deriver)
    links = {
        int(head): (deriver.constructions[number], int(attachment))
        for head, number, attachment in zip(
            derivation.head,
            derivation.construction,
            derivation.attachment,
            strict=True,
        )
        if not deriver.constructions.recurs(deriver.constructions[number])
    }
    assert links == {0: ("root", -2), 1: ("cause-s", 0), 2: ("list-n", 1)}


@st.composite
def trees(draw: st.DrawFn, size: int) -> Unit:
    """A random n-ary tree over so many EDUs, one nucleus or all nuclei."""

    def grown(count: int, nuclearity: str, relation: str) -> Unit:
        if count == 1:
            return edu(nuclearity, relation)
        parts = draw(st.integers(2, min(count, 4)))
        cuts = sorted(
            draw(
                st.lists(
                    st.integers(1, count - 1),
                    min_size=parts - 1,
                    max_size=parts - 1,
                    unique=True,
                )
            )
        )
        sizes = np.diff([0, *cuts, count]).tolist()
        name = draw(st.sampled_from(RELATIONS))
        nucleus = draw(st.integers(0, parts - 1))
        is_list = draw(st.booleans())
        children = []
        for at, one in enumerate(sizes):
            if is_list:
                children.append(grown(one, "N", name))
            elif at == nucleus:
                children.append(grown(one, "N", "span"))
            else:
                children.append(grown(one, "S", name))
        return Unit(nuclearity, relation, children)

    return grown(size, "R", "---")


@pytest.mark.slow
@given(st.data(), st.integers(2, 9))
def test_the_two_identities(data: st.DataObject, size: int) -> None:
    """F-s of schemas is F+H of decisions; links with attachment are LAS-F."""
    gold, other = (
        Documents.of_units([("d", binarize(data.draw(trees(size))))]) for _ in range(2)
    )
    deriver = discourse_deriver()
    found = tallied(gold, other, deriver).constructions
    units = [unit_columns(side) for side in (gold, other)]
    a, b = (attachment_decisions(side) for side in units)
    decisions = count_matches(a.key("F+H"), b.key("F+H"), a.document, b.document, 1)
    x, y = (dependencies(side) for side in units)
    keys = [dependency_key(side, "LAS-F") for side in (x, y)]
    arcs = count_matches(keys[0], keys[1], x.document, y.document, 1)
    schemas = [c for name, c in found.items() if deriver.constructions.recurs(name)]
    links = [c for name, c in found.items() if not deriver.constructions.recurs(name)]
    assert sum(c.matched_s for c in schemas) == decisions.micro[0]
    assert sum(c.matched_att for c in links) == arcs.micro[0]


def test_levels_are_told_apart_by_sentences() -> None:
    """The first two EDUs are one sentence: their unit is within it."""
    left = Unit("N", "span", [edu("N", "span"), edu("S", "cause")])
    root = Unit("R", "---", [left, edu("S", "elaboration")])
    deriver = discourse_deriver(sentences=np.array([1, 1, 2]))
    corpus = Documents.of_units([("d", root)])
    assert set(tallied(corpus, corpus, deriver).constructions) == {
        "cause-modr:sentence",
        "elaboration-modr:document",
        "cause-s:sentence",
        "elaboration-s:document",
        "root:document",
    }


@pytest.mark.slow
@needs_rst_data
def test_commands_take_discourse_trees() -> None:
    gold, sr, hilda = (
        str(RST / part) for part in ("gold/dis", "pred/sr", "pred/hilda")
    )
    coarse = ("--relations", "gum", "-q", "--format", "json")
    scored = spinal("rst", "score", gold, sr, *coarse)
    assert scored.code == 0
    first = json.loads(scored.out)["rows"][0]
    assert (first["encoding"], first["metric"], first["matched"]) == (
        "rst-parseval",
        "S",
        6020,
    )
    families = spinal("rst", "score", gold, sr, "--constructions", *coarse)
    names = {row["construction"] for row in json.loads(families.out)["constructions"]}
    assert {"elaboration-modr", "elaboration-s", "joint-crd", "root"} <= names
    errors = spinal("errors", gold, sr, "--construction", "elaboration-s", *coarse)
    assert json.loads(errors.out)["total"] > 0
    compared = spinal("compare", gold, sr, hilda, "--resamples", "20", *coarse)
    assert compared.code == 0
    domains = spinal("domains", f"a={gold}:{sr}", f"b={gold}:{hilda}", *coarse)
    assert json.loads(domains.out)["splits"][0]["domain"] == "b"
    derived = spinal("derive", gold, sr, "9", "--relations", "gum", "-q")
    assert "elaboration-modr" in derived.out
    assert spinal("score", gold, sr, "-q").code == 2
