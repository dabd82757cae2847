"""Does `spinal check` find slips? Plant some, look for them; then measure its cost.

    .venv/bin/python benchmarks/check.py GOLD... [--slips 300] [--seed 1] [--recurring]
    .venv/bin/python benchmarks/check.py GOLD --scale

Slips of nine kinds (benchmarks/planting.py) are planted anywhere, at most one a tree;
with `--recurring` in words that occur elsewhere between the same neighbours, at least
once (a tie), one an n-gram. A slip is found when one of a finding's places overlaps its
words; it is named when that place is in the finding itself, not among those merged into
it. `--scale` repeats the first file 1, 4 and 16 times.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from planting import SLIPS, planted, recurring

from analyzer.checks.findings import LeafSpan, TreeFinding
from analyzer.checks.run import check_treebank
from analyzer.checks.word_stream import WordStream
from analyzer.derivation.syntax import syntax_deriver
from analyzer.formats.reading import TreeReader, read_trees


def overlaps(places: Sequence[LeafSpan], slip: LeafSpan) -> bool:
    return any(
        one.tree == slip.tree and one.first < slip.last and slip.first < one.last
        for one in places
    )


def accuracy(
    paths: list[str], slips: int, seed: int, show: int, *, is_recurring: bool
) -> None:
    corpus = WordStream.of(bank for path in paths for bank in TreeReader(path).banks())
    deriver = syntax_deriver(patterns="english", params="collins")
    within = recurring(corpus) if is_recurring else None
    changed, placed = planted(corpus, slips, seed, within=within)
    before = len(check_treebank(corpus, deriver)[0])
    findings, _ = check_treebank(changed, deriver)
    by_tree: dict[int, list[TreeFinding]] = {}
    for one in findings:
        for tree in {place.tree for place in one.suspects + one.also}:
            by_tree.setdefault(tree, []).append(one)
    found: Counter[str] = Counter()
    named: Counter[str] = Counter()
    right: set[int] = set()
    for slip in placed:
        near = by_tree.get(slip.place.tree, [])
        hits = [one for one in near if overlaps(one.suspects, slip.place)]
        named[slip.kind] += bool(hits)
        right |= {id(one) for one in hits}
        found[slip.kind] += any(
            overlaps(one.suspects + one.also, slip.place) for one in near
        )
    size = len(placed)
    print(
        f"seed {seed}, {'recurring words' if is_recurring else 'anywhere'}: "
        f"{size} slips, {len(findings)} findings ({before} without slips), "
        f"recall {found.total() / size:.2f}, named {named.total() / size:.2f}"
    )
    for kind in SLIPS:
        total = sum(slip.kind == kind for slip in placed)
        print(f"  {kind:14} {found[kind]}/{total}, named {named[kind]}")
    for top in (50, 100, 200):
        good = sum(id(one) in right for one in findings[:top])
        print(f"  top {top}: {good} planted = {good / top:.1%}, {top - good} others")
    print("  confidence: findings, share planted (GUM's own errors count as none)")
    for low in range(9):
        one_tenth = [
            id(one) in right
            for one in findings
            if low / 10 <= one.confidence < (low + 1) / 10 + (low == 8) / 10
        ]
        if one_tenth:
            share = sum(one_tenth) / len(one_tenth)
            print(f"    0.{low}: {len(one_tenth)}, {share:.2f}")
    others = [one for one in findings[:100] if id(one) not in right]
    for one in others[:show]:
        place = f"{one.line} {one.context} | {one.message}"
        print(f"    {one.code} {one.confidence:.3f} {place}")


def scale(path: str) -> None:
    text = Path(path).read_text("utf-8")
    trees = read_trees(path)
    print("times      words  seconds  peak MB")
    for times in (1, 4, 16):
        with tempfile.TemporaryDirectory() as folder:
            big = Path(folder) / "big.mrg"
            big.write_text(text * times, "utf-8")
            began = time.monotonic()
            command = [sys.executable, "-m", "analyzer", "check", str(big), "-q"]
            run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            _, _, usage = os.wait4(run.pid, 0)
            seconds = time.monotonic() - began
            words, peak = trees.leaf_node.size * times, usage.ru_maxrss / 1024
            print(f"{times:5}  {words:9,}  {seconds:7.2f}  {peak:7.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", nargs="+")
    parser.add_argument("--slips", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--recurring", action="store_true")
    parser.add_argument("--scale", action="store_true")
    args = parser.parse_args()
    if args.scale:
        scale(args.gold[0])
    else:
        accuracy(
            args.gold, args.slips, args.seed, args.show, is_recurring=args.recurring
        )


if __name__ == "__main__":
    main()
