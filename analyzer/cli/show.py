"""spinal show: trees in brackets, drawn in the terminal, or as a picture."""

from __future__ import annotations

from argparse import Namespace

from analyzer.analyses.show import ShownSentence, chosen_sentences, shown_sentences
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, command
from analyzer.cli.output import BAD_INPUT, OK, save_picture, say, width_and_color
from analyzer.cli.streams import put
from analyzer.safe_text import numbered


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
    shown = shown_sentences(
        *(inputs.input_of(args, path) for path in files),
        treebank=args.treebank,
        **inputs.passed_on(
            args,
            "params delete_label no_root function_separator mend field gold_field id "
            "strict",
        ),
    )
    is_all_well = True
    for sentence in chosen_sentences(shown, wanted, files[0]):
        if args.picture:
            _save(args, sentence, several=len(wanted) != 1)
        else:
            _print(args, sentence, files)
        is_all_well = is_all_well and not sentence.is_malformed
    return OK if is_all_well else BAD_INPUT


def _print(args: Namespace, sentence: ShownSentence, files: list[str]) -> None:
    from reports.drawing import tree_text
    from reports.tables.errors import shown_outlines

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
        drawing = tree_text.draw(*shown_outlines(sentence), width=width, color=color)
        put(drawing, color=color)
    else:
        text = tree_text.side_by_side(
            *shown_outlines(sentence),
            width=width,
            color=color,
            titles=(f"gold ({files[0]})", f"parsed ({files[1]})"),
            legend=not sentence.note,
        )
        put(text, color=color)
        if sentence.note:
            put("\nnot compared: the words differ, or one is no tree")
    put()


def _save(args: Namespace, sentence: ShownSentence, *, several: bool) -> None:
    from reports.tables.errors import shown_picture

    picture = shown_picture(sentence)
    save_picture(picture, args.picture, sentence.number, several=several)
