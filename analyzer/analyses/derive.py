"""Derivation trees sentence by sentence: `derive`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Unpack

from analyzer.analyses.errors import SentenceWords
from analyzer.analyses.events import Event, events
from analyzer.analyses.opening import TreeOptions, TreeReading, Trees
from analyzer.derivation.deriver import Deriver
from analyzer.derivation.spines import Spine, spines_of
from analyzer.exceptions import AnalyzerError
from analyzer.metrics.constructions import compare
from analyzer.metrics.signature import Signature
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import SentencePair
from analyzer.safe_text import counted

if TYPE_CHECKING:
    import pandas as pd


class Derived(NamedTuple):
    """A sentence's derivation, or two, and what is scored."""

    number: int
    sides: list[list[Spine]]
    events: list[Event]
    note: str = ""


@dataclass(frozen=True)
class Derivations:
    """What `derive` returns: sentences in the order of the text."""

    deriver: Deriver
    rows: list[Derived]
    problems: list[AnalyzerError]  # documents that could not be read or paired

    def __repr__(self) -> str:
        return f"<Derivations: {counted(len(self.rows), self.deriver.noun)}>"

    @property
    def left_out(self) -> list[str]:
        """Why sentences are not compared, where they are not."""
        return [one.note for one in self.rows if one.note]

    @property
    def signature(self) -> Signature:
        """How the derivations were made."""
        return Signature.of(scorer="derive", **self.deriver.settings)

    def frame(self) -> pd.DataFrame:
        """One row a spine, of all sentences and sides."""
        import pandas as pd

        rows = [
            (one.number, side, *spine)
            for one in self.rows
            for side, spines in zip(("gold", "parsed"), one.sides, strict=False)
            for spine in spines
        ]
        return pd.DataFrame(rows, columns=["sentence", "side", *Spine._fields])

    def events_frame(self) -> pd.DataFrame:
        """One row an event: what the scores say of each construction of each word."""
        import pandas as pd

        rows = [(one.number, *event) for one in self.rows for event in one.events]
        return pd.DataFrame(rows, columns=["sentence", *Event._fields])

    def _repr_html_(self) -> str:
        from reports.notebook import derivations_html

        return derivations_html(self)


def derive(
    gold: Trees,
    parsed: Trees | None = None,
    *,
    sentences: Collection[int] = (),
    **options: Unpack[TreeOptions],
) -> Derivations:
    """The derivation trees of all sentences, or of some by number.

    With `parsed`, those of both sides, and what the scores count in each sentence.
    `TreeOptions` lists the other options.

    >>> found = derive("(S (NP (PRP I)) (VP (VBP see)))")
    >>> [str(spine) for spine in found.rows[0].sides[0]]
    ['I NP-t @S-vp', 'see VP-t S-vp']
    """
    found = DerivedTrees(gold, parsed, sentences, TreeReading(**options))
    return Derivations(found.deriver, list(found), found.problems)


class DerivedTrees:
    """The sentences of `derive` one after another, read as they are asked for."""

    def __init__(
        self,
        gold: Trees,
        parsed: Trees | None,
        sentences: Collection[int],
        reading: TreeReading,
    ) -> None:
        given = reading.given(gold)
        self.deriver = reading.deriver_for(given)
        self.problems: list[AnalyzerError] = []
        self._has_both = parsed is not None
        self._wanted = sentences
        if parsed is None:
            opened = reading.open_alone(given, self.deriver)
        else:
            opened = reading.open(given, reading.given(parsed), self.deriver)
        self.problems = opened.problems
        self._pairs = opened.pairs()

    def __iter__(self) -> Iterator[Derived]:
        last = max(self._wanted, default=None)
        for pair in self._pairs:
            yield from derived_sentences(
                pair, self.deriver, self._wanted, both=self._has_both
            )
            if last is not None and last < pair.first_sentence + len(pair.gold):
                return  # and read no further


def derived_sentences(
    pair: SentencePair, deriver: Deriver, wanted: Collection[int] = (), *, both: bool
) -> Iterator[Derived]:
    """The derivations of a block's sentences, or of those that are wanted by number.

    Without `both`, of gold alone, and nothing is scored.
    """
    comparison = compare(pair, deriver)
    alignment = comparison.alignment
    text = SentenceWords(pair, comparison)
    notes = {item.sentence: str(item.error) for item in alignment.left_out}
    sides = [
        (pair.gold, comparison.gold, alignment.gold_leaves, alignment.gold_starts),
        (
            pair.parsed,
            comparison.parsed,
            alignment.parsed_leaves,
            alignment.parsed_starts,
        ),
    ]
    trees = [
        tree
        for tree in range(len(pair.gold))
        if not wanted or pair.first_sentence + tree in wanted
    ]
    scored = events(pair, comparison, trees) if both and trees else {}
    for tree in trees:
        number = pair.first_sentence + tree
        if both and not alignment.is_comparable[tree]:
            alone = [
                next(derived_sentences(_one(bank, tree), deriver, both=False))
                for bank in (pair.gold, pair.parsed)
            ]
            spines = [side for one in alone for side in one.sides]
            yield Derived(number, spines, [], notes[number])
            continue
        spines = [
            spines_of(
                bank,
                derivation,
                comparison.constructions,
                tree=tree,
                leaves=leaves[starts[tree] : starts[tree + 1]],
                first_word=int(text.offset[tree]),
            )
            for bank, derivation, leaves, starts in sides[: 2 if both else 1]
        ]
        yield Derived(number, spines, scored.get(tree, []), notes.get(number, ""))


def _one(bank: Treebank, tree: int) -> SentencePair:
    """A tree beside itself."""
    return SentencePair(bank[tree : tree + 1], bank[tree : tree + 1], tree + 1)
