"""Documents of the same name beside each other: the one pairing of documents.

A pair of documents is then a pair of sentences to all that compares syntax.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.exceptions import InputWarning, PairingError
from analyzer.model.discourse import Documents
from analyzer.pairing.characters import first_difference
from analyzer.pairing.in_step import SentencePair
from analyzer.transform.documents import (
    DocumentShape,
    relation_labels,
    select_documents,
)
from analyzer.transform.relations import RelationHint, RelationMap, relation_hint


class SharedNames(NamedTuple):
    """What all sides have, and what some of them lack."""

    names: list[str]  # in the order of the first side
    places: list[tuple[int, ...]]  # of each name: where it stands on each side
    missing: dict[str, list[int]]  # other names, and the sides that lack them


def shared_names(*sides: Sequence[str]) -> SharedNames:
    """Names that all sides have.

    >>> shared_names(["a", "b", "c"], ["c", "b", "d"])
    SharedNames(names=['b', 'c'], places=[(1, 1), (2, 0)], missing={'a': [1], 'd': [0]})
    """
    places = [{name: at for at, name in enumerate(side)} for side in sides]
    found = SharedNames([], [], {})
    for name in dict.fromkeys(name for side in sides for name in side):
        lacking = [at for at, known in enumerate(places) if name not in known]
        if lacking:
            found.missing[name] = lacking
        else:
            found.names.append(name)
            found.places.append(tuple(known[name] for known in places))
    return found


def names_to_pair(*sides: Documents) -> list[list[str]]:
    """The names by which the documents of each side are found on the others.

    Where each side is a single file, it does not matter what the files are called:
    their documents go by the name of the first.
    """
    stems = [side.stem for side in sides if side.stem is not None]
    if len(stems) < len(sides):
        return [side.names for side in sides]
    return [
        [stems[0] + name.removeprefix(stem) for name in side.names]
        for side, stem in zip(sides, stems, strict=True)
    ]


class DocumentLeftOut(NamedTuple):
    """A document that is not compared, and why."""

    document: str
    error: PairingError

    @property
    def reason(self) -> str:
        return self.error.message

    def record(self) -> dict[str, str]:
        """As it stands in JSON."""
        return {"document": self.document, "reason": self.reason}

    def told(self, gold: str, parsed: str) -> str:
        """Why, where the two sides are called so.

        >>> DocumentLeftOut("wsj_0600", only_in_gold()).told("A", "B")
        'only in A'
        """
        only = {ONLY_IN_GOLD: gold, ONLY_IN_PARSED: parsed}
        if self.error.code in only:
            return f"only in {only[self.error.code]}"
        return self.error.with_sides(gold, parsed).message


ONLY_IN_GOLD, ONLY_IN_PARSED = "E441", "E442"


def only_in_gold() -> PairingError:
    """The error for a document that nobody parsed."""
    return PairingError("not predicted", code="E441")


def pair_documents(
    gold: Documents, parsed: Documents, *, by_text: bool = False
) -> tuple[list[tuple[int, int]], list[DocumentLeftOut]]:
    """Documents of the same name and number of EDUs, in gold's order.

    By text, of the same name and text instead. Two single files are a pair whatever
    they are called.
    """
    names = names_to_pair(gold, parsed)
    shared = shared_names(*names)
    place = dict(zip(shared.names, shared.places, strict=True))
    sizes, other_sizes = gold.edu_counts, parsed.edu_counts
    pairs: list[tuple[int, int]] = []
    left_out: list[DocumentLeftOut] = []
    for name in gold.names:
        if name not in place:
            left_out.append(DocumentLeftOut(name, only_in_gold()))
            continue
        at, other = place[name]
        if by_text:
            difference = first_difference(gold.text_of(at), parsed.text_of(other))
            error = (
                difference.error(gold="gold", parsed="predicted")
                if difference
                else None
            )
        else:
            error = _sizes(int(sizes[at]), int(other_sizes[other]))
        if error is None:
            pairs.append((at, other))
        else:
            left_out.append(DocumentLeftOut(name, error))
    not_in_gold = PairingError("not in gold", code="E442")
    left_out += [
        DocumentLeftOut(own_name, not_in_gold)
        for name, own_name in zip(names[1], parsed.names, strict=True)
        if name in shared.missing
    ]
    return pairs, left_out


def _sizes(of_gold: int, of_parsed: int) -> PairingError | None:
    if of_gold == of_parsed:
        return None
    return PairingError(
        "{gold} has {of_gold} EDUs, {parsed} {of_parsed}; --segmentation offsets "
        "compares different EDUs",
        code="E443",
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
        warning = InputWarning(parsed.bank.source, str(hint))
        warnings.warn(warning, stacklevel=2)
    return hint


class DocumentPairs(NamedTuple):
    """Gold and parsed documents side by side: a 'sentence' is a document."""

    names: list[str]
    pair: SentencePair
    left_out: list[DocumentLeftOut]
    relation_hint: RelationHint | None = None


def document_pairs(
    gold: Documents,
    parsed: Documents,
    shape: DocumentShape,
    *,
    by_text: bool = False,
) -> DocumentPairs:
    """Documents that `pair_documents` finds, both sides reshaped alike."""
    pairs, left_out = pair_documents(gold, parsed, by_text=by_text)
    gold = select_documents(gold, [at for at, _ in pairs])
    parsed = select_documents(parsed, [at for _, at in pairs])
    hint = compare_labels(gold, parsed, shape.relation_map)
    left, right = shape.reshape(gold), shape.reshape(parsed)
    pair = SentencePair(left.bank, right.bank, 1)
    return DocumentPairs(left.names, pair, left_out, hint)
