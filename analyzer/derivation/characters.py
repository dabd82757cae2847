"""Derivations by characters in place of the numbers of words or EDUs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analyzer.derivation.columns import Derivation
from analyzer.derivation.units import ROOT_EDU, Dependencies, UnitColumns
from analyzer.model.arrays import Ints
from analyzer.pairing.characters import CharSpans


def derivation_by_characters(given: Derivation, spans: CharSpans) -> Derivation:
    """The derivation with places in the text for the numbers of words."""
    number = spans.number

    def placed(words: Ints) -> Ints:
        # ROOT and NULL are no words, and stay what they are.
        return np.where(words >= 0, number[np.maximum(words, 0)], words)

    if not number.size:
        return given
    wrappers = given.wrappers._replace(
        first=spans.start[given.wrappers.first],
        last=spans.end[given.wrappers.last - 1],
    )
    return replace(
        given,
        first=spans.start[given.first],
        last=spans.end[given.last - 1],
        head=placed(given.head),
        attachment=placed(given.attachment),
        governor=placed(given.governor),
        wrappers=wrappers,
    )


def units_by_characters(units: UnitColumns, spans: CharSpans) -> UnitColumns:
    """The columns with characters for EDUs; heads are numbered by their spans."""
    return replace(
        units,
        first=spans.start[units.first],
        last=spans.end[units.last - 1],
        head=spans.number[units.head],
    )


def dependencies_by_characters(given: Dependencies, spans: CharSpans) -> Dependencies:
    edu = spans.number
    is_root = given.governor == ROOT_EDU
    governor = np.where(is_root, ROOT_EDU, edu[np.maximum(given.governor, 0)])
    return replace(given, edu=edu, governor=governor)
