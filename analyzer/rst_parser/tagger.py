"""Tags and lemmas for the words of raw text, as a corpus with syntax teaches them.

Tags: words that nearly always have one tag get that; of the others a log-linear model
chooses by the words around and the tags that these may have. Lemmas: a word's end is
replaced as it was in the corpus in words of the same tag and the same end. Texts
without syntax are then seen as words with guessed tags and lemmas, by the segmenter and
the parser.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from analyzer.model.arrays import Flags, Ints
from analyzer.rst_parser.linear import (
    Hashes,
    LinearModel,
    class_loss,
    learn,
)
from analyzer.rst_parser.segmenter import columns, first_half, hashed, neighbours
from analyzer.rst_parser.sentences import train_sentences
from analyzer.rst_parser.text import TokenText, case

# w: the word in small letters; s, p: its last and first letters; c: its case; a: the
# tags that it may have, or, of a rare word, its case and end.
TAGS = """
w; w c; s1; s2; s3; s4; s5; p1; p2; p3; c first; s2 c first; s3 c; a; w-1; w+1; w-2;
w+2; w-1 w; w w+1; a-1; a+1; a-2; a+2; a-1 a; a a+1; a-1 a+1; a-1 a a+1; a-2 a-1; a+1
a+2; a-2 a-1 a; a a+1 a+2; s3-1; s3+1; c-1 c; c c+1; w a+1; w a-1; w-1 a; w+1 a; w-1
a+1; w-1 w+1; s2 a-1; s2 a+1; s3 a-1; s3 a+1; w a-1 a+1; w-1 w w+1; w a+1 a+2; w a-2
a-1
"""
_AROUND = {"w": (-2, -1, 1, 2), "c": (-1, 1), "s3": (-1, 1), "a": (-2, -1, 1, 2)}
_OFTEN, _SHARE = 5, 0.02  # how often a word is seen of which tags are known; and a tag
_LEAST, _STEPS = 3, 40  # times that a feature must occur; of L-BFGS
_LONGEST_END = 4  # letters of a word by which its lemma is guessed
# Of a tag and the end of a word: how many letters to cut off, and what to put there.
Lemmas = Mapping[tuple[str, str], tuple[int, str]]


@dataclass(frozen=True)
class TagModel:
    """tags: their names. known: the tags that a frequent word may have, with blanks
    between them. chooser: of tags, where there are several. lemmas: how ends of words
    are replaced. sentences: where they begin, see `sentences`.
    """

    tags: tuple[str, ...]
    known: Mapping[str, str]
    chooser: LinearModel
    lemmas: Lemmas
    sentences: LinearModel


def _known_tags(texts: Sequence[TokenText]) -> dict[str, str]:
    """The tags of each frequent word, without those that it hardly ever has."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for form, tag in zip(text.forms, text.tags, strict=True):
            seen[form.lower()][tag] += 1
    known = {}
    for word, counts in seen.items():
        total = counts.total()
        if total >= _OFTEN:
            some = (tag for tag, times in counts.items() if times > _SHARE * total)
            known[word] = " ".join(sorted(some))
    return known


def word_atoms(
    texts: Sequence[TokenText], known: Mapping[str, str]
) -> dict[str, Hashes]:
    """What is seen of all words, those of one text after those of the other."""
    return hashed(
        _of_sentence(text.forms[start:end], known)
        for text in texts
        for start, end in text.sentence_spans()
    )


def _of_sentence(
    forms: Sequence[str], known: Mapping[str, str]
) -> dict[str, Sequence[str]]:
    words = [form.lower() for form in forms]
    cases = [case(form) for form in forms]
    atoms: dict[str, Sequence[str]] = {
        "w": words,
        "c": cases,
        "a": [
            known.get(word, f"?{word[-2:]}{shown}")
            for word, shown in zip(words, cases, strict=True)
        ],
        "first": [str(at == 0) for at in range(len(forms))],
    }
    atoms |= {f"s{size}": [word[-size:] for word in words] for size in range(1, 6)}
    atoms |= {f"p{size}": [word[:size] for word in words] for size in range(1, 4)}
    return atoms | neighbours(atoms, _AROUND)


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
            same = next((at for at, (a, b) in pairs if a != b), least)
            for end in _ends(word):
                seen[tag, end][len(word) - same, small[same:]] += 1
    lemmas: dict[tuple[str, str], tuple[int, str]] = {}
    for tag, end in sorted(seen, key=lambda key: (key[1][:1] == "^", len(key[1]), key)):
        [(change, _)] = seen[tag, end].most_common(1)
        word = end.removeprefix("^")
        if _replaced(lemmas, word, tag) != change:
            lemmas[tag, end] = change
    return lemmas


def train_tags(
    texts: Sequence[TokenText], *, strength: float, seed: int = 1
) -> tuple[TagModel, list[TokenText]]:
    """What texts that are tagged teach, and the texts with guessed tags.

    Each half of the texts is tagged by what the other half teaches, so that what learns
    from guessed tags sees as many mistakes as in new texts. seed: divides them.
    """
    tags = tuple(sorted({tag for text in texts for tag in text.tags}))
    number = {tag: at for at, tag in enumerate(tags)}
    known = _known_tags(texts)
    atoms = word_atoms(texts, known)
    gold = np.array([number[tag] for text in texts for tag in text.tags])
    sure = _sure_tags(texts, known, number)

    def learnt(some: Flags) -> LinearModel:
        which = some & (sure < 0)
        chosen = (column[which] for column in columns(TAGS, atoms))
        loss = class_loss(gold[which])
        [model] = learn(
            [(chosen, len(tags))], loss, strength=strength, least=_LEAST, steps=_STEPS
        )
        return model

    everything = np.ones(len(gold), np.bool_)
    lemmas = train_lemmas(texts)
    sentences = train_sentences(texts, known)
    model = TagModel(tags, known, learnt(everything), lemmas, sentences)
    if len(texts) < 2:
        return model, tagged(model, texts)
    guesses = sure.copy()
    is_first = first_half(texts, seed)
    for some in (is_first, ~is_first):
        unsure = some & (sure < 0)
        guesses[unsure] = _chosen(learnt(~some), atoms, unsure)
    return model, _with_tags(texts, guesses, tags, lemmas)


def _sure_tags(
    texts: Sequence[TokenText], known: Mapping[str, str], number: Mapping[str, int]
) -> Ints:
    """The tags of words that have one, -1 for others."""
    forms = (form.lower() for text in texts for form in text.forms)
    return np.array([number.get(known.get(form, ""), -1) for form in forms], np.int64)


def _chosen(chooser: LinearModel, atoms: dict[str, Hashes], some: Flags) -> Ints:
    """The tags with the highest scores, of some words."""
    seen = (column[some] for column in columns(TAGS, atoms))
    best: Ints = chooser.scores(seen).argmax(axis=1)
    return best


def _with_tags(
    texts: Sequence[TokenText], guesses: Ints, tags: Sequence[str], lemmas: Lemmas
) -> list[TokenText]:
    """The texts with these tags and their lemmas, without what they say of syntax."""
    tagged_texts = []
    ends = accumulate(map(len, texts))
    for text, end in zip(texts, ends, strict=True):
        here = [tags[guess] for guess in guesses[end - len(text) : end]]
        pairs = zip(map(str.lower, text.forms), here, strict=True)
        guessed = [_lemma(lemmas, word, tag) for word, tag in pairs]
        tagged_texts.append(replace(text.without_syntax(), tags=here, lemmas=guessed))
    return tagged_texts


def tagged(model: TagModel, texts: Sequence[TokenText]) -> list[TokenText]:
    """The texts with guessed tags and lemmas; what they say of syntax is dropped."""
    if not texts:
        return []
    number = {tag: at for at, tag in enumerate(model.tags)}
    guesses = _sure_tags(texts, model.known, number)
    unsure = guesses < 0
    atoms = word_atoms(texts, model.known)
    guesses[unsure] = _chosen(model.chooser, atoms, unsure)
    return _with_tags(texts, guesses, model.tags, model.lemmas)
