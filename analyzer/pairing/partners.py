"""Documents of the same name beside each other.

A pair of documents is a pair of sentences to all that compares syntax.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import (
    AnalyzerError,
    InputWarning,
    PairingError,
    Place,
    SettingsError,
)
from analyzer.formats.documents import SECOND_DOCUMENT, document_name
from analyzer.model.discourse import Documents, Unit
from analyzer.model.treebank import Treebank
from analyzer.pairing.characters import first_difference
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import (
    DOCUMENT,
    SIDES,
    Fate,
    Ledger,
    LeftOut,
    Reason,
    SidedReading,
)
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.one_text import share_of_text
from analyzer.pairing.same_text import shared_names
from analyzer.transform.documents import (
    DocumentShape,
    Roots,
    of_several_trees,
    relation_labels,
    replaced,
    rooted,
    select_documents,
    trimmed,
    unattached_edus,
    without_edus,
)
from analyzer.transform.relations import RelationHint, RelationMap, relation_hint


def names_to_pair(*sides: Documents) -> list[list[str]]:
    """The names by which the documents of each side are found on the others.

    Where each side is a single file, it does not matter what the files are called:
    their documents go by the name of the first.
    """
    stems = [side.stem for side in sides if side.stem is not None]
    if len(stems) < len(sides):
        return [side.names for side in sides]
    return [
        [
            stems[0] + name.removeprefix(stem) if name.startswith(stem) else name
            for name in side.names  # those of .rels have their own
        ]
        for side, stem in zip(sides, stems, strict=True)
    ]


class PairedDocuments(NamedTuple):
    """Which documents of either side are compared, and the ledger of all others."""

    pairs: list[tuple[int, int]]
    missed: list[int]  # of gold, left out because of the other side; items in order
    ledger: Ledger


def rooted_alike(
    sides: Sequence[Documents], roots: Roots | str, *, by_text: bool = False
) -> list[Documents]:
    """Documents of several trees as chosen, those of one name alike.

    What one side does not attach is dropped from the others as well, if they have it:
    if they have as many EDUs or, by text, the same characters.
    """
    if Roots(roots) is not Roots.DROP:
        return [rooted(side, roots) for side in sides]
    own: list[dict[int, set[int]]] = [
        {at: unattached_edus(side.unit(at)) for at in of_several_trees(side)}
        for side in sides
    ]
    others: list[dict[int, set[int]]] = [{} for _ in sides]
    changed: list[dict[int, list[Unit]]] = [{} for _ in sides]
    shared = shared_names(*names_to_pair(*sides)).places if any(own) else []
    for places in shared:
        units = [side.unit(at) for side, at in zip(sides, places, strict=True)]
        dropped = [of.get(at, set()) for of, at in zip(own, places, strict=True)]
        if not any(dropped):
            continue
        lengths = [_lengths(unit, by_text=by_text) for unit in units]
        if len({sum(of_side) for of_side in lengths}) > 1:
            continue
        # Of each character, or of each EDU: is it kept on all sides?
        flags = [
            np.repeat([edu not in gone for edu in range(len(of_side))], of_side)
            for of_side, gone in zip(lengths, dropped, strict=True)
        ]
        is_kept = np.logical_and.reduce(flags)
        for n, at in enumerate(places):
            ends = np.cumsum(lengths[n])
            left = np.append(0, np.cumsum(is_kept))
            nothing = left[ends] == left[ends - lengths[n]]
            others[n][at] = set(np.flatnonzero(nothing).tolist()) - dropped[n]
            if by_text:
                changed[n][at] = [trimmed(units[n], is_kept.tolist())]
    return [
        without_edus(replaced(side, changed[n]), own[n], others[n])
        for n, side in enumerate(sides)
    ]


def _lengths(root: Unit, *, by_text: bool) -> list[int]:
    """The characters of each EDU, white space not counted; or 1 for each."""
    texts = [unit.text for unit in root.walk() if unit.is_edu]
    return [len("".join(text.split())) if by_text else 1 for text in texts]


def pair_documents(
    gold: Documents, parsed: Documents, *, by_text: bool = False
) -> PairedDocuments:
    """Documents of the same name and number of EDUs, in gold's order.

    By text, of the same name and text instead. Two single files are a pair whatever
    they are called.
    """
    names = names_to_pair(gold, parsed)
    shared = shared_names(*names)
    place = dict(zip(shared.names, shared.places, strict=True))
    sizes, other_sizes = gold.edu_counts, parsed.edu_counts
    bad_gold, bad_parsed = malformed_documents(gold), malformed_documents(parsed)
    of_parsed = len(parsed.names) + len(bad_parsed)
    pairs: list[tuple[int, int]] = []
    missed: list[int] = []
    items: list[LeftOut] = []
    for here, name in enumerate(gold.names):
        error: AnalyzerError | None
        if name not in place:
            error, reason = bad_parsed.pop(name, None), Reason.BAD_PARSE
            if error is None:
                error = PairingError("E441 only in", gold=SIDES[0])
                reason = Reason.ONLY_GOLD
        elif by_text:
            error, reason = _texts(gold, parsed, place[name]), Reason.OTHER_TEXT
        else:
            at, other = place[name]
            error = _sizes(int(sizes[at]), int(other_sizes[other]))
            reason = Reason.OTHER_EDUS
        if error is None:
            pairs.append((place[name][0], place[name][1]))
        else:
            missed.append(here)
            items.append(_left_out(name, reason, error))
    items += [_left_out(name, Reason.BAD_GOLD, bad_gold[name]) for name in bad_gold]
    of_gold = len(items)
    not_in_gold = PairingError("E442 only in", parsed=SIDES[1])
    items += [
        _left_out(own_name, Reason.ONLY_PARSED, not_in_gold, in_gold=False)
        for name, own_name in zip(names[1], parsed.names, strict=True)
        if name in shared.missing and name not in bad_gold
    ]
    items += [
        _left_out(name, Reason.BAD_PARSE, error, in_gold=False)
        for name, error in bad_parsed.items()
    ]
    items += [
        LeftOut(0, Reason.UNREADABLE, problem, in_gold=False)
        for problem in (*gold.problems, *parsed.problems)
        if problem.code == SECOND_DOCUMENT
    ]
    ledger = Ledger(
        *(DOCUMENT, of_gold, of_parsed - len(pairs), 0, tuple(items)),
        readings=sided_readings(gold, parsed),
    )
    return PairedDocuments(pairs, missed, ledger)


# A document is aligned if the other side has so much of its text.
ENOUGH_TEXT = 0.5


def with_aligned(
    gold: Documents, parsed: Documents, paired: PairedDocuments
) -> tuple[PairedDocuments, int]:
    """Documents of other texts among the pairs, as aligned; and how many these are.

    Not if the other side has less than half of gold's text.
    """
    shared = shared_names(*names_to_pair(gold, parsed))
    partner = {places[0]: places[1] for places in shared.places}
    pairs, missed = list(paired.pairs), []
    aligned, others = [], []
    for here, item in zip(paired.missed, paired.ledger.items, strict=False):
        at = partner.get(here, -1)
        is_alike = item.reason is Reason.OTHER_TEXT and (
            share_of_text(gold.text_of(here), parsed.text_of(at)) >= ENOUGH_TEXT
        )
        if is_alike:
            pairs.append((here, at))
            aligned.append(item._replace(fate=Fate.ALIGNED))
        else:
            missed.append(here)
            others.append(item)
    rest = paired.ledger.items[len(paired.missed) :]
    ledger = replace(paired.ledger, items=(*aligned, *others, *rest))
    return PairedDocuments(sorted(pairs), missed, ledger), len(aligned)


def sided_readings(*sides: Documents) -> tuple[SidedReading, ...]:
    """What was read otherwise than it is written, and of which side."""
    return tuple(
        (n, reading) for n, side in enumerate(sides) for reading in side.readings
    )


def malformed_documents(documents: Documents) -> dict[str, AnalyzerError]:
    """Documents that could not be read, by name."""
    errors: dict[str, AnalyzerError] = {}
    for problem in documents.problems:
        if problem.code != SECOND_DOCUMENT:
            source = problem.place.source if problem.place else None
            name = document_name(source or documents.bank.source)
            if name in errors:  # one of several in its file
                name = f"{name}:{len(errors) + 1}"
            errors[name] = problem
    return errors


def _left_out(
    name: str, reason: Reason, error: AnalyzerError, *, in_gold: bool = True
) -> LeftOut:
    if error.place is None:
        error = error.at(Place(name))
    return LeftOut(0, reason, error, document=name, in_gold=in_gold)


def _texts(
    gold: Documents, parsed: Documents, places: tuple[int, ...]
) -> PairingError | None:
    at, other = places
    difference = first_difference(gold.text_of(at), parsed.text_of(other))
    return difference.error(gold="gold", parsed="predicted") if difference else None


def _sizes(of_gold: int, of_parsed: int) -> PairingError | None:
    if of_gold == of_parsed:
        return None
    return PairingError(
        "E443 --segmentation offsets compares different EDUs",
        parsed="the prediction",
        of_gold=of_gold,
        of_parsed=of_parsed,
    )


def compare_labels(
    gold: Documents, parsed: Documents, relations: RelationMap | None
) -> RelationHint | None:
    """A relation map that both sides should be brought under; warns if there is one."""
    hint = relation_hint(relation_labels(gold), relation_labels(parsed), relations)
    if hint is not None:
        warning = InputWarning(parsed.bank.source, str(hint), is_note=False)
        warnings.warn(warning, stacklevel=2)
    return hint


class DocumentPairs(NamedTuple):
    """Gold and parsed documents side by side: a 'sentence' is a document."""

    names: list[str]
    pairs: list[Pair]
    ledger: Ledger  # of those that are not in the pairs
    relation_hint: RelationHint | None = None

    @property
    def pair(self) -> Pair:
        """The pair that holds all documents, if there is only one."""
        [pair] = self.pairs
        return pair


def document_pairs(
    gold: Documents,
    parsed: Documents,
    shape: DocumentShape,
    *,
    by_text: bool = False,
    on_mismatch: OnMismatch = OnMismatch.SKIP,
) -> DocumentPairs:
    """Documents that `pair_documents` finds, both sides reshaped alike.

    With `zero`, gold's documents that have no partner stand beside empty ones.
    """
    gold, parsed = rooted_alike([gold, parsed], shape.roots, by_text=by_text)
    pairs, missed, ledger = pair_documents(gold, parsed, by_text=by_text)
    check_documents(ledger, on_mismatch)
    beside = select_documents(parsed, [at for _, at in pairs])
    paired = select_documents(gold, [at for at, _ in pairs])
    hint = compare_labels(paired, beside, shape.relation_map)
    left, right = shape.reshape(paired), shape.reshape(beside)
    bank = _named(left)
    pair = Pair(bank, right.bank, 1)
    if not missed:
        return DocumentPairs(left.names, [pair], ledger, hint)
    others = shape.reshape(select_documents(gold, missed))
    if on_mismatch != "zero":
        lost = replace(ledger, lost_brackets=others.bank.label.size)
        return DocumentPairs(left.names, [pair], lost, hint)
    pair = Pair(
        Treebank.join([bank, _named(others)], bank.source),
        right.bank.with_empty_trees(len(missed)),
        1,
        dict(enumerate(ledger.items[: len(missed)], start=len(pairs))),
    )
    names = [*left.names, *others.names]
    return DocumentPairs(names, [pair], _without(ledger, len(missed)), hint)


def _named(documents: Documents) -> Treebank:
    """The trees of documents, each with the name of its document as id."""
    return replace(documents.bank, ids=tuple(documents.names))


def documents_in_order(
    gold: Documents, parsed: Documents, shape: DocumentShape, on_mismatch: OnMismatch
) -> DocumentPairs:
    """A pair for each document of gold, in gold's order.

    Beside a document that cannot be compared stands an empty one.
    """
    gold, parsed = rooted_alike([gold, parsed], shape.roots)
    partners, missed, ledger = pair_documents(gold, parsed)
    check_documents(ledger, on_mismatch)
    partner = dict(partners)
    why = dict(zip(missed, ledger.items, strict=False))
    hint = compare_labels(
        select_documents(gold, list(partner)),
        select_documents(parsed, list(partner.values())),
        shape.relation_map,
    )
    left, right = _named(shape.reshape(gold)), shape.reshape(parsed).bank
    nothing = right[:0].with_empty_trees(1)
    pairs = []
    for at in range(len(gold)):
        other, known = nothing, {0: why[at]} if at in why else {}
        if at in partner:
            other = right[partner[at] : partner[at] + 1]
        pairs.append(Pair(left[at : at + 1], other, at + 1, known))
    return DocumentPairs(gold.names, pairs, _without(ledger, len(missed)), hint)


def documents_apart(
    gold: Documents, parsed: Documents, shape: DocumentShape, paired: PairedDocuments
) -> tuple[list[tuple[Pair, bool]], Ledger]:
    """Documents that are not paired, of either side, beside empty ones.

    The flag is true for the pair with documents of gold: the ledger of that pair will
    have them. The ledger that is returned has all others that are left out.
    """
    taken = {at for _, at in paired.pairs}
    others = [at for at in range(len(parsed)) if at not in taken]
    missed = len(paired.missed)
    of_gold = shape.reshape(select_documents(gold, paired.missed)).bank
    of_parsed = shape.reshape(select_documents(parsed, others)).bank
    known = dict(enumerate(paired.ledger.items[:missed]))
    first = Pair(of_gold, of_gold[:0].with_empty_trees(missed), 1, known)
    second = Pair(of_parsed[:0].with_empty_trees(len(others)), of_parsed, 1)
    both = [(first, True), (second, False)]
    apart = [item for item in both if len(item[0].gold)]
    return apart, _without(paired.ledger, missed)


def _without(ledger: Ledger, missed: int) -> Ledger:
    """The ledger without the first items, which stand in pairs."""
    return replace(ledger, gold=ledger.gold - missed, items=ledger.items[missed:])


def check_documents(ledger: Ledger, on_mismatch: OnMismatch) -> None:
    """Raise what is to be raised of documents that cannot be compared."""
    if on_mismatch == "error" and ledger.items:
        raise ledger.items[0].error
    if on_mismatch == "align":
        raise SettingsError("E446 --on-mismatch align is for sentences")
