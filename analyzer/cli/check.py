"""spinal check: where a treebank contradicts itself."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from analyzer.checks.calibration import LEAST_CONFIDENCE, read_calibration
from analyzer.checks.decisions import (
    merged_decisions,
    read_decisions,
    read_known,
    write_decisions,
)
from analyzer.checks.finding_json import sarif
from analyzer.checks.fingerprints import default_ignore_file
from analyzer.checks.fixes import (
    apply_fixes,
    changes_of,
    fixes_of,
    patch_of,
    read_fixes,
)
from analyzer.checks.registry import INFO, KINDS, LEVELS, WARNING
from analyzer.checks.run import CheckResult, check
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Option, command, share
from analyzer.cli.output import emit, exit_code, warn, warn_of
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import json_text, put_document, tell
from analyzer.exceptions import SettingsError
from analyzer.files.atomic import write_bytes
from analyzer.pairing.ledger import Reason
from analyzer.safe_text import counted

# Options for sentences.
_SYNTAX = ("kind", "patch", "parsed", "only_differing", "calibrate", "calibration")
_FORMATS = ("text", "json", "sarif", "html", "markdown", "latex", *options.ONE_TABLE)


@command(
    Option("TREEBANK", nargs="*", dest="inputs"),
    Option(
        f"--kind  {', '.join(KINDS)}; may be repeated (default: all)",
        action="append",
        choices=KINDS,
    ),
    Option(
        "--level  only findings of this level or graver (default: warning, or info "
        "with --kind, --select or --min-confidence; those from warning on make the "
        "exit code 1)",
        choices=LEVELS,
    ),
    Option("--select CODES  codes or their beginnings, separated by commas: S,V301"),
    Option("--ignore CODES  leave these codes out, before findings are merged"),
    Option(
        "--min-confidence C  only findings with at least this chance of being an "
        f"error (0 to 1; default: {LEAST_CONFIDENCE}, or 0 with --kind or --select)",
        share,
    ),
    Option(
        "--labels FILE  the labels of the treebank: lines 'phrase NP VP ...', 'tag NN "
        "VB ...'",
        is_setting=True,
    ),
    Option(
        "--patch FILE  write the edits of findings at or above --level (default: "
        "warning) as a patch for `git apply` or `patch -p1`",
        is_output=True,
    ),
    Option(
        "--decisions FILE  what people decided on findings: the page shows it, and "
        "what is fine is left out elsewhere",
        is_input=True,
    ),
    Option(
        "--write-decisions FILE  write a line for each finding, with its edit and what "
        "was decided on it",
        is_output=True,
    ),
    Option(
        "--merge-decisions  compare the decisions of several annotators (files in "
        "place of a treebank), and merge them into --write-decisions"
    ),
    Option(
        "--calibration FILE  weights of evidence that --calibrate wrote (default: "
        "those that are shipped)",
        is_input=True,
    ),
    Option(
        "--calibrate DECISIONS  fit the chances to what was decided on the findings of "
        "this treebank, and do nothing else but write the weights",
        is_input=True,
    ),
    Option(
        "--write-calibration FILE  where --calibrate writes them (default: it prints "
        "them)",
        is_output=True,
    ),
    Option(
        "--apply FILE  make the edits of findings that were decided on as errors, and "
        "do nothing else",
        is_input=True,
    ),
    Option(
        "--ignore-file FILE  what to leave out: lines with a code and files, and a "
        "reason after # (default: .spinalignore, if there is one)",
        is_input=True,
    ),
    Option(
        "--baseline FILE  leave out known findings: those in this file",
        is_input=True,
    ),
    Option("--write-baseline FILE  record all findings as known", is_output=True),
    Option(
        "--limit N  findings to show in text, HTML and Markdown, 0 for all "
        "(default: 50)",
        int,
        50,
    ),
    Option(
        "--parsed TREES  a parser's trees of the same sentences, as evidence: where "
        "parsers agree with each other against the treebank; may be repeated",
        action="append",
        is_input=True,
    ),
    Option("--only-differing  only findings on words where --parsed differs"),
    Option("--rst  check discourse trees"),
    options.ROOTS,
    options.constructions(),
    options.FUNCTION_TAGS,
    options.TREE_INPUT,
    options.JOBS,
    options.output(*_FORMATS),
)
def run_check(args: Namespace) -> int:
    """Find where a treebank contradicts itself.

    examples:
      spinal check wsj/                            errors and warnings, surest first
      spinal check gold.mrg --level info           and what is less certain
      spinal check gold.mrg --kind variation --kind tag --limit 20
      spinal check gold.mrg --write-baseline known.jsonl
      spinal check gold.mrg --baseline known.jsonl   only what is new; for CI
      spinal check gold.mrg --format html --limit 200 > findings.html
      spinal check gold.mrg --decisions ours.jsonl   what is still to be decided
      spinal check --merge-decisions kim.jsonl lee.jsonl --write-decisions ours.jsonl
      spinal check --apply ours.jsonl              make the edits
      spinal check gold.mrg --parsed one.mrg --parsed two.mrg   parsers as evidence
      spinal check gold.mrg --calibrate ours.jsonl --write-calibration ours.tsv
      spinal check gold.mrg --calibration ours.tsv   chances as the team has decided
      spinal check --rst documents/                discourse trees

    exit code: 0 nothing at or above --level (warning), 1 findings, 2 bad input
    """
    if args.limit < 0:
        raise SettingsError("E578 --limit is a number of findings, 0 for all")
    if args.apply:
        return _apply(args)
    if args.merge_decisions:
        return _merge(args)
    if not args.inputs:
        raise SettingsError("E198 name a treebank to check, or use --apply")
    given = [inputs.input_of(args, spec) for spec in args.inputs]
    is_discourse = args.rst or inputs.is_discourse(given[0])
    if is_discourse and (chosen := inputs.given_options(args, *_SYNTAX)):
        # What would be left out silently is refused.
        raise SettingsError("E579 is for sentences, not for --rst", option=chosen[0])
    bar = ReadingBar(args.inputs, quiet=args.quiet)
    if args.calibrate:
        args.min_confidence = 0.0  # chances may have been others when it was decided
    result = check(
        *given,
        rst=is_discourse,
        kind=args.kind or None,
        select=args.select.split(",") if args.select is not None else None,
        ignore=args.ignore.split(",") if args.ignore else (),
        baseline=None if args.write_baseline else args.baseline,
        decisions=args.decisions,
        calibration=args.calibration,
        ignore_file=args.ignore_file or default_ignore_file(),
        progress=bar.add,
        parsed=args.parsed or (),
        only_differing=args.only_differing,
        **inputs.deriver_options(args),
        **inputs.passed_on(args, "min_confidence labels roots strict encoding jobs"),
    )
    bar.close()
    if args.calibrate:
        return _calibrate(args, result)
    if args.write_baseline:
        result.write_decisions(args.write_baseline, is_baseline=True)
        count = len(result.findings)
        message = f"wrote {count:,} known findings to {args.write_baseline}"
        tell(message)
        result = result.without_known(read_known(args.write_baseline))
    chosen = inputs.given_options(args, "kind", "select", "min_confidence")
    result = result.at_least(args.level or (INFO if chosen else WARNING))
    warn_of(args, hint=result.label_hint)
    _write_edits(args, result)
    _show(args, result)
    # Malformed trees are findings here; files that cannot be read are not.
    read = [item for item in result.ledger.items if item.reason is not Reason.BAD_TREE]
    ledger = replace(result.ledger, items=tuple(read), scored=1)
    source = args.inputs[0]
    return exit_code(ledger, source, source, has_findings=result.has(_level(args)))


def _level(args: Namespace) -> str:
    """From which level on findings count."""
    return args.level or WARNING


def _apply(args: Namespace) -> int:
    """The edits that people want."""
    fixes = read_fixes(args.apply)
    done, skipped = apply_fixes(fixes, args.encoding)
    warn([f"{edit.fix.file}:{edit.fix.line}: {edit.reason}" for edit in skipped], args)
    if any(edit.stops_all for edit in skipped):
        of_all = f"{len(skipped):,} of {len(fixes):,}"
        verb = "does" if len(skipped) == 1 else "do"
        tell(f"made no edit: {of_all} {verb} not fit, and nothing changed")
    else:
        tell(f"made {counted(done, 'edit')}, skipped {len(skipped):,}")
    return 2 if skipped else 0


def _calibrate(args: Namespace, result: CheckResult) -> int:
    """Weights of evidence by what was decided."""
    start = read_calibration(args.calibration) if args.calibration else None
    calibration = result.calibrated(args.calibrate, start)
    text = calibration.text()
    if args.write_calibration:
        write_bytes(args.write_calibration, text.encode())
        tell(f"wrote {args.write_calibration}: {calibration.notes[-1]}")
    else:
        put_document(text)
    return 0


def _merge(args: Namespace) -> int:
    """Files of decisions as one, and how far they agree."""
    from reports.tables.findings import merged_view

    if len(set(args.inputs)) < 2:
        raise SettingsError("E678 name two files of decisions or more")
    merged = merged_decisions({path: read_decisions(path) for path in args.inputs})
    if args.write_decisions:
        write_decisions(merged.decisions, args.write_decisions)
        count = counted(len(merged.decisions), "finding")
        tell(f"wrote decisions on {count} to {args.write_decisions}")
    emit(args, merged_view(merged))
    return 1 if merged.conflicts else 0


def _write_edits(args: Namespace, result: CheckResult) -> None:
    if args.write_decisions:
        result.write_decisions(args.write_decisions)
        count = counted(len(result.findings), "finding")
        tell(f"wrote {count} to {args.write_decisions}")
    if result.stream is not None and args.patch:
        sure = [
            finding for finding in result.findings if finding.is_at_least(_level(args))
        ]
        fixes = fixes_of(sure, result.sources)
        changes, skipped = changes_of(fixes, args.encoding)
        data = patch_of(changes).encode(args.encoding, "surrogateescape")
        write_bytes(args.patch, data)
        edits = counted(len(fixes) - len(skipped), "edit")
        later = f"; {len(skipped):,} touch the same brackets: check again"
        tell(f"wrote a patch with {edits} to {args.patch}{later if skipped else ''}")


def _show(args: Namespace, result: CheckResult) -> None:
    """Print the findings; SARIF and the pages are formats of this command alone."""
    from reports.page.review import check_page
    from reports.views import view_of

    limit, text = args.limit or None, None
    view = view_of(result, form=args.format, limit=limit, all_tables=bool(args.output))
    if args.format == "text":
        args.shown.update(result.notes)  # they stand in the text
    if args.format == "sarif":
        sources = None if result.is_discourse else result.sources
        text = json_text(sarif(result.findings, sources), ascii_only=True).rstrip()
    elif args.format == "html":
        text = check_page(result, limit)
    emit(args, replace(view, text=text or view.text))
