"""spinal rst score: every metric of Morey, Muller and Asher (2017, 2018)."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from analyzer.analyses.rst_scores import RstScores, RstSettings, score_corpora
from analyzer.analyses.score import ConstructionScores
from analyzer.cli import inputs, options
from analyzer.cli.output import BAD_INPUT, OK, complain, emit, warn
from analyzer.derivation.discourse import discourse_deriver
from analyzer.exceptions import PairingError, Place, SettingsError
from analyzer.formats.documents import read_written
from analyzer.metrics.constructions import compare, tally
from analyzer.model.arrays import Ints
from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import Documents
from analyzer.pairing.by_name import DocumentPairs, document_pairs
from analyzer.transform.relations import load_relations, relations_name

_EPILOG = """\
examples:
  spinal rst score gold/ predicted/
  spinal rst score gold/ predicted/ --relations gum --by-relation
  spinal rst score gold/ a/ b/ c/ --published

Documents are paired by name; files may be in any format that `spinal rst convert`
reads. S, N, R, F: span, with nuclearity, with relation, with both; +H: with the head
EDU. UAS, LAS: governor, with nuclearity, relation, both; OUAS: with the order of
attachment. micro sums counts over documents, macro is the mean over documents.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Score discourse trees."
    parser.epilog = _EPILOG
    parser.add_argument("gold", metavar="GOLD")
    parser.add_argument("inputs", nargs="+", metavar="PREDICTED")
    options.add_tree_options(parser, binarize="right")
    scoring = parser.add_argument_group("scoring")
    scoring.add_argument(
        "--no-root",
        action="store_true",
        help="leave the root's attachment out of dependency scores",
    )
    scoring.add_argument(
        "--parseval-root",
        action="store_true",
        help="count the root in RST-Parseval too, as Figure 3 of the 2018 paper does",
    )
    scoring.add_argument(
        "--as-released",
        action="store_true",
        help="as the papers' own program: F+H without the head, LAS-F with the order, "
        "0 for a document of one EDU in a macro average",
    )
    scoring.add_argument(
        "--segmentation",
        choices=("same", "offsets"),
        default="same",
        help="same: the same EDUs on both sides (default); offsets: EDUs may differ, "
        "units are compared by characters, white space ignored",
    )
    parser.add_argument(
        "--constructions",
        action="store_true",
        help="scores per construction instead: schemas and links",
    )
    parser.add_argument(
        "--levels",
        metavar="RSD",
        help="with --constructions: tell constructions within a sentence from those "
        "across; a file or folder of .rsd documents that number the sentences",
    )
    parser.add_argument("--by-document", action="store_true")
    parser.add_argument("--by-relation", action="store_true")
    parser.add_argument(
        "--published", action="store_true", help="the layout of the papers' tables"
    )
    options.add_input_options(parser)
    options.add_jobs_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import rst_scores

    settings = RstSettings(
        binarize=args.binarize,
        relations=relations_name(args.relations),
        relation_map=load_relations(args.relations),
        count_root=not args.no_root,
        as_released=args.as_released,
        by_offsets=args.segmentation == "offsets",
        parseval_root=args.parseval_root,
    )
    if args.levels and not args.constructions:
        raise SettingsError("--levels goes with --constructions")
    gold = _read(args, args.gold, settings)
    problems = list(gold.problems)
    if args.constructions:
        return _constructions(args, gold, settings)
    systems: list[tuple[str, RstScores]] = []
    for path in args.inputs:
        predicted = _read(args, path, settings)
        problems += predicted.problems
        name = Path(path).name or path
        systems.append((name, score_corpora(gold, predicted, settings)))
    tables = []
    if args.published:
        tables = rst_scores.published_tables(systems)
    for name, scores in systems:
        if not args.published:
            tables.append(rst_scores.metric_table(scores))
        if args.by_relation:
            tables += rst_scores.relation_tables(scores)
        if args.by_document:
            tables.append(rst_scores.document_table(scores))
        warn([f"{name}: {one.document}: {one.reason}" for one in scores.skipped], args)
    data = [
        rst_scores.rst_scores_json(
            scores, by_document=args.by_document, by_relation=args.by_relation
        )
        for _, scores in systems
    ]
    emit(args, tables, data[0] if len(data) == 1 else {"systems": data}, main=tables[0])
    if not all(scores.names for _, scores in systems):
        error = PairingError("no document could be scored", Place(args.gold))
        return complain(error)
    return BAD_INPUT if problems else OK


def _read(args: argparse.Namespace, spec: str, settings: RstSettings) -> Documents:
    return inputs.read_documents(
        args, spec, keep_texts=settings.by_offsets, jobs=args.jobs
    )


def _constructions(
    args: argparse.Namespace,
    gold: Documents,
    settings: RstSettings,
) -> int:
    from reports.tables import rst_scores

    if len(args.inputs) > 1:
        raise SettingsError("--constructions takes one prediction; try spinal compare")
    predicted = _read(args, args.inputs[0], settings)
    found = document_pairs(gold, predicted, settings)
    warn([f"{one.document}: {one.reason}" for one in found.skipped], args)
    if not found.names:
        raise PairingError("no document could be scored", Place(args.gold))
    sentences = _sentences(args.levels, found) if args.levels else None
    deriver = discourse_deriver(
        binarize=settings.binarize, relations=settings.relations, sentences=sentences
    )
    scores = ConstructionScores(deriver)
    scores.tally.add(tally(compare(found.pair, deriver)))
    emit(
        args,
        rst_scores.construction_tables(scores),
        rst_scores.constructions_json(scores),
    )
    return BAD_INPUT if gold.problems or predicted.problems else OK


def _sentences(spec: str, found: DocumentPairs) -> Ints:
    """The sentence of each EDU, from documents that number sentences."""
    documents, _ = read_written(spec)
    known = {
        one.name: one.document.tree.sentences
        for one in documents
        if isinstance(one.document.tree, DependencyTree)
    }
    numbers: list[int] = []
    sizes = np.diff(found.pair.gold.leaf_start).tolist()
    for name, size in zip(found.names, sizes, strict=True):
        sentences = known.get(name)
        if sentences is None or len(sentences) != size:
            raise PairingError(
                f"no sentence numbers for the {size} EDUs of {name}", Place(spec)
            )
        numbers += sentences
    return np.array(numbers, np.int64)
