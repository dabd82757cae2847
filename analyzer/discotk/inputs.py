"""What DiscoTK reads: names of shapes, score files, rankings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analyzer.discotk.representations import REPRESENTATIONS
from analyzer.discotk.score_table import ScoreTable, join_tables
from analyzer.discotk.wmt_files import Comparisons, read_rankings, read_scores
from analyzer.exceptions import PairingError, Place, SettingsError


def shapes_of(text: str | None) -> list[str]:
    """The representations asked for: all, or some with commas between them."""
    if not text or text == "all":
        return list(REPRESENTATIONS)
    names = [name.strip().lower().removeprefix("dr-") for name in text.split(",")]
    for name in names:
        if name not in REPRESENTATIONS:
            known = ", ".join(REPRESENTATIONS)
            raise SettingsError(
                "no representation {name!r}; there are {known}",
                code="E906",
                name=name,
                known=known,
            )
    return list(dict.fromkeys(names))


def read_score_tables(
    paths: Sequence[str], negate: Sequence[str] = ()
) -> list[ScoreTable]:
    """The metrics of all files together, by language pair."""
    found: dict[str, ScoreTable] = {}
    for path in paths:
        for table in read_scores(path):
            before = found.get(table.pair)
            found[table.pair] = join_tables(before, table) if before else table
    unknown = set(negate) - {m for table in found.values() for m in table.metrics}
    if unknown:
        names = sorted({m for table in found.values() for m in table.metrics})
        raise SettingsError(
            "no metric {metric!r} to negate; there are {names:list}",
            code="E982",
            metric=sorted(unknown)[0],
            names=names,
        )
    return [_negate(table, negate) for table in found.values()]


def _negate(table: ScoreTable, negate: Sequence[str]) -> ScoreTable:
    names = [f"-{name}" if name in negate else name for name in table.metrics]
    signs = [-1.0 if name in negate else 1.0 for name in table.metrics]
    return table.with_values(names, table.values * signs)


def read_scores_and_rankings(
    scores: Sequence[str], rankings: str, negate: Sequence[str] = ()
) -> tuple[list[ScoreTable], list[Comparisons]]:
    """Tables of scores and the rankings of the same language pairs, in one order."""
    tables = read_score_tables(scores, negate)
    human = read_rankings(rankings)
    if len(tables) == 1 and len(human) == 1 and not (tables[0].pair and human[0].pair):
        pair = tables[0].pair or human[0].pair
        return [replace(tables[0], pair=pair)], [replace(human[0], pair=pair)]
    by_pair = {one.pair: one for one in human}
    absent = [table.pair or "(none)" for table in tables if table.pair not in by_pair]
    absent += sorted(set(by_pair) - {table.pair for table in tables})
    if absent:
        raise PairingError(
            "the language pair {pair} is in the scores or in the rankings, not in both",
            Place(scores[0]),
            code="E983",
            pair=absent[0],
        )
    return tables, [by_pair[table.pair] for table in tables]
