"""All kinds of checks on one treebank: what `spinal check` runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from analyzer.checks.corpus import Corpus
from analyzer.checks.findings import KINDS, Finding, ranked, without_overlap
from analyzer.checks.fragments import check_fragments
from analyzer.checks.productions import check_productions
from analyzer.checks.shape import LabelSet, check_shape
from analyzer.checks.tags import check_tags
from analyzer.checks.variation import check_variation
from analyzer.constructions import Labeller
from analyzer.normalising import LabelTables
from analyzer.scorers.constructions import derivations_alone

_CONTEXT = 4  # words shown on each side


def check_treebank(
    corpus: Corpus,
    tables: LabelTables,
    labeller: Labeller,
    *,
    kinds: Collection[str] = KINDS,
    codes: Collection[str] | None = None,
    labels: LabelSet | None = None,
) -> list[Finding]:
    """The findings of the chosen kinds and codes, most reliable first.

    A code may be cut short: `S` or `V3` stand for all that begin so.
    """
    found: list[Finding] = []
    if "shape" in kinds:
        found += check_shape(corpus, labels)
    structural: list[Finding] = []
    if "variation" in kinds:
        structural += check_variation(corpus)
    if {"pattern", "derivation"} & set(kinds):
        derivation = derivations_alone(corpus.bank, tables, labeller)
        if "pattern" in kinds:
            found += check_productions(corpus, derivation, labeller)
        if "derivation" in kinds:
            structural += check_fragments(corpus, derivation, labeller)
    # A variation and its fragments are the same slip seen twice.
    found += without_overlap(ranked(structural))
    if "tag" in kinds:
        found += check_tags(corpus)
    chosen = [
        one
        for one in found
        if codes is None or any(one.code.startswith(code) for code in codes)
    ]
    return [located(corpus, one) for one in ranked(chosen)]


def located(corpus: Corpus, finding: Finding) -> Finding:
    """The finding with file, line, sentence and context of its first suspect."""
    spot = finding.suspects[0]
    bank = corpus.bank
    of_file = int(corpus.file_of_tree[spot.tree])
    sentence = spot.tree - int(corpus.first_of_file[spot.tree]) + 1
    words = bank[spot.tree].words
    before = words[max(0, spot.first - _CONTEXT) : spot.first]
    after = words[spot.last : spot.last + _CONTEXT]
    inside = words[spot.first : spot.last]
    marked = f"[{' '.join(inside)}]" if inside else ""
    return replace(
        finding,
        file=corpus.files[of_file],
        line=int(bank.line[spot.tree]),
        sentence=sentence,
        context=" ".join([*before, marked, *after]).strip(),
    )
