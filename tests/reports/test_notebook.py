"""Results as a notebook shows them."""

from __future__ import annotations

import re

import pytest

import analyzer
from tests.support.data_paths import NEWS_PAIR, WEB_GREEDY, WEB_PAIR


@pytest.mark.slow
def test_results_display_in_a_notebook() -> None:
    scores = analyzer.score(*WEB_PAIR)
    domains = analyzer.compare_domains([("news", *NEWS_PAIR), ("web", *WEB_PAIR)])
    systems = analyzer.compare_systems(
        WEB_PAIR[0], [("chart", WEB_PAIR[1]), ("greedy", WEB_GREEDY)], resamples=20
    )
    brackets = analyzer.evalb(*WEB_PAIR, by_label=True)
    for result, text in (
        (scores, "NP-modr"),
        (domains, "Where the gap in F-s comes from"),
        (systems, "greedy"),
        (brackets, "precision"),
    ):
        page = result._repr_html_()
        assert text in page
        assert "<table" in page
    assert "<svg" in domains._repr_html_()
    assert "<svg" in systems._repr_html_()


def test_treebank_text_is_data_in_a_notebook() -> None:
    hostile = "(S (NP (NN <script>alert(1)</script>)) (VP (VB go)))".replace(
        "alert(1)", "alert"
    )
    page = analyzer.read_trees(hostile)._repr_html_()
    assert "<script>" not in page


def test_a_notebook_names_no_options_of_commands() -> None:
    """What is not shown is said; how a command would show it is no help there."""
    systems = [("chart", WEB_PAIR[1]), ("greedy", WEB_GREEDY)]
    chart, greedy = WEB_PAIR, (WEB_PAIR[0], WEB_GREEDY)
    for result, cut in (
        (analyzer.score(*greedy), "constructions not shown"),
        (analyzer.find_errors(*chart), "a sample: 20 of"),
        (analyzer.breakdown(*chart, by="tag", resamples=5), ""),
        (analyzer.agree(*chart), "smaller groups not shown"),
        (analyzer.repairs(*greedy, by_sentence=True), ""),
        (analyzer.evalb(*chart), ""),
        (analyzer.check(WEB_PAIR[0], min_confidence=0), "the surest 20 of"),
        (analyzer.derive(*chart), "A sample: 5 of 44 sentences"),
        (analyzer.compare_systems(WEB_PAIR[0], systems, resamples=5), ""),
        (analyzer.compare_domains([("a", *chart), ("b", *greedy)]), "not shown"),
        (
            analyzer.generalise([("a", *chart), ("b", *greedy)], resamples=5),
            "not shown",
        ),
    ):
        page = result._repr_html_()
        shown = re.sub(r"(?s)<style>.*?</style>|<svg.*?</svg>", "", page)
        assert cut in shown
        assert not re.findall(r"--[a-z]", shown)


def test_discourse_trees_are_pictures_in_a_notebook() -> None:
    root = analyzer.read_rst("(NS-Cause _!it <b>rained!_ _!so we left!_)")["text"]
    assert repr(root) == "<Unit ---/R: 2 EDUs>"
    assert repr(root.children[1]) == "<Unit Cause/S: so we left>"
    drawn = "1–2\n┝━ N span 1  it <b>rained\n└─ S Cause 2  so we left"
    assert str(root) == drawn
    picture = root._repr_svg_()
    assert picture.startswith("<svg")
    assert "so we left" in picture
    assert "<b>" not in picture
    arcs = analyzer.DependencyTree([0, 1], ["ROOT", "cause"], texts=["it", "so"])
    assert str(arcs) == "┌─ 1  ROOT     it\n└▶ 2  1 cause  so"
    assert arcs._repr_svg_().startswith("<svg")


def test_a_deep_tree_has_a_short_name() -> None:
    unit = analyzer.Unit("N", "span", text="end")
    for _ in range(5000):
        unit = analyzer.Unit("N", "span", [analyzer.Unit("N", "span"), unit])
    assert repr(unit) == "<Unit span/N: 5,001 EDUs>"
