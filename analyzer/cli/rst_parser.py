"""spinal rst train, parse, segment: a discourse parser, made and used."""

from __future__ import annotations

import os
import time
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import get_args

from analyzer.cli import inputs, options
from analyzer.cli.declarations import Option, command
from analyzer.cli.output import BAD_INPUT, OK, emit, note
from analyzer.cli.streams import json_text, put_document, tell
from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.files.atomic import make_folder, write_text
from analyzer.files.inputs import Input
from analyzer.formats.registry import WRITTEN, write_rst
from analyzer.rst_parser.decoding import ParsedDocument
from analyzer.rst_parser.parser import RstParser
from analyzer.rst_parser.segmenter import score_segments
from analyzer.rst_parser.stages import STAGES
from analyzer.rst_parser.text import KINDS, read_texts
from analyzer.safe_text import counted
from analyzer.transform.head_order import Transform

_TRANSFORMS = get_args(Transform)
_CONFIDENCE = "confidence"
_MODEL_AND_INPUTS = (Option("MODEL"), Option("INPUT", nargs="+", dest="inputs"))
_KIND = Option(
    "--input  the kind of the inputs, if it cannot be recognised",
    default="auto",
    choices=KINDS,
)


@command(
    Option("CORPUS  discourse trees"),
    Option("-o MODEL  the file to write", dest="model", required=True, is_output=True),
    Option(
        "--syntax DIR  CoNLL-U files with the names of the documents", is_input=True
    ),
    Option(
        "--transform  the encoding of lists: nuclei depend on the one before them "
        "(chain, default), or all on the first (tree); `--encoding tree` is the same",
        choices=_TRANSFORMS,
    ),
    Option(
        "--relations MAP  the classes of relations to predict: fine (as in the "
        "corpus, default), gum, rstdt, or a file of pairs",
        default="fine",
        is_setting=True,
    ),
    Option(
        f"--stages LIST  comma-separated, of {', '.join(STAGES)} "
        "(default: all of them; the last is always the document)"
    ),
    Option("--heuristics  the parser of the 2018 paper"),
    options.ROOTS,
    Option("--dev TREES  other documents, to score the parser on", is_input=True),
    Option("--dev-syntax DIR  CoNLL-U files of those documents", is_input=True),
    Option(
        "--seed N  which half of the documents guesses the tags of the other; nothing "
        "else is random (default: 1)",
        int,
        1,
    ),
    options.INPUT,
    options.OUTPUT,
)
def run_train(args: Namespace) -> int:
    """Train a discourse parser.

    examples:
      spinal rst train gum/dis --syntax gum/conllu --relations gum -o gum.model
      spinal rst train trees/ -o small.model                 no syntax: words alone
      spinal rst train gum/train/dis --syntax gum/train/conllu -o gum.model \\
        --dev gum/dev/dis --dev-syntax gum/dev/conllu         scored; scores in the model
      spinal rst train gum/dis --syntax gum/conllu --heuristics -o paper.model

    Trees may be in any format that `spinal rst convert` reads. CoNLL-U files are in the
    folder of --syntax, with the names of the documents. The model parses texts with syntax
    and texts without. --heuristics is the parser of Morey, Muller and Asher (2018, section
    4.1): two stages, a yes-or-no decision for each arc, nuclearity from the relation, order
    by distance. --encoding is chain or tree, or the encoding of the files (both:
    --transform tree --encoding latin-1). Training needs SciPy: pip install
    'spinal[parser]'.
    """  # noqa: E501 -- as it is printed
    transform = _transform(args)
    documents = inputs.read_documents(args, args.corpus, tells=False)
    started = time.process_time()

    def progress(what: str) -> None:
        if not args.quiet:
            tell(f"{time.process_time() - started:6.1f} s  {what}")

    problems: list[Exception] = []
    notes: list[Exception] = []
    parser = RstParser.train(
        documents,
        encoding=transform,
        stages=args.stages.split(",") if args.stages else None,
        progress=progress,
        problems=problems,  # type: ignore[arg-type]
        notes=notes,  # type: ignore[arg-type]
        text_encoding=args.encoding,
        **inputs.passed_on(args, "syntax relations roots heuristics seed"),
    )
    if args.dev:
        progress("scoring")
        other = inputs.read_documents(args, args.dev)
        parser = parser.scored_on(other, syntax=args.dev_syntax, encoding=args.encoding)
    parser.save(args.model)
    progress(f"wrote {args.model}")
    note([*problems, *notes], args)
    emit(args, parser)
    return BAD_INPUT if problems else OK


def _transform(args: Namespace) -> Transform:
    """Chain or tree: by its own option, or as the papers' "encoding"."""
    transform: Transform = args.transform or "chain"
    if args.encoding not in _TRANSFORMS:
        return transform
    transform, args.encoding = args.encoding, "utf-8"
    if args.transform not in (None, transform):
        raise SettingsError(
            "E566 contradict each other", one=args.transform, other=transform
        )
    return transform


@command(
    *_MODEL_AND_INPUTS,
    Option(
        "--to  the format (default: dis); confidence: JSON with the probability of "
        "each arc and label",
        default="dis",
        choices=(*WRITTEN, _CONFIDENCE),
    ),
    Option(
        "-o DIR  write each document there (default: one to standard output)",
        dest="out",
        is_output=True,
    ),
    _KIND,
    Option(
        "--syntax DIR  CoNLL-U files of the same names, for inputs that are EDUs or "
        "trees",
        is_input=True,
    ),
    options.INPUT,
    options.JOBS,
    options.QUIET,
    options.VERBOSE,
)
def run_parse(args: Namespace) -> int:
    """Parse texts into discourse trees.

    examples:
      spinal rst parse gum.model story.txt                   one tree to standard output
      spinal rst parse gum.model conllu/ --to rs3 -o trees   each into a directory
      spinal rst parse gum.model gold/dis --syntax conllu/ --to dis -o ours
      spinal rst parse gum.model story.txt --to confidence   how sure it is of every arc

    The kind of an input is recognised by its content: CoNLL-U, with EDUs marked
    (`Seg=B-seg`, `BeginSeg=Yes`, `Discourse=…`) or not; discourse trees (also by the
    endings .dis, .rs3, .rs4, .rsd, .brackets and .json), whose EDUs are used; EDUs, one
    on each line, if the file's name ends in .edus; raw text, with blank lines between
    paragraphs. Input without EDUs is segmented first.
    """
    parser = RstParser.load(args.model)
    parsed = parser.parse(
        Input.of_paths(args.inputs, encoding=args.encoding),
        kind=args.input,
        syntax=args.syntax,
        encoding=args.encoding,
        jobs=args.jobs,
    )
    note(parsed.problems, args)
    if args.strict and parsed.problems:
        raise parsed.problems[0]
    if args.out and os.path.isfile(args.out):
        raise InputError("E847 is a file", Place(args.out))
    written = ((document.name, _written(document, args.to)) for document in parsed.rows)
    if args.out:
        _write(args, written, "json" if args.to == _CONFIDENCE else args.to)
    else:
        for _, text in written:
            put_document(text)
    return BAD_INPUT if parsed.problems or not parsed.rows else OK


def _written(document: ParsedDocument, to: str) -> str:
    if to != _CONFIDENCE:
        tree = document.tree if to in ("rsd", "conllu") else document.unit
        return write_rst(tree, to, name=document.name)
    edus = [edu._asdict() for edu in document.edus]
    for edu in edus:
        del edu["document"]  # it is told once
    return json_text({"document": document.name, "edus": edus}) + "\n"


@command(
    *_MODEL_AND_INPUTS,
    Option("-o DIR  write the EDUs of each text there", dest="out", is_output=True),
    Option("--gold DIR  score against these EDUs", is_input=True),
    _KIND,
    Option("--words  use only words, not syntax"),
    options.INPUT,
    options.OUTPUT,
)
def run_segment(args: Namespace) -> int:
    """Split texts into elementary discourse units.

    examples:
      spinal rst segment gum.model story.txt                 EDUs one a line
      spinal rst segment gum.model conllu/ -o edus           a file of EDUs each
      spinal rst segment gum.model conllu/ --gold dis/       precision, recall, F1

    Inputs are CoNLL-U or raw text; marks of EDUs in them are ignored. --gold names
    documents whose EDUs are known: discourse trees, EDUs on lines (.edus), or CoNLL-U
    with marks.
    """
    parser = RstParser.load(args.model)
    given = Input.of_paths(args.inputs, encoding=args.encoding)
    texts = read_texts(given, kind=args.input)
    note(texts.problems, args)
    if args.strict and texts.problems:
        raise texts.problems[0]
    seen = (
        [text.without_syntax() for text in texts.texts] if args.words else texts.texts
    )
    segmented = parser.segment([replace(text, edu_starts=None) for text in seen])
    lines = [
        (text.name, "".join(f"{edu}\n" for edu in text.edu_texts()))
        for text in segmented
    ]
    problems = list(texts.problems)
    if args.gold:
        gold = read_texts(args.gold, encoding=args.encoding)
        scores = score_segments(gold.texts, segmented)
        problems += [*gold.problems, *scores.problems]
        note([*gold.problems, *scores.problems], args)
        emit(args, scores)
    elif not args.out:
        for _, text in lines:
            put_document(text)
    if args.out:
        _write(args, lines, "edus")
    return BAD_INPUT if problems or not segmented else OK


def _write(args: Namespace, documents: Iterable[tuple[str, str]], ending: str) -> None:
    """Each into a file of the directory."""
    folder = Path(args.out)
    make_folder(folder)
    count = 0
    for name, text in documents:
        count += 1
        # A document's name comes from its file or from CoNLL-U: it may hold anything.
        stem = name.replace(os.sep, "_").replace("\0", "_").lstrip(".") or "text"
        write_text(folder / f"{stem}.{ending}", text)
    if not args.quiet:
        tell(f"wrote {counted(count, 'document')} to {folder}")
