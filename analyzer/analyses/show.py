"""Trees of single sentences, gold beside parsed with what differs: `show`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

from analyzer.analyses.evalb import evalb_settings
from analyzer.exceptions import InputError, Place
from analyzer.files.inputs import Input
from analyzer.formats.blocks import fields_of
from analyzer.formats.reading import ReadOptions, TreeReader, Trees, open_trees
from analyzer.metrics.brackets import score_pair
from analyzer.model.settings import keywords, several
from analyzer.model.tree import Tree
from analyzer.model.treebank import Treebank
from analyzer.pairing.tasks import name_of, open_blocks
from analyzer.safe_text import counted, numbered
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.labels import DEFAULT_LABELS, LabelSet, load_labels
from analyzer.transform.parameters import EvalbParameters

if TYPE_CHECKING:
    from analyzer.derivation.brackets import Brackets
    from analyzer.model.arrays import Flags


class ShownSentence(NamedTuple):
    """A sentence to show: one tree, or two with the rows that differ."""

    number: int
    trees: list[Tree]
    marks: list[list[int]]
    note: str = ""
    is_malformed: bool = False

    @property
    def id(self) -> str:
        """What the file, gold's first, calls it."""
        return next((tree.id for tree in self.trees if tree.id), "")

    @property
    def names(self) -> set[int | str]:
        """What it may be asked for by."""
        return {self.number, self.id or str(self.number)}

    def __str__(self) -> str:
        return self._repr_text_()

    def _repr_text_(self) -> str:
        from reports.tables.errors import shown_text

        return shown_text(self)

    def _repr_svg_(self) -> str:
        from reports.tables.errors import shown_picture

        return shown_picture(self).svg


@dataclass(frozen=True, repr=False)
class ShownTrees:
    """What `show` returns; a notebook draws it."""

    rows: list[ShownSentence]

    def __repr__(self) -> str:
        return f"<ShownTrees: {counted(len(self.rows), 'sentence')}>"

    def __str__(self) -> str:
        return "\n\n".join(
            f"# sentence {numbered(sentence.number, sentence.id)}\n{sentence}"
            for sentence in self.rows
        )

    def _repr_html_(self) -> str:
        return "".join(f"<div>{sentence._repr_svg_()}</div>" for sentence in self.rows)


def shown_sentences(
    gold: Trees,
    parsed: Trees | None = None,
    *,
    treebank: str | LabelSet | None = None,
    params: str | EvalbParameters | None = None,
    delete_label: Sequence[str] = (),
    no_root: bool = False,
    function_separator: str | None = None,
    mend: bool = False,
    field: str | None = None,
    gold_field: str | None = None,
    id: str | None = None,
    strict: bool = False,
) -> Iterator[ShownSentence]:
    """The sentences of one side, or of both, one after another: see `show`."""
    reading = ReadOptions(strict, mend=mend, fields=fields_of(field, id, gold_field))
    if parsed is None:
        labels = load_labels(treebank) if isinstance(treebank, str) else treebank
        yield from _alone(gold, reading._replace(labels=labels))
        return
    labels, parameters = evalb_settings(
        treebank or DEFAULT_LABELS,
        params,
        delete_label=delete_label,
        no_root=no_root,
        function_separator=function_separator,
    )
    tables = LabelTables(parameters)
    for pair in open_blocks(gold, parsed, reading._replace(labels=labels)).pairs():
        outcome = score_pair(pair, tables)
        left_out = {item.sentence: item for item in outcome.left_out}
        for index in range(len(pair.gold)):
            trees = [pair.gold[index], pair.parsed[index]]
            marks = [
                _unmatched(outcome.gold, outcome.matches.gold, index),
                _unmatched(outcome.parsed, outcome.matches.parsed, index),
            ]
            number = pair.number(index)
            why = left_out.get(number)
            is_malformed = why is not None and why.reason.is_bad_input
            note = str(why.error) if why else ""
            yield ShownSentence(number, trees, marks, note, is_malformed)


class ShownOptions(TypedDict, total=False):
    """How trees are read, and which brackets are compared: see `shown_sentences`."""

    treebank: str | LabelSet | None
    params: str | EvalbParameters | None
    delete_label: Sequence[str]
    no_root: bool
    function_separator: str | None
    mend: bool
    field: str | None
    gold_field: str | None
    id: str | None
    strict: bool


@keywords(ShownOptions.__annotations__, shown_sentences)
def show(
    gold: Trees,
    parsed: Trees | None = None,
    *,
    sentence: int | str | Collection[int | str] = (),
    encoding: str = "utf-8",
    grammar: str | None = None,
    **options: Unpack[ShownOptions],
) -> ShownTrees:
    """The trees of all sentences, or of those of some numbers or names.

    With `parsed`, both trees, and which brackets of one the other lacks. `print` draws
    them as text, and a notebook as pictures. The options are those of `evalb`.

    >>> shown = show("(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))")
    >>> print(str(shown).splitlines()[-1])
    1 bracket only in gold, 0 only in parsed
    """
    sides = [
        open_trees(side, encoding, grammar)
        for side in (gold, parsed)
        if side is not None
    ]
    shown = shown_sentences(*sides, **options)
    wanted = set(several(sentence))
    return ShownTrees(list(chosen_sentences(shown, wanted, name_of(sides[0]))))


def chosen_sentences(
    shown: Iterable[ShownSentence], wanted: Collection[int | str], source: str
) -> Iterator[ShownSentence]:
    """Those that are wanted, or all; InputError if one of them is not there."""
    missing, shown_any = set(wanted), False
    chosen = (
        sentence
        for sentence in shown
        if not wanted or not sentence.names.isdisjoint(wanted)
    )
    for sentence in islice(chosen, len(wanted) or None):  # and read no further
        yield sentence
        missing -= sentence.names
        shown_any = True
    if not wanted and not shown_any:
        raise InputError("E121 contains no trees", Place(source))
    if missing:
        raise InputError(
            "E849 there is no sentence", Place(source), missing=min(map(str, missing))
        )


def _alone(trees: Trees, reading: ReadOptions) -> Iterator[ShownSentence]:
    number = 0
    for bank in _banks(reading.open(trees), reading):
        for tree in bank:
            number += 1
            problem = bank.problems.get(tree.index)
            yield ShownSentence(number, [tree], [[]], str(problem or ""), bool(problem))


def _banks(trees: Input | Treebank, reading: ReadOptions) -> Iterable[Treebank]:
    if isinstance(trees, Treebank):
        return [trees]
    reader = TreeReader(trees, reading)
    look = reader.first_look()
    if look.has_no_trees:
        raise InputError("E121 contains no trees", Place(trees.name))
    reader.keep_blank_lines = not look.blanks_separate
    return reader.banks()


def _unmatched(brackets: Brackets, is_matched: Flags, tree: int) -> list[int]:
    rows = slice(brackets.starts[tree], brackets.starts[tree + 1])
    unmatched: list[int] = brackets.row[rows][~is_matched[rows]].tolist()
    return unmatched
