"""Parts of pages without a browser: packed edits, plots, explanations."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer import score, write_comparison, write_report
from analyzer.analyses.domain_gap import Domain
from analyzer.analyses.error_data import changes
from analyzer.analyses.report import score_for_page
from analyzer.derivation.columns import Derivation
from analyzer.derivation.syntax import SyntaxDeriver
from analyzer.pairing.words import Side
from reports.page.html import page_html, page_svg
from reports.page.sections import explanations, report_page
from reports.plots.files import figure_svg, widened
from reports.plots.scores import cumulative_figure
from reports.plots.style import line_style
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES, WEB_GREEDY, WEB_PAIR

TREES = st.lists(st.lists(st.integers(-2, 3), max_size=8), max_size=5)


@given(TREES)
def test_what_changes_gives_back_the_trees(trees: list[list[int]]) -> None:
    """As the page's script puts them together."""
    found: list[list[int]] = []
    for packed in changes(trees):
        if found:
            start, end, *middle = packed
            before = found[-1]
            packed = [*before[:start], *middle, *before[len(before) - end :]]
        found.append(packed)
    assert found == trees


def test_lines_of_many_data_sets_differ() -> None:
    assert len({line_style(number) for number in range(28)}) == 28
    # Of twelve, no two have the same colour and the same dashes, nor mark and dashes.
    twelve = [line_style(number) for number in range(12)]
    assert len({(one.color, one.linestyle) for one in twelve}) == 12
    assert len({(one.marker, one.linestyle) for one in twelve}) == 12


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")
def test_the_legend_stands_outside_and_names_are_not_cut() -> None:
    pytest.importorskip("matplotlib")
    scores = score(*WEB_PAIR)
    names = [
        *(f"data set {n}" for n in range(10)),
        "中文新闻领域的数据集" * 3,
        "W" * 60,
    ]
    figure = cumulative_figure([Domain(name, scores) for name in names])
    figure.draw_without_rendering()
    legend = figure.legends[0].get_window_extent()
    for axes in figure.axes:
        assert legend.x0 >= axes.get_tightbbox().x1 - 1
    svg = figure_svg(figure)
    width = float(re.search(r'viewBox="\S+ \S+ (\S+)', svg)[1])  # type: ignore[index]
    # Chinese characters are as wide as they are high, whatever fonts are here.
    place, text = re.search(r'x="([\d.]+)"[^>]*>(中[^<]*)<', svg).groups()  # type: ignore[union-attr]
    assert float(place) + 9 * len(text) < width


def test_a_picture_grows_with_its_texts() -> None:
    def picture(left: str, right: str) -> str:
        return (
            '<svg width="100pt" height="50pt" viewBox="0 0 100 50">'
            f'<text style="font-size: 10px; text-anchor: end" x="20">{left}</text>'
            f'<text style="font-size: 10px" x="80">{right}</text></svg>'
        )

    grown = re.search(r'viewBox="(\S+) 0 (\S+) ', widened(picture("猫" * 4, "so wide")))
    assert grown
    left, width = float(grown[1]), float(grown[2])
    assert left < -15
    assert left + width > 110
    assert widened(picture("a", "b")) == picture("a", "b")


@pytest.mark.slow
def test_a_plot_has_no_styles_and_names_of_its_own() -> None:
    pytest.importorskip("matplotlib")
    figure = figure_svg(cumulative_figure([Domain("<web>", score(*WEB_PAIR))]))
    one, other = (page_svg(figure, name=name, label="A & B") for name in ("p1", "p2"))
    assert "style" not in one
    assert 'aria-label="A &amp; B"' in one
    ids = [set(re.findall(r' id="([^"]+)"', plot)) for plot in (one, other)]
    assert ids[0]
    assert not ids[0] & ids[1]
    for kind in (r'href="#([^"]+)"', r"url\(#([^)]+)\)"):
        assert set(re.findall(kind, one)) <= ids[0]
    assert "var(--plot-1)" in one
    assert "#000000" not in one


@pytest.mark.parametrize(
    ("gold", "parsed", "options", "name", "told"),
    [
        (*WEB_PAIR, {}, "PP-t", "preposition"),
        (
            str(EXAMPLES / "discourse"),
            str(EXAMPLES / "discourse_chart"),
            {},
            "elaboration-modr",
            "satellites to the right",
        ),
        (
            str(EXAMPLES / "discourse"),
            str(EXAMPLES / "discourse_chart"),
            {},
            "root",
            "heads the whole document",
        ),
    ],
)
def test_explanations_are_the_inventorys(
    gold: str, parsed: str, options: dict[str, str], name: str, told: str
) -> None:
    scores = score(gold, parsed)
    found = explanations(scores.tally.constructions, scores.deriver)
    assert told in found[name].text
    # Every construction of the samples is explained.
    assert set(scores.tally.constructions) == set(found)


def test_a_construction_without_pattern_says_so() -> None:
    scores = score("(S (XX (NN a)) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)))")
    found = explanations(scores.tally.constructions, scores.deriver)
    assert "no pattern" in found["XX-t"].text


def test_a_mark_where_annotation_may_differ() -> None:
    plain, flat = (
        "(S (NP (PRP we)) (VP (VBP go)))",
        "(S (ADVP (RB now)) (NP (PRP we)) (VP (VBP go)))",
    )
    adjoined = "(S (ADVP (RB now)) (S (NP (PRP we)) (VP (VBP go))))"
    gold = f"{plain}\n" * 60 + f"{flat}\n" * 30
    parsed = f"{plain}\n" * 60 + f"{adjoined}\n" * 30
    text = page_html(
        report_page(score_for_page([("a", gold, parsed)]), title="T", lead="L")
    )
    assert "Annotation or parser?" in text
    assert re.search(r'S-mod</a> <small class="mark"', text)
    same = page_html(
        report_page(score_for_page([("a", gold, gold)]), title="T", lead="L")
    )
    assert "Annotation or parser?" not in same


GOLD = "(S (NP (PRP we)) (VP (VBP go) (NP (NP (NN home)) (PP (IN in) (NP (NNP May))))))"
PARSED = "(S (NP (PRP we)) (VP (VBP go) (NP (NN home)) (PP (IN in) (NP (NNP May)))))"


@pytest.mark.slow
def test_parsers_from_python_and_by_several_processes(tmp_path: Path) -> None:
    pages = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.html"
        report = write_comparison(
            f"{GOLD}\n" * 30,
            {"a": f"{PARSED}\n" * 30, "b": f"{GOLD}\n" * 30},
            str(path),
            resamples=10,
            max_instances=10,
            jobs=jobs,
        )
        pages.append(path.read_text("utf-8"))
    assert report.names == ["a", "b"]
    assert pages[0] == pages[1]


def test_data_sets_and_parsers_are_told_apart(tmp_path: Path) -> None:
    ran = spinal(
        "report",
        *(WEB_PAIR[0], WEB_PAIR[1], WEB_GREEDY, "--reference", "a"),
        *("--html", tmp_path / "page.html"),
    )
    assert ran.code == 2
    assert "are for data sets" in ran.err


@pytest.mark.slow
def test_edits_of_large_data_are_those_of_some_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analyzer.analyses.report.MOST_SEARCHED", 20)
    path = tmp_path / "page.html"
    gold, parsed = EXAMPLES / "web.gold.mrg", EXAMPLES / "web.chart.mrg"
    found = write_report([("web", str(gold), str(parsed))], str(path), max_instances=5)
    edits = found.datasets[0].repairs
    assert edits is not None
    assert [one.sentence for one in edits.sentences] == [*range(1, 45, 3)]
    assert "one sentence in 3 was searched, 15 sentences in all" in path.read_text()


def test_of_large_data_only_what_is_searched_is_derived_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("analyzer.analyses.report.MOST_SEARCHED", 20)
    derive, derived = SyntaxDeriver.derive, Counter[bool]()

    def counted(deriver: SyntaxDeriver, side: Side) -> Derivation:
        derived[side.is_gold] += len(side.bank)
        return derive(deriver, side)

    monkeypatch.setattr(SyntaxDeriver, "derive", counted)
    gold, parsed = EXAMPLES / "web.gold.mrg", EXAMPLES / "web.chart.mrg"
    score_for_page([("web", str(gold), str(parsed))], max_instances=5)
    assert derived == {True: 44 + 15, False: 44 + 15}
