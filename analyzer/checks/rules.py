"""Rules that a tree breaks by itself, whatever others are like.

Shapes that no sound tree has (S1xx), and productions that no pattern covers, with the
one child that would make them fit (P2xx).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from analyzer.checks.findings import Analysis, LeafSpan, Suspect
from analyzer.checks.nodes import Nodes
from analyzer.checks.registry import ROWS, check
from analyzer.constructions.inventory import Child
from analyzer.constructions.labeller import Labeller, Production
from analyzer.model.arrays import Flags, Ints, number_densely
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import LabelHint, LabelSet, label_hint

_MOST_TREES = 0.5
_SHORT = 9  # bytes: longer words are no punctuation
_PLACES_KEPT = 50
_SLIPS, _LEAST_CHANCE = 5, 0.2  # of a label that is not in the set
_CANDIDATES = 40  # children tried as replacement or insertion, most frequent first
# Children looked at in the search for one production: enough for all edits of one with
# 150 children. With more, the cost would grow with their square.
_MOST_TRIED = 2_000_000
# A production without a pattern may be the inventory's fault, so it is trusted less
# than a contradiction.
_TRUST_NEAR, _TRUST_FAR = 0.12, 0.05

Children = tuple[Child, ...]
Message = str | Callable[[int], str]  # with {} for the label, or of a row of the bank
shape = partial(check, kind="shape", given=ROWS)


class Rows:
    """What the rows of a bank are by their labels: the columns that shapes show in."""

    def __init__(self, nodes: Nodes) -> None:
        self.stream = nodes.stream
        self.bank, self.labels = nodes.stream.bank, nodes.stream.labels
        phrases = self.labels.phrase | self.labels.wrapper
        tags = self.labels.tag | self.labels.empty
        used, which = number_densely(self.bank.label)
        names = [SYMBOLS.name(number) for number in used.tolist()]
        bare = [self.labels.bare_phrase(name) for name in names]
        # Of labels of which nothing is left, all is.
        forms = [(n, b or n) for n, b in zip(names, bare, strict=True)]

        def chosen(flags: list[bool]) -> Flags:
            return np.array(flags, np.bool_)[which]

        self.is_leaf = self.bank.is_leaf
        # `(ADVP )` is read as a leaf whose word is nothing.
        self.has_no_form = np.zeros(which.size, np.bool_)
        is_blank = self.bank.form_start == self.bank.form_end
        self.has_no_form[self.bank.leaf_node[is_blank]] = True
        self.is_wrapper = chosen([b in self.labels.wrapper for b in bare])
        self.is_wrapper &= ~self.is_leaf
        self.is_phrase_label = chosen([not phrases.isdisjoint(f) for f in forms])
        self.is_tag = chosen(
            [not tags.isdisjoint((*f, self.labels.bare_tag(f[0]))) for f in forms]
        )
        self.may_be_phrase = chosen([b in self.labels.tag_phrase for _, b in forms])
        self.bare = np.array([SYMBOLS.id(b) for _, b in forms], np.int64)[which]
        # Where the treebank is another's, the set tells nothing of single labels.
        self.has_other_labels = other_labels(self.bank, self.labels) is not None

    def name(self, row: int) -> str:
        return self.bank.label_name(row)

    def suspects(
        self, code: str, is_odd: Flags | Ints, message: Message, chance: float = 1.0
    ) -> Iterator[Suspect]:
        """A suspect for each row; rows with one message are one group."""
        rows = np.flatnonzero(is_odd) if is_odd.dtype == np.bool_ else is_odd
        for row in rows.tolist():
            text = message(row) if callable(message) else message.format(self.name(row))
            place = self.stream.span_of_row(row)
            yield Suspect(code, (place,), text, f"shape: {code} {text}", chance)

    def once_a_label(
        self, code: str, is_odd: Flags | Ints, message: Message
    ) -> Iterator[Suspect]:
        """One suspect a message, with all its places.

        A label that is not in the set is one decision, however often it occurs. A few
        are slips; one that is used all over the treebank is rather one that the set
        lacks, and so is any label of a treebank that has labels of its own.
        """
        places: dict[str, list[LeafSpan]] = {}
        for suspect in self.suspects(code, is_odd, message):
            places.setdefault(suspect.message, []).extend(suspect.places)
        for text, spans in places.items():
            group, times, chance = f"shape: {code} {text}", len(spans), 1.0
            if times > _SLIPS:
                text += f" {times:,} times: the label set may lack it"
                chance = max(_LEAST_CHANCE, 0.5 / math.log10(times))
            if self.has_other_labels:
                chance = _LEAST_CHANCE
            yield Suspect(code, tuple(spans), text, group, chance)

    def misused(
        self, code: str, is_odd: Flags | Ints, message: Message
    ) -> Iterator[Suspect]:
        """A suspect for each row, if the label set is the treebank's; else one a label,
        as what the set says is a tag may be a phrase there."""
        each = self.once_a_label if self.has_other_labels else self.suspects
        return each(code, is_odd, message)


def other_labels(bank: Treebank, labels: LabelSet) -> LabelHint | None:
    """Whose labels the trees seem to have, if not those of the label set."""
    used, counts = np.unique(bank.label[~bank.is_leaf], return_counts=True)
    names = map(SYMBOLS.name, used.tolist())
    return label_hint(dict(zip(names, counts.tolist(), strict=True)), labels)


def check_rows(
    nodes: Nodes, checks: Sequence[Callable[[Rows], Iterator[Suspect]]]
) -> Iterator[Suspect]:
    """What checks of labels find; the columns are made once for all of them."""
    rows = Rows(nodes)
    for function in checks:
        yield from function(rows)


@shape("S100", "a tree that cannot be read")
def unreadable(of: Rows) -> Iterator[Suspect]:
    from analyzer.files.encodings import once_a_file

    trees = list(of.bank.problems)
    for at, problem in once_a_file(list(of.bank.problems.values())).items():
        place, text = LeafSpan(trees[at], 0, 0), problem.message
        yield Suspect("S100", (place,), text, "shape: S100", now=text)


@shape("S101", "a phrase without words")
def no_words(of: Rows) -> Iterator[Suspect]:
    is_empty = ~of.is_leaf & (of.bank.first == of.bank.last)
    return of.suspects("S101", is_empty | of.has_no_form, "{} has no words")


@shape("S102", "a phrase over one of its own label and nothing else")
def unary_cycles(of: Rows) -> Iterator[Suspect]:
    # The only child comes right after its parent and spans the same leaves. Roots
    # that wrap (ROOT over NP) have other labels; NP over NP with a trace has more
    # children, and so another span.
    bank = of.bank
    same = np.zeros(bank.label.size, np.bool_)
    same[:-1] = (
        (of.bare[1:] == of.bare[:-1])
        & (bank.first[1:] == bank.first[:-1])
        & (bank.last[1:] == bank.last[:-1])
        & (bank.depth[1:] == bank.depth[:-1] + 1)
        & ~of.is_leaf[1:]
        & (bank.first[1:] < bank.last[1:])
    )
    # One that is everywhere is how the treebank is annotated. (The `it` of "it is clear
    # that" is NP over NP once its trace is gone.)
    times = int(np.count_nonzero(same))
    chance = max(0.05, 0.5 - 0.1 * math.log2(max(1, times)))
    return of.suspects(
        "S102", same, lambda row: f"{of.name(row)} over {of.name(row + 1)}", chance
    )


@shape("S103", "an unknown phrase label")
def unknown_labels(of: Rows) -> Iterator[Suspect]:
    is_odd = ~of.is_leaf & ~of.is_phrase_label & ~of.is_tag

    def message(row: int) -> str:
        # Whatever its function tags and indices are, it is one label.
        return f"unknown phrase label {SYMBOLS.name(int(of.bare[row]))}"

    return of.once_a_label("S103", is_odd, message)


@shape("S104", "an unknown part-of-speech tag")
def unknown_tags(of: Rows) -> Iterator[Suspect]:
    is_odd = of.is_leaf & ~of.is_phrase_label & ~of.is_tag
    return of.once_a_label("S104", is_odd, "unknown tag {}")


@shape("S105", "a word tagged with a phrase label")
def phrase_labels_on_words(of: Rows) -> Iterator[Suspect]:
    is_odd = of.is_leaf & ~of.has_no_form & of.is_phrase_label & ~of.is_tag
    return of.misused("S105", is_odd, "a word is tagged {}, a phrase label")


@shape("S106", "a phrase labelled with a part-of-speech tag")
def tags_on_phrases(of: Rows) -> Iterator[Suspect]:
    is_odd = ~of.is_leaf & of.is_tag & ~of.is_phrase_label & ~of.may_be_phrase
    return of.misused("S106", is_odd, "a phrase is labelled {}, a tag")


@shape("S107", "a root wrapper in the middle of a tree")
def wrappers_inside(of: Rows) -> Iterator[Suspect]:
    return of.suspects(
        "S107",
        of.is_wrapper & (of.bank.depth > 0),
        lambda row: f"{of.name(row) or 'unlabelled bracket'} inside of a tree",
    )


@shape("S108", "no root wrapper, where the other trees have one")
def no_wrapper(of: Rows) -> Iterator[Suspect]:
    is_root = of.bank.depth == 0
    wrapped = np.count_nonzero(of.is_wrapper & is_root)
    if wrapped <= _MOST_TREES * np.count_nonzero(is_root):
        return iter(())  # a treebank without wrappers
    return of.suspects(
        "S108", is_root & ~of.is_wrapper, "no wrapper above {}; other trees have one"
    )


@shape("S109", "punctuation without a punctuation tag")
def punctuation(of: Rows) -> Iterator[Suspect]:
    bank = of.bank
    # Only words of few bytes can be punctuation, and few tags are never of letters.
    is_short = (bank.form_end - bank.form_start) <= _SHORT
    only = [SYMBOLS.id(name) for name in of.labels.only_punctuation]
    leaves = np.flatnonzero(is_short | np.isin(bank.label[bank.leaf_node], only))
    nodes = bank.leaf_node[leaves]
    tagged = list(zip(bank.forms(leaves), bank.label[nodes].tolist(), strict=True))
    # Words recur: each is judged once with each tag.
    wrong = {
        (form, tag)
        for form, tag in set(tagged)
        if _is_mistagged(form, SYMBOLS.name(tag), of.labels)
    }
    is_wrong = np.array([pair in wrong for pair in tagged], np.bool_)
    for suspect in of.misused(
        "S109",
        nodes[is_wrong].astype(np.int64),
        lambda row: f"{bank.form(int(bank.first[row]))} is tagged {of.name(row)}",
    ):
        yield suspect._replace(group="shape: S109")


def _is_mistagged(form: str, tag: str, labels: LabelSet) -> bool:
    if form in labels.mark:
        return tag not in labels.punctuation and tag not in labels.empty
    # A word of letters under a tag that only punctuation has is a slip.
    return tag in labels.only_punctuation and form.isalpha()


@shape("S110", "several roots in one tree")
def several_roots(of: Rows) -> Iterator[Suspect]:
    roots = np.flatnonzero(of.bank.depth == 0)
    tree = of.bank.tree_of_node[roots]
    again = np.append(False, tree[1:] == tree[:-1])[: tree.size]
    return of.suspects("S110", roots[again], "another root: {}")


# -- productions that no pattern covers ------------------------------------------------


class ChildEdit(NamedTuple):
    """A change of one child after which a pattern matches."""

    text: str
    pattern: str
    production: str = ""  # the changed one, if it is in the treebank
    seen: int = 0  # and how often


@check("P201", "a production one child away from a pattern", kind="pattern")
@check("P202", "a production that no pattern is near", kind="pattern")
def uncovered_productions(nodes: Nodes) -> Iterator[Suspect]:
    (derivation, _), labeller = nodes.derive(), nodes.deriver.labeller
    productions = list(labeller.coverage)
    counts = np.bincount(derivation.production, minlength=len(productions))
    seen: Counter[tuple[str, Children]] = Counter()
    sizes: set[tuple[str, int]] = set()  # of productions that are seen
    below: dict[str, Counter[Child]] = {}
    for (parent, children, is_covered), count in zip(
        productions, counts.tolist(), strict=True
    ):
        if is_covered:
            seen[parent, children] += count
            sizes.add((parent, len(children)))
            here = below.setdefault(parent, Counter())
            for child in children:
                here[child] += count
    odd = np.flatnonzero(~derivation.is_covered)
    order = odd[np.argsort(derivation.production[odd], kind="stable")]
    numbers, starts = np.unique(derivation.production[order], return_index=True)
    groups = np.split(derivation.row[order], starts[1:])
    for number, rows in zip(numbers.tolist(), groups, strict=False):
        production = labeller.label(*productions[number][:2])
        parent, size = production.parent, len(production.children)
        usual = below.get(parent, Counter()).most_common(_CANDIDATES)
        known = [child for child, _ in usual]
        is_like_seen = any((parent, size + more) in sizes for more in (-1, 0, 1))
        edit = (
            _nearest_seen(production, labeller, seen, known) if is_like_seen else None
        )
        edit = edit or _first_that_fits(production, labeller, known)
        spans = tuple(map(nodes.stream.span_of_row, rows[:_PLACES_KEPT].tolist()))
        yield _suspect(production, edit, spans, rows.size, known)


def _suspect(
    production: Production,
    edit: ChildEdit | None,
    spans: tuple[LeafSpan, ...],
    times: int,
    known: list[Child],
) -> Suspect:
    analyses = [Analysis(str(production), times, spans)]
    if edit is None:
        code, confidence = "P202", _TRUST_FAR / times
        message = f"{production}: no pattern is one child away"
        size = len(production.children) + 1
        if (2 * len(known) + 1) * size > _MOST_TRIED // size:
            message += ", of those that were tried: it has too many children to try all"
    else:
        code = "P201"
        confidence = _TRUST_NEAR * (edit.seen + 0.5) / (edit.seen + times + 1)
        message = f"{production}: {edit.text} to fit {edit.pattern}"
        if edit.seen:
            analyses.append(Analysis(edit.production, edit.seen, ()))
    group = f"pattern: {production}"
    return Suspect(code, spans, message, group, confidence, analyses=tuple(analyses))


def _nearest_seen(
    production: Production,
    labeller: Labeller,
    seen: Counter[tuple[str, Children]],
    known: list[Child],
) -> ChildEdit | None:
    """The one-child edit that leads to the most frequent production of the treebank."""
    parent = production.parent
    best, most = None, (0, 0)
    for text, children, cost in _edits(production.children, known):
        times = seen.get((parent, children), 0)
        if times and (times, -cost) > most:
            most, made = (times, -cost), labeller.label(parent, children)
            best = ChildEdit(text, made.construction, str(made), times)
    return best


def _first_that_fits(
    production: Production, labeller: Labeller, known: list[Child]
) -> ChildEdit | None:
    """The first one-child edit that satisfies a pattern, seen or not.

    Patterns go by class, so a few labels stand for all; deletions come first.
    """
    for text, children, _ in _edits(production.children, known):
        if matches := labeller.inventory.matches(production.parent, children):
            return ChildEdit(text, matches[0][0].name)
    return None


def _edits(
    children: Children, known: list[Child]
) -> Iterator[tuple[str, Children, int]]:
    """All edits of one child: deletions, relabellings, insertions; not too many.

    With each what it costs: slips are relabellings, deletions, insertions, in this
    order.
    """
    return islice(_all_edits(children, known), _MOST_TRIED // (len(children) + 1))


def _all_edits(
    children: Children, known: list[Child]
) -> Iterator[tuple[str, Children, int]]:
    for at, child in enumerate(children):
        if len(children) > 1:
            rest = children[:at] + children[at + 1 :]
            yield f"delete child {at + 1}, {child.label}", rest, 1
    for at, child in enumerate(children):
        for other in known:
            if other != child:
                text = f"relabel child {at + 1}, {child.label}, as {other.label}"
                yield text, (*children[:at], other, *children[at + 1 :]), 0
    for at in range(len(children) + 1):
        for other in known:
            text = f"insert {other.label} as child {at + 1}"
            yield text, (*children[:at], other, *children[at:]), 2
