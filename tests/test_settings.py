"""Settings that make no sense are refused where they are made, with the choices.

From Python by a SettingsError, on the command line with exit code 2 and no traceback.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from analyzer import (
    Direction,
    OnMismatch,
    RstSettings,
    SettingsError,
    TreeKernel,
    agree,
    ambiguity,
    breakdown,
    check,
    compare_conventions,
    compare_domains,
    compare_repairs,
    compare_systems,
    convert,
    derive,
    evalb,
    find_errors,
    instances,
    read_rst,
    read_trees,
    repairs,
    score,
    score_rst,
    similarity,
)
from analyzer.analyses.rst_scores import score_documents
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

TREE = "(S (NP (PRP I)) (VP (VBP see)))"
OTHER = "(S (PRP I) (VP (VBP see)))"
RST, RST_PARSED = "(NS-causal-cause (1) (2))", "(NS-causal-result (1) (2))"
SYSTEMS = [("a", TREE), ("b", OTHER)]

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "evalb, on_mismatch": (
        lambda: evalb(TREE, TREE, on_mismatch="nope"),
        "no on_mismatch 'nope'; there are skip, zero, align, error",
    ),
    "score, on_mismatch": (
        lambda: score(TREE, TREE, on_mismatch="nope"),
        "no on_mismatch 'nope'; there are skip, zero, align, error",
    ),
    "score, binarize": (
        lambda: score(read_rst(RST), read_rst(RST), binarize="up"),
        "no way to binarize 'up'; there are right, left, none",
    ),
    "score of sentences, binarize": (
        lambda: score(TREE, TREE, binarize="up"),
        "no way to binarize 'up'",
    ),
    "score, relations": (
        lambda: score(read_rst(RST), read_rst(RST), relations="nope"),
        "no relation map 'nope'; there are fine, coarse, gum, rstdt, disrpt, ",
    ),
    "RstSettings, relations": (
        lambda: RstSettings(relations="nope"),
        "no relation map 'nope'; there are fine, coarse, gum, rstdt, disrpt, ",
    ),
    "RstSettings, binarize": (
        lambda: RstSettings(binarize="up"),
        "no way to binarize 'up'; there are right, left, none",
    ),
    "ambiguity": (lambda: ambiguity(RST, binarize="up"), "no way to binarize"),
    "convert": (lambda: convert(RST, to="dis", binarize="up"), "no way to binarize"),
    "convert, order": (
        lambda: convert(RST, to="rsd", order="nope"),
        "no order 'nope'; there are weak, strict",
    ),
    "convert, transform": (
        lambda: convert(RST, to="rsd", transform="nope"),
        "no transform 'nope'; there are chain, tree",
    ),
    "similarity": (
        lambda: similarity({"a": RST, "b": RST}, ["nope"]),
        "no metric 'nope'",
    ),
    "agree": (
        lambda: agree(TREE, TREE, pair="nope"),  # type: ignore[arg-type]
        "no pairing 'nope'; there are order, text",
    ),
    "check, kinds": (
        lambda: check(TREE, kind=["nope"]),
        "no kind of findings 'nope'; there are shape,",
    ),
    "check, select": (lambda: check(TREE, select=[""]), "no code is selected"),
    "find_errors, limit": (
        lambda: find_errors(TREE, OTHER, limit=-1),
        "limit must be 0 or more, not -1",
    ),
    "find_errors of what has none": (
        lambda: find_errors(TREE, OTHER, construction="NP-modr", kind=["attachment"]),
        "NP-modr is recursive",
    ),
    "evalb, cutoff": (lambda: evalb(TREE, TREE, cutoff=-1), "cutoff must be 0 or more"),
    **{
        f"{getattr(ask, '__name__', 'breakdown')}, {value}": (
            partial(ask, TREE, TREE, max_left_out=value),
            "max_left_out must be from 0 to 100, not",
        )
        for ask in (
            *(evalb, score, agree, derive, compare_conventions),
            *(find_errors, instances, repairs, partial(breakdown, by="length")),
        )
        for value in (float("nan"), -1, 100.5)
    },
    "score_rst, max_left_out": (
        lambda: score_rst(RST, RST, max_left_out=-1),
        "max_left_out must be from 0 to 100, not -1",
    ),
    "similarity, max_left_out": (
        lambda: similarity({"a": RST, "b": RST}, max_left_out=float("nan")),
        "max_left_out must be from 0 to 100, not nan",
    ),
    "evalb, nan": (
        lambda: evalb(TREE, TREE, cutoff=float("nan")),  # type: ignore[arg-type]
        "cutoff must be 0 or more, not nan",
    ),
    "compare_systems, resamples": (
        lambda: compare_systems(TREE, SYSTEMS, resamples=0),
        "must be at least 1, not 0",
    ),
    "compare_systems, seed": (
        lambda: compare_systems(TREE, SYSTEMS, seed=-1),
        "seed must be 0 or more, not -1",
    ),
    **{
        f"{ask.__name__}, {name}": (
            partial(ask, TREE, dict(SYSTEMS), **{name: value}, **more),
            f"{name} must be {least} or more, not {value}",
        )
        for ask, more in ((compare_repairs, {}), (breakdown, {"by": "length"}))
        for name, value, least in (("resamples", 0, 1), ("seed", -1, 0))
    },
    "breakdown, by": (
        lambda: breakdown(TREE, OTHER, by="nope"),
        "no key 'nope'; there are ",
    ),
    "instances, on_mismatch": (
        lambda: instances(TREE, OTHER, on_mismatch="nope"),
        "no on_mismatch 'nope'",
    ),
    "repairs, on_mismatch": (
        lambda: repairs(TREE, OTHER, on_mismatch="zero"),
        "for repairs, on_mismatch must be skip or error",
    ),
    "repairs, classifier": (
        lambda: repairs(TREE, OTHER, classifier="nope"),
        "no classifier 'nope'; there are ",
    ),
    "compare_systems, metric": (
        lambda: compare_systems(TREE, SYSTEMS, resamples=5).frame("nope"),
        "no metric 'nope'; there are f_h, f_s, att",
    ),
    "compare_domains, reference": (
        lambda: compare_domains([("a", TREE, TREE)], reference="nope"),
        "no data set 'nope'; there are a",
    ),
    "compare_domains, measure": (
        lambda: compare_domains([("a", TREE, TREE), ("b", TREE, OTHER)]).splits(
            ["nope"]  # type: ignore[list-item]
        ),
        "no measure 'nope'; there are recall, precision, f_s",
    ),
    "TreeKernel": (lambda: TreeKernel(name="nope"), "no kernel 'nope'; there are sst"),
    "TreeKernel, mu": (lambda: TreeKernel(mu=0.3), "the kernel sst has no mu"),
    "TreeKernel, sigma": (
        lambda: TreeKernel(name="ptk", sigma=2),
        "the kernel ptk has no sigma",
    ),
    "TreeKernel, nan": (lambda: TreeKernel(decay=float("nan")), "above 0, not nan"),
    "encoding": (lambda: read_trees(str(GOLD), encoding="idna"), "encoding 'idna'"),
}
GOLD, CHART = EXAMPLES / "web.gold.mrg", EXAMPLES / "web.chart.mrg"


@pytest.mark.parametrize("name", REFUSED)
def test_from_python(name: str) -> None:
    make, message = REFUSED[name]
    with pytest.raises(SettingsError) as caught:
        make()
    assert message in str(caught.value)


PAIR = (GOLD, CHART)
DOMAINS = ("domains", f"a={GOLD}:{CHART}", f"b={GOLD}:{GOLD}")
CONVENTIONS = ("evalb", *PAIR, "--conventions")
OPTIONS: list[tuple[tuple[object, ...], str]] = [
    ((*CONVENTIONS, "--params", "new"), "--params has no effect"),
    ((*CONVENTIONS, "--cutoff", 10), "--cutoff has no effect"),
    ((*CONVENTIONS, "--on-mismatch", "zero"), "--on-mismatch has no effect"),
    ((*CONVENTIONS, "--by-label"), "--by-label has no effect"),
    ((*CONVENTIONS, "--by-sentence"), "--by-sentence has no effect"),
    ((*CONVENTIONS, "--delete-label", "X"), "--delete-label has no effect"),
    ((*CONVENTIONS, "--max-error", 2), "--max-error has no effect"),
    (("kernel", *PAIR, "--mu", 0.3), "--mu is for --kernel ptk"),
    (("report", *PAIR, "--reference", "nope", "--html", "o.html"), "no data set"),
    (("errors", *PAIR, "--limit", -1), "--limit: must be 0 or more, not -1"),
    (("patterns", "check", GOLD, "--limit", -1), "--limit: must be 0 or more"),
    ((*DOMAINS, "--top", -1), "--top: must be 1 or more, not -1"),
    ((*DOMAINS, "--min-share", "nan"), "--min-share: must be 0 or more, not nan"),
    (("score", GOLD, GOLD, "--min-share", "nan"), "--min-share: must be 0 or more"),
    ((*DOMAINS, "--min-share", "inf"), "--min-share: invalid number value: 'inf'"),
    (("compare", *PAIR, GOLD, "--min-share", -1), "must be 0 or more, not -1"),
    (("compare", *PAIR, GOLD, "--seed", -1), "--seed: must be 0 or more, not -1"),
    (("patterns", "check", GOLD, "--min-coverage", "nan"), "must be 0 or more"),
    (("patterns", "check", "--min-coverage", 90), "--min-coverage needs a treebank"),
    (("check", GOLD, "--select", ","), "no code is selected; choose from S100"),
    (("evalb", *PAIR, "--cutoff", -1), "--cutoff: must be 0 or more, not -1"),
    (("score", *PAIR, "--encoding", "idna"), "unknown encoding 'idna'"),
    (("score", *PAIR, "--encoding", "undefined"), "unknown encoding 'undefined'"),
    (
        ("errors", *PAIR, "--construction", "NP-modr", "--kind", "att"),
        "NP-modr is recursive",
    ),
]


@pytest.mark.parametrize(
    ("command", "message"), OPTIONS, ids=[f"{o[0][0]} {o[1][:22]}" for o in OPTIONS]
)
def test_on_the_command_line(
    command: tuple[object, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = spinal(*command)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert list(tmp_path.iterdir()) == []


def test_relations_by_name_are_loaded() -> None:
    """The signature said so, but nothing was mapped."""
    gold, parsed = read_rst(RST), read_rst(RST_PARSED)
    fine = score_documents(gold, parsed, RstSettings())
    mapped = score_documents(gold, parsed, RstSettings(relations="gum"))
    assert str(mapped.signature).count("|relations:gum|") == 1
    assert mapped.frame().equals(score_rst(RST, RST_PARSED, relations="gum").frame())
    assert not mapped.frame().equals(fine.frame())


def test_choices_are_enums_and_their_names_will_do() -> None:
    assert Direction("left") is Direction.LEFT
    assert RstSettings(binarize="left") == RstSettings(binarize=Direction.LEFT)
    by_name = evalb(TREE, OTHER, on_mismatch="zero")
    assert by_name == evalb(TREE, OTHER, on_mismatch=OnMismatch.ZERO)
    assert by_name.on_mismatch is OnMismatch.ZERO


@pytest.mark.parametrize("sigma", [0, 1, 2])
def test_sigma_may_be_a_whole_number(sigma: int) -> None:
    bank = read_trees(TREE)
    whole, real = TreeKernel(sigma=sigma), TreeKernel(sigma=float(sigma))
    assert whole.gram(bank).tolist() == real.gram(bank).tolist()


def test_systems_may_come_one_by_one() -> None:
    found = compare_systems(TREE, (system for system in SYSTEMS), resamples=5)
    assert [system.name for system in found.systems] == ["a", "b"]


def test_what_is_missing_is_empty_in_csv() -> None:
    ran = spinal("errors", *PAIR, "--kind", "head-missed", "--limit", 1)
    assert " - " in ran.out
    ran = spinal(
        "errors", *PAIR, "--kind", "head-missed", "--limit", 1, "--format", "csv"
    )
    assert "'-" not in ran.out
    assert ",," in ran.out
