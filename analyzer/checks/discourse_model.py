"""Choices in discourse trees that the rest of the collection speaks against.

The experts of `experts` on three questions: on which side of its nucleus a satellite
of this relation stands (R603), how large the unit is that it joins (R604), what its
relation is (R605), each given its first words, its neighbours' and the sentences that
it is part of. And what needs no counting: the parts of a unit that is interrupted are
apart (R601) and in one sentence (R602).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from analyzer.checks.calibration import confidence, log_odds
from analyzer.checks.discourse_texts import Text
from analyzer.checks.experts import context, judged, recurring, verdict
from analyzer.model.arrays import Ints, Words64
from analyzer.model.discourse import NUCLEUS, SATELLITE, Unit
from analyzer.transform.heuristics import SAME_UNIT
from analyzer.transform.relations import RelationMap, relation_class

_LOWER, _HIGHER = 3, 3
_LEAST_MARGIN = {"R603": 0.0, "R604": 0.8, "R605": 1.5}
_SURE = 0.85  # of all same-units in GUM but one, the parts are apart, in one sentence
_LEAST_CHOICES = 50  # with fewer, a collection teaches nothing


def doubts(texts: Sequence[Text], classes: RelationMap) -> Iterator[Doubt]:
    """All doubts about a collection of documents."""
    for text in texts:
        yield from same_units(text)
    yield from sides(texts)
    yield from attachments(texts)
    yield from relations(texts, classes)


class Doubt(NamedTuple):
    """A unit that others speak against."""

    code: str
    document: int
    unit: Unit
    message: str
    chance: float


# -- same-unit ------------------------------------------------------------------------


def same_units(text: Text) -> Iterator[Doubt]:
    """R601, R602."""
    for unit in text.root.walk():
        parts = [
            c
            for c in unit.children
            if c.relation.lower() == SAME_UNIT and c.nuclearity == NUCLEUS
        ]
        for one, other in pairwise(parts):
            heads = text.head(one), text.head(other)
            if heads[1] - heads[0] < 2:
                message = "same-unit, but there is nothing between its parts"
                yield Doubt("R601", text.number, other, message, _SURE)
            elif text.sentence[heads[0]] != text.sentence[heads[1]]:
                message = "same-unit across a sentence boundary"
                yield Doubt("R602", text.number, other, message, _SURE)


# -- sides and relations --------------------------------------------------------------


class _Link(NamedTuple):
    """A satellite and the nucleus beside it."""

    text: Text
    unit: Unit
    nucleus: Unit
    is_left: bool


def _links(texts: Sequence[Text]) -> list[_Link]:
    found = []
    for text in texts:
        for unit in text.root.walk():
            nuclei = [c for c in unit.children if c.nuclearity == NUCLEUS]
            if not nuclei:
                continue
            for child in unit.children:
                if child.nuclearity == SATELLITE:
                    is_left = text.first(child) < text.first(nuclei[0])
                    nucleus = nuclei[0] if is_left else nuclei[-1]
                    found.append(_Link(text, child, nucleus, is_left))
    return found


class _Numbers(dict[str, int]):
    """Strings as numbers, in the order in which they are met."""

    def __missing__(self, key: str) -> int:
        self[key] = len(self)
        return self[key]


def _column(numbers: _Numbers, values: Sequence[object]) -> Ints:
    return np.array([numbers[str(value)] for value in values], np.int64)


def _size(text: Text, unit: Unit) -> int:
    edus = text.last(unit) - text.first(unit) + 1
    return min(edus.bit_length(), 4)


def _columns(links: Sequence[_Link]) -> dict[str, Ints]:
    numbers = _Numbers()
    rows: dict[str, list[object]] = {}
    for text, unit, nucleus, is_left in links:
        left, right = (unit, nucleus) if is_left else (nucleus, unit)
        edge, start = text.last(left), text.first(right)
        above = text.parents[id(unit)]
        row = {
            "relation": unit.relation.lower(),
            "same": bool(text.sentence) and text.sentence[edge] == text.sentence[start],
            "left": text.opening(text.first(left)),
            "left2": text.opening(text.first(left), 2),
            "right": text.opening(start),
            "right2": text.opening(start, 2),
            "end": " ".join(text.words[edge][-1:]),
            "end2": " ".join(text.words[edge][-2:]),
            "sizes": (_size(text, left), _size(text, right)),
            "last": " ".join(text.words[text.last(right)][-1:]),
            "up": above.relation.lower(),
            "start": not text.first(left) or text.ends[text.first(left) - 1],
            "lengths": (
                min(len(text.words[edge]) // 3, 4),
                min(len(text.words[start]) // 3, 4),
            ),
            "head": text.opening(text.head(left)),
            "other": text.opening(text.head(right)),
        }
        for name, value in row.items():
            rows.setdefault(name, []).append(value)
    return {name: _column(numbers, values) for name, values in rows.items()}


def sides(texts: Sequence[Text]) -> Iterator[Doubt]:
    """R603: satellites on the side where this relation does not have them."""
    links = _links(texts)
    if len(links) < _LEAST_CHOICES:
        return
    of = _columns(links)
    relation = of["relation"]
    contexts = [
        context(relation),
        context(relation, of["same"]),
        context(relation, of["sizes"]),
        context(relation, of["left"]),
        context(relation, of["right"]),
        context(relation, of["same"], of["right"]),
        context(relation, of["same"], of["left"]),
        context(relation, of["end"]),
        context(relation, of["last"]),
        context(relation, of["end2"]),
        context(relation, of["lengths"], of["same"]),
        context(relation, of["up"]),
        context(of["left2"], of["same"]),
        context(of["right2"], of["same"]),
        context(relation, of["start"], of["same"], of["sizes"]),
        context(relation, of["head"], of["other"]),
    ]
    chosen = np.array([int(one.is_left) for one in links])
    found = verdict(judged(recurring([contexts]), chosen, 2), chosen)
    for at in np.flatnonzero(found.margin > _LEAST_MARGIN["R603"]).tolist():
        one, margin = links[at], float(found.margin[at])
        here, there = ("before", "after") if one.is_left else ("after", "before")
        message = (
            f"{one.unit.relation} satellite {here} its nucleus; with such words and "
            f"sentences it is usually {there}: is nuclearity swapped?"
        )
        chance = confidence(log_odds("R603", (margin,)))
        yield Doubt("R603", one.text.number, one.unit, message, chance)


def relations(texts: Sequence[Text], classes: RelationMap) -> Iterator[Doubt]:
    """R605: satellites whose relation class others speak against."""
    links = _links(texts)
    if len(links) < _LEAST_CHOICES:
        return
    of = _columns(links)
    side = np.array([int(one.is_left) for one in links])
    names = [relation_class(one.unit.relation, classes) for one in links]
    numbers = _Numbers()
    chosen = _column(numbers, names)
    contexts = [
        context(side, of["same"]),
        context(side, of["right"]),
        context(side, of["left"]),
        context(side, of["right2"]),
        context(side, of["left2"]),
        context(side, of["right"], of["same"]),
        context(side, of["left"], of["same"]),
        context(side, of["sizes"]),
        context(side, of["end"]),
        context(side, of["end2"]),
        context(side, of["last"]),
        context(side, of["up"], of["same"]),
        context(side, of["lengths"], of["same"]),
        context(side, of["sizes"], of["same"], of["start"]),
    ]
    found = verdict(judged(recurring([contexts]), chosen, len(numbers)), chosen)
    listed = list(numbers)
    for at in np.flatnonzero(found.margin > _LEAST_MARGIN["R605"]).tolist():
        one, margin = links[at], float(found.margin[at])
        usual = listed[found.rival[at]]
        message = f"{one.unit.relation} here; {usual} is usual with such words"
        chance = confidence(log_odds("R605", (margin,)))
        yield Doubt("R605", one.text.number, one.unit, message, chance)


# -- attachment -----------------------------------------------------------------------


class _Site(NamedTuple):
    """A unit that a satellite joins, or could join."""

    link: int
    host: Unit
    level: int  # 0 annotated, below 0 lower, above 0 higher
    rank: int = 0


def _sites(number: int, link: _Link) -> list[_Site]:
    """The units that end (or begin) where the satellite begins (or ends)."""
    text = link.text
    edge = -1 if not link.is_left else 0
    above = text.parents[id(link.unit)]
    sisters = above.children
    at = next(i for i, one in enumerate(sisters) if one is link.unit)
    beside = sisters[at + 1] if link.is_left else sisters[at - 1]
    found = [_Site(number, beside, 0)]
    host = beside
    for level in range(1, _LOWER + 1):
        if not host.children:
            break
        host = host.children[edge]
        found.append(_Site(number, host, -level))
    outer = above
    is_outermost = link.unit is sisters[0 if link.is_left else -1]
    for level in range(1, _HIGHER + 1):
        holder = text.parents.get(id(outer))
        if holder is None or not is_outermost:
            break
        at = next(i for i, one in enumerate(holder.children) if one is outer)
        found.append(_Site(number, holder, level))
        is_outermost = at == (0 if link.is_left else len(holder.children) - 1)
        outer = holder
    found.sort(key=lambda site: site.level)
    return [site._replace(rank=rank) for rank, site in enumerate(found)]


def attachments(texts: Sequence[Text]) -> Iterator[Doubt]:
    """R604: satellites that join a smaller or larger unit than others do."""
    links = _links(texts)
    if len(links) < _LEAST_CHOICES:
        return
    rows = [site for n, link in enumerate(links) for site in _sites(n, link)]
    contexts = _site_contexts(links, rows)
    level = np.array([site.level for site in rows])
    chances = judged(recurring([contexts]), (level == 0).astype(np.int64), 2)
    score = (chances[:, 1] - chances[:, 0]).tolist()
    best: dict[int, tuple[float, _Site]] = {}
    mine: dict[int, float] = {}
    for site, value in zip(rows, score, strict=True):
        if site.level == 0:
            mine[site.link] = value
        elif value > best.get(site.link, (-np.inf, site))[0]:
            best[site.link] = value, site
    for number, (value, site) in best.items():
        margin = value - mine[number]
        if margin <= _LEAST_MARGIN["R604"]:
            continue
        link = links[number]
        first, last = link.text.spans[id(site.host)]
        size = "smaller" if site.level < 0 else "larger"
        to = f"EDU {first}" if first == last else f"EDUs {first}-{last}"
        message = (
            f"{link.unit.relation} satellite; such ones join a {size} unit (here {to})"
        )
        chance = confidence(log_odds("R604", (margin,)))
        yield Doubt("R604", link.text.number, link.unit, message, chance)


def _site_contexts(links: Sequence[_Link], rows: Sequence[_Site]) -> list[Words64]:
    numbers = _Numbers()
    columns: dict[str, list[object]] = {}
    for site in rows:
        text, unit, _, is_left = links[site.link]
        above = text.parents[id(unit)]
        near = text.last(unit) if is_left else text.first(unit)
        ends = text.first(site.host), text.last(site.host)
        if is_left:
            far = min(ends[1], len(text.words) - 1)
            inner = text.last(unit) + 1
        else:
            far, inner = ends[0], text.first(unit) - 1
        if site.level > 0:  # the holder spans the satellite too
            inner_unit = ends[0] if not is_left else ends[1]
            far = inner_unit
        sentence = text.sentence
        row = {
            "relation": (unit.relation.lower(), is_left),
            "near": sentence[inner] == sentence[near],
            "far": sentence[far] == sentence[near],
            "whole": sentence[text.first(unit)] == sentence[text.last(unit)],
            "size": min(abs(near - far).bit_length(), 5),
            "own": _size(text, unit),
            # What the host is without the satellite: its role is that of both.
            "label": (above if site.level == 0 else site.host).label.lower(),
            "edu": site.host.is_edu,
            "word": text.opening(text.first(unit)),
            "host": text.opening(far),
            "rank": min(site.rank, 3),
            "opens": far == 0 or text.ends[far - 1],
            "starts": not text.first(unit) or text.ends[text.first(unit) - 1],
            "closes": text.ends[text.last(unit)],
        }
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    of = {name: _column(numbers, values) for name, values in columns.items()}
    relation = of["relation"]
    return [
        context(relation, of["near"], of["far"]),
        context(relation, of["size"], of["own"]),
        context(relation, of["label"]),
        context(relation, of["edu"], of["near"]),
        context(relation, of["word"], of["size"]),
        context(relation, of["rank"], of["near"]),
        context(relation, of["rank"], of["size"]),
        context(of["near"], of["far"], of["starts"], of["closes"], of["rank"]),
        context(of["near"], of["far"], of["opens"], of["starts"], of["size"]),
        context(relation, of["opens"], of["starts"], of["far"]),
        context(relation, of["host"]),
        context(of["label"], of["rank"], of["near"], of["far"]),
        context(of["label"], relation, of["edu"], of["far"]),
        context(of["word"], of["near"], of["far"], of["rank"]),
    ]
