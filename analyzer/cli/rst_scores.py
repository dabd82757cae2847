"""spinal rst score, similarity: discourse trees compared."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.analyses.similarity import METRICS, TABLES_6_AND_7, similarity
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, command
from analyzer.cli.output import complain, emit, exit_code, warn, warn_of
from analyzer.exceptions import PairingError, Place, SettingsError
from analyzer.model.discourse import Documents
from analyzer.pairing.ledger import LeftOut

if TYPE_CHECKING:
    from analyzer.analyses.rst_relations import RelationClassification
    from analyzer.analyses.rst_scores import RstScores
    from reports.model import View

_YES_OR_NO = {None: None, "yes": True, "no": False}


@command(
    options.GOLD,
    options.SYSTEMS.but(metavar="[NAME=]PREDICTED"),
    options.discourse_trees("right"),
    Group(
        "scoring",
        Option("--no-root  leave the root's attachment out of dependency scores"),
        Option(
            "--parseval-root  count the root in RST-Parseval too, as Figure 3 of the "
            "2018 paper does"
        ),
        Option(
            "--as-released  as the papers' own program: F+H without the head, LAS-F "
            "with the order, 0 for a document of one EDU in a macro average, only gold "
            "binarised"
        ),
        options.BINARIZE_PARSED,
        Option(
            "--segmentation {same,offsets,edu-ends}  same: the same EDUs on both sides "
            "(default); offsets: EDUs may differ, a unit is its first and its last "
            "character, white space ignored; edu-ends: they may, and a unit is the "
            "ends of its first and its last EDU, as DMRST and isanlp count",
            default="same",
        ),
        options.MULTINUCLEAR,
    ),
    Option("--constructions  score constructions instead: schemas and links"),
    Option(
        "--classification  score only the relations: accuracy, each label, and "
        "which is taken for which; of two .rels files, or where both sides attach alike"
    ),
    Option(
        "--levels RSD  scores within sentences, between those of a paragraph, and "
        "above; with --constructions, within a sentence and across sentences; a file "
        "or folder of .rsd documents that number the sentences",
        is_input=True,
    ),
    Option(
        "--erst  secondary edges and signals (.rs4) too, and the tree by whether its "
        "relations are signalled in gold"
    ),
    Option(
        "--faithfulness  a table of what was changed in the texts: EDUs, characters; "
        "for documents that a language model wrote"
    ),
    Option("--by-document"),
    Option("--by-relation"),
    Option("--published  the layout of the papers' tables"),
    options.DOCUMENT_PAIRING,
    options.INPUT,
    options.JOBS,
    options.OUTPUT,
)
def run_score(args: Namespace) -> int:
    """Score discourse trees.

    examples:
      spinal rst score gold/ predicted/
      spinal rst score gold/ predicted/ --relations gum --by-relation
      spinal rst score gold/ ours=run7/ theirs=run2/ --published
      spinal rst score gold/dis gum.model:gold/conllu --relations gum
      spinal rst score gold.rels predicted.rels --classification

    Documents are paired by name; files may be in any format that `spinal rst convert`
    reads. MODEL:TEXTS are the trees that a trained parser makes of texts (spinal rst
    parse). S, N, R, F: span, with nuclearity, with relation, with both; +H: with the head
    EDU. UAS, LAS: governor, with nuclearity, relation, both; OUAS: with the order of
    attachment. micro sums counts over documents, macro is the mean over documents.
    """  # noqa: E501 -- as it is printed
    from analyzer.analyses.rst_scores import score_rst
    from reports.tables.rst_published import published_view
    from reports.tables.rst_scores import rst_view

    if args.classification:
        return _classification(args)
    if args.constructions:
        return _constructions(args)
    gold = _read(args, args.gold)
    specs = inputs.systems_of(args.inputs)
    systems = [
        (
            name,
            score_rst(
                gold,
                _read(args, path),
                binarize_parsed=_YES_OR_NO[args.binarize_parsed],
                **inputs.passed_on(
                    args,
                    "binarize relations roots as_released erst levels faithfulness "
                    "parseval_root no_root segmentation on_mismatch max_left_out",
                ),
            ),
        )
        for name, path in specs
    ]
    view_of = published_view if args.published else rst_view
    view = view_of(systems, by_document=args.by_document, by_relation=args.by_relation)
    return _emit(args, specs, systems, view)


def _emit(
    args: Namespace,
    specs: Sequence[inputs.NamedPath],
    systems: Sequence[tuple[str, RstScores | RelationClassification]],
    view: View,
) -> int:
    """The view, after what is left out (of several systems, with their names)."""
    for name, scores in systems:
        ledger = scores.ledger
        if len(systems) > 1:
            items = tuple(_of_system(name, item) for item in ledger.items)
            ledger = replace(ledger, items=items)
        warn_of(args, ledger)
    emit(args, view)
    return max(
        exit_code(scores.ledger, args.gold, path)
        for (_, scores), (_, path) in zip(systems, specs, strict=True)
    )


def _of_system(name: str, item: LeftOut) -> LeftOut:
    """What is left out, told with the name of the system that it is missing from."""
    if item.reason.is_bad_input:
        return item
    place = Place(f"{name}: {item.document}")
    return item._replace(error=item.error.at(place))


def _read(args: Namespace, spec: str) -> Documents:
    """The trees of files, or those that a model makes of texts (MODEL:TEXTS)."""
    if _is_of_model(spec):
        return _parsed(args, *inputs.two_files(spec))
    from analyzer.analyses.rst_scores import known_multinuclear
    from analyzer.transform.relations import named_relations

    classes = named_relations(args.relations)[1]
    return inputs.read_documents(
        args,
        spec,
        keep_texts=args.segmentation != "same"
        or args.on_mismatch == "align"
        or args.faithfulness,
        jobs=args.jobs,
        tells=False,
        multinuclear=known_multinuclear(args.multinuclear, classes, args.encoding),
        graphs=not args.constructions,
    )


def _is_of_model(spec: str) -> bool:
    model, _ = inputs.two_files(spec)
    if not model or os.path.exists(spec):
        return False
    from analyzer.rst_parser.storage import is_model

    return is_model(model)


def _parsed(args: Namespace, model: str, texts: str) -> Documents:
    from analyzer.rst_parser.parser import RstParser

    parsed = RstParser.load(model).parse(texts, encoding=args.encoding, jobs=args.jobs)
    warn(parsed.problems, args)
    return parsed.documents


def _classification(args: Namespace) -> int:
    from analyzer.analyses.rst_relations import classify_relations
    from reports.tables.rst_scores import classifications_view

    others = [args.constructions, args.erst, args.levels, args.published]
    others.append(args.faithfulness)
    if any(others) or args.segmentation == "edu-ends":
        raise SettingsError("E964 --classification goes neither with")
    specs = inputs.systems_of(args.inputs)

    def source(spec: str) -> Documents | str:
        return _read(args, spec) if _is_of_model(spec) else spec

    gold = source(args.gold)
    systems = [
        (
            name,
            classify_relations(
                *(gold, source(path)),
                **inputs.passed_on(
                    args,
                    "binarize relations roots segmentation multinuclear strict "
                    "encoding jobs on_mismatch max_left_out",
                ),
            ),
        )
        for name, path in specs
    ]
    return _emit(args, specs, systems, classifications_view(systems))


def _constructions(args: Namespace) -> int:
    from analyzer.analyses.rst_scores import score_rst_constructions
    from reports.tables.rst_scores import constructions_view

    if args.erst:
        raise SettingsError("E967 --erst does not go with --constructions")
    if len(args.inputs) > 1:
        raise SettingsError("E837 --constructions takes one prediction")
    if args.segmentation == "edu-ends":
        raise SettingsError("E965 --constructions goes with --segmentation same or")
    [system] = inputs.systems_of(args.inputs)
    scores = score_rst_constructions(
        _read(args, args.gold),
        _read(args, system.path),
        segmentation=args.segmentation,
        **inputs.passed_on(
            args, "binarize relations roots levels on_mismatch max_left_out"
        ),
    )
    warn_of(args, scores.ledger)
    emit(args, constructions_view(scores.scores))
    return exit_code(scores.ledger, args.gold, system.path)


@command(
    Option("SYSTEM", nargs="+", dest="systems"),
    Option(
        f"--metric METRIC  may be repeated (default: {' and '.join(TABLES_6_AND_7)}); "
        f"one of {', '.join(METRICS)}",
        action="append",
    ),
    options.discourse_trees("right"),
    Group("what cannot be compared", options.MAX_LEFT_OUT, is_rare=True),
    options.INPUT,
    options.OUTPUT,
)
def run_similarity(args: Namespace) -> int:
    """Pairwise similarity of parsers, and their clusters.

    examples:
      spinal rst similarity sr/ hilda/ dep/ gold/
      spinal rst similarity ours=run7/ theirs=run2/ gold/ --metric S --metric LAS-F
      spinal rst similarity sr/ hilda/ dep/ gold/ --output similarity/

    Each system is a file or a folder, or NAME=PATH. S, N, R, F (and +H) are on attachment
    decisions, rst-parseval:S and so on on units as written, UAS and so on on dependencies.
    Scores are micro F1 over the documents that all systems have.
    """  # noqa: E501 -- as it is printed
    if len(args.systems) < 2:
        raise SettingsError("E843 expected two or more systems, found one")
    named = inputs.systems_of(args.systems)
    result = similarity(
        {name: inputs.read_documents(args, path, tells=False) for name, path in named},
        args.metric or TABLES_6_AND_7,
        **inputs.passed_on(args, "binarize relations roots max_left_out"),
    )
    warn_of(args, result.ledger)
    if not result.documents:
        error = PairingError("E844 no document is in all systems", Place(named[0].path))
        return complain(error)
    emit(args, result, form=args.format, all_tables=bool(args.output))
    return exit_code(result.ledger, named[0].path, named[-1].path, verb="compared")
