"""spinal check: where a treebank contradicts itself."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence

from analyzer.checks.baseline import new_findings, read_baseline, write_baseline
from analyzer.checks.findings import CODES, KINDS, LEVELS, Finding
from analyzer.checks.run import check_treebank
from analyzer.checks.sarif import sarif
from analyzer.checks.word_stream import WordStream
from analyzer.cli import inputs, options
from analyzer.cli.output import FINDINGS, OK, emit
from analyzer.cli.progress import ReadingBar
from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.formats.reading import TreeReader
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import load_labels

_EPILOG = """\
examples:
  spinal check wsj/                            all findings, most reliable first
  spinal check gold.mrg --kind variation --kind tag --limit 20
  spinal check gold.mrg --select S,V301        by code, or how it begins
  spinal check gold.mrg --write-baseline known.json
  spinal check gold.mrg --baseline known.json  only what is new; for CI
  spinal check gold.mrg --format html > findings.html
  spinal check --rst documents/                discourse trees

exit code: 0 nothing at or above --level, 1 findings, 2 bad input
"""
_FORMATS = ("text", "json", "sarif", "html", "markdown", "csv", "tsv")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Find where a treebank contradicts itself."
    parser.epilog = _EPILOG
    parser.add_argument("inputs", nargs="+", metavar="TREEBANK")
    parser.add_argument(
        "--kind",
        action="append",
        choices=KINDS,
        help=f"{', '.join(KINDS)}; may be repeated (default: all)",
    )
    parser.add_argument(
        "--level",
        choices=LEVELS,
        default="warning",
        help="what makes the exit code 1: findings of this level or graver "
        "(default: warning)",
    )
    parser.add_argument(
        "--select",
        metavar="CODES",
        help="codes, or how they begin, with commas: S,V301",
    )
    parser.add_argument(
        "--labels",
        metavar="FILE",
        help="the labels of the treebank: lines 'phrase NP VP ...', 'tag NN VB ...'",
    )
    parser.add_argument("--baseline", metavar="FILE", help="leave out known findings")
    parser.add_argument(
        "--write-baseline", metavar="FILE", help="make all findings known"
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=50,
        metavar="N",
        help="findings to show in text, HTML and Markdown, 0 for all (default: 50)",
    )
    parser.add_argument("--rst", action="store_true", help="check discourse trees")
    options.add_construction_options(parser, merge=False)
    options.add_input_options(parser)
    options.add_jobs_option(parser)
    options.add_output_options(parser, _FORMATS)


def run(args: argparse.Namespace) -> int:
    if args.limit < 0:
        raise SettingsError("--limit is a number of findings, 0 for all")
    if args.rst:
        from analyzer.cli.check_rst import run_rst

        return run_rst(args)
    codes = _codes(args.select)
    deriver = inputs.syntax_deriver_of(args)
    labels = load_labels(args.labels) if args.labels else deriver.inventory.labels
    known = read_baseline(args.baseline) if args.baseline else None
    corpus = WordStream.of(_banks(args), labels)
    if not len(corpus.bank):
        raise InputError("no trees in here; expected brackets", Place(args.inputs[0]))
    findings = check_treebank(
        corpus,
        deriver,
        kinds=args.kind or KINDS,
        codes=codes,
        jobs=args.jobs,
    )
    if args.write_baseline:
        write_baseline(findings, args.write_baseline)
        message = f"wrote {len(findings):,} known findings to {args.write_baseline}"
        print(message, file=sys.stderr)
        known = read_baseline(args.write_baseline)
    suppressed = 0
    if known is not None:
        new = new_findings(findings, known)
        suppressed = len(findings) - len(new)
        findings = new
    _show(args, findings, corpus, suppressed)
    return FINDINGS if any(_counts(one, args) for one in findings) else OK


def _counts(finding: Finding, args: argparse.Namespace) -> bool:
    return LEVELS.index(finding.level) <= LEVELS.index(args.level)


def _codes(text: str | None) -> list[str] | None:
    if text is None:
        return None
    codes = [code.strip().upper() for code in text.split(",") if code.strip()]
    for code in codes:
        if not any(known.startswith(code) for known in CODES):
            raise SettingsError(
                f"no finding has the code {code!r}; choose from {', '.join(CODES)}"
            )
    return codes


def _banks(args: argparse.Namespace) -> Iterator[Treebank]:
    bar = ReadingBar(args.inputs, quiet=args.quiet)
    for path in args.inputs:
        reader = TreeReader(
            path, encoding=args.encoding, strict=args.strict, progress=bar.add
        )
        yield from reader.banks()
    bar.close()


def _show(
    args: argparse.Namespace,
    findings: Sequence[Finding],
    corpus: WordStream,
    suppressed: int,
) -> None:
    from reports.page.findings import check_page
    from reports.tables.findings import finding_table, finding_text, summary

    shown = findings[: args.limit] if args.limit else findings
    counts = summary(findings, corpus, suppressed)
    data = {
        "summary": counts,
        "findings": [one.as_json() for one in findings],
    }
    text: str | None = None
    if args.format == "sarif":
        text = json.dumps(sarif(findings, corpus), indent=2, ensure_ascii=False)
    elif args.format == "html":
        text = check_page(shown, corpus, counts)
    elif args.format == "text":
        text = finding_text(shown, len(findings), counts)
    whole = args.format in ("csv", "tsv")
    emit(args, [finding_table(findings if whole else shown)], data, text=text)
