"""Suspects that one edit would settle -> one finding.

A wrong bracket raises several suspects: its own label, what its children hang from,
what its sisters attach to, the n-grams that hold it. The surest is taken for the cause;
suspects of the same nodes, or the nodes next to them, go with it. How sure a suspect
is, with all that others say of its place, `calibration` has weighed before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from analyzer.checks.findings import (
    LeafSpan,
    Name,
    Suspect,
    Suspicion,
    TreeFinding,
    edit_text,
)
from analyzer.checks.nodes import Nodes
from analyzer.checks.registry import RECURRING
from analyzer.checks.word_stream import WordStream

# What may become a finding when others are mended: log odds below those of findings.
# Twice what random treebanks of the tests need so that mending brings none back.
NEARLY_SHOWN = 1.7
# What other findings say more precisely: how words are built inside follows from
# brackets. Without it, gold trees and two parsers' of the same sentences (examples/)
# have 82 findings of it, not 2.
_INSIDE = "derivation"
_WORDS_BESIDE = 4  # words shown on each side


def confidence(odds: float) -> float:
    """The chance that log odds mean.

    >>> confidence(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-odds))


def log_odds(chance: float) -> float:
    """The log odds of a chance.

    >>> log_odds(0.5), log_odds(0.0)
    (0.0, -inf)
    """
    return (
        math.log(chance / (1 - chance))
        if 0 < chance < 1
        else math.inf * (2 * chance - 1)
    )


@dataclass(eq=False)
class Cause:
    """The surest suspect, its log odds, and those that it explains with theirs.

    From the odds `limit` on, a suspect is a finding by itself.
    """

    suspect: Suspect
    odds: float = 0.0
    limit: float = 0.0
    others: list[tuple[Suspect, float]] = field(default_factory=list)

    @cached_property
    def lead(self) -> Suspect:
        """What is told: of suspects with the same edit, one that has examples.

        Where counts are equal, at the place that the model doubts.
        """
        with_examples = (
            suspect
            for suspect, _ in self.others
            if _recurs(suspect)
            and suspect.edit is not None
            and suspect.edit == self.suspect.edit
        )
        lead = next(with_examples, self.suspect)
        spans = {span for span, *_ in lead.rivals}
        doubted = [
            (odds, suspect.places[0])
            for suspect, odds in self.others
            if not _recurs(suspect) and suspect.places[0] in (*spans, lead.places[0])
        ]
        _, place = max(doubted, default=(0.0, lead.places[0]))
        return lead.with_lead(place) if place in spans else lead

    @property
    def confidence(self) -> float:
        """The chance that all its evidence gives."""
        lead = self.suspect
        if not lead.evidence:
            return lead.confidence
        here = (
            odds for suspect, odds in self.others if suspect.places[0] == lead.places[0]
        )
        return confidence(max([self.odds, *here]))

    @cached_property
    def companions(self) -> list[Suspect]:
        """The others that would be findings by themselves: their places are its own."""
        return [
            suspect
            for suspect, odds in self.others
            if odds >= self.limit and suspect.kind != _INSIDE
        ]

    @cached_property
    def suspicions(self) -> list[Suspicion]:
        """All that a baseline must know to know this finding; its own place first."""
        lead = self.lead
        own = Suspicion(lead.kind, lead.places[0], lead.now or lead.group)
        of_others = (more for suspect in self.companions for more in suspect.suspicions)
        return list(dict.fromkeys([own, *lead.suspicions, *of_others]))

    def finding(
        self, stream: WordStream, names: Mapping[Suspicion, Name]
    ) -> TreeFinding:
        lead, companions = self.lead, self.companions
        places = dict.fromkeys(
            place for suspect in (lead, *companions) for place in suspect.places
        )
        beside = dict.fromkeys(p for suspect, _ in self.others for p in suspect.places)
        # What to do is known where words recur, if the model only says that it is odd.
        edits_here = (
            suspect.edit
            for suspect, _ in self.others
            if suspect.kind == "variation" and suspect.places[0] == lead.places[0]
        )
        edit = lead.edit or next(edits_here, None)
        known_as = tuple(
            dict.fromkeys(names[suspicion] for suspicion in self.suspicions)
        )
        codes = [self.suspect.code, *(suspect.code for suspect, _ in self.others)]
        codes.remove(lead.code)
        tree, first, last = lead.places[0]
        # Not the whole sentence, which may be long and have a finding for each word.
        start, end = stream.bank.leaf_start[tree : tree + 2].tolist()
        around = max(first - _WORDS_BESIDE, 0)
        until = min(start + last + _WORDS_BESIDE, end)
        words = stream.bank.forms(slice(start + around, until))
        inside = " ".join(words[first - around : last - around])
        before, after = words[: first - around], words[last - around :]
        marked = f"[{inside}]" if first < last else ""
        return TreeFinding(
            lead.code,
            lead.message,
            self.confidence,
            words=inside,
            group=lead.group,
            now=lead.now,
            file=stream.file_of(tree),
            line=int(stream.bank.line[tree]),
            support=lead.support,
            suspects=tuple(places),
            analyses=lead.analyses,
            edit=edit,
            suggestion=edit_text(stream.bank, edit) if edit else "",
            sentence=stream.number_in_file(tree),
            id=stream.bank.id_of(tree),
            context=" ".join([*before, marked, *after]).strip(),
            merged=len(self.others),
            codes=tuple(sorted(set(codes))),
            also=tuple(place for place in beside if place not in places),
            known_as=known_as,
            evidence=lead.evidence,
        )


def _recurs(suspect: Suspect) -> bool:
    return suspect.check.given == RECURRING


Weighed = list[tuple[float, Suspect]]


def _in_order(
    pair: tuple[float, Suspect],
) -> tuple[bool, float, str, tuple[LeafSpan, ...]]:
    """The surest first."""
    odds, suspect = pair
    return suspect.kind == _INSIDE, -round(odds, 3), suspect.code, suspect.places


def below_threshold(suspects: Weighed, limit: float) -> list[Suspicion]:
    """What is suspicious, but hardly: a baseline knows it, should it become more so."""
    hardly: list[Suspicion] = []
    for odds, suspect in suspects:
        if odds >= limit - NEARLY_SHOWN:
            hardly += suspect.suspicions
            # Where brackets vary, the model may come to doubt the others, too.
            more = ("model",) if suspect.kind == "variation" else ()
            for place, now in suspect.bystanders:
                hardly += (
                    Suspicion(kind, place, now) for kind in (suspect.kind, *more)
                )
    return hardly


def merged(nodes: Nodes, suspects: Weighed, limit: float) -> list[Cause]:
    """The causes of all suspects, the surest first."""
    suspected: dict[int, Cause] = {}  # nodes
    beside: dict[int, Cause] = {}  # and those above them
    functions: dict[int, Cause] = {}
    inside: dict[int, list[tuple[LeafSpan, Cause]]] = {}
    causes: list[Cause] = []
    for odds, suspect in sorted(suspects, key=_in_order):
        parents = (int(nodes.parent[node]) for node in suspect.nodes)
        near, place = {*suspect.nodes, *parents} - {-1}, suspect.places[0]
        if suspect.kind == "function":
            # A function tag is wrong by itself; a wrong label makes it look so.
            cause = _first(functions, suspect.nodes) or _first(suspected, suspect.nodes)
        else:
            cause = _first(suspected, near) or _first(beside, suspect.nodes)
            if cause is not None and not _explains(cause.suspect, suspect):
                cause = None
            if cause is None and suspect.kind == _INSIDE:
                cause = _within(inside.get(place.tree, []), place)
        if cause is not None:
            cause.others.append((suspect, odds))
            continue
        cause = Cause(suspect, odds, limit)
        causes.append(cause)
        for place in suspect.places:
            inside.setdefault(place.tree, []).append((place, cause))
        if suspect.kind == "function":
            functions.update(dict.fromkeys(suspect.nodes, cause))
            continue
        for node in suspect.nodes:
            is_known = suspect.kind == "tag" and node in suspected
            suspected[node] = suspected[node] if is_known else cause
        for node in near:
            beside.setdefault(node, cause)
    return causes


def _explains(cause: Suspect, suspect: Suspect) -> bool:
    """A wrong tag makes phrases look odd to the model, but not to counts of them.

    If it explained these as well, 9 of 49 findings V301 of examples/ would be lost.
    """
    is_below = suspect.kind == "tag" or suspect.check.explained_by_tag
    return cause.kind != "tag" or is_below


def _first(known: dict[int, Cause], nodes: Iterable[int]) -> Cause | None:
    return next((known[node] for node in sorted(nodes) if node in known), None)


def _within(known: list[tuple[LeafSpan, Cause]], span: LeafSpan) -> Cause | None:
    """The cause that lies within a span: it makes the inside differ."""
    for place, cause in known:
        if span.first <= place.first and place.last <= span.last:
            return cause
    return None
