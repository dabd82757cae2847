"""spinal derive: derivation trees, one file's or two side by side."""

from __future__ import annotations

from argparse import Namespace
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

from analyzer.analyses.derive import Derived, DerivedTrees, check_conllu
from analyzer.analyses.opening import TreeReading
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Option, command
from analyzer.cli.output import exit_code, save_picture, say, warn_of, width_and_color
from analyzer.cli.streams import (
    JsonList,
    json_item,
    put,
    put_document,
    put_visible,
    wants_ascii,
)
from analyzer.exceptions import InputError, Place
from analyzer.safe_text import numbered, visible_lines


@command(
    options.FILES_AND_NUMBERS,
    options.SENTENCE,
    Option(
        "--style --format {drawn,table,json,conllu}  drawn (default), a table of "
        "spines, JSON, or dependencies in CoNLL-U",
        default="drawn",
    ),
    *options.DRAWING,
    options.QUIET,
    *options.compared_trees(options.FUNCTION_TAGS),
    options.JOBS,
)
def run_derive(args: Namespace) -> int:
    """Show derivation trees, and the score events of a sentence.

    examples:
      spinal derive gold.mrg 12                   the derivation tree of sentence 12
      spinal derive gold.mrg 12 --style table     its spines, one a line
      spinal derive gold.mrg --style conllu       heads and constructions in CoNLL-U
      spinal derive gold.mrg parsed.mrg 12        both, and what the scores count

    A node of the drawing is a spine (elementary tree): its constructions, bottom up,
    and after '@' the construction of its governor that it attaches to.

    In CoNLL-U, HEAD is the governor, DEPREL the construction that a word attaches to
    (root, and punct or dep for words in no construction), XPOS the tag, MISC the spine.
    """
    files, wanted = inputs.files_and_numbers(args.inputs, args.sentence)
    reading = TreeReading(**inputs.scoring_options(args))
    gold, *others = [inputs.input_of(args, path) for path in files]
    parsed = others[0] if others else None
    derived = DerivedTrees(gold, parsed, wanted, reading, jobs=args.jobs)
    if args.style == "conllu":
        check_conllu(derived.deriver, has_parsed=parsed is not None)
    if args.picture:
        from reports.tables.errors import derivation_picture

        pictures = list(derived)
        for sentence in pictures:
            title = f"derivation of sentence {sentence.number}"
            picture = derivation_picture(sentence.sides, title=title)
            save_picture(
                picture, args.picture, sentence.number, several=len(pictures) > 1
            )
        written = len(pictures)
    else:
        written = _print_all(args, derived)
    if not written:
        missing = f"no sentence {min(map(str, wanted))}" if wanted else "no trees"
        raise InputError("E805 contains", Place(files[0]), missing=missing)
    warn_of(args, hint=derived.deriver.label_hint)
    ledger = derived.ledger
    reading.warn_left_out(ledger, files[-1])
    if not ledger.is_complete:
        _tell(args, ledger.text("compared" if parsed else "derived"), is_needed=True)
    if wanted:  # what was asked for was shown, though it may not be comparable
        ledger = replace(ledger, scored=max(1, ledger.scored))
    return exit_code(ledger, files[0], files[-1], verb="compared")


def _print_all(args: Namespace, derived: DerivedTrees) -> int:
    is_json = args.style == "json"
    # Other processes have to know how.
    show = partial(_as_json, ascii_only=wants_ascii())
    if args.style == "conllu":
        show = partial(Derived.conllu, labels=derived.deriver.inventory.labels)
    elif not is_json:
        width, color = width_and_color(args)
        show = partial(_as_text, style=args.style, width=width, color=color)
    written = 0
    notes = []
    with JsonList() if is_json else nullcontext() as records:
        for sentence, text in derived.shown(show):
            written += 1
            left_out = sentence.left_out
            note = f"{left_out.fate.value}: {sentence.note}\n" if left_out else ""
            if records is not None:
                records.put(text)
                notes += [note] if note else []
            elif args.style == "conllu":
                put_document(text)
                notes += [note] if note else []
            else:
                put_visible(text)
                if note:
                    _tell(args, note)
    for note in notes:  # not between the lines of the list
        _tell(args, note)
    return written


def _tell(args: Namespace, message: str, *, is_needed: bool = False) -> None:
    """What is not compared, and why: below what people read, else as a warning.

    What changes the meaning of all that is shown is needed, with `-q` too.
    """
    if args.style not in ("json", "conllu") and not args.picture:
        put(message)
    elif is_needed or not args.quiet:
        say(message.rstrip())


def _as_text(sentence: Derived, *, style: str, width: int, color: bool) -> str:
    """A sentence as people read it."""
    from reports.render import render
    from reports.tables.errors import derivation_text, derived_tables, event_table

    before = [f"# sentence {numbered(sentence.number, sentence.id)}"]
    if style == "table":
        drawing, tables = [], derived_tables(sentence)
    else:
        drawing = [derivation_text(sentence.sides, width=width, color=color), ""]
        tables = [event_table(sentence.events)] if sentence.events else []
    after = [render(table, "text") for table in tables]
    # Only drawings may have colours.
    parts = ((before, False), (drawing, color), (after, False))
    return "".join(
        f"{visible_lines(line, color=has_color)}\n"
        for lines, has_color in parts
        for line in lines
    )


def _as_json(sentence: Derived, *, ascii_only: bool) -> str:
    """A sentence as an item of a list in JSON."""
    from reports.tables.errors import derived_record

    return json_item(derived_record(sentence), ascii_only=ascii_only)
