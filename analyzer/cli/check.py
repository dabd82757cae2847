"""spinal check: where a treebank contradicts itself."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.checks.baseline import (
    default_ignore_file,
    read_baseline,
)
from analyzer.checks.findings import KINDS, LEVELS
from analyzer.checks.fix_lists import read_fixes, written_fixes
from analyzer.checks.fixes import apply_fixes, changes_of, fixes_of
from analyzer.checks.patches import patch_of
from analyzer.checks.run import CheckResult, check
from analyzer.checks.sarif import sarif
from analyzer.checks.sentences import LEAST_CONFIDENCE
from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import emit, exit_code, hint_at_labels, warn
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import json_text, tell
from analyzer.exceptions import SettingsError
from analyzer.files.atomic import write_bytes, write_text
from analyzer.pairing.ledger import Reason
from analyzer.safe_text import counted

if TYPE_CHECKING:
    from reports.model import Table

_EPILOG = """\
examples:
  spinal check wsj/                            all findings, surest first
  spinal check gold.mrg --kind variation --kind tag --limit 20
  spinal check gold.mrg --select S,V301        by code, or how it begins
  spinal check gold.mrg --write-baseline known.json
  spinal check gold.mrg --baseline known.json  only what is new; for CI
  spinal check gold.mrg --format html --limit 200 > findings.html
  spinal check gold.mrg --fix-list fixes.tsv   edits, to be ticked
  spinal check --apply fixes.tsv               and made
  spinal check --rst documents/                discourse trees

exit code: 0 nothing at or above --level, 1 findings, 2 bad input
"""
_SYNTAX = ("kind", "patch", "fix_list")  # options for sentences
_NO_TABLES, _ONE_TABLE = ("text", "json", "sarif", "html"), ("csv", "tsv")
_FORMATS = (*_NO_TABLES, "markdown", "latex", *_ONE_TABLE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Find where a treebank contradicts itself."
    parser.epilog = _EPILOG
    parser.add_argument("inputs", nargs="*", metavar="TREEBANK")
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
        help="findings of this level or graver make the exit code 1 (default: warning)",
    )
    parser.add_argument(
        "--select",
        metavar="CODES",
        help="codes or their beginnings, with commas: S,V301",
    )
    parser.add_argument(
        "--ignore",
        metavar="CODES",
        help="leave these codes out, before findings are merged",
    )
    parser.add_argument(
        "--min-confidence",
        type=float,
        metavar="C",
        help="only findings with at least this chance of being an error (0 to 1; "
        f"default: {LEAST_CONFIDENCE}, or 0 with --kind or --select)",
    )
    parser.add_argument(
        "--labels",
        metavar="FILE",
        help="the labels of the treebank: lines 'phrase NP VP ...', 'tag NN VB ...'",
    )
    options.note_outputs(parser, "write_baseline", "patch", "fix_list")
    parser.add_argument(
        "--patch",
        metavar="FILE",
        help="write the edits of findings at or above --level as a patch for "
        "`git apply` or `patch -p1`",
    )
    parser.add_argument(
        "--fix-list",
        metavar="FILE",
        help="write all edits as a table with tabs, in which people enter yes",
    )
    parser.add_argument(
        "--apply",
        metavar="LIST",
        help="make the edits of a fix list that are marked yes, and do nothing else",
    )
    parser.add_argument(
        "--ignore-file",
        metavar="FILE",
        help="findings to leave out: lines with a fingerprint, or a code and a file, "
        "and a reason after # (default: .spinalignore, if there is one)",
    )
    parser.add_argument("--baseline", metavar="FILE", help="leave out known findings")
    parser.add_argument(
        "--write-baseline", metavar="FILE", help="record all findings as known"
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=50,
        metavar="N",
        help="findings to show in text, HTML and Markdown, 0 for all (default: 50)",
    )
    parser.add_argument("--rst", action="store_true", help="check discourse trees")
    tree_options.add_construction_options(parser, merge=False)
    tree_options.add_function_options(parser, scored=False)
    options.add_input_options(parser)
    options.add_jobs_option(parser)
    options.add_output_options(parser, _FORMATS)


def run(args: argparse.Namespace) -> int:
    if args.limit < 0:
        raise SettingsError("--limit is a number of findings, 0 for all", code="E578")
    if args.apply:
        return _apply(args)
    if not args.inputs:
        raise SettingsError("name a treebank to check, or use --apply", code="E198")
    given = [inputs.input_of(args, spec) for spec in args.inputs]
    is_discourse = args.rst or inputs.is_discourse(given[0])
    if is_discourse:
        _refuse_options_of_syntax(args)
    bar = ReadingBar(args.inputs, quiet=args.quiet)
    result = check(
        *given,
        rst=is_discourse,
        kinds=args.kind or KINDS,
        select=args.select.split(",") if args.select is not None else None,
        ignore=args.ignore.split(",") if args.ignore else (),
        min_confidence=args.min_confidence,
        labels=args.labels,
        baseline=None if args.write_baseline else args.baseline,
        ignore_file=args.ignore_file or default_ignore_file(),
        patterns=args.patterns,
        parameters=args.params,
        delete=args.delete_label,
        function_separator=args.function_separator,
        strict=args.strict,
        encoding=args.encoding,
        jobs=args.jobs,
        progress=bar.add,
        warn=lambda message: warn([message], args),
    )
    bar.close()
    if args.write_baseline:
        result.write_baseline(args.write_baseline)
        count = len(result.findings)
        message = f"wrote {count:,} known findings to {args.write_baseline}"
        tell(message)
        result = result.without_known(read_baseline(args.write_baseline))
    hint_at_labels(args, result.label_hint)
    _write_edits(args, result)
    _show(args, result)
    # Malformed trees are findings here; files that cannot be read are not.
    read = [item for item in result.ledger.items if item.reason is not Reason.BAD_TREE]
    ledger = replace(result.ledger, items=tuple(read), scored=1)
    source = args.inputs[0]
    return exit_code(ledger, source, source, has_findings=result.has(args.level))


def _apply(args: argparse.Namespace) -> int:
    """The edits that people ticked."""
    done, skipped = apply_fixes(read_fixes(args.apply), args.encoding)
    warn(
        [f"{one.fix.file}:{one.fix.line}: {one.reason}" for one in skipped],
        args,
    )
    tell(f"made {counted(done, 'edit')}, skipped {len(skipped):,}")
    return 2 if skipped else 0


def _write_edits(args: argparse.Namespace, result: CheckResult) -> None:
    if result.stream is None or not (args.patch or args.fix_list):
        return
    sources = result.sources
    if args.fix_list:
        fixes = fixes_of(result.findings, sources)
        write_text(args.fix_list, written_fixes(fixes))
        tell(f"wrote {counted(len(fixes), 'edit')} to {args.fix_list}")
    if args.patch:
        sure = [one for one in result.findings if one.is_at_least(args.level)]
        fixes = fixes_of(sure, sources)
        changes, skipped = changes_of(fixes, args.encoding)
        data = patch_of(changes).encode(args.encoding, "surrogateescape")
        write_bytes(args.patch, data)
        edits = counted(len(fixes) - len(skipped), "edit")
        later = f"; {len(skipped):,} touch the same brackets: check again"
        tell(f"wrote a patch with {edits} to {args.patch}{later if skipped else ''}")


def _refuse_options_of_syntax(args: argparse.Namespace) -> None:
    """What would be left out silently is refused."""
    given = [f"--{name.replace('_', '-')}" for name in _SYNTAX if getattr(args, name)]
    if given:
        raise SettingsError(
            "{option} is for sentences, not for --rst", code="E579", option=given[0]
        )


class _Shown(NamedTuple):
    """A result as `emit` takes it."""

    tables: Sequence[Table]
    text: str | None = None
    main: Table | None = None  # of a CSV or TSV


def _show(args: argparse.Namespace, result: CheckResult) -> None:
    def data() -> dict[str, Any]:
        return {
            "summary": result.summary,
            "findings": result.as_json(),
            "ledger": result.ledger.as_json(),
        }

    show = _documents if result.stream is None else _sentences
    shown = show(args, result, result.ledger.text("read"))
    emit(args, shown.tables, data, text=shown.text, main=shown.main)


def _documents(args: argparse.Namespace, result: CheckResult, line: str) -> _Shown:
    from reports.page.findings import document_check_page
    from reports.tables.findings import document_finding_table

    found, text, main = result.findings, None, None
    shown = found[: args.limit or None]
    table = document_finding_table(shown, len(found))
    if args.format in _ONE_TABLE:
        main = document_finding_table(found, len(found))
    if args.format == "sarif":
        text = json_text(sarif(found, None), ascii_only=True).rstrip()
    elif args.format == "html":
        text = document_check_page(shown, len(found), line)
    return _Shown([replace(table, notes=(*table.notes, line))], text, main)


def _sentences(args: argparse.Namespace, result: CheckResult, line: str) -> _Shown:
    from reports.page.cards import check_page
    from reports.tables.findings import finding_table, finding_text

    found, sources, counts = result.findings, result.sources, result.summary
    shown = found[: args.limit or None]
    tables, text, main = [], None, None
    # A finding may have thousands of places, and each is looked up in its file.
    if args.output or args.format not in _NO_TABLES:
        tables = [finding_table(shown, sources)]
    if args.format in _ONE_TABLE:
        main = finding_table(found, sources, wide=True)
    if args.format == "sarif":
        text = json_text(sarif(found, sources), ascii_only=True).rstrip()
    elif args.format == "html":
        text = check_page(shown, sources, counts, line)
    elif args.format == "text":
        text = f"{finding_text(shown, found, counts, sources)}\n{line}"
    return _Shown(tables, text, main)
