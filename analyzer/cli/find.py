"""spinal find: where trees have what a query describes."""

from __future__ import annotations

from argparse import Namespace

from analyzer.analyses.find import Found, find
from analyzer.cli import options
from analyzer.cli.declarations import Group, Option, at_least, command
from analyzer.cli.output import (
    BAD_INPUT,
    FINDINGS,
    OK,
    emit,
    say,
    warn_of,
    warner,
    width_and_color,
    write_svg,
)
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import put, tell
from analyzer.files.inputs import Input
from analyzer.queries.language import parse_query
from analyzer.safe_text import numbered
from analyzer.transform.parameters import load_parameters


@command(
    Option("QUERY", dest="query"),
    Option("TREES", nargs="+", dest="inputs"),
    Option("--count  how many matches each file has, not what they are"),
    Option("--draw  draw each tree that has a match, the matched nodes marked"),
    Option(
        "--limit N  only the first N matches; 0 for all (default: all)",
        at_least(0),
        0,
    ),
    options.GROUP_BY,
    *options.DRAWING,
    options.constructions(),
    options.FUNCTION_TAGS,
    options.discourse_trees("none"),
    options.TREE_INPUT,
    Group("work", options.JOBS, is_rare=True),
    options.OUTPUT,
)
def run_find(args: Namespace) -> int:
    """List where trees have what a query describes. Exit code: 0 if something matches, 1
    if nothing does, 2 if something is wrong, as grep's.

    examples:
      spinal find 'NP < (PP < (IN < of)) $.. VP' news.mrg
      spinal find 'S < NP=subject < (VP << /^VB/=verb)' news.mrg --format csv
      spinal find '@NP{construction=NP-modr, words>10}' news/ --count
      spinal find 'VBD ~> said' news.mrg --draw

    relations (A is the node before, B the one after):
      <  parent of       >  child of       <N  B is its Nth child   <:  only child
      << above           >> below          <-N the same from the end
      $  sister          $. next sister    $.. sister further right   $, $,, left
      .  right before    .. before         ,   right after   ,, after
      <# head is         ~> depends on     !   not   ?  if there is one   | or   =x name
    docs/find.md has all of them, with examples.
    """  # noqa: E501 -- as it is printed
    query = parse_query(args.query)
    given = Input.of_paths(args.inputs, encoding=args.encoding)
    if args.grammar:
        from analyzer.formats.dialects import read_by

        read_by(args.grammar, given)
    with ReadingBar(args.inputs, quiet=args.quiet) as bar:
        found = find(
            query,
            given,
            group_by=args.group_by,
            limit=args.limit or None,
            counts_only=args.count,
            jobs=args.jobs,
            patterns=args.patterns,
            parameters=None
            if args.params is None
            else load_parameters(args.params, warn=warner(args)),
            delete=args.delete_label,
            function_separator=args.function_separator,
            binarize=args.binarize,
            relations=args.relations,
            strict=args.strict,
            encoding=args.encoding,
            progress=bar.add,
        )
    warn_of(args, found.ledger)
    if args.svg or args.draw:
        _draw(args, found)
    elif args.count or args.format != "text" or args.output:
        emit(args, found, limit=args.limit or None, counts=args.count)
    else:
        _list(args, found)
    return _exit_code(found)


def _list(args: Namespace, found: Found) -> None:
    """The matches, a line each; how many there are is told beside them."""
    from reports.tables.find import match_lines

    _, color = width_and_color(args)
    with_files = len({block.source for block in found.blocks}) > 1
    for line in match_lines(found, with_files=with_files, color=color):
        put(line, color=color)
    _tell(args, found)


def _tell(args: Namespace, found: Found) -> None:
    """What there is beside the matches: how many, what was not searched, and why."""
    from reports.tables.find import match_count

    for note in found.hints if args.quiet else found.notes:
        say(note)
    if not args.quiet:
        shown = f", the first {found.kept:,} shown" if found.kept < found.total else ""
        tell(f"{match_count(found.total)}{shown}; {found.scored_text()}")


def _draw(args: Namespace, found: Found) -> None:
    """Each tree that has a match, in the terminal or as a picture."""
    from reports.drawing.tree_svg import tree_svg
    from reports.drawing.tree_text import draw
    from reports.tables.find import match_count, match_outlines

    width, color = width_and_color(args)
    noun = found.deriver.noun
    drawn = list(match_outlines(found)) if args.svg else match_outlines(found)
    for at, (match, matches, shown) in enumerate(drawn, start=1):
        title = f"{match.file}: {noun} {numbered(match.sentence, match.id)}"
        if args.svg:
            several = len(drawn) > 1  # type: ignore[arg-type]
            write_svg(tree_svg(shown, title=title), args.svg, at, several=several)
            continue
        put(f"# {title}, {match_count(matches)}")
        put(draw(shown, width=width, color=color), color=color)
        put()
    _tell(args, found)


def _exit_code(found: Found) -> int:
    """As grep's: 0 for matches, 1 for none, 2 if not everything could be searched."""
    if not found.ledger.is_complete:
        return BAD_INPUT
    return OK if found.total else FINDINGS
