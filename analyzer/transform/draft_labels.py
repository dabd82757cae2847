"""A file of labels for a treebank that nobody described, drawn up from its trees.

Each line of the file has its evidence in a comment above it. Nothing is known of the
treebank but the trees; names that many treebanks have (ID, CODE, CC) only settle what
the trees leave open, and the comment then says so.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from textwrap import wrap
from typing import NamedTuple

from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.safe_text import counted
from analyzer.transform.labels import LabelSet, default_labels, parse_labels
from analyzer.transform.pruning import without_nontext

# What other treebanks call what is no text, and conjunctions: hints, no evidence.
NO_TEXT_NAMES = frozenset(
    ["ID", "CODE", "METADATA", "VERSION", "COMMENT", "COM_CODE", "BREAK", "LINENUM"]
)
CONJUNCTION_NAMES = frozenset(
    ["cc", "cconj", "conj", "conj-c", "kon", "coord", "coordinator", "caa"]
)

_MOST = 0.9  # of the words of a tag, say: nearly all, but for slips
_FEW = 5  # occurrences show nothing
_ALIKE = 0.5  # cosine of what two labels have below or above them
_UNLIKE, _VERY_ALIKE = 0.15, 0.8
_MANY_STEMS = 8  # an ending that so many labels have says nothing about their kind
_SHARE = 0.05  # of a label's brackets: a variant that matters
_MANY_TAGS, _ENOUGH_TAGS = 100, 70
_EMPTY = re.compile(r"\*\S*")
_ESCAPE = re.compile(r"[-*][A-Z][A-Za-z]{1,4}[-*]")
_COMMENT = re.compile(r"[<{]\S*[>}]|\S*</?\w+[^>]*>\S*")
_LEMMAS = "-#/|"
_WIDTH = 88
_IN_NAMES = "+$.*_"  # what names of constructions may have in them: grammars/patterns


@dataclass
class Line:
    """A line of the file: its kind, what it lists, and why."""

    kind: str
    values: Sequence[str]
    why: str = ""

    def __str__(self) -> str:
        note = [f"# {line}" for line in wrap(self.why, _WIDTH - 2)] if self.why else []
        values = wrap(
            " ".join(value or "()" for value in self.values),
            _WIDTH - len(self.kind) - 1,
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines = [f"{self.kind} {some}" for some in values] or [self.kind]
        return "\n".join([*note, *lines])


class Nodes(NamedTuple):
    """The nodes of a treebank in plain lists, which is all that counting needs."""

    label: list[str]
    parent: list[int]
    is_leaf: list[bool]
    word: list[str]  # of leaves; "" of phrases
    roots: list[int]
    children: list[list[int]]

    @classmethod
    def of(cls, bank: Treebank) -> Nodes:
        names = {number: SYMBOLS.name(number) for number in set(bank.label.tolist())}
        label = [names[number] for number in bank.label.tolist()]
        word = [""] * len(label)
        for node, form in zip(
            bank.leaf_node.tolist(), bank.forms(slice(None)), strict=True
        ):
            word[node] = form
        parent = bank.parent.tolist()
        children: list[list[int]] = [[] for _ in label]
        roots = []
        for node, above in enumerate(parent):
            if above >= 0:
                children[above].append(node)
            else:
                roots.append(node)
        return cls(label, parent, bank.is_leaf.tolist(), word, roots, children)

    def words_of_tags(self) -> dict[str, Counter[str]]:
        counts: dict[str, Counter[str]] = {}
        for label, is_leaf, word in zip(
            self.label, self.is_leaf, self.word, strict=True
        ):
            if is_leaf:
                counts.setdefault(label, Counter())[word] += 1
        return counts

    def phrases(self) -> Counter[str]:
        """Labels of phrases; those without children are marks of their own kind."""
        both = zip(self.label, self.children, strict=True)
        return Counter(label for label, children in both if children)


@dataclass
class DraftedLabels:
    """The file of labels, as it is read; and its lines."""

    title: str
    lines: list[Line] = field(default_factory=list)

    def add(self, kind: str, values: Iterable[str], why: str = "") -> None:
        self.lines.append(Line(kind, list(values), why))

    @property
    def text(self) -> str:
        header = Line("title", [self.title], f"Labels of {self.title}: a draft")
        notice = (
            "# Drafted by `spinal patterns draft` from the trees alone; each comment "
            "has the\n# evidence. docs/patterns.md explains the kinds of lines."
        )
        first, _, rest = str(header).partition("\n")
        body = "\n\n".join(map(str, self.lines))
        return f"{first}\n{notice}\n\n{rest}\n\n{body}\n"

    def parsed(self, name: str) -> LabelSet:
        return parse_labels(self.text, name=name)


def draft_labels(bank: Treebank, title: str) -> DraftedLabels:
    """What the labels of some trees mean, as far as the trees tell.

    The trees are as they were read, with all that is no text.
    """
    draft = DraftedLabels(title)
    _add_nontext(draft, Nodes.of(bank))
    so_far = draft.parsed("draft")
    silent = so_far.no_text | so_far.empty
    text = without_nontext(bank, replace(so_far, no_text=silent))
    nodes = Nodes.of(text)
    _add_wrappers(draft, nodes)
    _add_separators(draft, nodes)
    labels = draft.parsed("draft")
    bare = _bare(nodes, labels)
    _add_punctuation(draft, bare)
    _add_conjunctions(draft, bare, draft.parsed("draft"))
    _add_labels(draft, bare, labels)
    return draft


# -- what is no text -------------------------------------------------------------------


def _add_nontext(draft: DraftedLabels, nodes: Nodes) -> None:
    words, phrases = nodes.words_of_tags(), nodes.phrases()
    names = _sentence_names(nodes, words)
    coded = [
        tag
        for tag, of_tag in words.items()
        if of_tag.total() >= _FEW
        and tag not in names
        and _share(of_tag, lambda word: bool(_COMMENT.fullmatch(word))) >= _MOST
    ]
    named = sorted(({*words, *phrases} & NO_TEXT_NAMES) - set(names) - set(coded))
    if names or coded or named:
        why = [
            *(f"{tag} is once in a tree, each time another: a name" for tag in names),
            *(f"the words of {tag} are codes: {_some(words[tag])}" for tag in coded),
            *([f"{', '.join(named)}: no evidence but the name"] if named else []),
        ]
        draft.add("no-text", [*names, *coded, *named], "Not text: " + "; ".join(why))
        draft.add("sentence-name", names)
    outside = {*names, *coded, *named}
    kept = {tag: of_tag for tag, of_tag in words.items() if tag not in outside}
    empty = [
        tag
        for tag, of_tag in kept.items()
        if (
            _share(of_tag, _is_trace) >= _MOST
            and tag not in phrases
            and tag
            and not any(mark in tag for mark in ".-=")
        )
        or tag == "-NONE-"
    ]
    of_empty = "; ".join(f"the words of {tag} are {_some(kept[tag])}" for tag in empty)
    draft.add("empty", empty, f"Empty elements: {of_empty or 'no tag is only theirs'}")
    traces = Counter(
        word
        for tag, of_tag in kept.items()
        # Elsewhere it may be a word that is *stressed*, or a row of asterisks.
        if tag not in empty and (tag in phrases or _share(of_tag, _is_trace) >= _MOST)
        for word in of_tag.elements()
        if word.startswith("*") and _is_trace(word)
    )
    zeros = {tag: of_tag["0"] for tag, of_tag in kept.items() if of_tag["0"]}
    silent = sum(
        count
        for tag, count in zeros.items()
        if tag in phrases or not any(w.isdecimal() and w != "0" for w in kept[tag])
    )
    expressions = []
    if traces.total() >= _FEW:
        expressions.append(r"\*.*")
    if silent >= _FEW and 2 * silent >= sum(zeros.values()):
        expressions.append("0")
    if expressions:
        facts = [f"{traces.total():,} words such as {_some(traces)}"] if traces else []
        if "0" in expressions:
            facts.append(f"0 is a word {silent:,} times where nothing else is a number")
        draft.add("empty-word", expressions, "Words that are none: " + "; ".join(facts))
    _add_lemmas(draft, kept)


def _add_lemmas(draft: DraftedLabels, words: Mapping[str, Counter[str]]) -> None:
    """A character that most words have in them parts them from their lemmas."""
    spoken = Counter(
        {
            word: count
            for of_tag in words.values()
            for word, count in of_tag.items()
            if any(map(str.isalpha, word))
        }
    )
    for mark in _LEMMAS:
        share = _share(spoken, partial(_has_inside, mark))
        if share >= 0.8:
            why = f"{100 * share:.0f} % of words have {mark} in them: {_some(spoken)}"
            draft.add("lemma", [mark], f"What follows is a lemma: {why}")
            return


def _has_inside(mark: str, word: str) -> bool:
    return mark in word[1:-1]


def _is_trace(word: str) -> bool:
    return (bool(_EMPTY.fullmatch(word)) and not _ESCAPE.fullmatch(word)) or word == "0"


def _sentence_names(nodes: Nodes, words: Mapping[str, Counter[str]]) -> list[str]:
    """Tags directly below a wrapper that are once in a tree and say something new."""
    at_top = Counter(
        nodes.label[child]
        for root in nodes.roots
        if nodes.label[root] in default_labels().wrapper
        for child in nodes.children[root]
        if nodes.is_leaf[child]
    )
    at_top.update(nodes.label[root] for root in nodes.roots if nodes.is_leaf[root])
    return [
        tag
        for tag, count in at_top.items()
        if count > max(_FEW, len(nodes.roots) // 3)
        and count == words[tag].total()
        and len(words[tag]) >= _MOST * count
        and _share(words[tag], lambda word: any(map(str.isdecimal, word))) >= _MOST
    ]


# -- wrappers ----------------------------------------------------------------------


def _add_wrappers(draft: DraftedLabels, nodes: Nodes) -> None:
    """Labels that stand only at the top, over one phrase; and the usual wrappers."""
    phrases = nodes.phrases()
    tops = Counter(nodes.label[root] for root in nodes.roots if nodes.children[root])
    over_one = Counter(
        nodes.label[root]
        for root in nodes.roots
        if sum(bool(nodes.children[child]) for child in nodes.children[root]) == 1
        and sum(_spoken(nodes, child) for child in nodes.children[root]) == 1
    )
    usual = default_labels().wrapper
    if "" in nodes.words_of_tags():  # words without tags are none
        usual -= {""}
    wrappers = {
        label
        for label, count in tops.items()
        if label in usual
        or (count == phrases[label] and over_one[label] >= _MOST * count > _FEW)
    }
    facts = "; ".join(
        f"{label or '()'} is at the top of {tops[label]:,} of {len(nodes.roots):,} "
        f"trees, over one phrase in {over_one[label]:,}"
        for label in sorted(wrappers)
    )
    facts = facts or "none here"
    why = f"Above whole trees: {facts}. Parsers may write the others"
    draft.add("wrapper", sorted(wrappers) + sorted(usual - wrappers), why)


def _spoken(nodes: Nodes, node: int) -> bool:
    """Whether it is a phrase, or a word that is no punctuation."""
    return bool(nodes.children[node]) or not _is_mark(nodes.word[node])


# -- how labels are put together -------------------------------------------------------


Profile = dict[str, Counter[str]]  # what stands below (above) each label


def _add_separators(draft: DraftedLabels, nodes: Nodes) -> None:
    first = _function_first(nodes)
    if first:
        mark, left, right = first
        why = (
            f"Functions stand before {mark}: what follows it tells words from phrases "
            f"in {100 * right:.1f} %, what precedes it in {100 * left:.1f} %"
        )
        draft.add("function-first", [mark], why)
    after = (lambda label: label.partition(first[0])[2] or label) if first else str
    below, above = _profiles(nodes, after)
    separators, endings = [], []
    phrases = Counter({label: of.total() for label, of in below.items()})
    facts = []
    for mark in _marks(phrases, at_end="-=;'/|"):
        if not any(mark in label[1:] for label in phrases):
            continue  # it was only behind another one
        variants = _variants(phrases, mark)
        is_alike = len(variants) < len(phrases) and _may_cut(variants, below, phrases)
        if is_alike or mark not in _IN_NAMES:
            separators.append(mark)
            kinds = Counter(
                label.partition(mark)[2] for some in variants.values() for label in some
            )
            facts.append(
                f"{mark}: {len(phrases):,} labels become {len(variants):,} "
                f"({_some(+Counter({k: n for k, n in kinds.items() if k}))})"
                f"{'' if is_alike else '; no pattern could be named so'}"
            )
            below = _merged(below, partial(_before, mark=mark))
            phrases = Counter({label: of.total() for label, of in below.items()})
    for mark in _marks(phrases):
        if mark in _IN_NAMES and (ends := _endings(phrases, mark, below)):
            endings.append(rf"(?:{re.escape(mark)}(?:{'|'.join(sorted(ends))}))+")
            facts.append(
                f"{mark} with {', '.join(sorted(ends))} only, as what else follows it "
                "has other things below it"
            )
    why = "Function tags, indices, features of phrases: " + (
        "; ".join(facts) or "nothing that is common to labels separates them"
    )
    draft.add("function", separators, why)
    if endings:
        draft.add("phrase-ending", endings)
    _add_tag_separators(draft, above)


def _add_tag_separators(draft: DraftedLabels, above: Profile) -> None:
    tags = Counter({tag: of.total() for tag, of in above.items()})
    cut: list[str] = []
    joined: list[str] = []
    facts = []
    for mark in _marks(tags):
        variants = _variants(tags, mark)
        backwards = _variants(tags, mark, last=True)
        likeness = [_likeness(some, above, tags) for some in (variants, backwards)]
        is_last = likeness[1] > likeness[0] and mark not in "-="
        chosen = backwards if is_last else variants
        if len(chosen) >= len(tags) or not _may_cut(chosen, above, tags):
            continue
        (joined if is_last else cut).append(mark)
        kept = "last" if is_last else "first"
        facts.append(
            f"{mark}: {len(tags):,} tags become {len(variants):,} by their {kept} part"
        )
        part = _after if is_last else _before
        above = _merged(above, partial(part, mark=mark))
        tags = Counter({tag: of.total() for tag, of in above.items()})
    why = "What tags carry: " + ("; ".join(facts) or "nothing that has to be cut off")
    draft.add("tag-function", cut, why)
    if joined:
        draft.add("compound", joined)
    if len(tags) <= _MANY_TAGS:
        return
    for size in (3, 2, 1):
        starts = {tag[:size] for tag in tags}
        if len(starts) <= _ENOUGH_TAGS or size == 1:
            why = (
                f"{len(tags):,} tags, whose places mean something: by their first "
                f"{counted(size, 'character')} they are {len(starts):,}"
            )
            draft.add("tag-ending", [f"(?<=^{'.' * size}).+"], why)
            return


def _function_first(nodes: Nodes) -> tuple[str, float, float] | None:
    """A separator that nearly all labels have, if what is behind it tells words from
    phrases, and what is before it does not; with how well each of them does."""
    counts: Counter[tuple[str, bool]] = Counter(
        (label, is_leaf)
        for label, is_leaf, children, word in zip(
            nodes.label, nodes.is_leaf, nodes.children, nodes.word, strict=True
        )
        if children or not _is_mark(word)
    )
    for mark in _marks(Counter({label for label, _ in counts})):
        some = {key: count for key, count in counts.items() if mark in key[0][1:-1]}
        total = sum(some.values())
        if total < 0.8 * counts.total():
            continue
        left, right = (
            _agreeing(
                (label.partition(mark)[side], is_leaf, count)
                for (label, is_leaf), count in some.items()
            )
            / total
            for side in (0, 2)
        )
        if right > max(0.95, left + 0.05):
            return mark, left, right
    return None


def _agreeing(parts: Iterable[tuple[str, bool, int]]) -> int:
    """How many nodes are what most with that part of a label are: word or phrase."""
    counts: dict[str, Counter[bool]] = {}
    for part, is_leaf, count in parts:
        counts.setdefault(part, Counter())[is_leaf] += count
    return sum(max(of.values()) for of in counts.values())


def _profiles(nodes: Nodes, after: Callable[[str], str]) -> tuple[Profile, Profile]:
    """Of phrases, what they have below them; of tags, what they stand in."""
    below: Profile = {}
    above: Profile = {}
    names = {label: after(label) for label in set(nodes.label)}
    rough = {label: _rough(name) for label, name in names.items()}
    for node, parent in enumerate(nodes.parent):
        if nodes.is_leaf[node] and _is_mark(nodes.word[node]):
            continue
        label = nodes.label[node]
        if parent >= 0 and nodes.label[parent]:
            of_parent = below.setdefault(names[nodes.label[parent]], Counter())
            of_parent[rough[label]] += 1
            if nodes.is_leaf[node]:
                of_tag = above.setdefault(names[label], Counter())
                of_tag[rough[nodes.label[parent]]] += 1
    return below, above


def _rough(label: str) -> str:
    """The letters that a label begins with, three at most."""
    start = re.match(r"\w+", label)
    return start[0][:3] if start else label


def _marks(labels: Mapping[str, int], at_end: str = "") -> list[str]:
    """What may separate parts of labels, most frequent first; `at_end`: what may have
    nothing behind it."""
    counts: Counter[str] = Counter()
    for label in labels:
        inner = label[1:] if label[-1:] in at_end else label[1:-1]
        for mark in set(re.findall(r"[^\w\s]", inner)):
            counts[mark] += labels[label]
    return [mark for mark, _ in counts.most_common()]


def _variants(
    labels: Mapping[str, int], mark: str, *, last: bool = False
) -> dict[str, list[str]]:
    """Labels by what is before the mark (behind it)."""
    variants: dict[str, list[str]] = {}
    part = _after if last else _before
    for label in labels:
        variants.setdefault(part(label, mark), []).append(label)
    return variants


def _before(label: str, mark: str) -> str:
    return label[0] + label[1:].partition(mark)[0] if label else label


def _after(label: str, mark: str) -> str:
    before, _, last = label[1:].rpartition(mark)
    return last if before and last else label


def _merged(profile: Profile, part: Callable[[str], str]) -> Profile:
    merged: Profile = {}
    for label, of_label in profile.items():
        merged.setdefault(part(label), Counter()).update(of_label)
    return merged


def _may_cut(
    variants: Mapping[str, list[str]], below: Profile, counts: Mapping[str, int]
) -> bool:
    """Whether labels that differ behind the mark only are the same kind of phrase."""
    total = unlike = 0
    for alike in _each_likeness(variants, below):
        size = sum(counts[label] for label in alike)
        total += size
        if any(
            counts[label] > max(30, _SHARE * size) and likeness < _UNLIKE
            for label, likeness in alike.items()
        ):
            unlike += size
    is_unlike = not total or unlike > 0.1 * total
    return not is_unlike and _likeness(variants, below, counts) >= _ALIKE


def _likeness(
    variants: Mapping[str, list[str]], profile: Profile, counts: Mapping[str, int]
) -> float:
    """How like the others of its kind a label is, on average over occurrences."""
    total = alike = 0.0
    for some in _each_likeness(variants, profile):
        for label, likeness in some.items():
            total += counts[label]
            alike += counts[label] * likeness
    return alike / total if total else 0.0


def _each_likeness(
    variants: Mapping[str, list[str]], profile: Profile
) -> Iterator[dict[str, float]]:
    """Of labels that several are of a kind, how like the others of it each is."""
    for some in variants.values():
        if len(some) > 1:
            pool = sum((profile[label] for label in some), Counter[str]())
            yield {
                label: _cosine(profile[label], pool - profile[label]) for label in some
            }


def _endings(labels: Mapping[str, int], mark: str, below: Profile) -> set[str]:
    """What may follow the last mark, after several stems, and makes no difference."""
    by_ending: dict[str, dict[str, list[str]]] = {}
    for label in labels:
        stem, _, ending = label.rpartition(mark)
        if stem and ending.isalnum():
            by_ending.setdefault(ending, {}).setdefault(stem, []).append(label)
    endings = set()
    for ending, stems in by_ending.items():
        alike = total = 0.0
        for stem, some in stems.items():
            others = [
                label
                for label in labels
                if label not in some
                and (label == stem or label.rpartition(mark)[0] == stem)
            ]
            pool = sum((below[label] for label in others), Counter[str]())
            for label in some:
                if pool:
                    total += labels[label]
                    alike += labels[label] * _cosine(below[label], pool)
        likeness = alike / total if total else 0.0
        if (
            len(stems) >= _MANY_STEMS
            or (len(stems) > 1 and likeness >= _ALIKE)
            or likeness >= _VERY_ALIKE
        ):
            endings.add(re.escape(ending))
    return endings


def _cosine(left: Counter[str], right: Counter[str]) -> float:
    product = sum(count * right[name] for name, count in left.items())
    sizes = [math.sqrt(sum(n * n for n in each.values())) for each in (left, right)]
    return product / (sizes[0] * sizes[1]) if all(sizes) else 0.0


# -- labels as patterns know them ------------------------------------------------------


def _bare(nodes: Nodes, labels: LabelSet) -> Nodes:
    names = {
        (label, is_leaf): labels.bare_tag(label)
        if is_leaf
        else labels.bare_phrase(label)
        for label, is_leaf in set(zip(nodes.label, nodes.is_leaf, strict=True))
    }
    both = zip(nodes.label, nodes.is_leaf, strict=True)
    return nodes._replace(label=[names[node] for node in both])


def _add_punctuation(draft: DraftedLabels, nodes: Nodes) -> None:
    words = nodes.words_of_tags()
    marks = {tag: _share(of_tag, _is_mark) for tag, of_tag in words.items()}
    stops = {tag: _share(of_tag, _is_stop) for tag, of_tag in words.items()}
    phrases = nodes.phrases()
    deleted = [
        tag
        for tag in words
        if tag and marks[tag] >= _MOST and stops[tag] > 0.5 and tag not in phrases
    ]
    facts = "; ".join(f"{tag} {_some(words[tag])}" for tag in sorted(deleted))
    why = (
        f"Punctuation, by its words, which have no letters or digits: {facts or 'none'}"
    )
    draft.add("delete", sorted(deleted), why)
    draft.add("only-punctuation", sorted(t for t in deleted if marks[t] == 1))
    draft.add("punctuation", sorted(t for t in words if t and marks[t] > 0))
    seen = Counter(
        word
        for of_tag in words.values()
        for word, count in of_tag.items()
        if _is_mark(word)
        for _ in range(count)
    )
    draft.add("mark", [word for word, _ in seen.most_common(40)])


def _is_mark(word: str) -> bool:
    return not any(map(str.isalnum, word)) or bool(_ESCAPE.fullmatch(word))


def _is_stop(word: str) -> bool:
    """Whether it is punctuation, and no sign such as $ or +."""
    return _is_mark(word) and (
        bool(_ESCAPE.fullmatch(word))
        or any(unicodedata.category(sign)[0] == "P" or sign in "`´" for sign in word)
    )


def _add_conjunctions(draft: DraftedLabels, nodes: Nodes, labels: LabelSet) -> None:
    """Tags of words that stand between two things of the same kind, whatever kind.

    A preposition is often between two noun phrases, but then all that is near it is
    noun phrases. So what counts is how much more often both are the same than they
    would be by chance (kappa).
    """
    words, tags, facts = nodes.words_of_tags(), [], []
    sides = _sides(nodes, labels)
    for tag, of_tag in sorted(sides.items(), key=lambda item: -len(item[1][0])):
        count = words[tag].total()
        same, kappa = max(map(_kappa, of_tag), key=lambda counts: counts[1])
        is_named = tag.casefold() in CONJUNCTION_NAMES
        least = (1, 0.1) if is_named else (_FEW, 0.4)
        is_closed = len(words[tag]) <= max(15, count // 5)
        is_word = tag and _share(words[tag], _is_mark) <= 0.5
        if is_word and is_closed and same >= max(least[0], count // 10):
            if kappa < least[1]:
                continue
            tags.append(tag)
            named = ", and its name says so" if is_named else ""
            facts.append(
                f"{same:,} of {count:,} {tag} ({_some(words[tag])}) stand between two "
                f"of the same kind (kappa {kappa:.2f}){named}"
            )
    draft.add("conjunction", tags, "Conjunctions: " + ("; ".join(facts) or "none"))


Sides = list[tuple[str, str]]


def _sides(nodes: Nodes, labels: LabelSet) -> dict[str, tuple[Sides, Sides]]:
    """What is before and behind the words of each tag.

    Before it is its neighbour, or that of the phrase that it begins; of such, secondly,
    what that phrase is in.
    """
    siblings = [
        [child for child in children if nodes.label[child] not in labels.delete]
        for children in nodes.children
    ]
    sides: dict[str, tuple[Sides, Sides]] = {}
    for parent, children in enumerate(siblings):
        for at, node in enumerate(children):
            if not nodes.is_leaf[node]:
                continue
            beside, inside = sides.setdefault(nodes.label[node], ([], []))
            above = nodes.parent[parent]
            around = siblings[above] if above >= 0 else []
            place = around.index(parent) if parent in around else 0
            behind = children[at + 1] if at + 1 < len(children) else None
            if behind is None and len(children) == 1 and place + 1 < len(around):
                behind = around[place + 1]  # a conjunction in a bracket of its own
            if behind is None:
                continue
            before = children[at - 1] if at else around[place - 1] if place else None
            if before is not None:
                beside.append((nodes.label[before], nodes.label[behind]))
            if not at and above >= 0:
                inside.append((nodes.label[above], nodes.label[behind]))
    return sides


def _kappa(sides: Sides) -> tuple[int, float]:
    """How often both are the same, and how much more often than by chance."""
    same = sum(before == behind for before, behind in sides)
    before, behind = (Counter(pair[side] for pair in sides) for side in (0, 1))
    chance = sum(n * behind[label] for label, n in before.items())
    every = len(sides)
    if not every or chance == every * every:
        return same, 0.0
    return same, (same / every - chance / every**2) / (1 - chance / every**2)


def _add_labels(draft: DraftedLabels, nodes: Nodes, labels: LabelSet) -> None:
    phrases = Counter(
        {
            label: count
            for label, count in nodes.phrases().items()
            if label not in labels.wrapper and label
        }
    )
    words = nodes.words_of_tags()
    tags = Counter({tag: of.total() for tag, of in words.items() if tag})
    both = {label for label in phrases if tags[label] > phrases[label]}
    listed = [label for label, _ in phrases.most_common() if label not in both]
    why = f"{counted(len(listed), 'label')} of phrases, most frequent first"
    draft.add("phrase", listed, why)
    kept = [tag for tag, _ in tags.most_common() if tag not in listed]
    draft.add("tag", kept, f"{counted(len(kept), 'tag')}, most frequent first")
    if both:
        some = ", ".join(f"{label} {phrases[label]:,}" for label in sorted(both)[:5])
        why = f"Tags that label phrases, too: {some}"
        draft.add("tag-phrase", sorted(both), why)
    draft.add("special", [], "None of the phrases has to be written by name")


# -- small things ----------------------------------------------------------------------


def _share(words: Counter[str], is_one: Callable[[str], bool]) -> float:
    """Of all words, those that are so."""
    total = words.total()
    return sum(n for word, n in words.items() if is_one(word)) / total if total else 0.0


def _some(words: Counter[str], most: int = 4) -> str:
    """The most frequent ones, for a comment."""
    listed = [word for word, _ in words.most_common(most)]
    return " ".join([*listed, *(["…"] if len(words) > most else [])])
