"""spinal show: trees in brackets, drawn in the terminal, or as a picture."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import (
    BAD_INPUT,
    OK,
    say,
    terminal_width,
    uses_color,
    write_svg,
)
from analyzer.cli.streams import put
from analyzer.exceptions import InputError, Place
from analyzer.safe_text import numbered

if TYPE_CHECKING:
    from analyzer.derivation.brackets import Brackets
    from analyzer.model.arrays import Flags
    from analyzer.model.tree import Tree

_EPILOG = """\
examples:
  spinal show news.mrg 3                    sentence 3, drawn
  spinal show news.mrg 3 7-9 --style line   four sentences, a line each
  spinal show gold.mrg parsed.mrg 12        gold and parsed, differences marked
  spinal show gold.mrg parsed.mrg 12 --svg twelve.svg

Sentences are numbered from 1, as `spinal evalb` numbers them.
"""


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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print the trees of one file, or of two side by side."
    parser.epilog = _EPILOG
    options.add_sentences(parser)
    parser.add_argument(
        "--style",
        choices=("drawn", "indented", "line"),
        default="drawn",
        help="drawn with box characters (default), brackets indented, or on one line",
    )
    options.add_drawing_options(parser)
    group = parser.add_argument_group("what is compared")
    tree_options.add_treebank_option(group)
    tree_options.add_parameters_option(group)
    tree_options.add_separator_option(group)
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    options.add_input_options(parser)


def run(args: argparse.Namespace) -> int:
    files, wanted = inputs.files_and_numbers(args.inputs, args.sentence)
    shown = _single(args, files[0]) if len(files) == 1 else _pairs(args, *files)
    chosen: Iterator[Shown] = (one for one in shown if not wanted or one.names & wanted)
    if wanted:
        chosen = islice(chosen, len(wanted))  # and read no further
    missing = set(wanted)
    is_all_well, shown_any = True, False
    for sentence in chosen:
        shown_any = True
        if args.svg:
            _write_svg(args, sentence, several=len(wanted) != 1)
        else:
            _print(args, sentence, files)
        missing -= sentence.names
        is_all_well = is_all_well and not sentence.is_malformed
    if not wanted and not shown_any:
        raise InputError(
            "contains no trees; expected brackets", Place(files[0]), code="E121"
        )
    if missing:
        raise InputError(
            "there is no sentence {missing}",
            Place(files[0]),
            code="E849",
            missing=min(map(str, missing)),
        )
    return OK if is_all_well else BAD_INPUT


def _single(args: argparse.Namespace, path: str) -> Iterator[Shown]:
    from analyzer.formats.reading import TreeReader
    from analyzer.transform.labels import load_labels

    labels = load_labels(args.treebank) if args.treebank else None
    given = inputs.input_of(args, path)
    reader = TreeReader(given, strict=args.strict, labels=labels)
    look = reader.first_look()
    if look.has_no_trees:
        raise InputError(
            "contains no trees; expected brackets", Place(path), code="E121"
        )
    reader.keep_blank_lines = not look.blanks_separate
    number = 0
    for bank in reader.banks():
        for tree in bank:
            number += 1
            problem = bank.problems.get(tree.index)
            yield Shown(number, [tree], [[]], str(problem or ""), bool(problem))


def _pairs(args: argparse.Namespace, gold: str, parsed: str) -> Iterator[Shown]:
    from analyzer.metrics.brackets import score_pair
    from analyzer.pairing.inputs import open_blocks
    from analyzer.transform.function_tags import with_separators
    from analyzer.transform.label_tables import LabelTables
    from analyzer.transform.labels import DEFAULT_LABELS, load_labels
    from analyzer.transform.parameters import parameters_for

    labels = load_labels(args.treebank or DEFAULT_LABELS)
    if args.function_separator is not None:
        labels = with_separators(labels, args.function_separator)
    parameters = parameters_for(labels, args.params)
    if args.delete_label:
        parameters = parameters.with_deleted(*args.delete_label)
    tables = LabelTables(parameters)
    sides = inputs.input_of(args, gold), inputs.input_of(args, parsed)
    blocks = open_blocks(*sides, strict=args.strict, labels=labels)
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
            yield Shown(
                number,
                trees,
                marks,
                str(why.error) if why else "",
                why is not None and why.reason.is_bad_input,
            )


def _unmatched(brackets: Brackets, is_matched: Flags, tree: int) -> list[int]:
    rows = slice(brackets.starts[tree], brackets.starts[tree + 1])
    unmatched: list[int] = brackets.row[rows][~is_matched[rows]].tolist()
    return unmatched


def _print(args: argparse.Namespace, sentence: Shown, files: list[str]) -> None:
    from reports.drawing import tree_text

    color = uses_color(args.color)
    width = terminal_width(args.width)
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
        for tree, marks, mark_color in zip(
            sentence.trees, sentence.marks, ("red", "yellow"), strict=False
        ):
            put(
                tree_text.brackets(
                    tree, marks=marks, color=color, mark_color=mark_color, indent=True
                ),
                color=color,
            )
    elif len(sentence.trees) == 1:
        put(tree_text.draw(sentence.trees[0], width=width, color=color), color=color)
    else:
        put(
            tree_text.side_by_side(
                *sentence.trees,
                gold_marks=sentence.marks[0],
                parsed_marks=sentence.marks[1],
                width=width,
                color=color,
                titles=(f"gold ({files[0]})", f"parsed ({files[1]})"),
                legend=not sentence.note,
            ),
            color=color,
        )
        if sentence.note:
            put("\nnot compared: the words differ, or one is no tree")
    put()


def _write_svg(args: argparse.Namespace, sentence: Shown, *, several: bool) -> None:
    from reports.drawing.tree_svg import pair_svg, tree_svg

    named = numbered(sentence.number, sentence.id)
    if len(sentence.trees) == 1:
        svg = tree_svg(sentence.trees[0], title=f"sentence {named}")
    else:
        svg = pair_svg(
            *sentence.trees,
            gold_marks=sentence.marks[0],
            parsed_marks=sentence.marks[1],
        )
    write_svg(svg, args.svg, sentence.number, several=several)
