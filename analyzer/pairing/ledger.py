"""What was scored, what was left out and why: one record for every analysis.

Gold always has as many trees as were scored and left out together. Ledgers of blocks,
shards and files add up to that of the whole; exit codes, warnings and the line below
every table are made from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    InputWarning,
    LeftOutWarning,
    PairingError,
    PatternError,
    Place,
    warn,
)
from analyzer.safe_text import counted

if TYPE_CHECKING:
    from analyzer.model.discourse import Reading

NO_GROUP = "in no group"  # what `--group-by` cannot tell of
SENTENCE, DOCUMENT = "sentence", "document"
_NAMES_SHOWN = 3


class Reason(Enum):
    """Why a tree, or a pair of trees, is not compared. evalb skips the first three."""

    FAILED = "failed parse"
    BLANK = "no tree on either side"
    NOTHING_LEFT = "no words left after deletion"
    LENGTH = "length mismatch"
    WORDS = "word mismatch"
    BAD_GOLD = "malformed gold"
    BAD_PARSE = "malformed parse"
    BAD_TREE = "malformed"  # where there is one side
    ONLY_GOLD = "only in gold"
    ONLY_PARSED = "only in parsed"
    MISSING = "not in all systems"
    OTHER_EDUS = "other EDUs"
    OTHER_TEXT = "other text"
    UNREADABLE = "unreadable file"
    TOO_FAR = "too many edits"  # from the parse to gold: see analyses.repairs
    TOO_LONG = "search given up"  # for these edits
    NO_TREE = "answer without a tree"  # of a language model: see formats.penn.generated
    CUT_OFF = "cut off"
    SEVERAL = "several trees"

    @classmethod
    def of_parse(cls, problem: AnalyzerError) -> Reason:
        """Why a parse that could not be read is not compared."""
        return _BEYOND_REPAIR.get(problem.code, cls.BAD_PARSE)

    @property
    def is_skip(self) -> bool:
        return self in (Reason.FAILED, Reason.BLANK, Reason.NOTHING_LEFT)

    @property
    def is_bad_input(self) -> bool:
        """Whether something could not be read."""
        return self in _BAD_INPUT

    @property
    def is_surplus(self) -> bool:
        """Whether one side is short."""
        return self in (Reason.ONLY_GOLD, Reason.ONLY_PARSED, Reason.MISSING)

    def text(self, sides: tuple[str, str]) -> str:
        """The reason as people read it; `sides` are what gold and parsed are called."""
        gold, parsed = sides
        if sides == SIDES:
            return self.value
        named = {
            Reason.FAILED: "empty tree",  # neither side is a parser's
            Reason.BAD_GOLD: f"malformed {gold}",
            Reason.BAD_PARSE: f"malformed {parsed}",
            Reason.ONLY_GOLD: f"only in {gold}",
            Reason.ONLY_PARSED: f"only in {parsed}",
        }
        return named.get(self, self.value)


_BEYOND_REPAIR = {
    "E203": Reason.NO_TREE,
    "E204": Reason.CUT_OFF,
    "E205": Reason.SEVERAL,
}
# A refusal is a parse that failed: nobody wrote a tree there.
_BAD_INPUT = (
    *(Reason.BAD_GOLD, Reason.BAD_PARSE, Reason.BAD_TREE, Reason.UNREADABLE),
    *(Reason.CUT_OFF, Reason.SEVERAL),
)
SIDES = ("gold", "parsed")


# Of gold (0), of parsed (1) or of the only side (-1): how something in it was read.
SidedReading = tuple[int, "Reading"]


class Fate(Enum):
    """What became of a pair that cannot be compared word by word."""

    ALIGNED = "scored by aligned words"
    ZERO = "counted as finding nothing"
    LEFT_OUT = "left out"


class LeftOut(NamedTuple):
    """A sentence or document that is not compared, and why.

    Of sentences that one side has more than the other, one item tells them all.
    """

    sentence: int  # its number; 0 for documents that have no partner, and for files
    reason: Reason
    error: AnalyzerError
    fate: Fate = Fate.LEFT_OUT
    document: str = ""  # its name
    trees: int = 1  # how many it stands for
    in_gold: bool = True  # whether gold has it: it then counts among gold's
    # What gold and parsed say there (`texts.text_number`; 0: nothing to tell it by).
    texts: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        return str(self.error)

    @property
    def is_surplus(self) -> bool:
        """Whether it stands for sentences at the end that one side lacks."""
        return self.reason.is_surplus and not self.document and not self.sentence

    @property
    def is_lost(self) -> bool:
        """Whether it is missing from the scores, and gold has it."""
        return self.fate is Fate.LEFT_OUT and self.in_gold


# What roots that differ mean for numbers.
ROOTS_IN_BRACKETS = (
    "as brackets unless the parameters delete them: one bracket per sentence cannot "
    "match, not even of a perfect parse"
)
ROOTS_IN_FRAGMENTS = (
    "as parts of their trees: no fragment with a root is shared, not even by trees "
    "that are alike otherwise"
)


class RootLabels(NamedTuple):
    """What the trees of some sentences have at their top, where a root counts.

    See `words.counted_roots`; unless both are counted alike, one of them cannot match.
    """

    gold: str
    parsed: str
    is_same: bool
    sentences: int

    def __str__(self) -> str:
        gold, parsed = (
            f"'{label}'" if label else "no label" for label in (self.gold, self.parsed)
        )
        return f"gold {gold}, parsed {parsed}"


@dataclass(frozen=True)
class Ledger:
    """How many trees each side has, how many were scored, and what was left out."""

    noun: str = SENTENCE  # or document
    gold: int = 0
    parsed: int = 0
    scored: int = 0
    items: tuple[LeftOut, ...] = ()
    # Gold brackets, as evalb counts them, of what a parse might have found: what
    # `zero` would count and `skip` does not.
    lost_brackets: int = 0
    roots: tuple[RootLabels, ...] = ()  # of the sentences whose roots count
    paired_by: str = ""  # what sentences were paired by, if not in their order
    overlaps: tuple[PatternError, ...] = ()  # patterns that match one production
    mended: int = 0  # parses that were read other than they are written
    extracted: int = 0  # and those that are as written, but for what is around them
    tags: str = ""  # the side whose tags the words of both have, if not each its own
    is_unescaped: bool = False  # whether some words are the same but for escapes
    readings: tuple[SidedReading, ...] = ()  # read otherwise than written
    # How files were read, if not as usual: settings and their values.
    reading: tuple[tuple[str, str], ...] = ()
    # What the trees of each side have: see `tags`. Only some analyses ask.
    traits: frozenset[str] = field(default=frozenset(), compare=False, repr=False)

    def __add__(self, other: Ledger) -> Ledger:
        """The ledger of both parts; of documents if either is."""
        return Ledger(
            other.noun if self.noun == SENTENCE else self.noun,
            self.gold + other.gold,
            self.parsed + other.parsed,
            self.scored + other.scored,
            (*self.items, *other.items),
            self.lost_brackets + other.lost_brackets,
            _added(self.roots, other.roots),
            self.paired_by or other.paired_by,
            united(self.overlaps, other.overlaps),
            self.mended + other.mended,
            self.extracted + other.extracted,
            self.tags or other.tags,
            self.is_unescaped or other.is_unescaped,
            tuple(dict.fromkeys((*self.readings, *other.readings))),
            self.reading or other.reading,
            self.traits | other.traits,
        )

    # -- what is asked of it ---------------------------------------------------

    @property
    def left_out(self) -> list[LeftOut]:
        """What is missing from the scores: trees, documents, files."""
        return [item for item in self.items if item.fate is Fate.LEFT_OUT]

    @property
    def mismatches(self) -> list[LeftOut]:
        """Pairs that cannot be compared word by word, and documents without partner;
        those, too, that were scored as finding nothing or by aligned words."""
        return [
            item
            for item in self.items
            if not item.is_surplus and item.reason is not Reason.UNREADABLE
        ]

    @property
    def unread(self) -> list[AnalyzerError]:
        """Errors of what could not be read, trees and files."""
        return [item.error for item in self.items if item.reason.is_bad_input]

    @property
    def lost(self) -> int:
        """How many of gold's trees are not scored."""
        return sum(item.trees for item in self.items if item.is_lost)

    @property
    def surplus(self) -> Surplus:
        """What only one side has."""
        return Surplus(self._count(Reason.ONLY_GOLD), self._count(Reason.ONLY_PARSED))

    @property
    def is_complete(self) -> bool:
        """Whether all input was read, paired and scored."""
        return not self.left_out

    @property
    def lengths_differ(self) -> AnalyzerError | None:
        """The error that gold and parsed are not equally long; None if they are."""
        errors = [item.error for item in self.items if item.is_surplus]
        if len(errors) < 2:
            return errors[0] if errors else None
        first = errors[0]
        return PairingError(
            "E414 and so do", first.place, message=first.message, more=len(errors) - 1
        )

    @property
    def differing_roots(self) -> list[RootLabels]:
        """Roots that count and cannot match, those of the most sentences first."""
        differing = [labels for labels in self.roots if not labels.is_same]
        return sorted(differing, key=lambda labels: (-labels.sentences, labels))

    @cached_property
    def out_of_step(self) -> PairingError | None:
        """That parsed sentences say what gold says elsewhere, with the first place.

        What was left out of gold is joined with what was left out of the same file of
        parsed, by text. Where all words agree, nothing was left out to be looked at.
        """
        parsed: dict[tuple[str | None, int], list[LeftOut]] = {}
        elsewhere = [item for item in self.items if item.texts[0] != item.texts[1]]
        for item in elsewhere:
            if item.texts[1]:
                parsed.setdefault((_file(item), item.texts[1]), []).append(item)
        moved = [
            (item, parsed[key])
            for item in elsewhere
            if item.texts[0] and (key := (_file(item), item.texts[0])) in parsed
        ]
        if not moved:
            return None
        first, others = min(moved, key=lambda pair: pair[0].sentence)
        other = min(others, key=lambda item: abs(item.sentence - first.sentence))
        return PairingError(
            "E241 out of step",
            sentences=len(moved),
            sentence=first.sentence,
            other=other.sentence,
            where=other.error.place,
        )

    @property
    def settings(self) -> dict[str, str]:
        """The part of a signature that says how sentences were paired, if not in
        their order; whose tags they have, if not their own; that escapes count as what
        they stand for, if some do; and how files were read, if not as usual."""
        settings = {"pair": self.paired_by, "tags": self.tags}
        settings["escapes"] = "equal" if self.is_unescaped else ""
        settings |= dict(self.reading)
        return {name: value for name, value in settings.items() if value}

    def _count(self, reason: Reason) -> int:
        return sum(item.trees for item in self.items if item.reason is reason)

    # -- what is made of it ----------------------------------------------------

    def text(self, verb: str = "scored", sides: tuple[str, str] = SIDES) -> str:
        """What was scored and what was left out, in a sentence.

        >>> left_out = LeftOut(3, Reason.FAILED, PairingError("no words"))
        >>> Ledger("sentence", 44, 44, 43, (left_out,)).text()
        'scored 43 of 44 sentences; 1 left out: 1 failed parse'
        """
        parts = [f"{verb} {self.scored:,} of {self.gold:,} {self.noun}s"]
        if self.paired_by:
            parts[0] += f", paired by {self.paired_by}"
        if self.extracted:
            parts[0] += f", {counted(self.extracted, 'parse')} extracted"
        if self.mended:
            parts[0] += f", {counted(self.mended, 'parse')} mended"
        for fate in Fate:
            items = [item for item in self.items if item.fate is fate and item.in_gold]
            if items:
                count = sum(item.trees for item in items)
                listed = self._by_reason(items, sides)
                parts.append(f"{count:,} {fate.value}: {listed}")
        apart = [item for item in self.left_out if not item.in_gold]
        if apart:
            parts.append(self._by_reason(apart, sides))
        if self.out_of_step:
            parts.append(self.out_of_step.with_sides(*sides).message)
        return "; ".join([*parts, *reading_lines(self.readings, sides)])

    def _by_reason(self, items: Iterable[LeftOut], sides: tuple[str, str]) -> str:
        grouped: dict[Reason, list[LeftOut]] = {}
        for item in items:
            grouped.setdefault(item.reason, []).append(item)
        texts = []
        for reason, same in grouped.items():
            count = sum(item.trees for item in same)
            text = f"{count:,} {reason.text(sides)}"
            names = [item.document for item in same if item.document]
            if names:
                more = ", …" if len(names) > _NAMES_SHOWN else ""
                text += f" ({', '.join(names[:_NAMES_SHOWN])}{more})"
            texts.append(text)
        return ", ".join(texts)

    def root_notes(self, consequence: str = ROOTS_IN_BRACKETS) -> list[str]:
        """Notes that roots differ and count, so that no parse can reach 100; [] if not.

        >>> roots = (RootLabels("", "ROOT", False, 2),)
        >>> print(*Ledger("sentence", 2, 2, 2, roots=roots).root_notes())
        the roots of 2 of 2 sentences differ (gold no label, parsed 'ROOT') and count \
as brackets unless the parameters delete them: one bracket per sentence cannot match, \
not even of a perfect parse; --no-root (no_root=True) leaves roots out on both sides
        """
        differing = self.differing_roots
        if not differing:
            return []
        sentences = sum(labels.sentences for labels in differing)
        shown = [
            str(labels) if len(differing) == 1 else f"{labels}: {labels.sentences:,}"
            for labels in differing[:_NAMES_SHOWN]
        ]
        shown += ["…"] if len(differing) > _NAMES_SHOWN else []
        return [
            f"the roots of {sentences:,} of {counted(self.scored, self.noun)} differ "
            f"({'; '.join(shown)}) and count {consequence}; "
            "--no-root (no_root=True) leaves roots out on both sides"
        ]

    def as_json(self) -> dict[str, Any]:
        """The object under `ledger` in every JSON output; see docs/json.md."""
        counts: Counter[str] = Counter()
        fates: Counter[Fate] = Counter()
        for item in self.items:
            fates[item.fate] += item.trees if item.in_gold else 0
            if item.fate is Fate.LEFT_OUT:
                counts[item.reason.value] += item.trees
        return {
            "noun": self.noun,
            "gold": self.gold,
            "parsed": self.parsed,
            "scored": self.scored,
            "left_out": fates[Fate.LEFT_OUT],
            "counted_as_zero": fates[Fate.ZERO],
            "aligned": fates[Fate.ALIGNED],
            "reasons": dict(counts),
            "lost_brackets": self.lost_brackets,
            "differing_roots": [
                {
                    "gold": labels.gold,
                    "parsed": labels.parsed,
                    "sentences": labels.sentences,
                }
                for labels in self.differing_roots
            ],
            "extracted": self.extracted,
            "mended": self.mended,
            "pair": self.paired_by or "order",
            "out_of_step": _warning(self.out_of_step),
            "overlaps": [_warning(overlap) for overlap in self.overlaps],
            "items": [_record(item) for item in self.items],
            **(
                {"readings": list(map(_reading_json, self.readings))}
                if self.readings
                else {}
            ),
        }

    def failure(
        self,
        gold: str,
        parsed: str,
        verb: str = "scored",
        sides: tuple[str, str] = SIDES,
    ) -> AnalyzerError | None:
        """Why nothing at all could be scored, if so."""
        if self.scored:
            return None
        if not self.gold or not self.parsed:
            return InputError(
                "E101 no trees to score", Place(parsed if self.gold else gold)
            )
        return PairingError(
            "E403 nothing could be",
            Place(parsed),
            verb=verb,
            ledger=self.text(verb, sides),
        )

    def check(self, source: str, max_left_out: float | None = None) -> None:
        """Raise if more than this percentage of gold was left out; warn if some was.

        `warnings.simplefilter("ignore", analyzer.LeftOutWarning)` turns the warning
        off.
        """
        if max_left_out is not None and 100 * self.lost > max_left_out * self.gold:
            raise PairingError(
                "E415 % of gold were left out",
                Place(source),
                allowed=max_left_out,
                ledger=self.text(),
            )
        if not self.is_complete:
            warn(LeftOutWarning(source, self.text()))
        for overlap in self.overlaps:
            place, message = str(overlap.place), overlap.message
            warn(InputWarning(place, message, is_note=False))


def united(
    overlaps: Iterable[PatternError], others: Iterable[PatternError] = ()
) -> tuple[PatternError, ...]:
    """All overlaps of both; two patterns stand once, with the shortest production."""
    errors: dict[tuple[str, str], PatternError] = {}
    for error in (*overlaps, *others):
        key = str(error.fields["first"]), str(error.fields["second"])
        known = errors.setdefault(key, error)
        errors[key] = min(
            known, error, key=lambda e: _length_and(e.fields["production"])
        )
    return tuple(errors[key] for key in sorted(errors))


def _length_and(text: object) -> tuple[int, str]:
    return len(str(text)), str(text)


def reading_lines(
    readings: Iterable[SidedReading], sides: Sequence[str] = ()
) -> list[str]:
    """What was read otherwise than it is written: how much of it, and where.

    >>> from analyzer.model.discourse import Reading
    >>> joined = Reading("tree", "joined under one unit", 2, "maz-1")
    >>> reading_lines([(0, joined), (1, joined)], SIDES)
    ['2 trees joined under one unit in 1 document (maz-1) of gold, and of parsed']
    >>> reading_lines([(-1, joined)])
    ['2 trees joined under one unit in 1 document (maz-1)']
    """
    grouped: dict[tuple[str, str, int], list[Reading]] = {}
    for side, reading in readings:
        grouped.setdefault((reading.noun, reading.fate, side), []).append(reading)
    lines: dict[str, list[str]] = {}
    for (noun, fate, side), same in grouped.items():
        names = list(dict.fromkeys(reading.document for reading in same))
        more = ", …" if len(names) > _NAMES_SHOWN else ""
        line = (
            f"{counted(sum(reading.number for reading in same), noun)} {fate} in "
            f"{counted(len(names), DOCUMENT)} ({', '.join(names[:_NAMES_SHOWN])}{more})"
        )
        lines.setdefault(line, []).append(sides[side] if 0 <= side < len(sides) else "")
    return [
        f"{line} of {', and of '.join(of)}" if any(of) else line
        for line, of in lines.items()
    ]


def of_one_side(
    noun: str,
    trees: int,
    errors: Iterable[AnalyzerError],
    readings: Iterable[Reading] = (),
) -> Ledger:
    """The ledger of trees that are compared with nothing: some cannot be read.

    >>> bad = InputError("empty", Place("texts/storm.dis"))
    >>> of_one_side(DOCUMENT, 2, [bad]).text("read")
    'read 1 of 2 documents; 1 left out: 1 malformed (storm)'
    """
    items = []
    for error in errors:
        place = error.place or Place()
        name = PurePath(place.source or "").stem if noun == DOCUMENT else ""
        items.append(
            LeftOut(place.sentence or 0, Reason.BAD_TREE, error, document=name)
        )
    sided = tuple((-1, reading) for reading in readings)
    return Ledger(noun, trees, trees, trees - len(items), tuple(items), readings=sided)


class Surplus(NamedTuple):
    """Sentences that one file has and the other has not."""

    in_gold: int
    in_parsed: int

    def ledger(self, gold: str, parsed: str) -> Ledger:
        """That of the sentences beyond those of both files."""
        if not any(self):
            return NOTHING_LEFT_OVER
        error = PairingError(
            "E413 differ in length by", gold_=gold, parsed_=parsed, surplus=max(self)
        )
        items = []
        if self.in_gold:
            items.append(LeftOut(0, Reason.ONLY_GOLD, error, trees=self.in_gold))
        if self.in_parsed:
            more = LeftOut(0, Reason.ONLY_PARSED, error, trees=self.in_parsed)
            items.append(more._replace(in_gold=False))
        return Ledger(gold=self.in_gold, parsed=self.in_parsed, items=tuple(items))


NO_SURPLUS = Surplus(0, 0)
NOTHING_LEFT_OVER = Ledger()


def _added(
    roots: tuple[RootLabels, ...], others: tuple[RootLabels, ...]
) -> tuple[RootLabels, ...]:
    """Those of both; the same labels stand once."""
    if not (roots and others):
        return roots or others
    known = {labels[:3]: labels for labels in roots}
    for labels in others:
        before = known.get(labels[:3])
        sentences = labels.sentences + (before.sentences if before else 0)
        known[labels[:3]] = labels._replace(sentences=sentences)
    return tuple(known.values())


def total(ledgers: Iterable[Ledger]) -> Ledger:
    """The sum of some ledgers."""
    return sum(ledgers, Ledger())


def _file(item: LeftOut) -> str | None:
    """The file that the error names: that of parsed, unless gold is malformed."""
    return item.error.place.source if item.error.place else None


def _warning(error: AnalyzerError | None) -> dict[str, Any] | None:
    """What an error says, and what it says it of."""
    if error is None:
        return None
    return {"code": error.code, "message": str(error), **error.fields}


def _reading_json(sided: SidedReading) -> dict[str, Any]:
    side, reading = sided
    return {"side": SIDES[side] if side >= 0 else None, **reading._asdict()}


def _record(item: LeftOut) -> dict[str, Any]:
    place = item.error.place or Place()
    return {
        "sentence": item.sentence or None,
        **({"id": place.id} if place.id else {}),
        "document": item.document or None,
        "trees": item.trees,
        "reason": item.reason.value,
        "fate": item.fate.value,
        "file": place.source,
        "line": place.line,
        "code": item.error.code,
        "message": str(item.error),
    }
