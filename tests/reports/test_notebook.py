"""Results as a notebook shows them."""

from __future__ import annotations

import pickle
import re
import sys

import pytest

import analyzer
from analyzer.model.tree import Node
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


def test_an_error_is_drawn_as_its_two_trees() -> None:
    gold = "(S (NP (PRP I)) (VP (VBP <b>see</b>)))\n"
    for sides in ((gold * 2, gold + "(S (PRP I) (VP (VBP <b>see</b>)))\n"), WEB_PAIR):
        row = analyzer.errors(*sides, limit=3).rows[-1]
        drawn = row._repr_html_()
        assert drawn.count("<svg") == 1
        assert f"{row.error.kind.value} of " in drawn
        assert f"sentence {row.error.sentence}</p>" in drawn
        assert "<b>" not in drawn
        trees = row.pair
        assert trees is not None
        assert [word for word in trees[0].words if word in row.words]
        for tree, side in zip(trees, (row.error.gold, row.error.parsed), strict=True):
            if side is not None:  # the marked bracket is what the error is about
                label = Node(tree, side.row).label
                assert label.split("-")[0] in side.construction


def test_an_error_that_cannot_be_read_again_is_shown_by_its_words() -> None:
    row = analyzer.errors(
        "(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))"
    )
    kept = pickle.loads(pickle.dumps(row)).rows[0]
    assert kept == row.rows[0]
    assert "I see" in kept._repr_html_()


def test_trees_are_shown_in_a_notebook_and_as_text() -> None:
    shown = analyzer.show(*WEB_PAIR, sentence=[2, 3])
    assert [one.number for one in shown.rows] == [2, 3]
    assert shown._repr_html_().count("<svg") == 2
    assert "# sentence 3" in str(shown)
    alone = analyzer.show(analyzer.read_trees("(S (NP (PRP I)) (VP (VBP see)))"))
    assert "PRP" in str(alone)
    with pytest.raises(analyzer.InputError, match="there is no sentence 99"):
        analyzer.show(WEB_PAIR[0], sentence=99)


def test_plots_of_results_are_axes() -> None:
    pytest.importorskip("matplotlib")
    scores = analyzer.score(*WEB_PAIR)
    axes = scores.plot()
    assert axes.get_title() or axes.get_ylabel() or axes.lines
    assert scores.plot("cumulative").figure is not axes.figure
    with pytest.raises(analyzer.SettingsError, match="no plot 'bars'; there are"):
        scores.plot("bars")
    with pytest.raises(analyzer.SettingsError, match="BracketScores has no plot") as no:
        analyzer.evalb(*WEB_PAIR).plot()
    assert no.value.code == "E975"


def test_plots_without_matplotlib_say_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(analyzer.SettingsError, match="plots need matplotlib: pip"):
        analyzer.score(*WEB_PAIR).plot()


def test_a_finding_is_a_sentence() -> None:
    finding = analyzer.check("(S (NP) (VP (VBZ <i>)))").findings[0]
    assert "S101" in str(finding)
    assert "NP has no words" in finding._repr_html_()
    assert "<i>" not in finding._repr_html_()
