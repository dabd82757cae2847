"""What the labels of a treebank mean: `patterns/*.labels`, or a file of one's own.

Which labels are phrases, tags, conjunctions, punctuation, empty elements, wrappers;
what is no text; what separates function tags, lemmas and features from labels and
words; which child heads a node that no pattern matches. No module knows a label: all
ask a label set. The files are explained in docs/patterns.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import patterns
from analyzer.exceptions import Place, SettingsError
from analyzer.files.small_files import read_text

DEFAULT_LABELS = "penn"
DEFAULT_INVENTORY = "english"  # of constructions, by these labels
_LABELS_LINE = re.compile(r"^[ \t]*labels[ \t]+(\S+)", re.MULTILINE)
_NO_LABEL = "()"  # how a bracket without a label is written

Side = Literal["first", "last"]
_SIDES, _WHATS = ("first", "last"), ("same", "word", "tag", "phrase", "any")


class FunctionGroup(NamedTuple):
    """Function tags that are summed up together, such as the grammatical ones."""

    name: str
    tags: frozenset[str]


class HeadRule(NamedTuple):
    """Which child to take: the first or last that is of the given kind.

    `same` is a phrase with the parent's own label; `tag` is no conjunction, and `word`
    is no punctuation either. All else is the label of a phrase.
    """

    side: Side
    what: str


@dataclass(frozen=True)
class LabelSet:
    """The labels of an annotation scheme."""

    name: str
    text: str  # of the file, to tell label sets apart
    title: str
    phrase: frozenset[str] = frozenset()
    tag: frozenset[str] = frozenset()
    tag_phrase: frozenset[str] = frozenset()  # tags that label phrases of words, too
    conjunction: frozenset[str] = frozenset()
    special: frozenset[str] = frozenset()  # phrases that the class NT leaves out
    empty: frozenset[str] = frozenset()
    wrapper: frozenset[str] = frozenset()
    punctuation: frozenset[str] = frozenset()
    only_punctuation: frozenset[str] = frozenset()
    mark: frozenset[str] = frozenset()  # words that are punctuation
    head: tuple[HeadRule, ...] = ()
    # How trees are prepared. A built-in set of evalb's parameters, or these tags are
    # deleted with their words, and wrappers and empty elements too.
    parameters: str = ""
    delete: frozenset[str] = frozenset()
    no_text: frozenset[str] = frozenset()  # nodes that are no part of the sentence
    sentence_name: frozenset[str] = frozenset()  # of these, those that name it
    empty_word: frozenset[str] = frozenset()  # expressions for words that are none
    # What separates function tags and indices: from phrase labels, from tags.
    function: frozenset[str] = frozenset()
    tag_function: frozenset[str] = frozenset()
    # The same where the function stands before the label.
    function_first: frozenset[str] = frozenset()
    compound: frozenset[str] = frozenset()  # joins tags: the last is the word's
    tag_ending: frozenset[str] = frozenset()  # expressions for what tags may end in
    phrase_ending: frozenset[str] = frozenset()  # the same for phrase labels
    feature: frozenset[str] = frozenset()  # stands around features, on any label
    lemma: frozenset[str] = frozenset()  # separates a lemma from its word
    group: tuple[FunctionGroup, ...] = ()
    no_root: bool = False  # wrappers at the top of trees go as the trees are read

    @property
    def known(self) -> frozenset[str]:
        """The labels that can stand below a node."""
        return self.phrase | self.tag

    @property
    def is_default(self) -> bool:
        return self.identity == default_labels().identity

    @property
    def identity(self) -> tuple[str, str]:
        """What it follows from, to tell it from others."""
        return self.name, self.text

    @property
    def hash(self) -> str:
        """Eight digits that change with the file, for the signature."""
        import hashlib

        return hashlib.sha256(self.text.encode()).hexdigest()[:8]

    @property
    def has_nontext(self) -> bool:
        """Whether trees hold more than text: comments, traces, lemmas."""
        return bool(self.no_text or self.empty_word or self.lemma)

    @property
    def changes_trees(self) -> bool:
        """Whether words or nodes go before anything is looked at."""
        return self.has_nontext or self.no_root

    @property
    def root_settings(self) -> dict[str, object]:
        """What a signature says of roots: something if they are left out."""
        return {"no_root": True} if self.no_root else {}

    def roots_left_out(self) -> LabelSet:
        """The same labels, for trees that are read without their roots."""
        return replace(self, no_root=True)

    def bare_phrase(self, label: str) -> str:
        """A phrase label without function tags, indices and features.

        >>> default_labels().bare_phrase("NP-SBJ-1")
        'NP'
        """
        whole = self._after_functions(self._without_features(label))
        cut = self._functions.split(whole, maxsplit=1)[0]
        return self._phrase_endings.sub("", cut) or cut

    def bare_tag(self, tag: str) -> str:
        """A tag as patterns know it; `-LRB-` stays whole.

        >>> historical = load_labels("historical")
        >>> [historical.bare_tag(tag) for tag in ("N-A", "ADV+P", "C21")]
        ['N', 'P', 'C']
        """
        whole = self._after_functions(self._without_features(tag))
        cut = self._tag_functions.split(whole, maxsplit=1)[0]
        part = self._compounds.split(cut)[-1]
        return self._tag_endings.sub("", part) or whole

    def function_tags(self, label: str, *, of_word: bool = False) -> tuple[str, ...]:
        """The function tags of a label, as written; indices are none.

        >>> default_labels().function_tags("NP-SBJ-TPC-1")
        ('SBJ', 'TPC')
        """
        separators = self._tag_functions if of_word else self._functions
        whole = self._without_features(label)
        rest = self._after_functions(whole)
        before = whole[: len(whole) - len(rest) - 1] if rest != whole else ""
        tags = [before, *separators.split(rest)[1:]]
        return tuple(tag for tag in tags if tag and not tag.isdecimal())

    def is_empty_word(self, word: str) -> bool:
        """Whether a word stands for none: a trace, a zero."""
        return self._empty_words.fullmatch(word) is not None

    @cached_property
    def _functions(self) -> re.Pattern[str]:
        return re.compile(_any_of(map(re.escape, self.function)))

    @cached_property
    def _tag_functions(self) -> re.Pattern[str]:
        # Not at the start: what has nothing before it separates nothing.
        return re.compile(f"(?<=.)(?:{_any_of(map(re.escape, self.tag_function))})")

    @cached_property
    def _compounds(self) -> re.Pattern[str]:
        return re.compile(f"(?<=.)(?:{_any_of(map(re.escape, self.compound))})(?=.)")

    @cached_property
    def _tag_endings(self) -> re.Pattern[str]:
        return re.compile(f"(?:{_any_of(self.tag_ending)})$")

    @cached_property
    def _phrase_endings(self) -> re.Pattern[str]:
        return re.compile(f"(?:{_any_of(self.phrase_ending)})$")

    @cached_property
    def _empty_words(self) -> re.Pattern[str]:
        return re.compile(_any_of(self.empty_word))

    def _after_functions(self, label: str) -> str:
        """What is left of a label if functions may stand before it (`SUBJ+np`)."""
        for mark in self.function_first:
            label = label.partition(mark)[2] or label
        return label

    def _without_features(self, label: str) -> str:
        for mark in self.feature:
            label = label.partition(mark)[0] or label
        return label


def _any_of(expressions: Iterable[str]) -> str:
    """An expression for any of some; for none, one that never matches."""
    return "|".join(sorted(expressions)) or "(?!)"


def default_labels() -> LabelSet:
    """The labels of the Penn Treebank.

    >>> sorted(default_labels().conjunction), "NP" in default_labels().phrase
    (['CC'], True)
    """
    labels = _built_in(DEFAULT_LABELS)
    assert labels is not None
    return labels


def label_set_names() -> list[str]:
    """The label sets that come with the package."""
    return patterns.names(".labels")


def load_labels(name_or_path: str, *, folder: Path | None = None) -> LabelSet:
    """A label set by name (`penn`) or from a file, which may be given by its folder.

    An inventory stands for the label set that it names.

    >>> load_labels("tiger").title, load_labels("english").name
    ('TIGER treebank', 'penn')
    """
    if built_in := _built_in(name_or_path):
        return built_in
    inventory = patterns.text(f"{name_or_path}.pat")
    if inventory is not None:
        return load_labels(_named_in(inventory))
    path = (folder or Path()) / name_or_path
    if path.exists() and path.suffix == ".pat":
        return load_labels(_named_in(read_text(str(path))), folder=path.parent)
    if not path.exists():
        raise SettingsError(
            "E571 no file of labels", name=name_or_path, known=tuple(label_set_names())
        )
    return parse_labels(read_text(str(path)), name=path.stem, source=str(path))


def _named_in(inventory: str) -> str:
    """The label set that the text of an inventory names."""
    line = _LABELS_LINE.search(inventory)
    return line[1] if line else DEFAULT_LABELS


def parse_labels(
    text: str, *, name: str = "labels", source: str = "<text>"
) -> LabelSet:
    """The label set that a text describes.

    `phrase` and `tag` list all there is; what else a text does not mention is as in
    the Penn Treebank.

    >>> given = parse_labels("phrase NP\\ntag NN KON\\nconjunction KON")
    >>> sorted(given.tag), given.empty
    (['KON', 'NN'], frozenset({'-NONE-'}))
    """
    return _parsed(text, name, source, default_labels())


@cache
def _built_in(name: str) -> LabelSet | None:
    source = f"{name}.labels"
    text = patterns.text(source)
    if text is None:
        return None
    base = None if name == DEFAULT_LABELS else default_labels()
    return _parsed(text, name, source, base)


def _parsed(text: str, name: str, source: str, base: LabelSet | None) -> LabelSet:
    lists: dict[str, list[str]] = {}
    heads: list[tuple[list[str], Place]] = []
    groups: list[FunctionGroup] = []
    for number, line in enumerate(text.splitlines(), start=1):
        kind, *values = line.split() or ["#"]
        if kind.startswith("#"):  # a comment; the tag # stands after `tag`
            continue
        place = Place(source, number)
        if kind == "head":
            heads.append((values, place))
        elif kind in _SINGLE:
            lists[kind] = values
        elif kind == "group":
            groups.append(_group(values, place))
        elif kind in _KINDS:
            listed = ["" if value == _NO_LABEL else value for value in values]
            lists.setdefault(kind, []).extend(listed)
            if kind in _EXPRESSIONS:
                _check_expressions(values, place)
        else:
            raise SettingsError(
                "E572 a line begins with", place, kinds=_KINDS, kind=kind
            )
    content: dict[str, Any] = {
        kind.replace("-", "_"): frozenset(lists[kind]) for kind in lists
    }
    content["title"] = " ".join(lists.get("title", [name]))
    content["parameters"] = " ".join(lists.get("parameters", []))
    content["group"] = tuple(groups)
    if heads:
        known = content.get("phrase", frozenset())
        content["head"] = tuple(_head_rule(*given, known) for given in heads)
    if base is None:
        return LabelSet(name, text, **content)
    blank = {kind: frozenset[str]() for kind in ("phrase", "tag", "delete")}
    return replace(base, name=name, text=text, **(blank | content))


def _group(values: list[str], place: Place) -> FunctionGroup:
    if len(values) < 2:
        raise SettingsError("E583 cannot read 'group", place, given=" ".join(values))
    return FunctionGroup(values[0], frozenset(values[1:]))


def _check_expressions(values: list[str], place: Place) -> None:
    for value in values:
        try:
            re.compile(value)
        except re.error as error:
            raise SettingsError(
                "E584 is not a regular expression", place, value=value, error=str(error)
            ) from None


def _head_rule(values: list[str], place: Place, phrases: frozenset[str]) -> HeadRule:
    is_known = len(values) == 2 and values[1] in phrases.union(_WHATS)
    if not is_known or values[0] not in _SIDES:
        raise SettingsError(
            "E573 cannot read 'head",
            place,
            rule=" ".join(values),
            sides=_SIDES,
            whats=_WHATS,
        )
    return HeadRule(cast("Side", values[0]), values[1])


# What lines of a file begin with that list labels, separators or expressions.
_KINDS = tuple(
    item.name.replace("_", "-")
    for item in fields(LabelSet)
    if item.default == frozenset()
)
_EXPRESSIONS = ("empty-word", "tag-ending", "phrase-ending")
_SINGLE = ("title", "parameters")


# -- whose labels these look like, where the label set in use does not know many ------

# Of all phrases: unknown to the label set in use at least, unknown to the other one at
# most; and how many times as many the first must be. Related schemes share most labels
# (NP, IP, CP ...), so a few per cent tell them apart if the other set knows those too.
_UNKNOWN_HERE, _UNKNOWN_THERE, _TIMES = 0.005, 0.03, 4
_MOST_UNKNOWN = 0.5  # if more are unknown to all sets, the treebank is a new one
_FEW, _FEW_UNKNOWN = 10, 3  # so few phrases are no evidence


class LabelHint(NamedTuple):
    """A label set that suits better, and the inventory to ask for it; "" if none does.

    `labels` then is the set in use.
    """

    labels: LabelSet
    inventory: str
    known: float  # of all phrases, by the set in use
    others: tuple[str, ...] = ()  # inventories that suit as well

    def __str__(self) -> str:
        if not self.inventory:
            return (
                f"these are not {self.labels.title} labels (of the phrases here, "
                f"{100 * self.known:.0f} % have a known label), nor those of another "
                "treebank that we know: --patterns takes a file for yours (see "
                "docs/treebanks.md)"
            )
        others = f"; {', '.join(self.others)} may suit as well" if self.others else ""
        return (
            f"these look like {self.labels.title} labels: --patterns {self.inventory}"
            f"{others} (of the phrases here, {100 * self.known:.0f} % have a known "
            "label)"
        )


def label_hint(phrases: Mapping[str, int], labels: LabelSet) -> LabelHint | None:
    """The label set that knows these phrases, if the one in use does not.

    `phrases` are phrase labels, as written, and how often each occurs.

    >>> hint = label_hint({"NP": 50, "VP": 40, "IP": 20, "DNP": 9}, default_labels())
    >>> hint.inventory if hint else None
    'chinese'
    >>> label_hint({"NP": 50, "IP": 20}, default_labels()).others
    ('historical', 'japanese')
    >>> label_hint({"NP": 50, "VP": 40, "S": 20}, default_labels())
    >>> label_hint({"sn": 50, "grup.verb": 40, "S": 20}, default_labels()).inventory
    ''
    """
    total = sum(phrases.values())
    here = _unknown(phrases, labels)
    if total < _FEW or here < max(_FEW_UNKNOWN, _UNKNOWN_HERE * total):
        return None
    candidates = sorted(
        (_unknown(phrases, load_labels(name)), name)
        for name in label_set_names()
        if name != labels.name and inventory_of_labels(name)
    )
    there, name = candidates[0] if candidates else (total, "")
    if there > _UNKNOWN_THERE * total or _TIMES * there > here:
        is_other = here > _MOST_UNKNOWN * total
        return LabelHint(labels, "", 1 - here / total) if is_other else None
    first, *others = [
        inventory_of_labels(n) or n for unknown, n in candidates if unknown == there
    ]
    return LabelHint(load_labels(name), first, 1 - here / total, tuple(others))


def _unknown(phrases: Mapping[str, int], labels: LabelSet) -> int:
    known = labels.known | labels.wrapper | labels.no_text
    bare = labels.bare_phrase
    return sum(count for label, count in phrases.items() if bare(label) not in known)


def inventory_of_labels(name: str) -> str | None:
    """The inventory that comes with the package for a label set; None if none does.

    >>> inventory_of_labels("tiger"), inventory_of_labels("english")
    ('german', None)
    """
    if patterns.text(f"{name}.labels") is None:
        return None
    if patterns.text(f"{name}.pat") is not None:
        return name
    others = (
        other for other in patterns.names(".pat") if load_labels(other).name == name
    )
    return next(others, None)
