"""How often a command opens its files, and asks what is in them: once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from analyzer.files import sources
from analyzer.formats import documents, reading, registry
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

GOLD, CHART, GREEDY = (
    str(EXAMPLES / f"web.{name}.mrg") for name in ("gold", "chart", "greedy")
)
NEWS, NEWS_CHART = (str(EXAMPLES / f"news.{name}.mrg") for name in ("gold", "chart"))
RST_GOLD, RST_CHART, RST_GREEDY = (
    str(next((EXAMPLES / name).glob("garden*")))
    for name in ("discourse", "discourse_chart", "discourse_greedy")
)
PAGE = ("--html", "-")
OURS = str(Path(registry.__file__).parents[1])
FEW = ("--resamples", "10")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was opened; our own tables are read once in a process."""
    raw, counts = sources._raw, Counter[str]()

    @contextmanager
    def counted(file: str | IO[bytes]) -> Iterator[Any]:
        if not str(file).startswith(OURS):
            counts[str(file)] += 1
        with raw(file) as stream:
            yield stream

    monkeypatch.setattr(sources, "_raw", counted)
    return counts


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The starts of texts whose format was asked for."""
    detect, starts = registry.detect, list[str]()

    def counted(start: str, *rest: Any, **more: Any) -> Any:
        starts.append(start)
        return detect(start, *rest, **more)

    for module in (documents, reading, registry):
        if getattr(module, "detect", None) is detect:
            monkeypatch.setattr(module, "detect", counted)
    return starts


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", GOLD, CHART),
        ("errors", GOLD, CHART),
        ("evalb", GOLD, CHART),
        ("check", GOLD),
        ("report", GOLD, CHART, *PAGE),
        ("report", f"web={GOLD}:{CHART}", f"news={NEWS}:{NEWS_CHART}", *PAGE),
        ("rst", "score", RST_GOLD, RST_CHART),
        ("errors", RST_GOLD, RST_CHART),
        ("compare", RST_GOLD, RST_CHART, RST_GREEDY, *FEW),
        ("report", RST_GOLD, RST_CHART, *PAGE),
        ("report", RST_GOLD, f"a={RST_CHART}", f"b={RST_GREEDY}", *FEW, *PAGE),
    ],
)
def test_every_file_is_opened_once(
    arguments: tuple[str, ...], opened: Counter[str], asked: list[str]
) -> None:
    assert spinal(*arguments).code in (0, 1)
    assert set(opened.values()) == {1}, opened
    assert len(asked) == len(opened)


@pytest.mark.parametrize(
    ("arguments", "again"),
    [
        # What gold's blank lines mean, and where its blocks end, depends on the output
        # beside it: gold is read once for each parser, its format asked once.
        (("compare", GOLD, CHART, GREEDY, *FEW), [GOLD]),
        (("report", GOLD, f"a={CHART}", f"b={GREEDY}", *FEW, *PAGE), [GOLD]),
    ],
)
def test_gold_is_read_once_for_each_parser(
    arguments: tuple[str, ...],
    again: list[str],
    opened: Counter[str],
    asked: list[str],
) -> None:
    assert spinal(*arguments).code in (0, 1)
    assert opened == {GOLD: 1, CHART: 1, GREEDY: 1} | dict.fromkeys(again, 2)
    assert len(asked) == len(opened)


def test_large_data_are_read_again_for_some_of_the_edits(
    opened: Counter[str], asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # One sentence in so many is searched; in how many, is known when all are read.
    monkeypatch.setattr("analyzer.analyses.report.MOST_SEARCHED", 20)
    assert spinal("report", GOLD, CHART, *PAGE).code == 0
    assert opened == {GOLD: 2, CHART: 2}
    assert len(asked) == 2


def test_a_folder_is_looked_through_before_it_is_read(
    tmp_path: Path, opened: Counter[str], asked: list[str]
) -> None:
    # So many files cannot be kept open from a look at their start until they are read.
    for name, path in (("gold", GOLD), ("parsed", CHART)):
        (tmp_path / name).mkdir()
        for number in range(20):
            text = Path(path).read_text("utf-8")
            (tmp_path / name / f"{number}.mrg").write_text(text, "utf-8")
    assert spinal("score", tmp_path / "gold", tmp_path / "parsed").code == 0
    assert set(opened.values()) == {1, 2}  # the first ones are
    assert len(asked) == len(opened) == 40
