"""spinal derive: derivation trees, one file's or two side by side."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from analyzer.analyses.derive import Derived, DerivedTrees
from analyzer.analyses.opening import TreeReading
from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import (
    exit_code,
    hint_at_labels,
    say,
    terminal_width,
    uses_color,
    write_svg,
)
from analyzer.cli.streams import (
    JsonList,
    json_item,
    put,
    put_visible,
    wants_ascii,
)
from analyzer.exceptions import InputError, Place
from analyzer.safe_text import numbered, visible_lines

_EPILOG = """\
examples:
  spinal derive gold.mrg 12                   the derivation tree of sentence 12
  spinal derive gold.mrg 12 --style table     its spines, one a line
  spinal derive gold.mrg parsed.mrg 12        both, and what the scores count

A node of the drawing is a spine (elementary tree): its constructions, bottom up,
and after '@' the construction of its governor that it attaches to.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Show derivation trees, and the score events of a sentence."
    parser.epilog = _EPILOG
    options.add_sentences(parser)
    parser.add_argument(
        "--style",
        choices=("drawn", "table", "json"),
        default="drawn",
        help="drawn (default), a table of spines, or JSON",
    )
    options.add_drawing_options(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    parser.set_defaults(verbose=False)
    tree_options.add_construction_options(parser)
    tree_options.add_function_options(parser, scored=False)
    tree_options.add_tree_options(parser, binarize="right")
    options.add_pairing_options(parser)
    options.add_input_options(parser)
    options.add_jobs_option(parser)


def run(args: argparse.Namespace) -> int:
    files, wanted = inputs.files_and_numbers(args.inputs, args.sentence)
    reading = TreeReading(**inputs.scoring_options(args))
    gold, *others = [inputs.input_of(args, path) for path in files]
    parsed = others[0] if others else None
    derived = DerivedTrees(gold, parsed, wanted, reading, jobs=args.jobs)
    if args.svg:
        pictures = list(derived)
        for sentence in pictures:
            _write_svg(args, sentence, several=len(pictures) > 1)
        written = len(pictures)
    else:
        written = _print_all(args, derived)
    if not written:
        missing = f"no sentence {min(map(str, wanted))}" if wanted else "no trees"
        raise InputError(
            "contains {missing}", Place(files[0]), code="E805", missing=missing
        )
    hint_at_labels(args, derived.deriver.label_hint)
    ledger = derived.ledger
    reading.finish(ledger, files[-1])
    if not ledger.is_complete:
        _tell(args, ledger.text("compared" if parsed else "derived"))
    # A sentence that cannot be compared is still drawn, so something was shown.
    return exit_code(replace(ledger, scored=max(1, ledger.scored)), files[0], files[-1])


def _print_all(args: argparse.Namespace, derived: DerivedTrees) -> int:
    is_json = args.style == "json"
    show: Callable[[Derived], str] = (
        _AsJson(wants_ascii())
        if is_json
        else _Shown(args.style, terminal_width(args.width), uses_color(args.color))
    )
    written = 0
    notes = []
    with JsonList() if is_json else nullcontext() as records:
        for sentence, text in derived.shown(show):
            written += 1
            left_out = sentence.left_out
            note = f"{left_out.fate.value}: {sentence.note}\n" if left_out else ""
            if records is None:
                put_visible(text)
                if note:
                    _tell(args, note)
            else:
                records.put(text)
                notes += [note] if note else []
    for note in notes:  # not between the lines of the list
        _tell(args, note)
    return written


def _tell(args: argparse.Namespace, message: str) -> None:
    """What is not compared, and why: below what people read, else as a warning."""
    if args.style != "json" and not args.svg:
        put(message)
    elif not args.quiet:
        say(message.rstrip())


@dataclass(frozen=True)
class _Shown:
    """A sentence as people read it; other processes have to know how."""

    style: str
    width: int
    color: bool

    def __call__(self, sentence: Derived) -> str:
        from reports.render import render
        from reports.tables import errors as errors_tables

        size: Any = {"width": self.width, "color": self.color}
        before = [f"# sentence {numbered(sentence.number, sentence.id)}"]
        drawing, after = [], []
        if self.style == "table":
            titles = ("gold", "parsed") if len(sentence.sides) == 2 else ("",)
            for spines, title in zip(sentence.sides, titles, strict=True):
                after.append(render(errors_tables.spine_table(spines, title), "text"))
        elif len(sentence.sides) == 1:
            spines = sentence.sides[0]
            drawing = [errors_tables.derivation_text(spines, **size), ""]
        else:
            drawing = [errors_tables.derivation_pair_text(*sentence.sides, **size), ""]
        if sentence.events:
            after.append(render(errors_tables.event_table(sentence.events), "text"))
        # Only drawings may have colours.
        parts = ((before, False), (drawing, self.color), (after, False))
        return "".join(
            f"{visible_lines(line, color=color)}\n"
            for lines, color in parts
            for line in lines
        )


@dataclass(frozen=True)
class _AsJson:
    """A sentence as an item of a list in JSON."""

    ascii_only: bool

    def __call__(self, sentence: Derived) -> str:
        return json_item(_record(sentence), ascii_only=self.ascii_only)


def _write_svg(args: argparse.Namespace, sentence: Derived, *, several: bool) -> None:
    from reports.tables import errors as errors_tables

    if len(sentence.sides) == 1:
        title = f"derivation of sentence {sentence.number}"
        svg = errors_tables.derivation_svg(sentence.sides[0], title=title)
    else:
        svg = errors_tables.derivation_pair_svg(*sentence.sides)
    write_svg(svg, args.svg, sentence.number, several=several)


def _record(sentence: Derived) -> dict[str, object]:
    names = ("gold", "parsed") if len(sentence.sides) == 2 else ("spines",)
    record: dict[str, object] = {"sentence": sentence.number}
    if sentence.id:
        record["id"] = sentence.id
    for name, spines in zip(names, sentence.sides, strict=True):
        record[name] = [spine._asdict() for spine in spines]
    if sentence.events:
        record["events"] = [event._asdict() for event in sentence.events]
    if sentence.note:
        record["note"] = sentence.note
    return record
