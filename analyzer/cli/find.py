"""spinal find: where trees have what a query describes."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import Any, cast

from analyzer.analyses.find import Found, find
from analyzer.analyses.find_pairs import RESAMPLES, FoundPairs
from analyzer.analyses.opening import TreeOptions
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, at_least, command
from analyzer.cli.output import (
    BAD_INPUT,
    FINDINGS,
    OK,
    emit,
    exit_code,
    save_picture,
    say,
    terminal_width,
    warn_of,
    width_and_color,
)
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import put, tell
from analyzer.exceptions import SettingsError
from analyzer.queries.language import Query, parse_query
from analyzer.queries.named import load_queries
from analyzer.safe_text import counted, numbered

_LISTED = 10  # matches that one side has alone, of each kind and query


@command(
    Option("QUERY", nargs="?", dest="query"),
    Option("TREES", nargs="*", dest="inputs"),
    Option("--gold GOLD  gold trees, to be compared with --parsed", is_input=True),
    Option(
        "--parsed [NAME=]PARSED  the output of a parser; may be repeated",
        action="append",
        is_input=True,
    ),
    Option("--count  how many matches each file has, not what they are"),
    Option("--draw  draw each tree that has a match, the matched nodes marked"),
    Option(
        "--limit N  only the first N matches, 0 for all (default: all; with --gold, "
        f"{_LISTED} missed and {_LISTED} invented ones of each query)",
        at_least(0),
    ),
    Option(
        "--key {span,head}  with --gold: matches are the same if their named nodes "
        "have the same words, or the same head words (default: span)",
        default="span",
    ),
    options.QUERIES,
    options.GROUP_BY,
    Group(
        "intervals",
        *options.resampling(RESAMPLES, "how often sentences are drawn"),
        is_rare=True,
    ),
    *options.DRAWING,
    options.constructions(*options.SCORED),
    options.FUNCTION_TAGS,
    options.discourse_trees("none"),
    options.MENDED_PAIRING,
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
      spinal find '@NP < (@PP=of < (IN < of))' --gold gold.mrg --parsed parsed.mrg
      spinal find --queries queries.toml --gold gold.mrg --parsed a=a.mrg --parsed b=b.mrg

    With --gold and --parsed: precision and recall of the parser's matches, those that it
    misses or invents, and what stands there instead. What the query names is compared;
    the exit code is 0, or 2 if something could not be compared.

    relations (A is the node before, B the one after):
      <  parent of       >  child of       <N  B is its Nth child   <:  only child
      << above           >> below          <-N the same from the end
      $  sister          $. next sister    $.. sister further right   $, $,, left
      .  right before    .. before         ,   right after   ,, after
      <# head is         ~> depends on     !   not   ?  if there is one   | or   =x name
    docs/find.md has all of them, with examples.
    """  # noqa: E501 -- as it is printed
    is_pair = args.gold is not None or bool(args.parsed)
    _require_arguments(args, is_pair)
    if is_pair:
        return _run_pairs(args)
    if args.queries:
        return _count_queries(args)
    result = _search(args, parse_query(args.query))
    warn_of(args, result.ledger)
    if args.picture or args.draw:
        _draw(args, result)
    elif args.count or args.format != "text" or args.output:
        emit(args, result, limit=args.limit or None, counts=args.count)
    else:
        _list(args, result)
    return _exit_code(result)


def _search(args: Namespace, query: Query, *, counts_only: bool = False) -> Found:
    given = inputs.input_of(args, *args.inputs)
    with ReadingBar(args.inputs, quiet=args.quiet) as bar:
        given_options: Mapping[str, Any] = inputs.scoring_options(args, bar)
        known = TreeOptions.__annotations__.keys() & given_options.keys()
        return find(
            query,
            given,
            group_by=args.group_by,
            limit=args.limit or None,
            count=args.count or counts_only,
            jobs=args.jobs,
            **cast("TreeOptions", {name: given_options[name] for name in known}),
        )


def _list(args: Namespace, result: Found) -> None:
    """The matches, a line each; how many there are is told beside them."""
    from reports.render import folded
    from reports.tables.find import match_lines

    _, color = width_and_color(args)
    with_files = len({block.source for block in result.blocks}) > 1
    for line in match_lines(result, with_files=with_files, color=color):
        put(folded(line, terminal_width(args)), color=color)
    _tell(args, result)


def _tell(args: Namespace, result: Found) -> None:
    """What there is beside the matches: how many, what was not searched, and why."""
    for note in result.hints if args.quiet else result.notes:
        say(note)
    if not args.quiet:
        shown = (
            f", the first {result.kept:,} shown" if result.kept < result.total else ""
        )
        tell(f"{counted(result.total, 'match')}{shown}; {result.scored_text()}")


def _draw(args: Namespace, result: Found) -> None:
    """Each tree that has a match, in the terminal or as a picture."""
    from reports.drawing.tree_svg import tree_picture
    from reports.drawing.tree_text import draw
    from reports.tables.find import match_outlines

    width, color = width_and_color(args)
    noun = result.deriver.noun
    drawn = list(match_outlines(result)) if args.picture else match_outlines(result)
    for at, (match, matches, shown) in enumerate(drawn, start=1):
        title = f"{match.file}: {noun} {numbered(match.sentence, match.id)}"
        if args.picture:
            several = len(drawn) > 1  # type: ignore[arg-type]
            picture = tree_picture(shown, title=title)
            save_picture(picture, args.picture, at, several=several)
            continue
        put(f"# {title}, {counted(matches, 'match')}")
        put(draw(shown, width=width, color=color), color=color)
        put()
    _tell(args, result)


def _exit_code(result: Found) -> int:
    """As grep's: 0 for matches, 1 for none, 2 if not everything could be searched."""
    if not result.ledger.is_complete:
        return BAD_INPUT
    return OK if result.total else FINDINGS


# -- gold and parsed -------------------------------------------------------------------

_OF_PAIRS = ("key", "pair", "tags", "on_mismatch", "resamples", "seed")


def _require_arguments(args: Namespace, is_pair: bool) -> None:
    """SettingsError unless there is a query, and trees of one side or of both."""
    if args.queries and args.query is not None:
        args.inputs = [args.query, *args.inputs]  # the file has the queries
        args.query = None
    if args.query is None and not args.queries:
        raise SettingsError("E670 no query")
    if is_pair:
        if args.gold is None or not args.parsed:
            raise SettingsError("E671 both")
        if args.inputs:
            raise SettingsError("E672 is given together with", path=args.inputs[0])
        if args.count:
            raise SettingsError("E673 no effect", option="--count", other="--gold")
    elif not args.inputs:
        raise SettingsError("E674 no trees")
    elif given := inputs.given_options(args, *_OF_PAIRS):
        raise SettingsError("E675 no effect without", option=given[0])


def _run_pairs(args: Namespace) -> int:
    from analyzer.analyses.find_pairs import find_pairs

    is_one = len(args.parsed) == 1 and "=" not in args.parsed[0]
    systems = [("parsed", *args.parsed)] if is_one else inputs.systems_of(args.parsed)
    limit = _LISTED if args.limit is None else args.limit or None
    files = [path for _, parsed in systems for path in (args.gold, parsed)]
    with ReadingBar(files, quiet=args.quiet) as bar:
        result = find_pairs(
            load_queries(args.queries, args.key) if args.queries else args.query,
            inputs.input_of(args, args.gold),
            {name: inputs.input_of(args, path) for name, path in systems},
            limit=limit,
            **inputs.scoring_options(args, bar),
            **inputs.passed_on(args, "key group_by resamples seed jobs"),
        )
    warn_of(args, *(system.ledger for system in result.systems), hint=result.label_hint)
    is_drawn = bool(args.draw or args.picture)
    emit(args, result, limit=limit, lists=not (is_drawn and args.format == "text"))
    if is_drawn:
        _draw_pairs(args, result)
    return max(
        exit_code(system.ledger, args.gold, path, verb="compared")
        for system, (_, path) in zip(result.systems, systems, strict=True)
    )


def _draw_pairs(args: Namespace, result: FoundPairs) -> None:
    """Both trees of each match that one side has alone."""
    from reports.tables.queries import match_picture, match_text

    width, color = width_and_color(args)
    listed = [
        (system.name, match)
        for system in result.systems
        for match in result.matches_of(system.name)
    ]
    if listed and args.format == "text":
        put()
    for at, (system, match) in enumerate(listed, start=1):
        if args.picture:
            picture = match_picture(match)
            save_picture(picture, args.picture, at, several=len(listed) > 1)
            continue
        named = numbered(match.sentence, match.id)
        of = f"{system}, " if len(result.systems) > 1 else ""
        put(f"# {of}sentence {named}, {match.kind}: {match.query}")
        put(f"# there instead: {match.instead}")
        put(match_text(match, width=width, color=color), color=color)
        put()


def _count_queries(args: Namespace) -> int:
    """How often each query of a file matches, file by file."""
    from reports.tables.find import counts_view

    results = {
        named.name: _search(args, named.query, counts_only=True)
        for named in load_queries(args.queries)
    }
    first = next(iter(results.values()))
    warn_of(args, first.ledger)
    emit(args, counts_view(results))
    codes = [_exit_code(result) for result in results.values()]
    return BAD_INPUT if BAD_INPUT in codes else min(codes)
