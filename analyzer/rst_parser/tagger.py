"""Tags and lemmas for the words of raw text, as a corpus with syntax teaches them.

Tags: an averaged perceptron (Collins 2002). Words that nearly always have one tag get
that; the others are decided from left to right, by the words around and the tags
before. Lemmas: a word's end is replaced as it was in the corpus in words of the same
tag and the same end. Texts without syntax are then seen as words with guessed tags and
lemmas, by the segmenter and the parser.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from analyzer.rst_parser.linear import Floats32
from analyzer.rst_parser.text import TokenText

_OFTEN, _NEARLY = 5, 0.98  # how often, and with which share, a word has its one tag
_ROUNDS = 4
_SMALLEST = 0.05  # an averaged weight that is kept
_LONGEST_END = 4  # letters of a word by which its lemma is guessed
# Of a tag and the end of a word: how many letters to cut off, and what to put there.
Lemmas = Mapping[tuple[str, str], tuple[int, str]]


@dataclass(frozen=True)
class TagModel:
    """tags: their names. sure: words that have one tag. rows: of features in `weights`,
    which has a column for each tag. lemmas: how ends of words are replaced.
    """

    tags: tuple[str, ...]
    sure: Mapping[str, int]
    rows: Mapping[str, int]
    weights: Floats32
    lemmas: Lemmas

    def best(self, features: Sequence[str]) -> int:
        """The tag with the highest score."""
        rows = self.rows
        known = [rows[feature] for feature in features if feature in rows]
        return int(np.add.reduce(self.weights.take(known, axis=0)).argmax())


def _sure_words(
    texts: Sequence[TokenText], number: Mapping[str, int]
) -> dict[str, int]:
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for form, tag in zip(text.forms, text.tags, strict=True):
            seen[form.lower()][tag] += 1
    sure = {}
    for word, counts in seen.items():
        [(tag, times)] = counts.most_common(1)
        if times >= _OFTEN and times >= _NEARLY * counts.total():
            sure[word] = number[tag]
    return sure


def word_features(
    forms: Sequence[str], words: Sequence[str], at: int, last: int, before_last: int
) -> list[str]:
    """`last` and `before_last` are the tags of the two words before, -1: none."""
    word, form = words[at], forms[at]
    before = words[at - 1] if at else "^"
    after = words[at + 1] if at + 1 < len(words) else "$"
    case = "A" if form.isupper() else "Aa" if form[:1].isupper() else "a"
    if not form.isalpha():
        case += "-" if "-" in form else "0" if any(map(str.isdigit, form)) else "."
    return [
        f"w {word}",
        f"3 {word[-3:]}",
        f"2 {word[-2:]}",
        f"4 {word[-4:]}",
        f"p {word[:2]}",
        f"c {case} {at == 0}",
        f"b {before}",
        f"a {after}",
        f"1 {last}",
        f"12 {last} {before_last}",
        f"1w {last} {word}",
        f"1a {last} {after[-3:]}",
        f"b3 {before[-3:]}",
        f"a3 {after[-3:]}",
        f"bw {before} {word}",
        f"wa {word} {after}",
        f"13 {last} {word[-3:]}",
        f"2b {words[at - 2] if at > 1 else '^'}",
        f"2a {words[at + 2] if at + 2 < len(words) else '$'}",
    ]


def _best(
    features: Sequence[str], weights: Mapping[str, Mapping[int, float]], tags: int
) -> int:
    scores = [0.0] * tags
    for feature in features:
        of_feature = weights.get(feature)
        if of_feature is not None:
            for tag, weight in of_feature.items():
                scores[tag] += weight
    return max(range(tags), key=scores.__getitem__)


def _ends(word: str) -> list[str]:
    """By what a lemma is guessed, the surest last: nothing, ends, the whole word."""
    longest = min(_LONGEST_END, len(word))
    return [*(word[len(word) - size :] for size in range(longest + 1)), f"^{word}"]


def _replaced(lemmas: Lemmas, word: str, tag: str) -> tuple[int, str]:
    """How many letters of a word in small letters to cut off, and what to put there."""
    known = ((tag, end) for end in reversed(_ends(word)))
    return next((lemmas[key] for key in known if key in lemmas), (0, ""))


def _lemma(lemmas: Lemmas, word: str, tag: str) -> str:
    size, end = _replaced(lemmas, word, tag)
    return word[: len(word) - size] + end


def train_lemmas(texts: Sequence[TokenText]) -> Lemmas:
    """What is most often done to each end of words; only what shorter ends do not say.

    >>> from analyzer.rst_parser.text import of_edus
    >>> cats = replace(of_edus(["cats dogs"]), tags=["NNS"] * 2, lemmas=["cat", "dog"])
    >>> train_lemmas([cats])
    {('NNS', ''): (1, '')}
    """
    seen: dict[tuple[str, str], Counter[tuple[int, str]]] = defaultdict(Counter)
    for text in texts:
        for form, tag, lemma in zip(text.forms, text.tags, text.lemmas, strict=True):
            word, small = form.lower(), lemma.lower()
            pairs = enumerate(zip(word, small, strict=False))
            least = min(len(word), len(small))
            same = next((at for at, (one, other) in pairs if one != other), least)
            for end in _ends(word):
                seen[tag, end][len(word) - same, small[same:]] += 1
    lemmas: dict[tuple[str, str], tuple[int, str]] = {}
    for tag, end in sorted(seen, key=lambda key: (key[1][:1] == "^", len(key[1]), key)):
        [(change, _)] = seen[tag, end].most_common(1)
        word = end.removeprefix("^")
        if _replaced(lemmas, word, tag) != change:
            lemmas[tag, end] = change
    return lemmas


def train_tags(texts: Sequence[TokenText], *, seed: int = 1) -> TagModel:
    """What texts that are tagged teach; the same each time with the same seed."""
    tags = tuple(sorted({tag for text in texts for tag in text.tags}))
    number = {tag: at for at, tag in enumerate(tags)}
    sure = _sure_words(texts, number)
    sentences = [
        (list(text.forms[start:end]), [number[tag] for tag in text.tags[start:end]])
        for text in texts
        for start, end in text.sentence_spans()
    ]
    weights: dict[str, dict[int, float]] = {}
    totals: dict[str, dict[int, float]] = {}
    step = 0
    random = Random(seed)
    for _ in range(_ROUNDS):
        random.shuffle(sentences)
        for forms, gold in sentences:
            words = [form.lower() for form in forms]
            last = before_last = -1
            for at, tag in enumerate(gold):
                guess = sure.get(words[at], -1)
                if guess < 0:
                    step += 1
                    features = word_features(forms, words, at, last, before_last)
                    guess = _best(features, weights, len(tags))
                    if guess != tag:
                        for feature in features:
                            here = weights.setdefault(feature, {})
                            past = totals.setdefault(feature, {})
                            for which, change in ((tag, 1.0), (guess, -1.0)):
                                here[which] = here.get(which, 0.0) + change
                                past[which] = past.get(which, 0.0) + step * change
                last, before_last = guess, last
    averaged = _averaged(weights, totals, step, len(tags))
    return TagModel(tags, sure, *averaged, train_lemmas(texts))


def _averaged(
    last: Mapping[str, Mapping[int, float]],
    totals: Mapping[str, Mapping[int, float]],
    steps: int,
    tags: int,
) -> tuple[dict[str, int], Floats32]:
    """The weights as they were on average, without small ones: rows, and a table."""
    means: dict[str, dict[int, float]] = {}
    for feature, of_tags in last.items():
        mean = {tag: w - totals[feature][tag] / steps for tag, w in of_tags.items()}
        kept = {tag: weight for tag, weight in mean.items() if abs(weight) > _SMALLEST}
        if kept:
            means[feature] = kept
    table = np.zeros((len(means), tags), np.float32)
    for row, kept in zip(table, means.values(), strict=True):
        row[list(kept)] = list(kept.values())
    return {feature: row for row, feature in enumerate(means)}, table


def tagged(model: TagModel, text: TokenText) -> TokenText:
    """The text with guessed tags and lemmas; what it says of syntax is dropped."""
    tags: list[str] = []
    for start, end in text.sentence_spans():
        forms = text.forms[start:end]
        words = [form.lower() for form in forms]
        last = before_last = -1
        for at in range(len(forms)):
            guess = model.sure.get(words[at], -1)
            if guess < 0:
                guess = model.best(word_features(forms, words, at, last, before_last))
            tags.append(model.tags[guess])
            last, before_last = guess, last
    pairs = zip(map(str.lower, text.forms), tags, strict=True)
    lemmas = [_lemma(model.lemmas, word, tag) for word, tag in pairs]
    return replace(text.without_syntax(), tags=tags, lemmas=lemmas)


TAG_TEMPLATES = len(word_features(["a"], ["a"], 0, -1, -1))
