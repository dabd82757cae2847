"""Where the shared data is; tests that need it skip, loudly, without it."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
# Gold and a parser's output, and another parser's.
NEWS_PAIR = (str(EXAMPLES / "news.gold.mrg"), str(EXAMPLES / "news.chart.mrg"))
WEB_PAIR = (str(EXAMPLES / "web.gold.mrg"), str(EXAMPLES / "web.chart.mrg"))
WEB_GREEDY = str(EXAMPLES / "web.greedy.mrg")
SHARED = ROOT.parent / "shared" / "data"
SYNTAX = SHARED / "syntax"
RST = SHARED / "rst"
RST_CORPORA = RST.parent / "rst_corpora"
LANGUAGES = SHARED / "languages"

needs_shared_data = pytest.mark.skipif(
    not SYNTAX.exists(),
    reason="NOT RUN: the shared data (../shared/data/syntax) is not here",
)
needs_rst_data = pytest.mark.skipif(
    not RST.exists(), reason="NOT RUN: the shared data (../shared/data/rst) is not here"
)
needs_languages = pytest.mark.skipif(
    not LANGUAGES.exists(),
    reason="NOT RUN: the shared data (../shared/data/languages) is not here",
)
needs_rst_corpora = pytest.mark.skipif(
    not RST_CORPORA.exists(),
    reason="NOT RUN: the shared data (../shared/data/rst_corpora) is not here",
)
