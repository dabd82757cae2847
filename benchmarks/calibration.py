"""Fit the chances of `spinal check`, and judge them on text they were not fitted to.

    .venv/bin/python benchmarks/calibration.py OLD NEW GUM_A GUM_B
        [--discourse FOLDER...] [--write]

OLD and NEW are folders with two releases of a treebank, as for corrections.py: what
annotators corrected is an error, and what they left alone is counted as none. In the
trees of the files GUM_A and GUM_B slips are planted (planting.py), one in nine trees,
anywhere, in words that recur, and, in small pieces of them, in sentences that are there
again as they were; in the documents of `--discourse` satellites are attached elsewhere,
change places with their nucleus, or get another relation. What was wrong before is
counted as none. So all are lower bounds.
A logistic regression for each check, with a ridge, and one for all checks of words that
recur, which have the same evidence: each of them has weights that differ from the
common ones as far as its own suspects ask for it. The sources have weights, so that
each counts for about as much. How many of the words that recur are wrong is estimated
in each treebank (`Calibration.shift`), so the fit has a constant for the treebanks in
which all slips are in such words.

The surest of many suspects is less sure than it looks: so how far the log odds of
findings hold is fitted too, to findings in parts of the text that a fit to the other
parts has not seen, and the weights are shrunk by it.

First all is judged by what it has not seen, each third (of the files with corrections,
of the trees with slips) by a fit to the others. Per fifth of the range: findings, their
mean chance, the share that is right. `--write` then fits it to all and writes
analyzer/checks/calibration.tsv.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
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
from analyzer.checks.discourse import Document, check_documents
from analyzer.checks.findings import Edit, LeafSpan, Suspect
from analyzer.checks.merging import Cause, log_odds, merged
from analyzer.checks.nodes import Nodes
from analyzer.checks.registry import CHECKS, KINDS, RECURRING
from analyzer.checks.unit_edits import mended
from analyzer.checks.word_stream import WordStream, read_banks
from analyzer.derivation.syntax import SyntaxDeriver, syntax_deriver
from analyzer.formats.reading import TreeReader, open_trees, read_trees
from analyzer.formats.rst.building import spans_of
from analyzer.formats.rst.dis import read_dis
from analyzer.model.arrays import Flags, Floats, Ints
from analyzer.model.discourse import SATELLITE, Unit
from analyzer.transform.relations import COARSE, load_relations

_HELD, _HELD_FEW, _HELD_CONSTANT = 15.0, 1.0, 0.01
CORRECTED, ANYWHERE, RECURRING_ONLY, TWICE = (
    "corrected",
    "anywhere",
    "recurring",
    "twice",
)
_WEIGHTS = {CORRECTED: 2.0, ANYWHERE: 0.5, RECURRING_ONLY: 0.3, TWICE: 0.8}
_TWICE = (2, 2, 2, 4, 4, 8, 8, 20, 20, 60, 60, 180)  # trees of small treebanks
_SEEDS, _IN_NINE = (31, 32), 9
_PARTS = range(3)  # of the files with corrections, of the trees with slips
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
    part = {
        str(old / names[at]): number % len(_PARTS) for number, at in enumerate(order)
    }
    parts = [part[stream.file_of(tree)] for tree in range(len(stream.bank))]
    return Source(CORRECTED, stream, deriver, corrections(old, new, names), parts)


def with_slips(path: Path, seed: int, *, recurs: bool) -> Source:
    corpus = WordStream.of(TreeReader(str(path)).banks())
    within = recurring(corpus) if recurs else None
    changed, slips = planted(corpus, len(corpus.bank) // _IN_NINE, seed, within=within)
    by_tree = defaultdict(list)
    for slip in slips:
        by_tree[slip.place.tree].append(slip.place)
    name = RECURRING_ONLY if recurs else ANYWHERE
    deriver = syntax_deriver(patterns="english", params="collins")
    size = len(changed.bank)
    parts = [len(_PARTS) * tree // size for tree in range(size)]
    return Source(name, changed, deriver, dict(by_tree), parts)


def with_copies(path: Path) -> Iterator[Source]:
    """Small treebanks with sentences that are there again, with a slip."""
    lines = [str(tree) for bank in TreeReader(str(path)).banks() for tree in bank]
    deriver = syntax_deriver(patterns="english", params="collins")
    start = 0
    for seed, size in enumerate(_TWICE * 2):
        some = lines[start : start + size]
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
        parts = [len(_PARTS) * start // len(lines)] * len(stream.bank)
        yield Source(TWICE, stream, deriver, truth, parts)
        start += size


@dataclass(frozen=True, eq=False)
class Suspected:
    """The suspects of a treebank, with all evidence; which of them are right."""

    source: Source
    nodes: Nodes
    suspects: list[Suspect]
    is_right: Flags
    part: Ints

    @property
    def words(self) -> int:
        return int(self.source.stream.kept.size)

    @cached_property
    def rows(self) -> dict[str, Ints]:
        """Which suspects are of each code."""
        rows = defaultdict(list)
        for at, suspect in enumerate(self.suspects):
            rows[suspect.code].append(at)
        return {code: np.array(of_code) for code, of_code in rows.items()}

    @cached_property
    def evidence(self) -> dict[str, Floats]:
        """The evidence of the suspects of each code, a row each."""
        return {
            code: np.array([self.suspects[at].evidence for at in rows.tolist()])
            for code, rows in self.rows.items()
        }


def suspected(source: Source) -> Suspected:
    nodes = Nodes(source.stream, source.deriver)
    tasks = run._tasks(run.chosen_codes(KINDS))
    alone = [one for task in tasks for one in run._run(nodes, task) if one.evidence]
    suspects = [one for _, one in with_odds(nodes, alone, Calibration((), {}))]
    return Suspected(
        source,
        nodes,
        suspects,
        np.array([source.is_right(one) for one in suspects], bool),
        np.array([source.part_of_tree[one.places[0].tree] for one in suspects]),
    )


Data = list[Suspected]
Parts = tuple[int, ...]


def fit(data: Data, notes: Iterable[str] = (), unseen: Parts = ()) -> Calibration:
    """A calibration by all sources but for some parts, no surer than it may be."""
    calibration = _of_suspects(data, notes, unseen)
    rows = [
        (1.0, size_of(bank.words), odds_of(cause), right, _WEIGHTS[bank.source.name])
        for part in _PARTS
        if part not in unseen
        for of_others in (_of_suspects(data, (), (*unseen, part)),)
        for bank in data
        for cause, right in judged(bank, of_others, part)
        if odds_of(cause) >= least_odds(bank.words)
    ]
    evidence, is_right, weight = (
        np.array(rows)[:, columns] for columns in (slice(3), 3, 4)
    )
    # Held where it is, not at 0: nothing is added, and odds count once.
    held = np.array([_HELD_CONSTANT, _HELD_CONSTANT, _HELD])
    moved = fitted(evidence, is_right, held, weight, evidence[:, 2])
    constant, in_large, slope = moved.tolist()
    weights = {
        code: {
            name: (
                weight * (1 + slope) + constant * (name == CONSTANT),
                more * (1 + slope) + in_large * (name == CONSTANT),
                varies,
            )
            for name, (weight, more, varies) in of_code.items()
        }
        for code, of_code in calibration.weights.items()
    }
    return _with_share(Calibration(calibration.notes, weights), data, unseen)


def odds_of(cause: Cause) -> float:
    return log_odds(cause.confidence)


def _of_suspects(data: Data, notes: Iterable[str], unseen: Parts) -> Calibration:
    """A regression for each check of the model, one for all of words that recur."""
    codes = sorted({code for bank in data for code in bank.rows})
    recurring = [code for code in codes if CHECKS[code].given == RECURRING]
    weights: dict[str, dict[str, Weight]] = {}
    for family in (recurring, *([code] for code in codes if code not in recurring)):
        weights |= _of_family(family, data, unseen)
    return _with_share(Calibration(tuple(notes), weights), data, unseen)


def _of_family(
    codes: Sequence[str], data: Data, unseen: Parts
) -> dict[str, dict[str, Weight]]:
    """The weights of checks with the same evidence: what they share, and their own.

    The constant of treebanks whose slips are all in words that recur is forgotten.
    """
    there = [
        (bank, number, code, ~np.isin(bank.part[bank.rows[code]], unseen))
        for bank in data
        for number, code in enumerate(codes)
        if code in bank.rows
    ]
    evidence = np.concatenate(
        [bank.evidence[code][seen] for bank, _, code, seen in there]
    )
    is_right, size, weight, number, is_recurring = np.concatenate(
        [
            (
                bank.is_right[bank.rows[code][seen]],
                np.full(seen.sum(), size_of(bank.words)),
                np.full(seen.sum(), _WEIGHTS[bank.source.name]),
                np.full(seen.sum(), number),
                np.full(seen.sum(), bank.source.name == RECURRING_ONLY),
            )
            for bank, number, code, seen in there
        ],
        axis=1,
    )
    evidence = np.hstack([np.ones((is_right.size, 1)), evidence])
    evidence = np.hstack([evidence, evidence * size[:, None]])
    varies = evidence.std(axis=0)
    varies[0] = 1.0
    varies[varies < 1e-6] = 1.0
    evidence /= varies
    count = varies.size
    held = np.full(count, _HELD)
    held[0] = _HELD_CONSTANT
    columns, all_held = [evidence], [held]
    if len(codes) > 1:
        held = np.full(count, _HELD)
        held[0] = _HELD_FEW
        columns += [evidence * (number == at)[:, None] for at in range(len(codes))]
        columns.append(is_recurring[:, None])
        all_held += [held] * len(codes) + [np.array([_HELD_FEW])]
    moved = fitted(
        np.hstack(columns),
        is_right,
        np.concatenate(all_held),
        weight,
        np.zeros(is_right.size),
    )
    of_codes = {}
    for at, code in enumerate(codes, start=1):
        own = moved[at * count :][:count] if len(codes) > 1 else 0
        weights, more = np.split((moved[:count] + own) / varies, 2)
        numbers = zip(weights.tolist(), more.tolist(), varies.tolist(), strict=False)
        of_codes[code] = dict(zip(names_of(CHECKS[code]), numbers, strict=True))
    return of_codes


def _with_share(calibration: Calibration, data: Data, unseen: Parts) -> Calibration:
    """The calibration with how many suspects in words that recur it takes for right.

    That is where slips are anywhere; and in corrected treebanks, which are large.
    """
    rows = []
    for bank in data:
        if bank.source.name not in (ANYWHERE, CORRECTED):
            continue
        size = size_of(bank.words)
        chances = [
            1 / (1 + np.exp(-calibration.odds(code, bank.evidence[code][seen], size)))
            for code, of_code in bank.rows.items()
            for seen in (~np.isin(bank.part[of_code], unseen),)
            if CHECKS[code].given == RECURRING
        ]
        rows.append((1.0, size, log_odds(float(np.concatenate(chances).mean()))))
    table = np.array(rows)
    constant, more = np.linalg.lstsq(table[:, :2], table[:, 2])[0].tolist()
    return replace(calibration, share=(constant, more, 1.0))


def judged(
    bank: Suspected, calibration: Calibration, part: int
) -> list[tuple[Cause, bool]]:
    """What suspects in a part of a treebank are merged into, and which are right."""
    odds = np.zeros(len(bank.suspects))
    of_codes = calibration.all_odds(bank.evidence, size_of(bank.words))
    for code, of_code in of_codes.items():
        odds[bank.rows[code]] = of_code
    weighed = [
        (float(odds[at]), bank.suspects[at])
        for at in np.flatnonzero(bank.part == part).tolist()
    ]
    causes = merged(bank.nodes, weighed, least_odds(bank.words))
    return [
        (cause, any(map(bank.source.is_right, [cause.suspect, *cause.companions])))
        for cause in causes
    ]


# -- discourse ------------------------------------------------------------------------

DOCUMENT_CODES = ("R603", "R604", "R605")
_ACTIONS = ("nuclearity", "relation", "attach")
_TRIED, _HOSTS = 50, 6


class Margins(NamedTuple):
    """The evidence of findings of a code, whether they are right, which part it is."""

    evidence: Floats
    is_right: Floats
    part: Ints

    def fit(self, rows: Flags) -> Floats:
        weight, offset = np.ones(rows.sum()), np.zeros(rows.sum())
        varies = np.array([1.0, *self.evidence[rows, 1:].std(axis=0)])
        held = np.array([_HELD_CONSTANT, _HELD_FEW, _HELD_FEW])
        evidence = self.evidence[rows] / varies
        weights: Floats = fitted(evidence, self.is_right[rows], held, weight, offset)
        return np.asarray(weights / varies)


def _beside(units: list[Unit], spans: dict[int, tuple[int, int]], at: int) -> list[int]:
    """The units that end or begin beside one, or hold it."""
    first, last = spans[id(units[at])]
    found = []
    for number, unit in enumerate(units):
        start, end = spans[id(unit)]
        if last + 1 == start or end + 1 == first or start <= first <= last <= end:
            found.append(number)
    return found


def planted_in(
    root: Unit, chance: random.Random, action: str
) -> tuple[Unit, set[tuple[int, int]]]:
    """A document with a slip, and the spans of the satellites that it is in."""
    for _ in range(_TRIED):
        units, spans = list(root.walk()), spans_of(root)
        satellites = [at for at, one in enumerate(units) if one.nuclearity == SATELLITE]
        at = chance.choice(satellites)
        relation = units[chance.choice(satellites)].relation
        above = {id(child): one for one in units for child in one.children}
        alike = [id(one) for one in above[id(units[at])].children]
        sizes = [end - start for start, end in (spans[id(one)] for one in units)]
        joined = next(n for n, one in enumerate(units) if id(one) in alike and n != at)
        # What annotators confuse are the units near the one that is joined.
        hosts = sorted(
            _beside(units, spans, at), key=lambda one: abs(sizes[one] - sizes[joined])
        )[:_HOSTS]
        chance.shuffle(hosts)
        edits = (Edit(action, at, host, relation) for host in hosts)
        changed = next(filter(None, (mended(root, edit) for edit in edits)), None)
        if changed is None or (action, relation) == ("relation", units[at].relation):
            continue
        # Of swapped nuclearity, the nucleus is the satellite now.
        slips = alike if action == "nuclearity" else [id(units[at])]
        return changed.root, {spans[one] for one in slips}
    return root, set()


def discourse(folders: Sequence[Path]) -> dict[str, Margins]:
    classes = load_relations(COARSE)
    found = defaultdict[str, list[tuple[float, ...]]](list)
    trees = [
        (path.stem, read_dis(path.read_text("utf-8")))
        for folder in folders
        for path in sorted(folder.glob("*.dis"))
    ]
    for action in _ACTIONS:
        chance = random.Random(0)
        changed = {name: planted_in(root, chance, action) for name, root in trees}
        part = {name: at % len(_PARTS) for at, name in enumerate(changed)}
        listed = [Document(name, root) for name, (root, _) in changed.items()]
        for one in check_documents(listed, classes, DOCUMENT_CODES):
            right = (one.first, one.last) in changed[one.document][1]
            found[one.code].append((1.0, *one.evidence, right, part[one.document]))
    return {
        code: Margins(rows[:, :3], rows[:, 3], rows[:, 4].astype(np.int64))
        for code, rows in ((code, np.array(rows)) for code, rows in found.items())
    }


def judge_discourse(data: dict[str, Margins]) -> None:
    for code, margins in sorted(data.items()):
        chance = np.zeros(margins.part.size)
        for part in _PARTS:
            weights = margins.fit(margins.part != part)
            unseen = margins.part == part
            chance[unseen] = 1 / (1 + np.exp(-margins.evidence[unseen] @ weights))
        print(f"discourse, {code}: {fifths(chance, margins.is_right)}")


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
    for part in _PARTS:
        calibration = fit(data, unseen=(part,))
        for bank in data:
            for cause, right in judged(bank, calibration, part):
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
    parser.add_argument("--discourse", nargs="*", type=Path, default=[])
    parser.add_argument("--labels", default="historical")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--no-judging", action="store_true")
    args = parser.parse_args()
    sources = [corrected(args.old, args.new, args.labels)]
    sources += [
        with_slips(path, seed, recurs=recurs)
        for path in args.planted
        for seed in _SEEDS
        for recurs in (False, True)
    ]
    for path in args.planted:
        sources += with_copies(path)
    data = [suspected(source) for source in sources]
    of_documents = discourse(args.discourse)
    if not args.no_judging:
        judge(data)
        judge_discourse(of_documents)
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
            *(
                f"discourse, {code}: {margins.is_right.sum():,.0f} of "
                f"{margins.part.size:,} findings are right"
                for code, margins in sorted(of_documents.items())
            ),
        )
        calibration = fit(data, notes)
        of_codes = {
            code: dict(
                zip(
                    names_of(CHECKS[code]),
                    ((weight, 0.0, 1.0) for weight in one.fit(one.part >= 0).tolist()),
                    strict=True,
                )
            )
            for code, one in of_documents.items()
        }
        calibration = replace(calibration, weights={**calibration.weights, **of_codes})
        SHIPPED.write_text(calibration.text(), "utf-8")


if __name__ == "__main__":
    main()
