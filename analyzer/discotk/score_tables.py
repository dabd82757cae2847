"""Segment scores of metrics and rankings of people: as arrays, from WMT's files.

Rankings, CSV with a header, several systems a row (five, usually):

    srclang,trglang,…,segmentId,judgeId,…,system1Id,…,system5Id,system1rank,…

Segment scores, tab-separated: WMT's `.seg.scr` (metric, language pair, test set,
system, segment, score; further columns are not read), or a table with a header
(system, segment, one column a metric; a column `pair` if there are several).
System scores: WMT's `.sys.scr` (metric, language pair, test set, system, score), or
system and score. A value that is empty, `NA` or `nan` is missing; infinity is an error.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from analyzer.exceptions import InputError, PairingError, Place, SettingsError
from analyzer.files.small_files import read_lines
from analyzer.model.arrays import Floats, Ints, Value
from analyzer.safe_text import counted, from_spreadsheet

_LANGUAGES = {
    **{"czech": "cs", "ces": "cs", "cze": "cs", "german": "de", "deu": "de"},
    **{"ger": "de", "english": "en", "eng": "en", "spanish": "es", "esn": "es"},
    **{"spa": "es", "finnish": "fi", "fin": "fi", "french": "fr", "fra": "fr"},
    **{"fre": "fr", "hindi": "hi", "hin": "hi", "romanian": "ro", "ron": "ro"},
    **{"russian": "ru", "rus": "ru", "turkish": "tr", "tur": "tr"},
}
_MISSING = frozenset({"", "na", "n/a", "nan", "none", "-"})
_PAIR_NAMES = ("pair", "lang-pair", "langpair", "language-pair", "lp")
_REFERENCE = "_ref"  # the reference as a system, in the rankings of WMT10 and WMT11
_UNRANKED = -1
_SEG_SCR_COLUMNS = 6
_MOST_DIGITS = 18
_NAMED = 3
_SMALL = 0.25  # of the gap between scores: the most that breaking ties may add
# A table takes memory for what is missing, too.
_MOST_EMPTY = 10_000_000
_MOST_EMPTY_SHARE = 20


# -- scores as one array: systems x segments x metrics, NaN where missing --------------


@dataclass(frozen=True, eq=False)
class ScoreTable(Value):
    """The scores of one language pair; higher is better."""

    pair: str  # such as fr-en; '' if the file did not say
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    metrics: tuple[str, ...]
    values: Floats  # systems x segments x metrics

    def column(self, metric: str) -> Floats:
        """A metric's values, systems x segments."""
        if metric not in self.metrics:
            known = ", ".join(self.metrics)
            raise SettingsError("E914 there are", metric=metric, known=known)
        return np.asarray(self.values[:, :, self.metrics.index(metric)], np.float64)

    def select(self, metrics: Sequence[str]) -> ScoreTable:
        """Some of the metrics, in the order asked for."""
        columns = [self.column(metric) for metric in metrics]
        return self.with_values(metrics, np.stack(columns, axis=2))

    def with_values(self, metrics: Sequence[str], values: Floats) -> ScoreTable:
        return ScoreTable(
            self.pair, self.systems, self.segments, tuple(metrics), values
        )

    def system_means(self) -> Floats:
        """System scores, systems x metrics: the mean over segments."""
        return np.asarray(self.values.mean(axis=1), np.float64)


def join_tables(first: ScoreTable, second: ScoreTable) -> ScoreTable:
    """Metrics of two tables side by side, on the systems and segments of the first.

    What the second does not have is missing there (NaN), for `fill_gaps` to judge; a
    system it does not have at all is an error.
    """
    twice = sorted(set(first.metrics) & set(second.metrics))
    if twice:
        raise SettingsError("E912 is given twice", twice=twice[0])
    absent = [name for name in first.systems if name not in set(second.systems)]
    if absent:
        raise PairingError(
            "E913 no scores of",
            metrics=second.metrics,
            some_1=_some(absent),
            some=_some(list(second.systems)),
        )
    segment_at = {name: place for place, name in enumerate(second.segments)}
    rows = [second.systems.index(name) for name in first.systems]
    here = [at for at, name in enumerate(first.segments) if name in segment_at]
    there = [segment_at[first.segments[at]] for at in here]
    shape = (len(first.systems), len(first.segments), len(second.metrics))
    more = np.full(shape, np.nan)
    more[:, here] = second.values[np.ix_(rows, there)]
    return first.with_values(
        (*first.metrics, *second.metrics), np.concatenate([first.values, more], axis=2)
    )


def fill_gaps(
    table: ScoreTable, *, missing: str = "error", notes: list[str] | None = None
) -> ScoreTable:
    """The table without gaps.

    `missing="error"`: a missing value is an error that names the first ones.
    `missing="worst"`: it becomes the metric's lowest value, and a note says how many.
    A metric without any value is always an error.
    """
    values = table.values.copy()
    for place, metric in enumerate(table.metrics):
        column = values[:, :, place]
        gaps = np.argwhere(np.isnan(column))
        if not len(gaps):
            continue
        amount = counted(len(gaps), "value")
        if len(gaps) == column.size:
            raise InputError(
                "E915 has no value for any system and segment", metric=metric
            )
        if missing == "error":
            named = [
                f"{table.systems[system]} segment {table.segments[segment]}"
                for system, segment in gaps[:_NAMED].tolist()
            ]
            raise PairingError(
                "E916 --missing worst takes its lowest value",
                metric=metric,
                amount=amount,
                some=_some(named, len(gaps)),
            )
        column[np.isnan(column)] = np.nanmin(column)
        if notes is not None:
            notes.append(f"{metric}: {amount} missing, taken as its lowest")
    return table.with_values(table.metrics, values)


def min_max(table: ScoreTable, *, notes: list[str] | None = None) -> ScoreTable:
    """x' = (x - min) / (max - min) over all systems and segments, metric by metric.

    A constant metric (max = min) says nothing: it becomes 0, and a note tells.
    """
    low = table.values.min(axis=(0, 1))
    spread = table.values.max(axis=(0, 1)) - low
    for metric, width in zip(table.metrics, spread.tolist(), strict=True):
        if not np.isfinite(width):
            raise InputError("E917 has values that are not finite", metric=metric)
        if width == 0 and notes is not None:
            notes.append(f"{metric} is constant (max = min): counted as 0 throughout")
    scaled = (table.values - low) / np.where(spread > 0, spread, 1.0)
    return table.with_values(table.metrics, scaled)


def with_ties_broken(table: ScoreTable) -> ScoreTable:
    """Segment scores with a little of their system's total added (section 3.3).

    x + ε Σ x, the sum over the system's segments; ε is chosen for each segment and
    metric so that at most a quarter of the smallest gap between its different scores
    is added or taken away: scores that differ keep their order. Systems whose totals
    are the same stay tied.
    """
    totals = table.values.sum(axis=1)
    largest = np.abs(totals).max(axis=0)
    share = totals / np.where(largest > 0, largest, 1.0)  # within -1 to 1
    ordered = np.sort(table.values, axis=0)
    steps = np.diff(ordered, axis=0)
    steps = np.where(steps > 0, steps, np.inf)
    gap = steps.min(axis=0, initial=np.inf)  # segments x metrics
    size = np.maximum(np.abs(table.values).max(axis=0), 1e-9)
    gap = np.where(np.isfinite(gap), gap, size)  # all tied: nothing to collide with
    return table.with_values(
        table.metrics, table.values + _SMALL * gap[None] * share[:, None]
    )


def _some(names: Sequence[str], total: int = 0) -> str:
    rest = max(total, len(names)) - min(len(names), _NAMED)
    shown = ", ".join(names[:_NAMED])
    return f"{shown} and {rest:,} more" if rest else shown


# -- rankings --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Pairs of translations that people ranked, all of one language pair."""

    pair: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    segment: Ints  # per comparison: places in the lists above
    first: Ints
    second: Ints
    sign: Ints  # -1 the first is better, 0 a tie, 1 the second is better
    left_out: int  # pairs without a rank, with the reference, or of one system

    def __len__(self) -> int:
        return self.segment.size


def places(table: ScoreTable, human: Comparisons) -> tuple[Ints, Ints]:
    """Where the systems and segments that people ranked are in a table of scores.

    Scores for all of them must be there: leaving comparisons out would make a metric
    look better or worse than it is.
    """
    places = []
    for what, wanted, there in (
        ("system", human.systems, table.systems),
        ("segment", human.segments, table.segments),
    ):
        at = {name: place for place, name in enumerate(there)}
        absent = [name for name in wanted if name not in at]
        if absent:
            raise PairingError(
                "E981 no scores for",
                absent=len(absent),
                wanted=len(wanted),
                what=what,
                rankings=human.pair or "rankings",
                names=absent[:3],
                more=", …" if len(absent) > 3 else "",
            )
        places.append(np.array([at[name] for name in wanted], np.int64))
    return places[0], places[1]


Ranked = tuple[str, str, str, int]  # segment, first and second system, sign


def read_rankings(paths: Sequence[str]) -> list[Comparisons]:
    """Comparisons by language pair, repeated ones kept, as WMT's own script does."""
    ranked: dict[str, list[Ranked]] = {}
    left_out: Counter[str] = Counter()
    for path in paths:
        try:
            rankings = list(_rankings(path))
        except csv.Error as error:
            place = Place(path)
            raise InputError("E945 not rankings in", place, error=error) from None
        for pair, segment, ranks in rankings:
            kept = ranked.setdefault(pair, [])
            for (first, a), (second, b) in combinations(ranks, 2):
                names = first.lower(), second.lower()
                has_reference = any(name.endswith(_REFERENCE) for name in names)
                if _UNRANKED in (a, b) or first == second or has_reference:
                    left_out[pair] += 1
                else:  # a lower rank is better
                    kept.append((segment, first, second, (a > b) - (a < b)))
    return [_comparisons(pair, ranked[pair], left_out[pair]) for pair in ranked]


def _rankings(path: str) -> Iterator[tuple[str, str, list[tuple[str, int]]]]:
    """Language pair, segment, and systems with their ranks, row by row."""
    reader = csv.DictReader(read_lines(path))
    names = reader.fieldnames or []
    places = [n for n in range(1, 100) if f"system{n}Id" in names]
    segment = next((n for n in ("segmentId", "srcIndex") if n in names), "")
    lacking = [n for n in places if f"system{n}rank" not in names]
    if len(places) < 2 or not segment or lacking:
        raise InputError("E930 not rankings in", Place(path, 1), names=names[:6])
    rows = 0
    for row in reader:
        rows += 1
        at = Place(path, reader.line_num)
        if None in row.values() or None in row:
            raise InputError("E937 a row of another length than the header", at)
        ranks = [
            (
                row[f"system{n}Id"].strip(),
                _integer(row[f"system{n}rank"], f"system{n}rank", at),
            )
            for n in places
            if row[
                f"system{n}Id"
            ].strip()  # four systems in a file of five-way rankings
        ]
        source, target = (_language(row.get(n)) for n in ("srclang", "trglang"))
        pair = f"{source}-{target}" if source and target else ""
        yield pair, _segment(row[segment]), ranks
    if not rows:
        raise InputError("E931 contains no rankings, only a header", Place(path))


def _comparisons(pair: str, ranked: list[Ranked], left_out: int) -> Comparisons:
    systems = tuple(sorted({name for _, *names, _ in ranked for name in names}))
    segments = tuple(sorted({segment for segment, *_ in ranked}, key=segment_order))
    system_at = {name: place for place, name in enumerate(systems)}
    segment_at = {name: place for place, name in enumerate(segments)}
    rows = [
        (segment_at[segment], system_at[first], system_at[second], sign)
        for segment, first, second, sign in ranked
    ]
    segment, first, second, sign = np.array(rows, np.int64).reshape(-1, 4).T
    places = segment, first, second
    return Comparisons(pair, systems, segments, *places, sign, left_out)


# -- scores of files -------------------------------------------------------------------


def read_scores(path: str) -> list[ScoreTable]:
    """Segment scores by language pair; what a file lacks is NaN."""
    lines = (line.split("\t") for line in read_lines(path))
    filled = [(n, row) for n, row in enumerate(lines, start=1) if any(row)]
    if not filled:
        raise InputError("E932 contains no scores", Place(path))
    header = [name.strip().lower() for name in filled[0][1]]
    if "system" in header and "segment" in header:
        return _tables(_wide(filled, path), path)
    return _tables(_seg_scr(filled, path), path)


Score = tuple[int, str, str, str, str, float]  # line, pair, system, segment, metric


def _wide(rows: list[tuple[int, list[str]]], path: str) -> Iterator[Score]:
    names = [from_spreadsheet(name.strip()) for name in rows[0][1]]
    lower = [name.lower() for name in names]
    system, segment = lower.index("system"), lower.index("segment")
    pair = next((lower.index(name) for name in _PAIR_NAMES if name in lower), None)
    metrics = [n for n in range(len(names)) if n not in (system, segment, pair)]
    if not metrics:
        raise InputError(
            "E933 system and segment, but no metric's column", Place(path, 1)
        )
    for line, row in rows[1:]:
        if len(row) != len(names):
            raise InputError(
                "E938 columns; the header has",
                Place(path, line),
                count=len(row),
                count_2=len(names),
            )
        language = row[pair].strip() if pair is not None else ""
        for n in metrics:
            value = _number(row[n], names[n], Place(path, line))
            who, where = row[system].strip(), _segment(row[segment])
            yield line, language, who, where, names[n], value


def _seg_scr(rows: list[tuple[int, list[str]]], path: str) -> Iterator[Score]:
    for line, row in rows:
        at = Place(path, line)
        if len(row) < _SEG_SCR_COLUMNS:
            raise InputError(
                "E939 expected a header with system and segment, or", at, count=len(row)
            )
        metric, pair, _, system, segment, score = (c.strip() for c in row[:6])
        value = _number(score, metric, at)
        yield line, pair, system, _segment(segment), metric, value


def _tables(scores: Iterator[Score], path: str) -> list[ScoreTable]:
    by_pair: dict[str, dict[tuple[str, str, str], float]] = {}
    for line, pair, system, segment, metric, value in scores:
        cells = by_pair.setdefault(pair, {})
        if (system, segment, metric) in cells:
            raise InputError(
                "E940 segment",
                Place(path, line),
                metric=metric,
                system=system,
                segment=segment,
            )
        cells[system, segment, metric] = value
    if not by_pair:
        raise InputError("E934 contains no scores, only a header", Place(path))
    return [_table(pair, cells, path) for pair, cells in by_pair.items()]


def _table(
    pair: str, cells: dict[tuple[str, str, str], float], path: str
) -> ScoreTable:
    systems, names, metrics = (dict.fromkeys(key[n] for key in cells) for n in range(3))
    segments = sorted(names, key=segment_order)
    places = [
        {name: place for place, name in enumerate(some)}
        for some in (systems, segments, metrics)
    ]
    shape = len(systems), len(segments), len(metrics)
    if math.prod(shape) > max(_MOST_EMPTY, _MOST_EMPTY_SHARE * len(cells)):
        size = "{:,} systems, {:,} segments and {:,} metrics".format(*shape)
        raise InputError(
            "E935 scores; is this a file of scores?",
            Place(path),
            size=size,
            count=len(cells),
        )
    values = np.full(shape, np.nan)
    for key, value in cells.items():
        at = tuple(place[name] for place, name in zip(places, key, strict=True))
        values[at] = value
    return ScoreTable(pair, tuple(systems), tuple(segments), tuple(metrics), values)


def read_system_scores(path: str) -> dict[str, dict[str, float]]:
    """Human scores of systems, by language pair: `.sys.scr`, or system and score."""
    scores: dict[str, dict[str, float]] = {}
    for line, text in enumerate(read_lines(path), start=1):
        row = [cell.strip() for cell in text.split("\t")]
        at = Place(path, line)
        if not any(row) or (line == 1 and row[0].lower() == "system"):
            continue
        if len(row) == 2:
            pair, system, score = "", row[0], row[1]
        elif len(row) >= 5:
            pair, system, score = row[1], row[3], row[4]
        else:
            raise InputError("E946 expected system and score, or WMT's columns", at)
        value = _number(score, "score", at)
        if math.isnan(value):
            raise InputError("E941 no score for", at, system=system)
        if system in scores.setdefault(pair, {}):
            raise InputError("E942 a second score for", at, system=system)
        scores[pair][system] = value
    if not scores:
        raise InputError("E932 contains no scores", Place(path))
    return scores


def segment_order(name: str) -> tuple[int, str]:
    """Numbers in their order, before names."""
    return (int(name), "") if _is_number(name) else (1 << 60, name)


def _segment(text: str) -> str:
    name = text.strip()
    return str(int(name)) if _is_number(name) else name


def _is_number(name: str) -> bool:
    """Of a segment; what has more digits than that is a name."""
    return name.isdecimal() and len(name) <= _MOST_DIGITS


def _language(name: str | None) -> str:
    lower = (name or "").strip().lower()
    return _LANGUAGES.get(lower, lower)


def _integer(text: str, name: str, at: Place) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(
            "E943 expected a whole number", at, name=name, text=text
        ) from None


def _number(text: str, name: str, at: Place) -> float:
    if text.strip().lower() in _MISSING:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        raise InputError("E944 expected a number", at, name=name, text=text) from None
    if not math.isfinite(value):
        raise InputError(
            "E936 expected a finite number", at, name=name, text=text.strip()
        )
    return value


# -- files together --------------------------------------------------------------------


def read_score_tables(
    paths: Sequence[str], negate: Sequence[str] = ()
) -> list[ScoreTable]:
    """The metrics of all files together, by language pair."""
    tables: dict[str, ScoreTable] = {}
    for path in paths:
        for table in read_scores(path):
            before = tables.get(table.pair)
            tables[table.pair] = join_tables(before, table) if before else table
    unknown = set(negate) - {m for table in tables.values() for m in table.metrics}
    if unknown:
        names = sorted({m for table in tables.values() for m in table.metrics})
        raise SettingsError("E982 to negate", metric=sorted(unknown)[0], names=names)
    return [_negate(table, negate) for table in tables.values()]


def _negate(table: ScoreTable, negate: Sequence[str]) -> ScoreTable:
    names = [f"-{name}" if name in negate else name for name in table.metrics]
    signs = [-1.0 if name in negate else 1.0 for name in table.metrics]
    return table.with_values(names, table.values * signs)


def with_rankings(
    tables: Sequence[ScoreTable], human: Sequence[Comparisons], source: str
) -> tuple[list[ScoreTable], list[Comparisons]]:
    """Tables of scores and the rankings of the same language pairs, in one order."""
    if len(tables) == 1 and len(human) == 1 and not (tables[0].pair and human[0].pair):
        pair = tables[0].pair or human[0].pair
        return [replace(tables[0], pair=pair)], [replace(human[0], pair=pair)]
    by_pair = {rankings.pair: rankings for rankings in human}
    absent = [table.pair or "(none)" for table in tables if table.pair not in by_pair]
    absent += sorted(set(by_pair) - {table.pair for table in tables})
    if absent:
        raise PairingError("E983 the language pair", Place(source), pair=absent[0])
    return list(tables), [by_pair[table.pair] for table in tables]
