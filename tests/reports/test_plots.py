"""What plots show of names that stand in the input."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from analyzer import InputWarning, score
from analyzer.analyses.gap import Domain
from reports.plots.files import save_figure
from reports.plots.scores import cumulative_figure
from reports.plots.style import plot_label


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
