"""The chance that a suspect is an error: one fitted combination of all evidence.

Log odds are a sum of named pieces of evidence, each times a weight of its check, and
times another one for each e-fold of a treebank beyond 60,000 words: in a large one
there is more that is rare but right. calibration.tsv has the weights, what they were
fitted to, and how; benchmarks/calibration.py fits them again. How many of the words
that recur are wrong differs most between treebanks, so it is estimated from the
suspects themselves. The decisions of a team (`spinal check --calibrate`) move the
weights as far as there is evidence for it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from analyzer.checks.findings import LeafSpan, Suspect
from analyzer.checks.merging import log_odds
from analyzer.checks.nodes import Nodes
from analyzer.checks.registry import CHECKS, COLLECTION, RECURRING, Check
from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.files.small_files import read_lines
from analyzer.model.arrays import Floats

SHIPPED = Path(__file__).with_name("calibration.tsv")
CONSTANT = "constant"
# What the other suspects of a treebank say of one: see `surroundings`.
AROUND = ("group", "sentence", "others", "doubted", "varies", "tag")
_SMALL = 60_000  # words
# By how much the log odds of findings may be lower, for each e-fold more. Chosen, for
# what is shown at level info only: of what was corrected in IcePaHC (496,000 words),
# findings at any level have 4 % without it, 18 % with half of it, and 34 % so.
_FALLS = 1.3
LEAST_CONFIDENCE = 0.17  # of findings that are told, unless the user wants others
_MOST_DOUBT = 8.0  # of a margin; with all of it, tags of IcePaHC have .02 less p@100
_LEAST_DECISIONS, _LEAST_OF_EACH = 30, 5
# How far a weight is held where it was, in the squares of what its evidence varies by.
_HELD_ALL, _HELD_CODE, _HELD = 0.5, 2.0, 15.0
_STEPS, _NEARLY = 60, 1e-8
_SHARE = "recurring", "share"  # its line in a file
# How many suspects the usual share counts for, beside those that there are; and how far
# treebanks may differ: further than any that it was fitted to.
_USUAL, _MOST_SHIFT = 80, 1.5

# A weight, what is added to it in large treebanks, and by how much its evidence varies.
Weight = tuple[float, float, float]


@dataclass(frozen=True)
class Calibration:
    """The weights of each piece of evidence, by code; `notes` say what they fit.

    share: the log odds of the share of suspects in words that recur that are right; if
    there is none, it is not estimated in each treebank.
    """

    notes: tuple[str, ...]
    weights: Mapping[str, Mapping[str, Weight]]
    share: Weight | None = None

    def odds(self, code: str, evidence: Floats, size: float) -> Floats:
        """Log odds of the suspects of a code: a row each, a column a piece."""
        if code not in self.weights:
            constant, *own = CHECKS[code].weights or (0.0,)
            return np.asarray(constant + evidence[:, : len(own)] @ np.array(own))
        weights = self.weights[code]
        constant, *rest = (
            weight + size * more
            for weight, more, _ in map(weights.__getitem__, names_of(CHECKS[code]))
        )
        return np.asarray(constant + evidence @ np.array(rest))

    def all_odds(
        self, evidence: Mapping[str, Floats], size: float
    ) -> dict[str, Floats]:
        """Log odds of all suspects of a treebank, by code."""
        odds = {code: self.odds(code, rows, size) for code, rows in evidence.items()}
        recurring = [code for code in odds if CHECKS[code].given == RECURRING]
        if recurring:
            shift = self.shift(np.concatenate([odds[code] for code in recurring]), size)
            odds |= {code: odds[code] + shift for code in recurring}
        return odds

    def shift(self, odds: Floats, size: float) -> float:
        """What the log odds of suspects in words that recur are all raised by.

        If many of them look like errors, more errors are among those in doubt. The
        share that is right is estimated by expectation and maximisation (Saerens,
        Latinne and Decaestecker 2002), and held towards the usual one.

        >>> usual = Calibration((), {}, share=(-2.0, 0.0, 1.0))
        >>> [round(usual.shift(np.full(80, odds), 0.0), 1) for odds in (-2, 3, -4)]
        [0.0, 1.5, -0.7]
        """
        if self.share is None:
            return 0.0
        weight, more, _ = self.share
        usual = now = weight + size * more
        expected = _USUAL / (1 + math.exp(-usual))
        for _ in range(_STEPS):
            chances = 1 / (1 + np.exp(-np.clip(odds + now - usual, -30, 30)))
            now = log_odds((chances.sum() + expected) / (odds.size + _USUAL))
        return max(-_MOST_SHIFT, min(_MOST_SHIFT, now - usual))

    def text(self) -> str:
        """The calibration as it stands in a file."""
        rows = [
            (code, name, *numbers)
            for code, weights in sorted(self.weights.items())
            for name, numbers in weights.items()
        ]
        rows += [(*_SHARE, *self.share)] if self.share else []
        lines = [f"# {note}" for note in self.notes]
        for code, name, *numbers in rows:
            lines.append("\t".join([code, name, *(f"{n:.5g}" for n in numbers)]))
        return "\n".join(lines) + "\n"


def names_of(check: Check) -> tuple[str, ...]:
    """The pieces of evidence of a check, a constant first."""
    around = () if check.given == COLLECTION else AROUND
    return CONSTANT, *check.evidence.split(), *around


@cache
def read_calibration(path: str | Path = SHIPPED) -> Calibration:
    """The calibration of a file: lines with code, evidence and three numbers."""
    notes, weights = [], defaultdict[str, dict[str, Weight]](dict)
    share = None
    expected = {
        (check.code, name)
        for check in CHECKS.values()
        if check.evidence and not check.weights
        for name in names_of(check)
    }
    for number, line in enumerate(read_lines(str(path)), start=1):
        if line.startswith("#") or not line.strip():
            notes.append(line[1:].strip())
            continue
        code, name, *fields = [*line.split("\t"), ""]
        try:
            weight, more, varies = map(float, fields[:-1])
        except ValueError:
            varies = 0.0
        is_known = (code, name) in expected or (code, name) == _SHARE
        if not is_known or not 0 < varies < math.inf > abs(weight + more):
            raise InputError("E488 is not a calibration", Place(str(path), number))
        if (code, name) == _SHARE:
            share = weight, more, varies
        else:
            weights[code][name] = weight, more, varies
    if any(name not in weights[code] for code, name in expected):
        raise InputError("E488 is not a calibration", Place(str(path)))
    return Calibration(tuple(filter(None, notes)), weights, share)


def size_of(words: int) -> float:
    """By how many e-folds a treebank is larger than a small one.

    >>> size_of(30_000), round(size_of(163_097), 3)
    (0.0, 1.0)
    """
    return max(0.0, math.log(max(words, 1) / _SMALL))


def least_odds(words: int) -> float:
    """The log odds from which a suspect is told: in large treebanks fewer are errors.

    >>> from analyzer.checks.merging import confidence
    >>> [round(confidence(least_odds(words)), 2) for words in (30_000, 500_000)]
    [0.17, 0.01]
    """
    return log_odds(LEAST_CONFIDENCE) - _FALLS * size_of(words)


# -- evidence -------------------------------------------------------------------------


def surroundings(nodes: Nodes, suspects: Sequence[Suspect]) -> list[tuple[float, ...]]:
    """What other suspects say of each.

    How many have its contrast, and its sentence, as logarithms; how many other codes of
    the model suspect its nodes; how much the model, and how much the words that recur,
    speak against the same place; how much the model doubts a tag there or below.
    """
    groups = Counter((suspect.code, suspect.group) for suspect in suspects)
    sentences = Counter(suspect.places[0].tree for suspect in suspects)
    recurs = {code: check.given == RECURRING for code, check in CHECKS.items()}
    family_of = {code: _FAMILIES.get(check.kind, 0) for code, check in CHECKS.items()}
    bit = {code: 1 << at for at, code in enumerate(CHECKS)}
    doubts: defaultdict[tuple[int, LeafSpan], list[tuple[str, float]]]
    doubts = defaultdict(list)
    codes_at: defaultdict[int, int] = defaultdict(int)  # by node and family, as bits
    tags: dict[int, float] = {}
    for suspect in suspects:
        code, family = suspect.code, family_of[suspect.code]
        strength = suspect.evidence[0]
        if not recurs[code]:
            strength = min(sum(suspect.evidence[:2]), _MOST_DOUBT)
            for node in suspect.nodes:
                codes_at[3 * node + family] |= bit[code]
        if code != "D401":
            doubts[family, suspect.places[0]].append((code, strength))
        if code == "T502":
            word = suspect.nodes[0]
            for node in (word, int(nodes.parent[word])):
                tags[node] = max(strength, tags.get(node, 0.0))
    rows: list[tuple[float, ...]] = []
    for suspect in suspects:
        code, family = suspect.code, family_of[suspect.code]
        others, tag, strongest = 0, 0.0, [0.0, 0.0]
        for node in suspect.nodes:
            others |= codes_at.get(3 * node + family, 0)
            tag = max(tag, tags.get(node, 0.0))
        here = doubts.get((family, suspect.places[0]), ())
        for other, strength in (pair for pair in here if pair[0] != code):
            which = recurs[other]
            strongest[which] = max(strongest[which], strength)
        count = (others & ~bit[code]).bit_count()
        alike = groups[code, suspect.group], sentences[suspect.places[0].tree]
        tag *= family != _FAMILIES["tag"]
        rows.append((*map(math.log, alike), count, *strongest, tag))
    return rows


_FAMILIES = {"tag": 1, "function": 2}  # of others 0, brackets


def with_odds(
    nodes: Nodes,
    suspects: Sequence[Suspect],
    calibration: Calibration,
    least: float = -math.inf,
) -> list[tuple[float, Suspect]]:
    """Suspects with their log odds, if these are not too low, and with all evidence."""
    around = surroundings(nodes, suspects)
    size = size_of(int(nodes.stream.kept.size))
    by_code: defaultdict[str, list[int]] = defaultdict(list)
    for at, item in enumerate(suspects):
        by_code[item.code].append(at)
    rows = {
        code: np.array([(*suspects[at].evidence, *around[at]) for at in places])
        for code, places in by_code.items()
    }
    weighed = []
    for code, odds in calibration.all_odds(rows, size).items():
        for row in np.flatnonzero(odds >= least).tolist():
            whole = tuple(rows[code][row].tolist())
            suspect = suspects[by_code[code][row]]._replace(evidence=whole)
            weighed.append((float(odds[row]), suspect))
    return weighed


# -- fitting --------------------------------------------------------------------------


def fitted(
    evidence: Floats, is_error: Floats, held: Floats, weight: Floats, offset: Floats
) -> Floats:
    """Weights of a logistic regression, each held at 0 as strongly as is said.

    Newton's method; rows have weights, and log odds that they start from.

    >>> x, y = np.array([[1.0], [1.0], [1.0], [1.0]]), np.array([1.0, 1.0, 1.0, 0.0])
    >>> one, none = np.ones(4), np.zeros(4)
    >>> fitted(x, y, np.zeros(1), one, none).round(3).tolist()  # log of 3 to 1
    [1.099]
    """
    solution = np.zeros(evidence.shape[1])

    def loss(weights: Floats) -> float:
        signed = (evidence @ weights + offset) * (1 - 2 * is_error)
        return float(weight @ np.logaddexp(0, signed) + held @ weights**2 / 2)

    least = loss(solution)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(evidence @ solution + offset, -30, 30)))
        slope = evidence.T @ (weight * (is_error - chance)) - held * solution
        curvature = (evidence.T * (weight * chance * (1 - chance))) @ evidence
        step = np.linalg.solve(curvature + np.diag(held + 1e-9), slope)
        while (now := loss(solution + step)) > least and np.abs(step).max() > _NEARLY:
            step = step / 2
        if now > least - _NEARLY * abs(least):
            break
        solution, least = solution + step, now
    return solution


def recalibrated(
    shipped: Calibration,
    decided: Iterable[tuple[str, Sequence[float], bool]],
    size: float,
) -> Calibration:
    """The calibration moved towards decisions: code, evidence, whether it is an error.

    All chances may move together, those of a code, and the weight of each piece of
    evidence, the later the less. What nothing was decided on moves with all. How many
    words that recur are wrong is no longer estimated: it was decided.
    """
    rows = [row for row in decided if row[0] in shipped.weights]
    is_error = np.array([float(verdict) for *_, verdict in rows])
    _require(int(is_error.sum()), len(rows))
    names = [(code, name) for code, known in shipped.weights.items() for name in known]
    varies = {(c, n): shipped.weights[c][n][2] for c, n in names}
    column = {pair: at for at, pair in enumerate(names, start=1)}
    evidence, offset = np.zeros((len(rows), len(names) + 1)), np.zeros(len(rows))
    evidence[:, 0] = 1
    for at, (code, pieces, _) in enumerate(rows):
        offset[at] = shipped.odds(code, np.array([pieces]), size)[0]
        for name, piece in zip(names_of(CHECKS[code]), (1.0, *pieces), strict=True):
            evidence[at, column[code, name]] = piece / varies[code, name]
    held = [_HELD_CODE if name == CONSTANT else _HELD for _, name in names]
    held_all = np.array([_HELD_ALL, *held])
    moved = fitted(evidence, is_error, held_all, np.ones(len(rows)), offset)
    weights: dict[str, dict[str, Weight]] = {code: {} for code in shipped.weights}
    for (code, name), at in column.items():
        weight, *rest = shipped.weights[code][name]
        weight += moved[at] / varies[code, name] + moved[0] * (name == CONSTANT)
        weights[code][name] = weight, *rest
    note = f"moved towards {len(rows):,} decisions ({int(is_error.sum()):,} errors)"
    return Calibration((*shipped.notes, note), weights)


def _require(errors: int, count: int) -> None:
    """Enough decisions to learn from."""
    if count < _LEAST_DECISIONS:
        raise SettingsError("E487 only", n=count, least=_LEAST_DECISIONS)
    if min(errors, count - errors) < _LEAST_OF_EACH:
        raise SettingsError(
            "E489 findings are decided on as errors",
            errors=errors,
            fine=count - errors,
            least=_LEAST_OF_EACH,
        )
