"""Queries beside the time to read the trees, and beside NLTK's tgrep. One process.

What counts are ratios: to reading the same file by the same reader, and to NLTK on a part
of the trees, which it has read before its time is taken.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from analyzer.analyses.find import find
from analyzer.formats.reading import TreeReader
from analyzer.queries.language import parse_query
from analyzer.queries.matching import find_matches

QUERIES = (
    "NP < (PP < (IN < of)) $.. VP",
    "S < NP=subj < (VP << /^V/)",
    "@NP=np < (@PP < (IN < of)) !<< DT",
    "NP << /ing$/",
    "VP < (/^VB/ $. NP) !<< PP",
    "__ .. __",
    "S < NP=n << (PRP=p >> =n)",
    "@NP{construction=NP-modr}",
    "PP ~> /^VB/",
)
PART = 1_000  # trees that NLTK gets


def seconds(work: Callable[[], object], runs: int) -> float:
    """CPU time of the best of some runs."""
    best = float("inf")
    for _ in range(runs):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def repeated(path: str, trees: int) -> Iterator[str]:
    """So many lines of a file, from its start on again and again."""
    lines = Path(path).read_text("utf-8").splitlines(keepends=True)
    return itertools.islice(itertools.cycle(lines), trees)


def by_nltk(path: str) -> dict[str, float]:
    """Seconds a tree that NLTK's tgrep takes, for the queries that it can read."""
    try:
        from nltk.tgrep import tgrep_positions
        from nltk.tree import ParentedTree
    except ImportError:
        return {}
    trees = [ParentedTree.fromstring(line) for line in repeated(path, PART)]
    found = {}
    for query in QUERIES:
        if any(sign in query for sign in "@{~=#"):  # of ours, or names
            continue
        taken = seconds(lambda query=query: list(tgrep_positions(query, trees)), 1)  # type: ignore[misc]
        found[query] = taken / len(trees)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", help="a file of one tree a line")
    parser.add_argument("--trees", type=int, default=300_000)
    parser.add_argument("--runs", type=int, default=3, help="the best one counts")
    args = parser.parse_args()
    nltk = by_nltk(args.gold)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trees.mrg"
        path.write_text("".join(repeated(args.gold, args.trees)), "utf-8")

        def read() -> int:
            return sum(len(bank) for bank in TreeReader(path).banks())

        reading = seconds(read, args.runs)
        print(f"{args.trees:,} trees read in {reading:.2f} s")
        print(f"{'query':36} {'matches':>10} {'engine':>7} {'find':>7}  NLTK / find")
        for text in QUERIES:
            query = parse_query(text)

            def engine() -> None:
                for bank in TreeReader(path).banks():
                    find_matches(query, bank)

            found = find(query, str(path), counts_only=True)
            whole = seconds(lambda: find(query, str(path), counts_only=True), args.runs)
            alone = "-"
            if not query.needs_derivation:
                alone = f"{seconds(engine, args.runs) / reading:.2f} ×"
            ratio = nltk[text] * args.trees / whole if text in nltk else None
            print(
                f"{text:36} {found.total:10,} {alone:>7} {whole / reading:5.2f} ×"
                + (f"  {ratio:,.0f} ×" if ratio else "")
            )
    print("engine: reading and searching; find: the same with the ledger; × reading")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
