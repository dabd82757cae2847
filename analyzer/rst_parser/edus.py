"""What is seen of each EDU: words, tags, syntax, place; as columns of hashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analyzer.model.arrays import Ints
from analyzer.rst_parser.clauses import (
    clause_governors,
    governing_edus,
    head_token,
    hosts,
)
from analyzer.rst_parser.hashing import NOTHING, Hashes, hash_of
from analyzer.rst_parser.tokens import TokenText
from analyzer.rst_parser.words import closed_class, connective, saying, shape

BAG = 12  # lemmas of an EDU
_NUMBERS = (
    "document",
    "sentence",
    "paragraph",
    "speaker",
    "governor",
    "host",
    "clause_governor",
)
_EDGES = (1, 2, 4, 7, 12, 20, 35)  # lengths in words
_OPENING = frozenset("\"'“‘`([«-–—*•")
_VERBS = ("V", "MD", "BE", "AUX")
_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_NEGATION = frozenset(("not", "n't", "n’t", "no", "never", "none", "nothing"))


@dataclass(frozen=True)
class EduTable:
    """The EDUs of one or more documents, one after the other.

    atoms: by name, what is seen of each EDU, hashed. sentences and paragraphs number
    on from document to document. governor: the EDU whose token governs this one's
    head token, -1 if none does. host: the EDU in which this one's clause begins;
    clause_governor: of such, the host that governs the clause. bag: the lemmas,
    an EDU a row, `NOTHING` where it has no more. lemmas: the content words.
    """

    atoms: dict[str, Hashes]
    document: Ints
    sentence: Ints
    paragraph: Ints
    speaker: Ints
    governor: Ints
    host: Ints
    clause_governor: Ints
    bag: Hashes
    lemmas: Sequence[frozenset[str]]
    has_syntax: bool

    def __len__(self) -> int:
        return len(self.document)


def edu_table(texts: Sequence[TokenText]) -> EduTable:
    """What is seen of the EDUs of some documents."""
    found: dict[str, list[int]] = {}
    numbers: dict[str, list[int]] = {name: [] for name in _NUMBERS}
    lemmas: list[frozenset[str]] = []
    bags: list[list[int]] = []
    sentences = paragraphs = 0
    for number, text in enumerate(texts):
        before = len(lemmas)
        edus = text.edus()
        seen = [_seen(text, start, end) for start, end in edus]
        for name, column in _columns(seen, _places(text, edus)).items():
            found.setdefault(name, []).extend(map(hash_of, column))
        first = [start for start, _ in edus]
        heads = [one.head for one in seen]
        governor = governing_edus(text, edus, heads)
        host = hosts(text, heads, governor)
        numbers["document"] += [number] * len(edus)
        numbers["sentence"] += [sentences + text.sentences[at] for at in first]
        numbers["paragraph"] += [paragraphs + text.paragraphs[at] for at in first]
        numbers["speaker"] += [hash_of(text.speakers[at]) >> 1 for at in first]
        numbers["governor"] += _shifted(governor, before)
        numbers["host"] += _shifted(host, before)
        numbers["clause_governor"] += _shifted(clause_governors(governor, host), before)
        lemmas += [one.lemmas for one in seen]
        bags += [_bag(text, start, end) for start, end in edus]
        sentences = numbers["sentence"][-1] + 1
        paragraphs = numbers["paragraph"][-1] + 1
    return EduTable(
        {name: np.array(column, np.uint64) for name, column in found.items()},
        **{name: np.array(column, np.int64) for name, column in numbers.items()},
        bag=np.array(bags, np.uint64).reshape(-1, BAG),
        lemmas=lemmas,
        has_syntax=all(text.has_syntax for text in texts),
    )


def _shifted(edus: Sequence[int], before: int) -> list[int]:
    return [-1 if edu < 0 else before + edu for edu in edus]


def _bag(text: TokenText, start: int, end: int) -> list[int]:
    """The first lemmas, each once."""
    known = dict.fromkeys(
        lemma.lower() for lemma in text.lemmas[start:end] if lemma[:1].isalpha()
    )
    found = [hash_of(lemma) for lemma in list(known)[:BAG]]
    return found + [NOTHING] * (BAG - len(found))


@dataclass(frozen=True)
class _Seen:
    """What is seen of one EDU without looking around."""

    atoms: dict[str, str]
    head: int  # token
    lemmas: frozenset[str]


def _seen(text: TokenText, start: int, end: int) -> _Seen:
    words = [form.lower() for form in text.forms[start:end]]
    lemmas = list(text.lemmas[start:end])
    if text.has_tags:
        tags = list(text.tags[start:end])
    else:
        tags = [shape(form) for form in text.forms[start:end]]
    head = head_token(text, start, end)
    at = 0
    while at < len(words) - 1 and words[at][:1] in _OPENING:
        at += 1
    joined = connective(words, at)
    if joined in ("and", "but", "or", "so", "well", "oh", "yeah", "yes", "because"):
        more = connective(words, at + 1)
        joined = f"{joined} {more}" if more else joined
    atoms = {
        "w1": words[at],
        "w2": _get(words, at + 1),
        "w3": _get(words, at + 2),
        "t1": tags[at],
        "t2": _get(tags, at + 1),
        "t3": _get(tags, at + 2),
        "wl": words[-1],
        "wl2": words[-2] if len(words) > 1 else "",
        "tl": tags[-1],
        "tl2": tags[-2] if len(words) > 1 else "",
        "conn": joined,
        "open": words[0] if at else "",
        "len": str(_bucket(end - start)),
        "end": words[-1] if not words[-1][-1:].isalnum() else "",
        "cap": _capitals(text.forms[start + at]),
        "quote": str(sum(word in ('"', "“", "”", "''", "``") for word in words) % 2),
        "digit": str(any(word[0].isdigit() for word in words)),
        "neg": str(not _NEGATION.isdisjoint(words)),
        "q": str("?" in words),
    }
    say = [lemma for lemma in lemmas if lemma in saying()]
    atoms["say"] = say[0] if say else ""
    verbs = [tag for tag in tags if tag.startswith(_VERBS)]
    atoms["verb"] = " ".join(verbs[:2])
    atoms["finite"] = str(not _FINITE.isdisjoint(verbs))
    if text.has_syntax:
        _add_syntax(atoms, text, start, end, head)
    else:
        atoms |= _without_syntax(words, tags)
    content = frozenset(
        lemma
        for lemma in lemmas
        if len(lemma) > 2 and lemma.lower() not in closed_class() and lemma[0].isalpha()
    )
    return _Seen(atoms, head, content)


def _add_syntax(
    atoms: dict[str, str], text: TokenText, start: int, end: int, head: int
) -> None:
    governor = text.governors[head]
    functions = text.functions[start:end]
    subjects = [
        start + at
        for at, function in enumerate(functions)
        if function.startswith("nsubj")
    ]
    atoms |= {
        "hw": text.lemmas[head],
        "ht": text.tags[head],
        "hf": text.functions[head],
        "gt": "" if governor < 0 else text.tags[governor],
        "gw": "" if governor < 0 else text.lemmas[governor],
        "side": "" if governor < 0 else "left" if governor < head else "right",
        "subj": text.lemmas[subjects[0]].lower() if subjects else "",
        "inner": " ".join(sorted({f for f in functions if f in _CLAUSES})),
    }


def _without_syntax(words: Sequence[str], tags: Sequence[str]) -> dict[str, str]:
    """What may stand for syntax: the first verb as head, what it begins with."""
    verb = next((at for at, tag in enumerate(tags) if tag.startswith(_VERBS)), -1)
    pronoun = next((words[at] for at, tag in enumerate(tags) if tag == "PRP"), "")
    closed = [word for word in words if word in closed_class()]
    return {
        "hw": words[verb] if verb >= 0 else "",
        "ht": tags[verb] if verb >= 0 else "",
        "hf": f"{tags[0]} {tags[verb] if verb >= 0 else ''}",
        "gt": _get(closed, 0),
        "gw": _get(closed, 1),
        "side": "",
        "subj": pronoun,
        "inner": "",
    }


_CLAUSES = frozenset(("mark", "cc", "advcl", "acl:relcl", "conj", "ccomp", "parataxis"))


def _get(items: Sequence[str], at: int) -> str:
    return items[at] if at < len(items) else ""


def _capitals(form: str) -> str:
    if form.isupper() and len(form) > 1:
        return "all"
    return "first" if form[:1].isupper() else "none"


def _bucket(length: int) -> int:
    return sum(length > edge for edge in _EDGES)


def _places(text: TokenText, edus: Sequence[tuple[int, int]]) -> list[dict[str, str]]:
    """Where each EDU stands in its sentence, paragraph and document."""
    sentence = [text.sentences[start] for start, _ in edus]
    paragraph = [text.paragraphs[start] for start, _ in edus]
    in_sentence = _ranks(sentence)
    first_paragraph = {
        one: paragraph[at] for at, one in reversed([*enumerate(sentence)])
    }
    by_sentence = _ranks(list(first_paragraph.values())[::-1])
    order = {one: at for at, one in enumerate(sorted(first_paragraph))}
    whole = _ranks([0] * (paragraph[-1] - paragraph[0] + 1))
    found = []
    for at, (start, end) in enumerate(edus):
        s_first, s_last = in_sentence[at]
        p_first, p_last = by_sentence[order[sentence[at]]]
        d_first, d_last = whole[paragraph[at] - paragraph[0]]
        is_plain = text.forms[end - 1][-1:].isalnum()
        is_alone = p_first == p_last == 0
        found.append(
            {
                "ps": f"{min(s_first, 3)} {min(s_last, 3)}",
                "pp": f"{min(p_first, 3)} {min(p_last, 3)}",
                "pd": f"{min(d_first, 3)} {min(d_last, 3)}",
                "part": str(4 * at // len(edus)),
                "heading": str(is_alone and s_last == 0 and is_plain),
                "turn": _turn(text, start),
            }
        )
    return found


def _turn(text: TokenText, start: int) -> str:
    """Whether another speaks than just before."""
    if not text.speakers[start]:
        return ""
    if not start:
        return "first"
    return str(text.speakers[start] != text.speakers[start - 1])


def _ranks(keys: Sequence[int]) -> list[tuple[int, int]]:
    """For each item, how many of its group come before it and how many after."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(keys):
        end = at
        while end < len(keys) and keys[end] == keys[at]:
            end += 1
        found += [(one - at, end - 1 - one) for one in range(at, end)]
        at = end
    return found


def _columns(
    seen: Sequence[_Seen], places: Sequence[dict[str, str]]
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one, place in zip(seen, places, strict=True):
        for name, value in (one.atoms | place).items():
            found.setdefault(name, []).append(value)
    for name in ("w1", "wl", "t1", "conn", "end", "hf", "len"):
        column = found[name]
        found[f"{name}<"] = ["^", *column[:-1]]
        found[f"{name}>"] = [*column[1:], "$"]
    return found
