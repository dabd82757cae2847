"""Does `spinal check` find slips? Plant some, look for them; then measure its cost.

    .venv/bin/python benchmarks/check.py GOLD... [--slips 300] [--seed 1] [--scale]

Slips are planted in words that recur, between the same neighbours, three times or
more; at most one a tree and one an n-gram. A slip is found when a finding's suspects
overlap its words. `--scale` repeats the first file 1, 4 and 16 times.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from analyzer.checks.findings import Finding, LeafSpan
from analyzer.checks.run import check_treebank
from analyzer.checks.word_stream import WordStream
from analyzer.derivation.syntax import syntax_deriver
from analyzer.formats.reading import TreeReader, read_trees
from analyzer.model.tree import Node, Tree, written

LABELS = ["NP", "VP", "PP", "ADVP", "ADJP", "S", "SBAR", "INTJ", "FRAG"]
CONFUSED = {
    "NN": ["NNP", "JJ", "VB"],
    "NNP": ["NN"],
    "NNS": ["NNPS", "VBZ"],
    "JJ": ["NN", "RB", "VBN"],
    "RB": ["IN", "JJ"],
    "IN": ["RB", "WDT", "TO"],
    "VB": ["VBP", "NN"],
    "VBP": ["VB"],
    "VBD": ["VBN"],
    "VBN": ["VBD", "JJ"],
    "VBZ": ["NNS", "POS"],
    "VBG": ["NN"],
    "DT": ["IN", "PRP"],
    "PRP": ["PRP$", "DT"],
    "UH": ["RB"],
    "TO": ["IN"],
    "CC": ["IN"],
    "MD": ["VB"],
}
KINDS = ("relabel", "attachment", "unary", "tag")


@dataclass
class Twig:
    """A tree that can be changed."""

    label: str
    form: str | None
    row: int
    children: list[Twig] = field(default_factory=list)

    def __str__(self) -> str:
        if self.form is not None:
            return f"({written(self.label)} {written(self.form)})"
        return f"({written(self.label)} {' '.join(map(str, self.children))})"


def grown(tree: Tree) -> tuple[Twig, dict[int, Twig], dict[int, Twig]]:
    """The tree, its twigs by row, and their parents."""
    by_row: dict[int, Twig] = {}
    above: dict[int, Twig] = {}
    for node in tree.nodes:
        by_row[node.row] = Twig(node.label, node.form, node.row)
        if node.parent is not None:
            above[node.row] = by_row[node.parent.row]
            above[node.row].children.append(by_row[node.row])
    return by_row[tree.root.row], by_row, above


def sites(corpus: WordStream) -> dict[str, list[tuple[int, LeafSpan, tuple[str, int]]]]:
    """Rows where each kind of slip may be planted, with place and n-gram."""
    found: dict[str, list[tuple[int, LeafSpan, tuple[str, int]]]] = {
        k: [] for k in KINDS
    }
    bank = corpus.bank
    for repeats in corpus.repeats():
        sizes = Counter(repeats.group.tolist())
        _, top = corpus.chains_at(repeats.at, repeats.length)
        for at, group, phrase in zip(
            repeats.at.tolist(), repeats.group.tolist(), top.tolist(), strict=True
        ):
            if sizes[group] < 3:
                continue
            span, key = (
                corpus.span(at, repeats.length),
                ("w", hash((repeats.length, group))),
            )
            if repeats.length == 1:
                leaf = int(corpus.kept[corpus.word_at[at]])
                row = int(bank.leaf_node[leaf])
                if bank.label_name(row) in CONFUSED:
                    found["tag"].append((row, span, key))
            if phrase < 0:
                continue
            row = int(corpus.phrases[phrase])
            node = Node(bank[span.tree], row)
            if node.parent is None:
                continue
            found["relabel"].append((row, span, key))
            children = node.children
            if (
                node.label.startswith("NP")
                and len(children) == 1
                and children[0].is_leaf
            ):
                found["unary"].append((row, span, key))
            if len(children) > 1 and not children[-1].is_leaf:
                found["attachment"].append((row, span, key))
    return found


def plant(kind: str, row: int, tree: Tree, chance: random.Random) -> str:
    """The tree with a slip at a row."""
    root, by_row, above = grown(tree)
    twig, parent = by_row[row], above[row]
    at = parent.children.index(twig)
    if kind == "relabel":
        bare = twig.label.split("-")[0]
        twig.label = chance.choice([one for one in LABELS if one != bare])
    elif kind == "tag":
        twig.label = chance.choice(CONFUSED[twig.label])
    elif kind == "unary":
        parent.children[at] = twig.children[0]
    else:
        moved = twig.children.pop()
        if len(twig.children) == 1 and not twig.children[0].form:
            parent.children[at] = twig.children[0]
        parent.children.insert(at + 1, moved)
    return str(root)


def planted(
    corpus: WordStream, slips: int, seed: int
) -> tuple[WordStream, list[tuple[str, LeafSpan]]]:
    chance = random.Random(seed)
    possible = sites(corpus)
    for rows in possible.values():
        chance.shuffle(rows)
    lines = [str(tree) for tree in corpus.bank]
    placed: list[tuple[str, LeafSpan]] = []
    trees: set[int] = set()
    keys: set[tuple[str, int]] = set()
    # The kinds with few sites choose first; what they cannot fill goes to the others.
    order = sorted(KINDS, key=lambda kind: len(possible[kind]))
    for left, kind in zip(range(len(KINDS), 0, -1), order, strict=True):
        wanted = (slips - len(placed)) // left
        for row, span, key in possible[kind]:
            if wanted == 0:
                break
            if span.tree in trees or key in keys:
                continue
            lines[span.tree] = plant(kind, row, corpus.bank[span.tree], chance)
            trees.add(span.tree)
            keys.add(key)
            placed.append((kind, span))
            wanted -= 1
    return WordStream.of([read_trees("\n".join(lines))]), placed


def touches(finding: Finding, slip: LeafSpan) -> bool:
    return any(
        span.tree == slip.tree and span.first < slip.last and slip.first < span.last
        for span in finding.suspects + finding.also
    )


def precise(finding: Finding, slip: LeafSpan) -> bool:
    """Whether the finding points at the slip's words, not at a whole clause."""
    return len(finding.suspects) <= 6 and any(
        span.tree == slip.tree and span.first < slip.last and slip.first < span.last
        for span in finding.suspects
    )


def accuracy(paths: list[str], slips: int, seed: int, show: int) -> None:
    corpus = WordStream.of(bank for path in paths for bank in TreeReader(path).banks())
    deriver = syntax_deriver(patterns="english", parameters="collins")
    changed, placed = planted(corpus, slips, seed)
    findings = check_treebank(changed, deriver)
    print(f"seed {seed}: {len(placed)} slips planted, {len(findings)} findings")
    for kind in KINDS:
        spans = [span for one, span in placed if one == kind]
        found = [{f.kind for f in findings if touches(f, span)} for span in spans]
        hits = sum(map(bool, found))
        by = Counter(name for names in found for name in names)
        listed = ", ".join(f"{name} {count}" for name, count in by.most_common())
        share = hits / max(1, len(spans))
        print(f"  {kind:10} recall {hits}/{len(spans)} = {share:.1%}  by {listed}")
    is_hit = [any(precise(f, span) for _, span in placed) for f in findings]
    for top in (50, 100, 200):
        good = sum(is_hit[:top])
        print(f"  top {top}: {good} planted = {good / top:.1%}, {top - good} others")
    others = [f for f, hit in zip(findings[:100], is_hit, strict=False) if not hit]
    for one in others[:show]:
        place = f"{one.line} {one.context} | {one.message}"
        print(f"    {one.code} {one.reliability:.3f} {place}")


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
    parser.add_argument("--scale", action="store_true")
    args = parser.parse_args()
    if args.scale:
        scale(args.gold[0])
    else:
        accuracy(args.gold, args.slips, args.seed, args.show)


if __name__ == "__main__":
    main()
