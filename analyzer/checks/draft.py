"""An inventory for a treebank that has none: labels, patterns and heads, as a draft.

The labels are drafted first (`draft_labels`), then the heads (`draft_heads`): the
children of each label are ranked by which of them heads it. A pattern is a rank: none
of the higher ranks is there, and the head is the first (last) of this one. So patterns
of a label cannot overlap, and together they match nearly everything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from analyzer.checks.draft_heads import (
    DEPENDENCIES,
    KNOWN,
    LATE,
    MARKS,
    OWN,
    REST,
    SOURCES,
    THUMB,
    A,
    LabelStatistics,
    Production,
    Productions,
    Ranking,
    ranked,
    thumb_heads,
)
from analyzer.checks.inventory import InventoryCheck, check_patterns
from analyzer.checks.word_stream import read_banks
from analyzer.constructions.inventory import Child, Inventory
from analyzer.constructions.language import parse_inventory
from analyzer.derivation.syntax import syntax_deriver
from analyzer.exceptions import InputError, PairingError, Place, SettingsError
from analyzer.files.atomic import write_text
from analyzer.formats.reading import Trees
from analyzer.formats.word_dependencies import DependencySource, open_dependencies
from analyzer.metrics.ratios import ratio
from analyzer.model.arrays import Shown
from analyzer.model.settings import keywords
from analyzer.model.treebank import Treebank
from analyzer.pairing.ledger import Ledger
from analyzer.safe_text import counted
from analyzer.transform.draft_labels import draft_labels
from analyzer.transform.labels import LabelSet
from analyzer.transform.pruning import without_nontext

if TYPE_CHECKING:
    import pandas as pd

MOST_PATTERNS = 120
_ENOUGH = 0.998  # of the brackets: what the rest needs patterns for is rare or a slip
_SMALL = 0.001  # of the brackets: a label that gets one rank
_SPLIT = 0.1  # of a label's brackets: a head that gets a pattern of its own
_MINOR = 0.0003  # of the brackets: a pattern that is joined to another
_WIDTH = 88
_NAME = re.compile(r"\w[\w+$.*]*")
_FILE_NAME = re.compile(r"[\w.-]*\w")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_CLASS = re.compile(r"^class (?P<name>\w+) = .*\n(?:    .*\n)*", re.MULTILINE)
_BUILT_IN = frozenset(
    {"TAG", "CONJ", "NT", "ANY", "NUCLEUS", "SATELLITE", "AND", "ITEM"}
)


# -- patterns ----------------------------------------------------------------------

# Kinds of heads: words; phrases; a phrase of a label, which stands behind LABEL; the
# phrases that do not have a pattern of their own so; these, and words; one of the label
# itself, modified to the right (left). "": all that a rank has.
WORD, PHRASE, LABEL, OTHERS, BOTH = "word", "phrase", "=", "others", "both"
RIGHT, LEFT = "right", "left"


class Slot(NamedTuple):
    """What makes a pattern of a label: the rank that decides, and what its head is."""

    is_joined: bool
    rank: int
    kind: str


@dataclass
class DraftedPattern:
    """A pattern before it is written."""

    label: str
    slot: Slot
    productions: list[Production]
    name: str = ""

    @property
    def count(self) -> int:
        return sum(production.count for production in self.productions)


@dataclass
class DraftedLabel:
    """The patterns of a label, and what they are made of."""

    label: str
    ranking: Ranking
    source: str
    patterns: list[DraftedPattern]
    count: int
    known: int  # heads
    right: int  # of these, as the ranking has them
    marks: Sequence[str] = ()  # the function tags that tell heads, if these do


def drafted_label(
    label: str,
    productions: list[Production],
    source: str,
    joins: frozenset[Child],
    brackets: int,
) -> DraftedLabel:
    """The ranking of a label and its patterns, with the productions of each."""
    own, count = Child(label, False), sum(item.count for item in productions)
    joined = sum(
        item.count for item in productions if joins.intersection(item.children[1:])
    )
    only = sum(item.count for item in productions if joins.issuperset(item.children))
    if joined < max(10, 0.0002 * brackets) or only > 0.01 * count:
        joins = frozenset()  # too few coordinations, or they may head the phrase
    most = 1 if count < _SMALL * brackets else 2
    ranking = ranked(productions, own, joins, most)
    known = right = 0
    slots: dict[Slot, list[Production]] = {}
    for item in productions:
        choice, head = ranking.choice(item.children), ranking.head(item.children)
        if choice is None or head is None:
            continue
        known += item.heads.total() if len(item.children) > 1 else 0
        right += item.heads[head] + item.others[head] if len(item.children) > 1 else 0
        child = item.children[head]
        kind = WORD if child.is_leaf else f"{LABEL}{child.label}"
        if choice.rank == OWN and not choice.is_joined:
            kind = RIGHT if head == 0 else LEFT
        elif choice.rank in (OWN, REST):
            kind = ""
        slots.setdefault(Slot(choice.is_joined, choice.rank, kind), []).append(item)
    slots = _joined_slots(slots, count, brackets)
    patterns = [DraftedPattern(label, slot, some) for slot, some in slots.items()]
    patterns.sort(
        key=lambda pattern: (
            pattern.slot.is_joined,
            ranking.order.index(
                pattern.slot.rank if pattern.slot.rank != LATE else REST
            ),
            -pattern.count,
        )
    )
    return DraftedLabel(label, ranking, source, patterns, count, known, right)


def _joined_slots(
    slots: dict[Slot, list[Production]], count: int, brackets: int
) -> dict[Slot, list[Production]]:
    """Slots of one rank together, unless they are frequent enough to stand alone."""
    merged: dict[Slot, list[Production]] = {}
    sizes = {slot: sum(item.count for item in some) for slot, some in slots.items()}
    own = {slot: size for slot, size in sizes.items() if slot.kind in (RIGHT, LEFT)}
    is_one = bool(own) and min(own.values()) < max(_MINOR * brackets, 5)
    for slot, some in slots.items():
        kind = slot.kind
        if slot in own:
            kind = "" if is_one or len(own) < 2 else kind
        elif kind and kind != WORD:
            is_frequent = sizes[slot] >= max(_SPLIT * count, 0.003 * brackets)
            if slot.is_joined:
                kind = PHRASE
            elif not is_frequent:
                kind = OTHERS
        merged.setdefault(slot._replace(kind=kind), []).extend(some)
    for slot in [key for key in merged if key.kind == WORD]:
        phrases = slot._replace(kind=PHRASE if slot.is_joined else OTHERS)
        sizes = {
            key: sum(production.count for production in merged.get(key, ()))
            for key in (slot, phrases)
        }
        if phrases in merged and min(sizes.values()) < max(_MINOR * brackets, 5):
            both = slot._replace(kind="" if slot.is_joined else BOTH)
            merged[both] = [*merged.pop(slot), *merged.pop(phrases)]
    return merged


def chosen_patterns(labels: Sequence[DraftedLabel], brackets: int) -> None:
    """Leave out the rarest patterns: beyond what is enough, and beyond the most."""
    patterns = sorted(
        (pattern for label in labels for pattern in label.patterns),
        key=lambda pattern: -pattern.count,
    )
    kept, covered = set(), 0
    for pattern in patterns[:MOST_PATTERNS]:
        if covered >= _ENOUGH * brackets:
            break
        kept.add(id(pattern))
        covered += pattern.count
    for label in labels:
        label.patterns = [pattern for pattern in label.patterns if id(pattern) in kept]


class RankItems(NamedTuple):
    """What a rank is written with: heads by kind, what may stand beside them where no
    higher rank is there, and what is left of that without the heads (None: nothing)."""

    heads: dict[str, str]
    before: str
    left: str | None


class PatternWriter:
    """Writes the patterns of labels as a file for people."""

    def __init__(self, labels: LabelSet, joins: frozenset[Child]) -> None:
        self.labels = labels
        self.joins = joins
        self.defined: list[str] = []  # classes of single labels
        self._items: dict[Child, str] = {}
        self._classes = {*_BUILT_IN}
        self._names: set[str] = set()

    # -- items -----------------------------------------------------------------

    def item(self, child: Child) -> str:
        """A child as patterns write it: by its label, in quotes, or as a class that is
        defined for it, where quotes would mean a word and a phrase."""
        if child not in self._items:
            self._items[child] = self._item(*child)
        return self._items[child]

    def _item(self, label: str, is_leaf: bool) -> str:
        of = self.labels
        if not label:
            return "TAG" if is_leaf else "NT"
        is_meant = label in (of.tag - of.phrase if is_leaf else of.phrase)
        if is_meant and _PLAIN.fullmatch(label) and label not in _BUILT_IN:
            return label
        if is_leaf and label not in of.phrase | of.tag_phrase:
            return f"'{label}'"
        name, other = self.class_name(label), "NT" if is_leaf else "TAG"
        self.defined.append(f"class {name} = '{label}' except {other}")
        return name

    def class_name(self, name: str) -> str:
        """A name that is no label's, and of no other class."""
        name = re.sub(r"[^A-Za-z0-9]", "", name).upper() or "X"
        name = name if name[0].isalpha() else f"X{name}"
        candidate, number = name, 1
        while candidate in self._classes or candidate in self.labels.known:
            number += 1
            candidate = f"{name}{number}"
        self._classes.add(candidate)
        return candidate

    def classes(self) -> list[str]:
        """Those that all labels share."""
        lines = [
            "# CONJ  a conjunction        TAG  any other word",
            "# NT    any phrase",
        ]
        lines[-1] += "           ANY  any child"
        joined = sorted(self.item(child) for child in self.joins if not child.is_leaf)
        lines += self.defined
        if self.joins:
            lines += _broken(f"class AND = {' | '.join(['CONJ', *joined])}")
            lines.append("class ITEM = ANY except AND")
        return [*lines, ""]

    # -- a label -----------------------------------------------------------------

    def label(self, drafted: DraftedLabel, brackets: int) -> str:
        """The section of a label: its classes, then its patterns."""
        share = 100 * drafted.count / brackets
        title = f"# ---- {drafted.label} "
        lines = [f"{title}{'-' * (_WIDTH - len(title) - 8)}", "#"]
        lines += self._told(drafted, share)
        classes, ranks = self._defined(drafted)
        lines += ["", *classes] if classes else []
        # The simple case is the most frequent one that a word heads.
        for pattern in sorted(drafted.patterns, key=lambda item: -item.count):
            pattern.name = self._name(pattern)
        for pattern in drafted.patterns:
            lines += ["", *self._pattern(pattern, drafted, ranks)]
        return "\n".join(lines)

    def _told(self, drafted: DraftedLabel, share: float) -> list[str]:
        text = f"{counted(drafted.count, 'bracket')}, {share:.2g} % of all. "
        agreed = f"{100 * drafted.right / max(1, drafted.known):.1f} %"
        if not drafted.known:
            text += "It has one child each time."
        elif drafted.source == THUMB:
            text += (
                "Heads are by rules of thumb: nothing in the trees tells them. Look at "
                "them."
            )
        else:
            marks = f" ({', '.join(drafted.marks)})" if drafted.marks else ""
            text += (
                f"Heads are from {SOURCES[drafted.source]}{marks}: {agreed} of the "
                f"{drafted.known:,} that are known are as here."
            )
        return [f"# {line}" for line in wrap(text, _WIDTH - 2)]

    def _defined(self, drafted: DraftedLabel) -> tuple[list[str], dict[int, RankItems]]:
        """Classes, and what each rank has: heads, and what may stand beside them."""
        ranking, label = drafted.ranking, drafted.label
        lines: list[str] = []
        ranks: dict[int, RankItems] = {}
        before: str = "ITEM" if ranking.joins else "ANY"
        own, has_own, number = self.item(ranking.own), True, 0
        for rank in ranking.order:
            if rank == OWN:
                heads, has_own = {"": own, RIGHT: own, LEFT: own}, False
            elif rank == REST:
                heads = {"": before}
                if has_own:
                    heads[""] = self.class_name(f"{label}REST")
                    lines.append(f"class {heads['']} = {before} except {own}")
            else:
                heads = self._heads(rank, drafted, lines)
            left: str | None = before
            if rank == ranking.order[-1]:
                left = None
            elif rank == REST:
                left = own
            elif heads:
                number += 1
                left = self.class_name(f"{label}LEFT{number if number > 1 else ''}")
                excepted = heads[""].replace(" |", ",")
                lines.append(f"class {left} = {before} except {excepted}")
            ranks[rank] = RankItems(heads, before, left)
            before = left or before
        if any(
            pattern.slot.is_joined and pattern.slot.rank in (LATE, REST)
            for pattern in drafted.patterns
        ):
            none = "ANY"
            if ranks[A].heads:
                none = self.class_name(f"NO{label}")
                excepted = ranks[A].heads[""].replace(" |", ",")
                lines.append(f"class {none} = ANY except {excepted}")
            ranks[LATE] = RankItems(ranks[A].heads, "ANY", none)
        return lines, ranks

    def _heads(
        self, rank: int, drafted: DraftedLabel, lines: list[str]
    ) -> dict[str, str]:
        """What a rank has as heads, by kind; classes of those that are several."""
        members = [
            child
            for child, its_rank in drafted.ranking.rank_of.items()
            if its_rank == rank
        ]
        if not members:
            return {}
        words = [child for child in members if child.is_leaf]
        phrases = [child for child in members if not child.is_leaf]
        heads = {f"{LABEL}{child.label}": self.item(child) for child in phrases}
        alone = {
            pattern.slot.kind
            for pattern in drafted.patterns
            if pattern.slot.rank == rank
        }
        others = [child for child in phrases if f"{LABEL}{child.label}" not in alone]
        number = "" if rank == A else "2"
        for kind, children in ((WORD, words), (OTHERS, others), (PHRASE, phrases)):
            listed = [self.item(child) for child in children]
            if kind == PHRASE and children == others:
                listed = [heads[OTHERS]] if others else []
            if len(listed) > 1:
                heads[kind] = self.class_name(f"{drafted.label}{kind}{number}")
                lines += _broken(f"class {heads[kind]} = {' | '.join(listed)}")
            elif listed:
                heads[kind] = listed[0]
        for kind, parts in (("", (WORD, PHRASE)), (BOTH, (WORD, OTHERS))):
            heads[kind] = " | ".join(heads[part] for part in parts if part in heads)
        return heads

    def _name(self, pattern: DraftedPattern) -> str:
        """As the inventories name constructions: NP-t, NP-modr, NP-crd, S-vp."""
        slot = pattern.slot
        if slot.is_joined:
            ending = {OWN: "crd", LATE: "crdl", REST: "crdx"}.get(slot.rank, "")
            ending = ending or ("crdn" if slot.kind == PHRASE else "crdt")
        elif slot.rank == OWN:
            ending = {RIGHT: "modr", LEFT: "modl"}.get(slot.kind, "mod")
        elif slot.rank == REST:
            ending = "x"
        elif slot.kind in (WORD, BOTH):
            ending = "w" if f"{pattern.label}-t" in self._names else "t"
        elif slot.kind == OTHERS:
            ending = "nt"
        else:
            ending = re.sub(r"[^a-z0-9]", "", slot.kind.lower()) or "nt"
        name, number = f"{pattern.label}-{ending}", 1
        while name in self._names:
            number += 1
            name = f"{pattern.label}-{ending}{number}"
        self._names.add(name)
        return name

    def _pattern(
        self,
        pattern: DraftedPattern,
        drafted: DraftedLabel,
        ranks: dict[int, RankItems],
    ) -> list[str]:
        slot, ranking = pattern.slot, drafted.ranking
        is_last = ranking.is_last.get((slot.is_joined, slot.rank), False)
        text = _expression(slot, is_last, bool(ranking.joins), ranks)
        examples = [
            f"    yes: {production}"
            for production in self._examples(pattern.productions, 2)
        ]
        others = [other for other in drafted.patterns if other is not pattern]
        others.sort(key=lambda other: -other.count)
        examples += [
            f"    no:  {production}"
            for other in others[:2]
            for production in self._examples(other.productions, 1)
        ]
        comment = _comment(pattern, drafted, is_last)
        return [
            *(f"# {line}" for line in wrap(comment, _WIDTH - 2)),
            *_broken(f"{pattern.name}: {text}"),
            *examples,
        ]

    def _examples(
        self, productions: Sequence[Production], most: int
    ) -> list[Production]:
        """The most frequent productions that can be read back from their labels."""
        both = self.labels.phrase & self.labels.tag
        readable = [
            production
            for production in productions
            if len(production.children) <= 8
            and not any(
                child.label in both
                or (child.label in self.labels.phrase) == child.is_leaf
                or not child.label
                or re.search(r"[\s#]", child.label)
                for child in production.children
            )
        ]
        readable.sort(key=lambda production: -production.count)
        return readable[:most]


def _expression(
    slot: Slot, is_last: bool, has_joins: bool, ranks: dict[int, RankItems]
) -> str:
    """The pattern of a slot: nothing of a higher rank, the first or last of this."""
    start = "AND? " if has_joins else ""
    if slot.rank == LATE:
        heads, _, none = ranks[LATE]
        rest, before, left = ranks[REST]
        first = f"{rest['']}+" if left is None else f"{left}* {rest['']} {before}*"
        head = f"(head:{heads[slot.kind]})"
        around = f"ANY* {head} {none}*" if is_last else f"{none}* {head} ANY*"
        return f"{start}{first} AND {around}"
    heads, before, left = ranks[slot.rank]
    head = f"(head:{heads[slot.kind]})"
    prior, after = (before, left) if is_last else (left, before)
    behind = f" {after}*" if after else ""
    if slot.kind == RIGHT:
        return f"{head}{behind}"
    if slot.kind == LEFT:
        begins = [name for name in (has_joins and "AND", prior) if name]
        first = f"({' | '.join(begins)})" if len(begins) > 1 else begins[0]
        return f"{first}{f' {prior}*' if prior else ''} {head}{behind}"
    end = ""
    if slot.is_joined:
        end = f" AND {ranks[LATE].left if slot.rank == REST else 'ANY'}*"
    return f"{start}{f'{prior}* ' if prior else ''}{head}{behind}{end}"


def _broken(line: str) -> list[str]:
    """A line of the file, broken after `|` or the colon where it is too long."""
    if len(line) <= _WIDTH:
        return [line]
    name, colon, rest = line.partition(": ") if " = " not in line else (line, "", "")
    if colon:
        return [
            f"{name}:",
            *wrap(
                rest,
                _WIDTH,
                initial_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
                subsequent_indent="    ",
            ),
        ]
    lines, pieces = [""], line.split(" | ")
    for at, piece in enumerate(pieces):
        piece += " |" if at + 1 < len(pieces) else ""
        if len(lines[-1]) + len(piece) + 1 > _WIDTH:
            lines.append("   ")
        lines[-1] += f" {piece}" if lines[-1] else piece
    return lines


def _comment(pattern: DraftedPattern, drafted: DraftedLabel, is_last: bool) -> str:
    """What the pattern is, with words that it matches."""
    slot, which = pattern.slot, "last" if is_last else "first"
    label = drafted.label
    what = {
        WORD: f"the {which} of its words",
        PHRASE: f"the {which} of its phrases",
        OTHERS: f"the {which} of its other phrases",
        BOTH: f"the {which} of these words and phrases",
        "": f"the {which} of these",
    }.get(slot.kind, f"the {which} {slot.kind.removeprefix(LABEL)}")
    if slot.is_joined:
        text = {
            OWN: f"Coordination: the {which} {label} before the conjunction",
            LATE: f"Coordination of modifiers: {what} behind the conjunction",
            REST: f"Coordination of other things: the {which} before the conjunction",
        }.get(slot.rank, f"Coordination: {what} before the conjunction")
    elif slot.rank == OWN:
        side = {RIGHT: " to the right", LEFT: " to the left"}.get(slot.kind, "")
        text = f"Modified{side}: the {which} {label} in it is the head"
    elif slot.rank == REST:
        text = f"None of the usual heads: the {which} child"
    else:
        again = "" if slot.rank == A else "Without these: "
        text = f"{again}{what} is the head"
        text = text[0].upper() + text[1:]
    example = _example(pattern.productions)
    times = counted(pattern.count, "bracket")
    return f"{text} ({times}{f'; {example}' if example else ''})"


def _example(productions: Sequence[Production]) -> str:
    """Words of a frequent production, of two words or more if one has."""
    some = sorted(productions, key=lambda item: -item.count)[:20]
    texts = [item.words for item in some if 0 < len(item.words) <= 60]
    several = [text for text in texts if " " in text]
    return (several or texts or [""])[0]


# -- the whole -------------------------------------------------------------------------


class DraftRow(NamedTuple):
    """A label of a draft."""

    label: str
    brackets: int
    share: float | None
    patterns: int
    heads: str  # where they are from
    agreement: float | None  # of the heads that are known, as drafted; None: guessed


@dataclass(frozen=True, repr=False)
class DraftedInventory(Shown):
    """A drafted inventory: two files, and what they make of the treebank."""

    name: str
    labels_text: str
    patterns_text: str
    inventory: Inventory
    check: InventoryCheck
    rows: list[DraftRow]  # the labels, most frequent first
    sentences: tuple[int, int] | None = None  # with dependencies, of all

    def __repr__(self) -> str:
        coverage = 100 * (self.check.coverage or 0)
        patterns = counted(len(self.inventory.patterns), "pattern")
        return f"<DraftedInventory {self.name}: {patterns}, {coverage:.1f} % covered>"

    def save(self, folder: str | Path = ".") -> list[Path]:
        """Write NAME.labels and NAME.pat; where they are."""
        files = [
            Path(folder) / f"{self.name}{suffix}" for suffix in (".labels", ".pat")
        ]
        for path in files:
            if path.exists():  # and may have been worked on
                raise InputError("E637 exists already", Place(str(path)))
        for path, text in zip(
            files, (self.labels_text, self.patterns_text), strict=True
        ):
            write_text(path, text)
        return files

    def frame(self) -> pd.DataFrame:
        """A row a label: how many brackets and patterns, where its heads are from."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=DraftRow._fields).set_index("label")

    @property
    def ledger(self) -> Ledger:
        """What was read, and what could not be."""
        return self.check.ledger

    @property
    def notes(self) -> list[str]:
        """What was found, and what has to be looked at."""
        usage, covered = self.check.usage, self.check.covered
        notes = [
            f"{counted(len(self.inventory.patterns), 'pattern')} cover {covered:,} of "
            f"{usage.brackets:,} brackets ({100 * (self.check.coverage or 0):.2f} %) "
            "of the trees they are drafted from"
        ]
        if self.sentences:
            paired, every = self.sentences
            notes.append(
                f"{paired:,} of {every:,} sentences have dependencies of the same text"
            )
        guessed = sum(row.brackets for row in self.rows if row.agreement is None)
        if guessed:
            share = 100 * guessed / usage.brackets
            notes.append(
                f"{share:.1f} % of the brackets have labels whose heads are guessed by "
                "rules of thumb: look at them"
            )
        return notes


@keywords()
def draft_patterns(
    *treebanks: Trees,
    name: str = "draft",
    dependencies: DependencySource | None = None,
    strict: bool = False,
    encoding: str = "utf-8",
) -> DraftedInventory:
    """An inventory for trees that none is made for: `spinal patterns draft`.

    Heads are from `dependencies`, CoNLL-U of the same sentences, if they are given;
    else from head marks among the function tags; else guessed.

    >>> tree = "(S (NP (D the) (N cat)) (VP (V sleeps)))"
    >>> draft_patterns(*[tree] * 30).inventory.nonterminals
    ['S', 'NP', 'VP']
    """
    if not _FILE_NAME.fullmatch(name):
        raise SettingsError("E636 cannot name an inventory", name=name)
    nothing_known = LabelSet("draft", "", "draft")
    raw = list(read_banks(treebanks, nothing_known, encoding=encoding, strict=strict))
    whole = Treebank.join(raw)
    drafted = draft_labels(whole, name)
    labels = drafted.parsed(name)
    banks = [without_nontext(bank, labels) for bank in raw]
    bare = Inventory(name, name, (), labels=labels)
    productions = Productions(syntax_deriver(patterns=bare))
    for bank in banks:
        productions.add(bank)
    productions.add_marks()
    paired = None
    if dependencies is not None:
        beside = open_dependencies(dependencies, encoding=encoding)
        paired = productions.add_dependencies(banks, beside)
        if not paired[0]:
            names = ", ".join(bank.source for bank in beside.banks[:3])
            place = Place(whole.source)
            raise PairingError(
                "E632 no sentence of the trees is in", place, names=names
            )
    sections, joins = drafted_labels(productions)
    if not sections:
        raise InputError("E633 no trees to draft", Place(whole.source))
    text = _written(name, sections, labels, joins, paired)
    inventory = parse_inventory(text, name=name, source=f"{name}.pat", labels=labels)
    text = _without_lines(
        text, {example.line for _, example in inventory.failed_examples()}
    )
    inventory = parse_inventory(text, name=name, source=f"{name}.pat", labels=labels)
    check = check_patterns(*banks, patterns=inventory)
    rows = [
        DraftRow(
            section.label,
            section.count,
            ratio(section.count, check.usage.brackets),
            len(section.patterns),
            SOURCES[section.source],
            None if section.source == THUMB else ratio(section.right, section.known),
        )
        for section in sections
    ]
    return DraftedInventory(name, drafted.text, text, inventory, check, rows, paired)


def drafted_labels(
    productions: Productions,
) -> tuple[list[DraftedLabel], frozenset[Child]]:
    """The patterns of each label, most frequent first; what joins conjuncts."""
    by_label: dict[str, list[Production]] = {}
    for production in productions.known.values():
        if _NAME.fullmatch(production.parent):
            by_label.setdefault(production.parent, []).append(production)
    joins = _joins(by_label, productions.labels)
    brackets = sum(production.count for production in productions.known.values())
    statistics = LabelStatistics.of(productions)
    known = DEPENDENCIES if productions.heads[DEPENDENCIES] else MARKS
    sections = []
    for label, some in by_label.items():
        here = frozenset[Child]() if Child(label, False) in joins else joins
        several = sum(
            production.count for production in some if len(production.children) > 1
        )
        heads = sum(production.heads.total() for production in some)
        source = known
        if (
            not heads
            or heads < min(KNOWN, 0.2 * several)
            or (known == MARKS and heads < 0.3 * several)
        ):
            source = THUMB
            thumb_heads(some, statistics, joins.__contains__)
        section = drafted_label(label, some, source, here, brackets)
        if source == MARKS:
            section.marks = productions.marks[label]
        sections.append(section)
    sections.sort(key=lambda item: -item.count)
    chosen_patterns(sections, brackets)
    return [item for item in sections if item.patterns], joins


def _joins(by_label: dict[str, list[Production]], labels: LabelSet) -> frozenset[Child]:
    """Conjunctions, and phrases that begin with one, as CONJP and COORD do."""
    joins = {Child(tag, True) for tag in labels.conjunction}
    for label, some in by_label.items():
        count = sum(item.count for item in some)
        begun = sum(item.count for item in some if item.children[0] in joins)
        if joins and begun >= 0.8 * count and count >= KNOWN:
            joins.add(Child(label, False))
    return frozenset(joins)


def _written(
    name: str,
    sections: Sequence[DraftedLabel],
    labels: LabelSet,
    joins: frozenset[Child],
    paired: tuple[int, int] | None,
) -> str:
    writer = PatternWriter(labels, joins)
    brackets = sum(section.count for section in sections)
    sources = Counter[str]()
    for section in sections:
        sources[section.source] += section.count
    origins = ", ".join(
        f"{SOURCES[source]} ({100 * count / brackets:.1f} % of the brackets)"
        for source, count in sources.most_common()
    )
    beside = (
        f" {paired[0]:,} of {paired[1]:,} sentences have dependencies."
        if paired
        else ""
    )
    header = (
        f"Constructions of {name}: a draft, by `spinal patterns draft`. Heads are from "
        f"{origins}.{beside} docs/patterns.md explains the language; `spinal patterns "
        "check` says what a change does."
    )
    lines = [f"# {line}" for line in wrap(header, _WIDTH - 2)]
    lines += [
        "#",
        "#     -t      the simple case: a word of the kind that heads most is the head",
        "#     -w -nt  another word, a phrase is the head; -x any other child",
        "#     -vp …   this phrase is the head",
        "#     -modr -modl  a phrase of the same label, modified to the right (left)",
        "#     -crd -crdt -crdn  coordination of such phrases, of words, of others;",
        "#             -crdl behind the conjunction; -crdx of something else",
        "",
        f"labels {name}.labels",
        "",
    ]
    bodies = [writer.label(section, brackets) for section in sections]
    lines += writer.classes()
    text = "\n".join(lines) + "\n" + "\n\n".join(bodies) + "\n"
    return _without_unused(text)


def _without_unused(text: str) -> str:
    """The text without classes that nothing uses, as their patterns were left out."""
    for match in reversed([*_CLASS.finditer(text)]):
        name = match["name"]
        if len(re.findall(rf"(?<![\w']){name}(?![\w'])", text)) == 1:
            text = text[: match.start()] + text[match.end() :]
    return text


def _without_lines(text: str, numbers: set[int]) -> str:
    """The text without some lines, numbered from 1."""
    lines = text.split("\n")
    return "\n".join(
        line for number, line in enumerate(lines, start=1) if number not in numbers
    )
