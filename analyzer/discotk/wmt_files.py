"""Human rankings and metric scores as WMT's metrics tasks write them.

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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analyzer.discotk.score_table import ScoreTable
from analyzer.exceptions import InputError, Place
from analyzer.files.small_files import read_lines
from analyzer.model.arrays import Ints

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
# A table takes memory for what is missing, too.
_MOST_EMPTY = 10_000_000
_MOST_EMPTY_SHARE = 20


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


class _Pair(NamedTuple):
    segment: str
    first: str
    second: str
    sign: int


def read_rankings(paths: Sequence[str]) -> list[Comparisons]:
    """Comparisons by language pair, repeated ones kept, as WMT's own script does."""
    pairs: dict[str, list[_Pair]] = {}
    left_out: dict[str, int] = {}
    for path in paths:
        try:
            rankings = list(_rankings(path))
        except csv.Error as error:
            raise InputError(
                "not rankings in WMT's CSV: {error}",
                Place(path),
                code="E945",
                error=error,
            ) from None
        for pair, ranked in rankings:
            kept = pairs.setdefault(pair, [])
            for place, one in enumerate(ranked.systems):
                for other in range(place + 1, len(ranked.systems)):
                    a, b = ranked.ranks[place], ranked.ranks[other]
                    names = one, ranked.systems[other]
                    if (
                        _UNRANKED in (a, b)
                        or names[0] == names[1]
                        or any(name.lower().endswith(_REFERENCE) for name in names)
                    ):
                        left_out[pair] = left_out.get(pair, 0) + 1
                        continue
                    sign = (a > b) - (a < b)  # a lower rank is better
                    kept.append(_Pair(ranked.segment, *names, sign))
    return [_columns(name, pairs[name], left_out.get(name, 0)) for name in pairs]


class _Ranking(NamedTuple):
    segment: str
    systems: list[str]
    ranks: list[int]


def _rankings(path: str) -> Iterator[tuple[str, _Ranking]]:
    reader = csv.DictReader(read_lines(path))
    names = reader.fieldnames or []
    places = [n for n in range(1, 100) if f"system{n}Id" in names]
    segment = next((n for n in ("segmentId", "srcIndex") if n in names), "")
    lacking = [n for n in places if f"system{n}rank" not in names]
    if len(places) < 2 or not segment or lacking:
        raise InputError(
            "not rankings in WMT's CSV: expected a header with segmentId, system1Id, "
            "system1rank, system2Id, …; found {names:list}",
            Place(path, 1),
            code="E930",
            names=names[:6],
        )
    rows = 0
    for row in reader:
        rows += 1
        at = Place(path, reader.line_num)
        if None in row.values() or None in row:
            raise InputError("a row of another length than the header", at, code="E937")
        ranks = []
        systems = []
        for n in places:
            if not row[f"system{n}Id"].strip():
                continue  # four systems in a file of five-way rankings
            systems.append(row[f"system{n}Id"].strip())
            ranks.append(_integer(row[f"system{n}rank"], f"system{n}rank", at))
        source, target = (_language(row.get(n)) for n in ("srclang", "trglang"))
        pair = f"{source}-{target}" if source and target else ""
        yield pair, _Ranking(_segment(row[segment]), systems, ranks)
    if not rows:
        raise InputError(
            "contains no rankings, only a header", Place(path), code="E931"
        )


def _columns(pair: str, found: list[_Pair], left_out: int) -> Comparisons:
    systems = tuple(sorted({name for p in found for name in (p.first, p.second)}))
    segments = tuple(sorted({p.segment for p in found}, key=segment_order))
    system_at = {name: place for place, name in enumerate(systems)}
    segment_at = {name: place for place, name in enumerate(segments)}
    return Comparisons(
        pair=pair,
        systems=systems,
        segments=segments,
        segment=np.array([segment_at[p.segment] for p in found], np.int64),
        first=np.array([system_at[p.first] for p in found], np.int64),
        second=np.array([system_at[p.second] for p in found], np.int64),
        sign=np.array([p.sign for p in found], np.int64),
        left_out=left_out,
    )


def read_scores(path: str) -> list[ScoreTable]:
    """Segment scores by language pair; what a file lacks is NaN."""
    lines = (line.split("\t") for line in read_lines(path))
    filled = [(n, row) for n, row in enumerate(lines, start=1) if any(row)]
    if not filled:
        raise InputError("contains no scores", Place(path), code="E932")
    header = [name.strip().lower() for name in filled[0][1]]
    if "system" in header and "segment" in header:
        return _tables(_wide(filled, path), path)
    return _tables(_seg_scr(filled, path), path)


class _Score(NamedTuple):
    line: int
    pair: str
    system: str
    segment: str
    metric: str
    value: float


def _wide(rows: list[tuple[int, list[str]]], path: str) -> Iterator[_Score]:
    names = [name.strip() for name in rows[0][1]]
    lower = [name.lower() for name in names]
    system, segment = lower.index("system"), lower.index("segment")
    pair = next((lower.index(name) for name in _PAIR_NAMES if name in lower), None)
    metrics = [n for n in range(len(names)) if n not in (system, segment, pair)]
    if not metrics:
        raise InputError(
            "system and segment, but no metric's column", Place(path, 1), code="E933"
        )
    for line, row in rows[1:]:
        if len(row) != len(names):
            raise InputError(
                "{count} columns; the header has {count_2}",
                Place(path, line),
                code="E938",
                count=len(row),
                count_2=len(names),
            )
        language = row[pair].strip() if pair is not None else ""
        for n in metrics:
            value = _number(row[n], names[n], Place(path, line))
            who, where = row[system].strip(), _segment(row[segment])
            yield _Score(line, language, who, where, names[n], value)


def _seg_scr(rows: list[tuple[int, list[str]]], path: str) -> Iterator[_Score]:
    for line, row in rows:
        at = Place(path, line)
        if len(row) < _SEG_SCR_COLUMNS:
            raise InputError(
                "expected a header with system and segment, or WMT's columns: metric, "
                "language pair, test set, system, segment, score; found {count} "
                "columns",
                at,
                code="E939",
                count=len(row),
            )
        metric, pair, _, system, segment, score = (c.strip() for c in row[:6])
        value = _number(score, metric, at)
        yield _Score(line, pair, system, _segment(segment), metric, value)


def _tables(scores: Iterator[_Score], path: str) -> list[ScoreTable]:
    by_pair: dict[str, dict[tuple[str, str, str], float]] = {}
    for score in scores:
        cells = by_pair.setdefault(score.pair, {})
        key = score.system, score.segment, score.metric
        if key in cells:
            raise InputError(
                "a second {metric} for {system} segment {segment}",
                Place(path, score.line),
                code="E940",
                metric=score.metric,
                system=score.system,
                segment=score.segment,
            )
        cells[key] = score.value
    if not by_pair:
        raise InputError("contains no scores, only a header", Place(path), code="E934")
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
            "{size}, but only {count:,} scores; is this a file of scores?",
            Place(path),
            code="E935",
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
    found: dict[str, dict[str, float]] = {}
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
            raise InputError(
                "expected system and score, or WMT's columns: metric, "
                "language pair, test set, system, score",
                at,
                code="E946",
            )
        value = _number(score, "score", at)
        if math.isnan(value):
            raise InputError("no score for {system}", at, code="E941", system=system)
        if system in found.setdefault(pair, {}):
            raise InputError(
                "a second score for {system}", at, code="E942", system=system
            )
        found[pair][system] = value
    if not found:
        raise InputError("contains no scores", Place(path), code="E932")
    return found


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
            "{name} is {text!r}; expected a whole number",
            at,
            code="E943",
            name=name,
            text=text,
        ) from None


def _number(text: str, name: str, at: Place) -> float:
    if text.strip().lower() in _MISSING:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        raise InputError(
            "{name} is {text!r}; expected a number",
            at,
            code="E944",
            name=name,
            text=text,
        ) from None
    if not math.isfinite(value):
        raise InputError(
            "{name} is {text}; expected a finite number",
            at,
            code="E936",
            name=name,
            text=text.strip(),
        )
    return value
