"""Fit the chances of `spinal check`, and judge them on text they were not fitted to.

    .venv/bin/python benchmarks/calibration.py OLD NEW GUM_A GUM_B [--write]

OLD and NEW are folders with two releases of a treebank, as for corrections.py: what
annotators corrected is an error, and what they left alone is counted as none. In the
trees of the files GUM_A and GUM_B slips are planted (planting.py), one in nine trees,
anywhere, in words that recur, and, in small pieces of them, in sentences that are there
again as they were; what was wrong before is counted as none. So all are lower bounds.
A logistic regression for each check, with a ridge; the sources have weights, so that
each counts for about as much.

First it is judged by what it has not seen: corrections in three parts of the files,
each by a fit to the others; slips in GUM_B by a fit to GUM_A, and the other way round.
Per fifth of the range: findings, their mean chance, the share that is right. `--write`
then fits it to all and writes analyzer/checks/calibration.tsv.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from check import overlaps
from corrections import Corrections, corrections
from planting import SLIPS, planted, recurring

from analyzer.checks import run
from analyzer.checks.calibration import (
    CONSTANT,
    SHIPPED,
    Calibration,
    Weight,
    fitted,
    least_odds,
    names_of,
    size_of,
    with_odds,
)
from analyzer.checks.findings import LeafSpan, Suspect
from analyzer.checks.merging import Cause, merged
from analyzer.checks.nodes import Nodes
from analyzer.checks.registry import CHECKS, KINDS
from analyzer.checks.word_stream import WordStream, read_banks
from analyzer.derivation.syntax import SyntaxDeriver, syntax_deriver
from analyzer.formats.reading import TreeReader, open_trees, read_trees
from analyzer.model.arrays import Floats

_HELD, _HELD_CONSTANT = 15.0, 0.01
_WEIGHTS = {"corrected": 2.0, "anywhere": 0.5, "recurring": 0.3, "twice": 0.8}
_TWICE = (2, 2, 2, 4, 4, 8, 8, 20, 20, 60, 60, 180)  # trees of small treebanks
_SEEDS, _IN_NINE = (31, 32), 9
_PARTS = 3  # of the files with corrections
FAMILIES = {"T": "tags", "F": "functions"}  # of others, brackets


class Source(NamedTuple):
    """A treebank whose errors are known."""

    name: str
    stream: WordStream
    deriver: SyntaxDeriver
    truth: Corrections | dict[int, list[LeafSpan]]
    part_of_tree: Sequence[int]

    def is_right(self, one: Suspect) -> bool:
        where = one.places
        if isinstance(self.truth, Corrections):
            family = FAMILIES.get(one.code[0], "brackets")
            right = getattr(self.truth, family)
            return any((p.tree, p.first, p.last) in right for p in where)
        return any(
            overlaps(where, slip) for p in where for slip in self.truth.get(p.tree, ())
        )


def corrected(old: Path, new: Path, labels: str) -> Source:
    names = sorted(path.name for path in old.iterdir())
    deriver = syntax_deriver(patterns=labels)
    inventory = deriver.tables.parameters.labels
    banks = read_banks(
        [open_trees(str(old / name), "utf-8") for name in names], inventory
    )
    stream = WordStream.of(banks, inventory)
    order = np.random.default_rng(0).permutation(len(names))
    part = {str(old / names[at]): number % _PARTS for number, at in enumerate(order)}
    parts = [part[stream.file_of(tree)] for tree in range(len(stream.bank))]
    return Source("corrected", stream, deriver, corrections(old, new, names), parts)


def with_slips(path: Path, seed: int, number: int, *, recurs: bool) -> Source:
    corpus = WordStream.of(TreeReader(str(path)).banks())
    within = recurring(corpus) if recurs else None
    changed, slips = planted(corpus, len(corpus.bank) // _IN_NINE, seed, within=within)
    by_tree = defaultdict(list)
    for slip in slips:
        by_tree[slip.place.tree].append(slip.place)
    name = "recurring" if recurs else "anywhere"
    deriver = syntax_deriver(patterns="english", parameters="collins")
    return Source(name, changed, deriver, dict(by_tree), [number] * len(changed.bank))


def with_copies(path: Path, number: int) -> Iterator[Source]:
    """Small treebanks with sentences that are there again, with a slip."""
    lines = [str(tree) for bank in TreeReader(str(path)).banks() for tree in bank]
    deriver = syntax_deriver(patterns="english", parameters="collins")
    start = 0
    for seed, size in enumerate(_TWICE * 2):
        some, start = lines[start : start + size], start + size
        corpus = WordStream.of([read_trees("\n".join(some))])
        slips = list(SLIPS)[seed % len(SLIPS) :] + list(SLIPS)[: seed % len(SLIPS)]
        kinds = slips[: max(1, size // _IN_NINE)]
        changed, placed = planted(corpus, max(1, size // _IN_NINE), seed, kinds=kinds)
        copies = [str(changed.bank[slip.place.tree]) for slip in placed]
        stream = WordStream.of([read_trees("\n".join([*some, *copies]))])
        truth = {
            size + at: [slip.place._replace(tree=size + at)]
            for at, slip in enumerate(placed)
        }
        parts = [number] * len(stream.bank)
        yield Source("twice", stream, deriver, truth, parts)


class Suspected(NamedTuple):
    """The suspects of a treebank, with all evidence; which of them are right."""

    source: Source
    nodes: Nodes
    suspects: list[Suspect]
    is_right: list[bool]
    part: list[int]

    @property
    def words(self) -> int:
        return int(self.source.stream.kept.size)


def suspected(source: Source) -> Suspected:
    nodes = Nodes(source.stream, source.deriver)
    tasks = run._tasks(run.chosen_codes(KINDS))
    found = [one for task in tasks for one in run._run(nodes, task) if one.evidence]
    found = [one for _, one in with_odds(nodes, found, Calibration((), {}))]
    return Suspected(
        source,
        nodes,
        found,
        [source.is_right(one) for one in found],
        [source.part_of_tree[one.places[0].tree] for one in found],
    )


Data = list[Suspected]


def fit(data: Data, notes: Iterable[str] = (), left_out: int = -1) -> Calibration:
    """A calibration by all sources, but for a part of each."""
    by_code = defaultdict(list)
    for bank in data:
        more = size_of(bank.words), _WEIGHTS[bank.source.name]
        for one, right, part in zip(
            bank.suspects, bank.is_right, bank.part, strict=True
        ):
            if part != left_out:
                by_code[one.code].append((one.evidence, right, *more))
    calibration: dict[str, dict[str, Weight]] = {}
    for code, found in sorted(by_code.items()):
        evidence = np.array([(1.0, *one[0]) for one in found])
        is_right, size, weight = np.array([one[1:] for one in found], float).T
        both = np.concatenate([evidence, evidence * size[:, None]], axis=1)
        varies = both.std(axis=0)
        count = evidence.shape[1]
        varies[0] = 1.0
        varies[varies < 1e-6] = 1.0
        held = np.full(2 * count, _HELD)
        held[0] = _HELD_CONSTANT
        weights = fitted(both / varies, is_right, held, weight, np.zeros(len(found)))
        weights /= varies
        names = names_of(CHECKS[code])
        calibration[code] = {
            name: (float(weights[at]), float(weights[count + at]), float(varies[at]))
            for at, name in enumerate(names)
        }
        assert names[0] == CONSTANT
    return Calibration(tuple(notes), calibration)


def judged(bank: Suspected, calibration: Calibration) -> list[tuple[Cause, bool]]:
    """What suspects of a treebank are merged into, and whether it is right."""
    by_code = defaultdict(list)
    for at, one in enumerate(bank.suspects):
        by_code[one.code].append(at)
    odds = np.zeros(len(bank.suspects))
    for code, places in by_code.items():
        evidence = np.array([bank.suspects[at].evidence for at in places])
        odds[places] = calibration.odds(code, evidence, size_of(bank.words))
    weighed = list(zip(odds.tolist(), bank.suspects, strict=True))
    causes = merged(bank.nodes, weighed, least_odds(bank.words))
    return [
        (cause, any(map(bank.source.is_right, [cause.suspect, *cause.told])))
        for cause in causes
    ]


def fifths(chance: Floats, is_right: Floats) -> str:
    cells = []
    for low in range(5):
        some = (chance >= low / 5) & (chance < (low + 1) / 5 + (low == 4))
        if some.any():
            said, true = chance[some].mean(), is_right[some].mean()
            cells.append(f"{some.sum():,}: {said:.2f} {true:.2f}")
    return " | ".join(cells)


def judge(data: Data) -> None:
    """Each part by a fit to the others."""
    chances = defaultdict(list)
    fits = {part: fit(data, left_out=part) for part in (0, 1, 2)}
    for bank in data:
        parts = bank.source.part_of_tree
        for part in sorted(set(parts)):
            for cause, right in judged(bank, fits[part]):
                if parts[cause.suspect.places[0].tree] == part:
                    family = FAMILIES.get(cause.suspect.code[0], "brackets")
                    for name in (family, "all"):
                        pair = cause.confidence, right
                        chances[bank.source.name, name].append(pair)
    print("findings: chance, share that is right; in each fifth of the range")
    for (name, family), pairs in sorted(chances.items()):
        chance, right = np.array(pairs, float).T
        print(f"{name}, {family}: {fifths(chance, right)}")
        best = right[np.argsort(-chance, kind="stable")]
        print(
            "   ", *(f"p@{n} {best[:n].mean():.2f}" for n in (50, 100, 200, 500, 1000))
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("planted", nargs="+", type=Path)
    parser.add_argument("--labels", default="historical")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--no-judging", action="store_true")
    args = parser.parse_args()
    sources = [corrected(args.old, args.new, args.labels)]
    sources += [
        with_slips(path, seed, number, recurs=recurs)
        for number, path in enumerate(args.planted)
        for seed in _SEEDS
        for recurs in (False, True)
    ]
    for number, path in enumerate(args.planted):
        sources += with_copies(path, number)
    data = [suspected(source) for source in sources]
    if not args.no_judging:
        judge(data)
    if args.write:
        counts = {
            name: [
                right
                for one in data
                if one.source.name == name
                for right in one.is_right
            ]
            for name in _WEIGHTS
        }
        notes = (
            "code, evidence, weight, more of it in large treebanks, variation",
            "fitted by benchmarks/calibration.py: a logistic regression for each check,"
            f" ridge {_HELD:g}",
            *(
                f"{name} (weight {_WEIGHTS[name]}): {sum(rights):,} of {len(rights):,} "
                "suspects are right"
                for name, rights in counts.items()
            ),
        )
        SHIPPED.write_text(fit(data, notes).text(), "utf-8")


if __name__ == "__main__":
    main()
