"""What plots show of names that stand in the input."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from analyzer import (
    InputWarning,
    breakdown,
    compare_domains,
    repairs,
    score,
    worth_of,
)
from analyzer.analyses.domain_gap import Domain
from reports.plots.files import save_figure
from reports.plots.scores import (
    breakdown_figure,
    cumulative_figure,
    split_figure,
    waterfall_figure,
)
from reports.plots.style import darken, fit_intervals, new_figure, plot_label
from tests.support.data_paths import EXAMPLES, WEB_PAIR


def test_long_names_are_shortened_in_plots() -> None:
    """To measure a text of a megabyte takes matplotlib most of a minute."""
    pytest.importorskip("matplotlib")
    long = "N" * 100_000
    tree = f"(S (NP (NN a)) ({long} (VB b)))\n"
    figure = cumulative_figure([Domain(long, score(tree, tree))])
    texts = [
        text.get_text()
        for axes in figure.axes
        for text in (*axes.texts, *(axes.get_legend() or axes).texts)
    ]
    assert any(text.startswith("NNN") for text in texts)
    assert max(map(len, texts)) < 60


def test_names_are_no_formulas_and_no_commands() -> None:
    assert plot_label("PRP$\x1b[2J") == r"PRP\$\x1b[2J"


@pytest.mark.slow
def test_characters_that_no_font_has_are_told_once(tmp_path: Path) -> None:
    """Of PNG and PDF, where they are boxes; SVG keeps the text."""
    pytest.importorskip("matplotlib")
    scores = score("(S (NP (NN a)))", "(S (NP (NN a)))")
    # Private characters, which no font has.
    names = [Domain("\ue123\ue124" * 3, scores), Domain("b", scores)]
    figure = cumulative_figure(names)
    with pytest.warns(InputWarning, match="lack some characters") as caught:
        save_figure(figure, tmp_path / "plot.png")
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save_figure(figure, tmp_path / "plot.svg")
    assert (tmp_path / "plot.png").stat().st_size > 1000


def test_a_waterfall_leads_from_the_parse_to_gold() -> None:
    pytest.importorskip("matplotlib")
    worth = worth_of(repairs(*WEB_PAIR, keep_trees=True))
    (axes,) = waterfall_figure(worth).axes
    names = [text.get_text() for text in axes.get_yticklabels()]
    assert names[:2] == ["as parsed", worth.rows[0].group]
    gains = [float(text.get_text()) for text in axes.texts]
    assert sum(gains) == pytest.approx(100, abs=0.2)


def test_a_breakdown_has_a_panel_a_score() -> None:
    pytest.importorskip("matplotlib")
    result = breakdown(*WEB_PAIR, by="tag", resamples=20)
    panels = breakdown_figure(result, result.cells).axes
    assert [axes.get_title(loc="left") for axes in panels] == ["F-h", "F-s", "att"]
    names = [text.get_text() for text in panels[0].get_yticklabels()]
    counts = [row.gold for row in result.chosen_rows(result.cells[:20])]
    assert names == [
        f"{plot_label(cell[0])}  ({count:,})"
        for cell, count in zip(result.cells[:20], counts, strict=True)
    ]


def test_pdf_has_fonts_that_journals_take(tmp_path: Path) -> None:
    """TrueType, not the Type 3 fonts that matplotlib writes unless it is told."""
    from matplotlib.figure import Figure

    figure = Figure()
    figure.text(0.5, 0.5, "F-s of NP-modr")
    save_figure(figure, tmp_path / "plot.pdf")
    content = (tmp_path / "plot.pdf").read_bytes()
    assert b"/FontFile2" in content
    assert b"/Type3" not in content


def test_a_gap_has_its_net_and_a_dark_variant() -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.colors import to_hex

    pairs = [(name, *(f"{EXAMPLES}/{name}.{side}.mrg" for side in ("gold", "chart")))
             for name in ("news", "web")]  # fmt: skip
    (split,) = compare_domains(pairs).splits()
    figure = split_figure(split)
    (axes,) = figure.axes
    (net,) = axes.collections
    wanted = [100 * float(part.difference) for part in split.parts[:14]]
    assert net.get_offsets()[:, 0].tolist() == pytest.approx(wanted)
    light = to_hex(axes.xaxis.label.get_color())
    assert darken(figure) is figure
    assert light == "#000000"
    assert to_hex(axes.xaxis.label.get_color()) == "#e8eaee"
    assert to_hex(figure.get_facecolor()) == to_hex(axes.get_facecolor()) == "#14171c"


def test_few_cases_do_not_set_the_axis() -> None:
    pytest.importorskip("matplotlib")
    axes = new_figure(4, 3).subplots()
    intervals = [(-2.0, 3.0)] * 19 + [(-100.0, 100.0)]
    fit_intervals(axes, intervals)
    low, high = axes.get_xlim()
    assert -4 < low < -2
    assert 3 < high < 5
    beyond = [(line.get_marker(), *line.get_ydata()) for line in axes.lines]
    assert beyond == [("<", 19), (">", 19)]
