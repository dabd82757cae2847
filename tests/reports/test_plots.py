"""What plots show of names that stand in the input."""

from __future__ import annotations

import pytest

from analyzer import score
from analyzer.analyses.gap import Domain
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
