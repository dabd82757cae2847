"""What no sound tree has: each check a function under its code."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from analyzer.checks.findings import Finding, LeafSpan
from analyzer.checks.word_stream import WordStream
from analyzer.model.arrays import Flags, Ints, number_densely
from analyzer.model.symbols import SYMBOLS
from analyzer.transform.labels import LabelSet

_MOST_TREES = 0.5


class _Shapes:
    """The columns that the checks below look at."""

    def __init__(self, stream: WordStream) -> None:
        self.bank, self.labels = stream.bank, stream.labels
        phrases = self.labels.phrase | self.labels.wrapper
        tags = self.labels.tag | self.labels.empty
        used, which = number_densely(self.bank.label)
        names = [SYMBOLS.name(number) for number in used.tolist()]
        bare = [self.labels.bare_phrase(name) or name for name in names]
        bare_tag = [self.labels.bare_tag(name) for name in names]

        def chosen(flags: list[bool]) -> Flags:
            return np.array(flags, np.bool_)[which]

        self.is_leaf = self.bank.is_leaf
        # `(ADVP )` is read as a leaf whose word is nothing.
        self.has_no_form = np.zeros(which.size, np.bool_)
        is_blank = self.bank.form_start == self.bank.form_end
        self.has_no_form[self.bank.leaf_node[is_blank]] = True
        self.is_wrapper = chosen(
            [self.labels.bare_phrase(n) in self.labels.wrapper for n in names]
        )
        self.is_wrapper &= ~self.is_leaf
        self.is_phrase_label = chosen(
            [n in phrases or b in phrases for n, b in zip(names, bare, strict=True)]
        )
        self.is_tag = chosen(
            [
                not tags.isdisjoint(forms)
                for forms in zip(names, bare, bare_tag, strict=True)
            ]
        )
        self.may_be_phrase = chosen([b in self.labels.tag_phrase for b in bare])
        bare_id = np.array([SYMBOLS.id(name) for name in bare], np.int64)
        self.bare = bare_id[which]

    def name(self, row: int) -> str:
        return self.bank.label_name(row)


def _empty(of: _Shapes) -> tuple[Ints, Callable[[int], str]]:
    no_words = ~of.is_leaf & (of.bank.first == of.bank.last)
    rows = np.flatnonzero(no_words | of.has_no_form)
    return rows, lambda row: f"{of.name(row)} has no words"


def _unary_cycle(of: _Shapes) -> tuple[Ints, Callable[[int], str]]:
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
    return np.flatnonzero(same), lambda row: f"{of.name(row)} over {of.name(row + 1)}"


def _unknown_label(of: _Shapes) -> tuple[Ints, Callable[[int], str]]:
    rows = np.flatnonzero(~of.is_leaf & ~of.is_phrase_label & ~of.is_tag)
    return rows, lambda row: f"unknown phrase label {of.name(row)}"


def _unknown_tag(of: _Shapes) -> tuple[Ints, Callable[[int], str]]:
    rows = np.flatnonzero(of.is_leaf & ~of.is_phrase_label & ~of.is_tag)
    return rows, lambda row: f"unknown tag {of.name(row)}"


def _phrase_label_on_word(of: _Shapes) -> tuple[Ints, Callable[[int], str]]:
    is_word = of.is_leaf & ~of.has_no_form
    rows = np.flatnonzero(is_word & of.is_phrase_label & ~of.is_tag)
    return rows, lambda row: f"a word is tagged {of.name(row)}, a phrase label"


def _tag_on_phrase(of: _Shapes) -> tuple[Ints, Callable[[int], str]]:
    rows = np.flatnonzero(
        ~of.is_leaf & of.is_tag & ~of.is_phrase_label & ~of.may_be_phrase
    )
    return rows, lambda row: f"a phrase is labelled {of.name(row)}, a tag"


def _wrapper_inside(of: _Shapes) -> tuple[Ints, Callable[[int], str]]:
    rows = np.flatnonzero(of.is_wrapper & (of.bank.depth > 0))
    return rows, lambda row: f"{of.name(row) or 'unlabelled bracket'} inside of a tree"


def _no_wrapper(of: _Shapes) -> tuple[Ints, Callable[[int], str]]:
    is_root = of.bank.depth == 0
    wrapped = np.count_nonzero(of.is_wrapper & is_root)
    rows = np.flatnonzero(is_root & ~of.is_wrapper)
    if wrapped <= _MOST_TREES * np.count_nonzero(is_root):
        rows = rows[:0]  # a treebank without wrappers
    return rows, lambda row: f"no wrapper above {of.name(row)}; other trees have one"


def _punctuation(of: _Shapes) -> tuple[Ints, Callable[[int], str]]:
    bank = of.bank
    # Only words of few bytes can be punctuation, and few tags are never of letters.
    short = (bank.form_end - bank.form_start) <= 9
    only = of.labels.only_punctuation
    odd = np.isin(bank.label[bank.leaf_node], [SYMBOLS.id(name) for name in only])
    leaves = np.flatnonzero(short | odd)
    nodes = bank.leaf_node[leaves]
    tagged = list(zip(bank.forms(leaves), bank.label[nodes].tolist(), strict=True))
    # Words recur: each is judged once with each tag.
    wrong = {
        (form, tag)
        for form, tag in set(tagged)
        if _is_mistagged(form, SYMBOLS.name(tag), of.labels)
    }
    is_wrong = np.array([one in wrong for one in tagged], np.bool_)
    return (
        nodes[is_wrong].astype(np.int64),
        lambda row: f"{bank.form(int(bank.first[row]))} is tagged {of.name(row)}",
    )


def _is_mistagged(form: str, tag: str, labels: LabelSet) -> bool:
    if form in labels.mark:
        return tag not in labels.punctuation and tag not in labels.empty
    # A word of letters under a tag that only punctuation has is a slip.
    return tag in labels.only_punctuation and form.isalpha()


def _several_roots(of: _Shapes) -> tuple[Ints, Callable[[int], str]]:
    roots = np.flatnonzero(of.bank.depth == 0)
    tree = of.bank.tree_of_node[roots]
    again = np.append(False, tree[1:] == tree[:-1])[: tree.size]
    return roots[again], lambda row: f"another root: {of.name(row)}"


CHECKS = {
    "S101": _empty,
    "S102": _unary_cycle,
    "S103": _unknown_label,
    "S104": _unknown_tag,
    "S105": _phrase_label_on_word,
    "S106": _tag_on_phrase,
    "S107": _wrapper_inside,
    "S108": _no_wrapper,
    "S109": _punctuation,
    "S110": _several_roots,
}


# A label that is not in the set is one decision, however often it occurs.
_ONCE_A_LABEL = ("S103", "S104")


def check_shape(stream: WordStream) -> list[Finding]:
    """S100 to S110."""
    return list(_findings(stream))


def _confidence(code: str, times: int) -> float:
    """1, except for cycles: one that is everywhere is how the treebank is annotated.

    (The `it` of "it is clear that" is NP over NP once its trace is gone.)
    """
    return max(0.05, 0.5 - 0.1 * math.log2(times)) if code == "S102" else 1.0


def _findings(stream: WordStream) -> Iterator[Finding]:
    bank = stream.bank
    for tree, problem in bank.problems.items():
        place = (LeafSpan(tree, 0, 0),)
        yield Finding("S100", problem.message, group="shape: S100", suspects=place)
    shapes = _Shapes(stream)
    for code, check in CHECKS.items():
        rows, message = check(shapes)
        if code in _ONCE_A_LABEL:
            yield from _of_labels(stream, code, rows, message)
            continue
        for row in rows.tolist():
            tree = int(bank.tree_of_node[row])
            start = int(bank.leaf_start[tree])
            first, last = int(bank.first[row]), int(bank.last[row])
            yield Finding(
                code=code,
                confidence=_confidence(code, rows.size),
                message=message(row),
                words=" ".join(bank.form(leaf) for leaf in range(first, last)),
                group=f"shape: {code} {message(row) if code != 'S109' else ''}".strip(),
                suspects=(LeafSpan(tree, first - start, last - start),),
            )


def _of_labels(
    stream: WordStream, code: str, rows: Ints, message: Callable[[int], str]
) -> Iterator[Finding]:
    """One finding a label, with all its places."""
    bank, places = stream.bank, dict[str, list[LeafSpan]]()
    for row in rows.tolist():
        tree = int(bank.tree_of_node[row])
        start = int(bank.leaf_start[tree])
        span = LeafSpan(tree, int(bank.first[row]) - start, int(bank.last[row]) - start)
        places.setdefault(message(row), []).append(span)
    for text, spans in places.items():
        first = int(bank.leaf_start[spans[0].tree])
        leaves = range(first + spans[0].first, first + spans[0].last)
        yield Finding(
            code=code,
            message=text,
            words=" ".join(bank.form(leaf) for leaf in leaves),
            group=f"shape: {code} {text}",
            suspects=tuple(spans),
        )
