"""Tree kernels: evaluations a second for a file of trees, one core, CPU time.

Nothing here uses more than one: no matrix is multiplied.
"""

from __future__ import annotations

import argparse
import resource
import time

from analyzer.formats.reading import read_trees
from analyzer.kernels.tree_kernel import KERNELS, TreeKernel


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", help="a file of trees, such as gum1000.txt")
    parser.add_argument("--kernel", choices=KERNELS, action="append")
    parser.add_argument("--decay", type=float, default=0.4)
    parser.add_argument("--limit", type=int, help="only so many trees")
    parser.add_argument("--runs", type=int, default=3, help="the best one counts")
    args = parser.parse_args()
    bank = read_trees(args.trees)[: args.limit]
    other = bank[:]  # a copy: for the matrix of two files, without symmetry
    nodes = bank.label.size + bank.leaf_node.size
    print(f"{len(bank):,} trees, {nodes / len(bank):.1f} nodes a tree")
    print(f"{'kernel':8} {'matrix':10} {'seconds':>8} {'evals/s':>11}  sum of all")
    for name in args.kernel or KERNELS:
        kernel = TreeKernel(name=name, decay=args.decay)
        for what, columns in (("one file", None), ("two files", other)):
            best = float("inf")
            for _ in range(args.runs):
                started = time.process_time()
                matrix = kernel.gram(bank, columns)
                best = min(best, time.process_time() - started)
            rate = matrix.size / best
            total = f"{matrix.sum():.12g}"
            print(f"{name:8} {what:10} {best:8.2f} {rate:11,.0f}  {total}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
