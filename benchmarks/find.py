"""Queries beside the time to read the trees, and beside NLTK's tgrep. One process.

What counts are ratios: to reading the same file by the same reader, and to NLTK on a
part of the trees, which it has read before its time is taken.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from analyzer.analyses.find import find
from analyzer.derivation.syntax import syntax_deriver
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
        started = time.process_time()
        _ = list(tgrep_positions(query, trees))
        taken = time.process_time() - started
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
        reading = seconds(partial(read, path), args.runs)
        print(f"{args.trees:,} trees read in {reading:.2f} s")
        print(f"{'query':36} {'matches':>10} {'engine':>7} {'find':>7}  NLTK / find")
        for query in QUERIES:
            matches = find(query, path, counts_only=True).total
            counting = partial(find, query, path, counts_only=True)
            whole = seconds(counting, args.runs)
            engine = seconds(partial(search, query, path), args.runs)
            line = f"{query:36} {matches:10,} {engine / reading:5.2f} × "
            line += f"{whole / reading:5.2f} ×"
            if query in nltk:
                line += f" {nltk[query] * args.trees / whole:9,.0f} ×"
            print(line)
    print("engine: reading and searching; find: all of `find --count`; both × reading")
    return 0


def read(path: Path) -> int:
    """How many trees there are."""
    return sum(len(bank) for bank in TreeReader(path).banks())


def search(text: str, path: Path) -> int:
    """How many matches there are."""
    query, deriver = parse_query(text), syntax_deriver()
    banks = TreeReader(path).banks()
    return sum(len(find_matches(query, bank, deriver).nodes) for bank in banks)


if __name__ == "__main__":
    raise SystemExit(main())
