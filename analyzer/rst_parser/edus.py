"""What is seen of each EDU: words, tags, syntax, place; as columns of hashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from analyzer.formats.word_dependencies import NO_GOVERNOR
from analyzer.model.arrays import Ints
from analyzer.rst_parser.lexicon import CLOSED_CLASS, SAYING, connective, shape
from analyzer.rst_parser.linear import NOTHING, Hashes, hash_of
from analyzer.rst_parser.text import TokenText

BAG = 12  # lemmas of an EDU
_EDGES = (1, 2, 4, 7, 12, 20, 35)  # lengths in words
_OPENING = frozenset("\"'“‘`([«-–—*•")
_VERBS = ("V", "MD", "BE", "AUX")
_NOUNS, _ADVERBS = ("NN", "PR", "EX", "NOUN"), ("RB", "ADV")
_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_NEGATION = frozenset(("not", "n't", "n’t", "no", "never", "none", "nothing"))
# Words before which another connective may stand: "and then".
_BEFORE_MORE = ("and", "but", "or", "so", "well", "oh", "yeah", "yes", "because")
_SEEN_AROUND = ("w1", "wl", "t1", "conn", "end", "hf", "len")  # also of the neighbours
_INNER = frozenset(("mark", "cc", "advcl", "acl:relcl", "conj", "ccomp", "parataxis"))
_INNER_TAGS = frozenset(("WDT", "WP", "WRB", "TO", "CC", "MD", "VBG", "VBN"))
# Functions of what is a clause of its own, and of what stands beside the clause.
_CLAUSES = ("root", "advcl", "acl", "ccomp", "csubj", "xcomp", "conj", "parataxis")
_BESIDE = ("appos", "list", "reparandum", "vocative")


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
    atoms: dict[str, list[int]] = {}
    numbers: dict[str, list[int]] = {}
    lemmas: list[frozenset[str]] = []
    bags: list[list[int]] = []
    sentences = paragraphs = 0
    for number, text in enumerate(texts):
        before = len(lemmas)
        edus = text.edus()
        first = [start for start, _ in edus]
        heads = [head_token(text, start, end) for start, end in edus]
        for name, column in _columns(text, edus, heads).items():
            atoms.setdefault(name, []).extend(map(hash_of, column))
        governor = governing_edus(text, edus, heads)
        host = hosts(text, heads, governor)
        here = {
            "document": [number] * len(edus),
            "sentence": [sentences + text.sentences[at] for at in first],
            "paragraph": [paragraphs + text.paragraphs[at] for at in first],
            "governor": _shifted(governor, before),
            "host": _shifted(host, before),
            "clause_governor": _shifted(clause_governors(governor, host), before),
        }
        for name, values in here.items():
            numbers.setdefault(name, []).extend(values)
        lemmas += [_content(text, start, end) for start, end in edus]
        bags += [_bag(text, start, end) for start, end in edus]
        sentences = here["sentence"][-1] + 1
        paragraphs = here["paragraph"][-1] + 1
    return EduTable(
        {name: np.array(column, np.uint64) for name, column in atoms.items()},
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
    bag = [hash_of(lemma) for lemma in list(known)[:BAG]]
    return bag + [NOTHING] * (BAG - len(bag))


def _content(text: TokenText, start: int, end: int) -> frozenset[str]:
    return frozenset(
        lemma
        for lemma in text.lemmas[start:end]
        if len(lemma) > 2 and lemma.lower() not in CLOSED_CLASS and lemma[0].isalpha()
    )


def _atoms(text: TokenText, start: int, end: int, head: int) -> dict[str, str]:
    """What is seen of one EDU without looking around."""
    words = [form.lower() for form in text.forms[start:end]]
    tags = text.tags[start:end]
    if not text.has_tags:
        tags = [shape(form) for form in text.forms[start:end]]
    verbs = [tag for tag in tags if tag.startswith(_VERBS)]
    at = 0
    while at < len(words) - 1 and words[at][:1] in _OPENING:
        at += 1
    joined = connective(words, at)
    if joined in _BEFORE_MORE:
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
        "say": next((lem for lem in text.lemmas[start:end] if lem in SAYING), ""),
        "verb": " ".join(verbs[:2]),
        "finite": str(not _FINITE.isdisjoint(verbs)),
    }
    if text.has_syntax:
        return atoms | _of_syntax(text, start, end, head)
    return atoms | _without_syntax(words, text.lemmas[start:end], tags, at)


def _of_syntax(text: TokenText, start: int, end: int, head: int) -> dict[str, str]:
    governor = text.governors[head]
    functions = text.functions[start:end]
    subjects = (
        text.lemmas[at].lower()
        for at, function in enumerate(functions, start)
        if function.startswith("nsubj")
    )
    return {
        "hw": text.lemmas[head],
        "ht": text.tags[head],
        "hf": text.functions[head],
        "gt": "" if governor < 0 else text.tags[governor],
        "gw": "" if governor < 0 else text.lemmas[governor],
        "side": "" if governor < 0 else "left" if governor < head else "right",
        "subj": next(subjects, ""),
        "inner": " ".join(sorted({f for f in functions if f in _INNER})),
    }


def _without_syntax(
    words: Sequence[str], lemmas: Sequence[str], tags: Sequence[str], at: int
) -> dict[str, str]:
    """What may stand for syntax: the first verb as head, what it begins with.

    at: the first word after what opens a quotation.
    """
    verbs = [place for place, tag in enumerate(tags) if tag.startswith(_VERBS)]
    nouns = [place for place, tag in enumerate(tags) if tag.startswith(_NOUNS)]
    # Of verbs that only adverbs part, the last is the main one: "has not yet left".
    main = verbs[0] if verbs else -1
    for verb in verbs[1:]:
        if all(tag.startswith(_ADVERBS) for tag in tags[main + 1 : verb]):
            main = verb
    head = main if verbs else nouns[-1] if nouns else -1
    subject = " noun" if verbs and nouns and nouns[0] < verbs[0] else ""
    pronoun = next((words[at] for at, tag in enumerate(tags) if tag == "PRP"), "")
    closed = [word for word in words if word in CLOSED_CLASS]
    lead = f"CC {_get(tags, at + 1)}" if tags[at] == "CC" else tags[at]
    first = tags[verbs[0]] if verbs else ""
    return {
        "hw": lemmas[head] if head >= 0 else "",
        "ht": tags[main] if verbs else "",
        "hf": f"{lead} {first}{subject}",
        "gt": _get(closed, 0),
        "gw": _get(closed, 1),
        "side": first,
        "subj": pronoun,
        "inner": " ".join(sorted(_INNER_TAGS.intersection(tags))),
    }


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
    # A sentence belongs to the paragraph that it begins in.
    paragraph_of = dict(zip(reversed(sentence), reversed(paragraph), strict=True))
    sentences = sorted(paragraph_of)
    ranks = _ranks([paragraph_of[number] for number in sentences])
    in_paragraph = dict(zip(sentences, ranks, strict=True))
    places = []
    for at, (start, end) in enumerate(edus):
        s_first, s_last = in_sentence[at]
        p_first, p_last = in_paragraph[sentence[at]]
        d_first, d_last = paragraph[at] - paragraph[0], paragraph[-1] - paragraph[at]
        is_plain = text.forms[end - 1][-1:].isalnum()
        is_alone = p_first == p_last == 0
        places.append(
            {
                "ps": f"{min(s_first, 3)} {min(s_last, 3)}",
                "pp": f"{min(p_first, 3)} {min(p_last, 3)}",
                "pd": f"{min(d_first, 3)} {min(d_last, 3)}",
                "part": str(4 * at // len(edus)),
                "heading": str(is_alone and s_last == 0 and is_plain),
                "turn": _turn(text, start),
                "speaker": text.speakers[start],
            }
        )
    return places


def _turn(text: TokenText, start: int) -> str:
    """Whether another speaks than just before."""
    if not text.speakers[start]:
        return ""
    if not start:
        return "first"
    return str(text.speakers[start] != text.speakers[start - 1])


def _ranks(keys: Sequence[int]) -> list[tuple[int, int]]:
    """For each item, how many of its group come before it and how many after."""
    ranks: list[tuple[int, int]] = []
    for _, group in groupby(keys):
        size = len(list(group))
        ranks += [(at, size - 1 - at) for at in range(size)]
    return ranks


def _columns(
    text: TokenText, edus: Sequence[tuple[int, int]], heads: Sequence[int]
) -> dict[str, list[str]]:
    columns: dict[str, list[str]] = {}
    for (start, end), head, place in zip(edus, heads, _places(text, edus), strict=True):
        for name, value in (_atoms(text, start, end, head) | place).items():
            columns.setdefault(name, []).append(value)
    for name in _SEEN_AROUND:
        column = columns[name]
        columns[f"{name}<"] = ["^", *column[:-1]]
        columns[f"{name}>"] = [*column[1:], "$"]
    return columns


# -- the syntax of EDUs: heads, governors, and the clauses that they are parts of ------


def head_token(text: TokenText, start: int, end: int) -> int:
    """The token that no other of the EDU governs, and that is highest in its tree."""
    best, best_depth = start, 1 << 30
    if not text.has_syntax:
        return best
    for at in range(start, end):
        if start <= text.governors[at] < end:
            continue
        depth = text.depth(at)
        if text.functions[at] == "punct":
            depth += 100
        if depth < best_depth:
            best, best_depth = at, depth
    return best


def governing_edus(
    text: TokenText, edus: Sequence[tuple[int, int]], heads: Sequence[int]
) -> list[int]:
    """The EDU that the head of each depends on, -1 if there is none."""
    if not text.has_syntax:
        return [-1] * len(edus)
    edu_of = np.repeat(np.arange(len(edus)), [end - start for start, end in edus])
    governors = [text.governors[head] for head in heads]
    return [-1 if at == NO_GOVERNOR else int(edu_of[at]) for at in governors]


def hosts(text: TokenText, heads: Sequence[int], governors: Sequence[int]) -> list[int]:
    """The EDU in which the clause of each EDU begins: itself, or one before it.

    What interrupts a clause parts it into several EDUs, which discourse joins again
    (same-unit), and the first of them stands for all: "The man | who came | left".
    """
    host = list(range(len(heads)))
    if not text.has_syntax:
        return host
    for edu, head in enumerate(heads):
        above = governors[edu]
        if above < 0 or text.functions[head].startswith(_CLAUSES + _BESIDE):
            continue
        if above > edu + 1:
            if host[above] == above:
                host[above] = host[edu]
        elif above < edu - 1:
            host[edu] = host[above]
    return host


def clause_governors(governors: Sequence[int], host: Sequence[int]) -> list[int]:
    """By the first EDU of a clause, that of the clause that governs it, or -1.

    >>> clause_governors([2, 0, -1, 2], [0, 1, 0, 3])  # The man | who came | left | …
    [-1, 0, -1, 0]
    """
    clause_governor = [-1] * len(host)
    for edu in reversed(range(len(host))):
        above = governors[edu]
        if above >= 0 and host[above] != host[edu]:
            clause_governor[host[edu]] = host[above]
    return clause_governor
