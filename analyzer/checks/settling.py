"""Candidates that one edit would settle -> one finding.

A wrong bracket raises several candidates: its own label, what its children hang from,
what its sisters attach to, the n-grams that hold it. The surest is taken for the cause;
candidates about the same nodes, or the nodes next to them, go with it. What another
check says of the same place makes a finding surer.
"""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.checks.calibration import confidence, log_odds
from analyzer.checks.candidates import Candidate
from analyzer.checks.findings import Finding, LeafSpan, Suspicion, kind_of
from analyzer.checks.items import Items

_OF_LABELS = ("M601", "M602", "M604")
_TAG_ODDS = 1.5  # what a doubtful tag takes from doubts about the phrase above it
_RECURRING = ("V301", "V302", "T501", "F701", "D401")
# Of the log odds of the best candidate of the other family, above those of any place.
_AGREEING, _UNLIKELY_ODDS = 0.5, -3.6
_MOST_ODDS = 1.8  # of a finding that recurring words lead to
_TOLD_ODDS = -1.8  # a candidate that would be a finding by itself
_QUIET_ODDS = -3.5  # one that may become a finding when others are mended
_LEAST_ODDS = -3.0  # below, a candidate says nothing about others


class _Cause:
    """The surest candidate, and those that it explains."""

    def __init__(self, candidate: Candidate, odds: float) -> None:
        self.candidate, self.odds = candidate, odds
        self.others: list[tuple[Candidate, float]] = []

    def lead(self) -> Candidate:
        """The candidate; where counts are equal, at the place that the model doubts."""
        lead = self.candidate
        spans = {span for span, _ in lead.rivals}
        doubted = [
            (odds, one.places[0])
            for one, odds in self.others
            if one.code not in _RECURRING and one.places[0] in (*spans, lead.places[0])
        ]
        _, place = max(doubted, default=(0.0, lead.places[0]))
        return lead.turned(place) if place in spans else lead

    def confidence(self, lead: Candidate) -> float:
        """The chance that all its evidence gives."""
        recurs = lead.code in _RECURRING
        support = [
            max(0.0, odds - _UNLIKELY_ODDS)
            for one, odds in self.others
            if (one.code in _RECURRING) != recurs and one.places[0] in lead.places
        ]
        odds = self.odds + _AGREEING * max([0.0, *support])
        if recurs:  # two analyses: which of them is wrong, words alone do not say
            odds = min(odds, max(_MOST_ODDS, self.odds))
        return confidence(odds)

    def finding(self, least: float) -> Finding | None:
        """The finding, if it has at least this chance to be an error."""
        lead = self.lead()
        chance = self.confidence(lead)
        if chance < least:
            return None
        # What would be told by itself is one of the places; the rest is beside them.
        places: dict[LeafSpan, None] = dict.fromkeys(lead.places)
        also: dict[LeafSpan, None] = {}
        suspicions = lead.suspicions
        for one, its_odds in self.others:
            # How words are built inside follows from brackets: no place of its own.
            is_told = its_odds >= _TOLD_ODDS and kind_of(one.code) != "derivation"
            (places if is_told else also).update(dict.fromkeys(one.places))
            suspicions += one.suspicions if is_told else []
        # What to do is known where words recur, if the model only says that it is odd.
        edit = lead.edit or next(
            (
                one.edit
                for one, _ in self.others
                if kind_of(one.code) == "variation" and one.places[0] == lead.places[0]
            ),
            None,
        )
        return Finding(
            lead.code,
            lead.message,
            chance,
            group=lead.group,
            suspects=tuple(places),
            analyses=lead.analyses,
            edit=edit,
            now=lead.now,
            merged=len(self.others),
            codes=tuple(sorted({one.code for one, _ in self.others})),
            also=tuple(place for place in also if place not in places),
            others=tuple(suspicions),
        )


Places = tuple[LeafSpan, ...]
Weighed = list[tuple[float, Candidate]]


def weighed(candidates: Iterable[Candidate]) -> Weighed:
    """Candidates with their log odds, the surest first."""
    found = [(log_odds(one.code, one.evidence), one) for one in candidates]
    return sorted(found, key=_by_odds)


def _by_odds(pair: tuple[float, Candidate]) -> tuple[float, str, Places]:
    return -round(pair[0], 3), pair[1].code, pair[1].places


def quiet(candidates: Weighed) -> list[Suspicion]:
    """What is suspicious, but hardly: a baseline knows it, should it become more so."""
    return [
        suspicion
        for odds, one in candidates
        if odds >= _QUIET_ODDS
        for suspicion in one.quiet
    ]


def settled(items: Items, candidates: Weighed, least: float = 0.0) -> list[Finding]:
    """A finding for each cause that has at least this chance to be an error."""
    candidates = _explained_by_tags(items, candidates)
    suspected: dict[int, _Cause] = {}  # nodes
    beside: dict[int, _Cause] = {}  # and those above them
    functions: dict[int, _Cause] = {}
    inside: dict[int, list[tuple[LeafSpan, _Cause]]] = {}
    causes: list[_Cause] = []
    for odds, one in candidates:
        near = {*one.nodes, *(int(items.parent[node]) for node in one.nodes)} - {-1}
        if kind_of(one.code) == "function":
            # A function tag is wrong by itself; a wrong label makes it look so.
            cause = _first(functions, one.nodes) or _first(suspected, one.nodes)
        else:
            cause = _first(suspected, near) or _first(beside, one.nodes)
            if cause is not None and not _explains(cause.candidate, one):
                cause = None
            if cause is None and one.code == "D401":
                cause = _within(inside.get(one.places[0].tree, []), one.places[0])
        if cause is not None:
            cause.others.append((one, odds))
            continue
        cause = _Cause(one, odds)
        causes.append(cause)
        for place in one.places:
            inside.setdefault(place.tree, []).append((place, cause))
        known = functions if kind_of(one.code) == "function" else suspected
        for node in one.nodes:
            known[node] = (
                cause if kind_of(one.code) != "tag" else known.get(node, cause)
            )
        if known is suspected:
            for node in near:
                beside.setdefault(node, cause)
    found = (cause.finding(least) for cause in causes)
    return [one for one in found if one is not None]


def _explained_by_tags(items: Items, candidates: Weighed) -> Weighed:
    """The candidates, those less sure whose words may have a wrong tag.

    A phrase looks odd if the tag below it is wrong: that is corrected more often than
    the phrase.
    """
    doubted = {
        node
        for odds, one in candidates
        if kind_of(one.code) == "tag" and odds >= _LEAST_ODDS
        for node in (one.nodes[0], int(items.parent[one.nodes[0]]))
    }
    found = [
        (odds - _TAG_ODDS, one)
        if one.code in _OF_LABELS and doubted.intersection(one.nodes)
        else (odds, one)
        for odds, one in candidates
    ]
    return sorted(found, key=_by_odds)


def _explains(cause: Candidate, one: Candidate) -> bool:
    """A wrong tag makes phrases look odd to the model, but not to counts of them."""
    is_tag = kind_of(cause.code) == "tag"
    return not is_tag or one.code in ("T501", "T502", "M601", "M602")


def _first(known: dict[int, _Cause], nodes: Iterable[int]) -> _Cause | None:
    return next((known[node] for node in sorted(nodes) if node in known), None)


def _within(known: list[tuple[LeafSpan, _Cause]], span: LeafSpan) -> _Cause | None:
    """The cause that lies within a span: it makes the inside differ."""
    for place, cause in known:
        if span.first <= place.first and place.last <= span.last:
            return cause
    return None
