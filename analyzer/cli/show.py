"""spinal show: trees in brackets, drawn in the terminal, or as a picture."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, command
from analyzer.cli.output import BAD_INPUT, OK, save_picture, say, width_and_color
from analyzer.cli.streams import put
from analyzer.exceptions import InputError, Place
from analyzer.safe_text import numbered

if TYPE_CHECKING:
    from analyzer.derivation.brackets import Brackets
    from analyzer.formats.reading import ReadOptions
    from analyzer.model.arrays import Flags
    from analyzer.model.tree import Tree
    from reports.drawing.outline import Outline


class Shown(NamedTuple):
    """A sentence to show: one tree, or two with the rows that differ."""

    number: int
    trees: list[Tree]
    marks: list[list[int]]
    note: str = ""
    is_malformed: bool = False

    @property
    def id(self) -> str:
        """What the file, gold's first, calls it."""
        return next((t.id for t in self.trees if t.id), "")

    @property
    def names(self) -> set[int | str]:
        """What it may be asked for by."""
        return {self.number, self.id or str(self.number)}


@command(
    options.FILES_AND_NUMBERS,
    options.SENTENCE,
    Option(
        "--style {drawn,indented,line}  drawn with box characters (default), brackets "
        "indented, or on one line",
        default="drawn",
    ),
    *options.DRAWING,
    Group("what is compared", options.TREEBANK, *options.PARAMETERS, options.SEPARATOR),
    Group("answers of language models", *options.ANSWERS, is_rare=True),
    options.QUIET,
    options.TREE_INPUT,
)
def run_show(args: Namespace) -> int:
    """Print the trees of one file, or of two side by side.

    examples:
      spinal show news.mrg 3                    sentence 3, drawn
      spinal show news.mrg 3 7-9 --style line   four sentences, a line each
      spinal show gold.mrg parsed.mrg 12        gold and parsed, differences marked
      spinal show gold.mrg parsed.mrg 12 --picture twelve.pdf

    Sentences are numbered from 1, as `spinal evalb` numbers them.
    """
    files, wanted = inputs.files_and_numbers(args.inputs, args.sentence)
    shown = _single(args, files[0]) if len(files) == 1 else _pairs(args, *files)
    chosen = (one for one in shown if not wanted or one.names & wanted)
    missing = set(wanted)
    is_all_well, shown_any = True, False
    for sentence in islice(chosen, len(wanted) or None):  # and read no further
        shown_any = True
        if args.picture:
            _save(args, sentence, several=len(wanted) != 1)
        else:
            _print(args, sentence, files)
        missing -= sentence.names
        is_all_well = is_all_well and not sentence.is_malformed
    if not wanted and not shown_any:
        raise InputError("E121 contains no trees", Place(files[0]))
    if missing:
        raise InputError(
            "E849 there is no sentence", Place(files[0]), missing=min(map(str, missing))
        )
    return OK if is_all_well else BAD_INPUT


def _single(args: Namespace, path: str) -> Iterator[Shown]:
    from analyzer.formats.reading import TreeReader
    from analyzer.transform.labels import load_labels

    labels = load_labels(args.treebank) if args.treebank else None
    given = inputs.input_of(args, path)
    reader = TreeReader(given, _read_options(args)._replace(labels=labels))
    look = reader.first_look()
    if look.has_no_trees:
        raise InputError("E121 contains no trees", Place(path))
    reader.keep_blank_lines = not look.blanks_separate
    number = 0
    for bank in reader.banks():
        for tree in bank:
            number += 1
            problem = bank.problems.get(tree.index)
            yield Shown(number, [tree], [[]], str(problem or ""), bool(problem))


def _read_options(args: Namespace) -> ReadOptions:
    from analyzer.formats.blocks import fields_of
    from analyzer.formats.reading import ReadOptions

    fields = fields_of(args.field, args.id, args.gold_field)
    return ReadOptions(args.strict, mend=args.mend, fields=fields)


def _pairs(args: Namespace, gold: str, parsed: str) -> Iterator[Shown]:
    from analyzer.analyses.evalb import evalb_settings
    from analyzer.metrics.brackets import score_pair
    from analyzer.pairing.tasks import open_blocks
    from analyzer.transform.label_tables import LabelTables
    from analyzer.transform.labels import DEFAULT_LABELS

    labels, parameters = evalb_settings(
        args.treebank or DEFAULT_LABELS,
        args.params,
        delete_label=args.delete_label,
        no_root=args.no_root,
        function_separator=args.function_separator,
    )
    tables = LabelTables(parameters)
    sides = inputs.input_of(args, gold), inputs.input_of(args, parsed)
    blocks = open_blocks(*sides, _read_options(args)._replace(labels=labels))
    for pair in blocks.pairs():
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
            yield Shown(number, trees, marks, note, is_malformed)


def _unmatched(brackets: Brackets, is_matched: Flags, tree: int) -> list[int]:
    rows = slice(brackets.starts[tree], brackets.starts[tree + 1])
    unmatched: list[int] = brackets.row[rows][~is_matched[rows]].tolist()
    return unmatched


def _print(args: Namespace, sentence: Shown, files: list[str]) -> None:
    from reports.drawing import tree_text

    width, color = width_and_color(args)
    if sentence.note and not args.quiet:
        say(sentence.note)
    if args.style == "line":
        for tree, marks in zip(sentence.trees, sentence.marks, strict=True):
            # No tree is a blank line, so that what is written reads back the same.
            text = tree_text.brackets(tree, marks=marks, color=color, indent=False)
            put(text if tree else "", color=color)
        return
    put(f"# sentence {numbered(sentence.number, sentence.id)}")
    if args.style == "indented":
        paints = ("red", "yellow")
        for tree, marks, paint in zip(
            sentence.trees, sentence.marks, paints, strict=False
        ):
            text = tree_text.brackets(
                tree, marks=marks, color=color, mark_color=paint, indent=True
            )
            put(text, color=color)
    elif len(sentence.trees) == 1:
        drawing = tree_text.draw(*_outlines(sentence), width=width, color=color)
        put(drawing, color=color)
    else:
        text = tree_text.side_by_side(
            *_outlines(sentence),
            width=width,
            color=color,
            titles=(f"gold ({files[0]})", f"parsed ({files[1]})"),
            legend=not sentence.note,
        )
        put(text, color=color)
        if sentence.note:
            put("\nnot compared: the words differ, or one is no tree")
    put()


def _save(args: Namespace, sentence: Shown, *, several: bool) -> None:
    from reports.drawing.tree_svg import pair_picture, tree_picture

    outlines = _outlines(sentence)
    if len(outlines) == 1:
        named = numbered(sentence.number, sentence.id)
        picture = tree_picture(*outlines, title=f"sentence {named}")
    else:
        picture = pair_picture(*outlines)
    save_picture(picture, args.picture, sentence.number, several=several)


def _outlines(sentence: Shown) -> list[Outline]:
    from reports.drawing.outline import outline

    both = zip(sentence.trees, sentence.marks, strict=True)
    return [outline(tree, marks=marks) for tree, marks in both]
