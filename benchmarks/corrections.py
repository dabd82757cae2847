"""Does `spinal check` find what annotators corrected later?

    .venv/bin/python benchmarks/corrections.py OLD NEW [--files 0/2]

OLD and NEW are folders with two releases of a treebank. Sentences with the same words
in files of the same name are compared: a span that is bracketed otherwise in NEW
(labels without function tags) is a corrected bracket, a word with another tag a
corrected tag; a change of tags that occurs 30 times or more is a conversion, and left
out. A finding on OLD is right if one of its places is a corrected span, or tag.
Precision is a lower bound: most errors were never corrected. `--files 0/2` takes the
files with an even number, `1/2` the others: tune on one, judge on the other.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analyzer.checks.findings import Finding
from analyzer.checks.run import check
from analyzer.formats.reading import read_trees
from analyzer.model.tree import Tree
from analyzer.transform.labels import default_labels

_CONVERSION = 30
Span = tuple[int, int, int]  # tree of OLD, first and last word


@dataclass
class Corrections:
    """What changed, by place in OLD; all places that could have."""

    brackets: set[Span] = field(default_factory=set)
    tags: set[Span] = field(default_factory=set)
    functions: set[Span] = field(default_factory=set)
    all_brackets: set[Span] = field(default_factory=set)
    words: int = 0


def spans(tree: Tree, *, bare: bool) -> Counter[tuple[str, int, int]]:
    label = default_labels().bare_phrase
    return Counter(
        (label(node.label) if bare else node.label, *node.span)
        for node in tree.nodes
        if not node.is_leaf and node.parent is not None
    )


def corrections(old: Path, new: Path, names: Sequence[str]) -> Corrections:
    found = Corrections()
    tags: dict[Span, tuple[str, str]] = {}
    number = 0
    for name in names:
        before, after = (read_trees(str(folder / name)) for folder in (old, new))
        by_words: defaultdict[tuple[str, ...], list[Tree]] = defaultdict(list)
        for tree in after:
            by_words[tuple(tree.words)].append(tree)
        for tree in before:
            same = by_words[tuple(tree.words)]
            at, number = number, number + 1
            if not same:
                continue
            other = same.pop(0)
            mine, theirs = spans(tree, bare=True), spans(other, bare=True)
            changed = (mine - theirs) + (theirs - mine)
            found.brackets |= {(at, first, last) for _, first, last in changed}
            found.all_brackets |= {(at, first, last) for _, first, last in mine}
            found.words += len(tree.words)
            if not changed:
                full = spans(tree, bare=False) - spans(other, bare=False)
                found.functions |= {(at, first, last) for _, first, last in full}
            for word, (a, b) in enumerate(zip(tree.leaves, other.leaves, strict=True)):
                if a.label != b.label:
                    tags[at, word, word + 1] = a.label, b.label
    often = Counter(tags.values())
    found.tags = {at for at, pair in tags.items() if often[pair] < _CONVERSION}
    return found


def places(finding: Finding) -> set[Span]:
    return {(one.tree, one.first, one.last) for one in finding.suspects}


def judge(
    title: str, findings: Iterable[Finding], right: set[Span], all_places: int
) -> None:
    listed = [places(one) for one in findings]
    named = set().union(*listed) if listed else set()
    hits = [bool(one & right) for one in listed]
    recall = len(named & right) / max(1, len(right))
    lift = (len(named & right) / max(1, len(named))) / (len(right) / max(1, all_places))
    first = ", ".join(
        f"p@{top} {sum(hits[:top]) / top:.2f}" for top in (50, 100, 200, 1000, 2000)
    )
    print(
        f"{title}: {len(right):,} corrections, {len(listed):,} findings, "
        f"recall {recall:.1%}, lift {lift:.1f}, {first}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--files", default="0/1", help="0/2: every second file")
    parser.add_argument("--labels", default="historical")
    args = parser.parse_args()
    part, parts = map(int, args.files.split("/"))
    names = sorted(path.name for path in args.old.iterdir())[part::parts]
    known = corrections(args.old, args.new, names)
    result = check(*(str(args.old / name) for name in names), patterns=args.labels)
    tags = [one for one in result.findings if one.kind == "tag"]
    functions = [one for one in result.findings if one.kind == "function"]
    brackets = [
        one for one in result.findings if one.kind not in ("tag", "function", "shape")
    ]
    judge("brackets", brackets, known.brackets, len(known.all_brackets))
    judge("tags", tags, known.tags, known.words)
    judge("functions", functions, known.functions, len(known.all_brackets))


if __name__ == "__main__":
    main()
