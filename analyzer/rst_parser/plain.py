"""Raw text as tokens: paragraphs, sentences and words by rules.

Blank lines part paragraphs. A sentence ends at . ! ? … with what closes it, before a
word that can begin one, if the word before the stop is no known abbreviation or single
letter; and at the end of a paragraph. Words are split as in the Penn Treebank and GUM:
clitics and hyphens apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate

from analyzer.rst_parser.tokens import NO_GOVERNOR, UNKNOWN, TokenText
from analyzer.rst_parser.words import abbreviations

_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*")
_CLITICS = "s|re|ve|ll|d|m"
_STOPS = frozenset((".", "!", "?", "…", "...", "。", "！", "？"))
_CLOSING = frozenset("\"'”’)]}»")
_MARKUP = re.compile(r"\s*<(?P<what>[PsS])>\s*$")  # how RST-DT ends paragraphs


@cache
def _token() -> re.Pattern[str]:
    known = "|".join(sorted(map(re.escape, abbreviations()), reverse=True))
    return re.compile(
        r"https?://\S+|www\.\S+|[\w.+-]+@[\w-]+\.[\w.]+"
        rf"|\b(?:{known})\.(?!\w)"  # Dr.
        r"|\w+(?=n['’]t\b)|n['’]t\b"  # do n't
        rf"|['’](?:{_CLITICS})\b"
        r"|(?:[A-Za-z]\.){2,}"  # U.S.
        r"|\d+(?:[.,:]\d+)*"
        r"|\.{2,}|--+|\w+|[^\w\s]",
        re.IGNORECASE,
    )


def tokenize(text: str) -> list[tuple[str, bool]]:
    """Words, and whether white space follows each.

    >>> [word for word, _ in tokenize("Don't re-use it: U.S. law, 3.5%.")]
    ['Do', "n't", 're', '-', 'use', 'it', ':', 'U.S.', 'law', ',', '3.5', '%', '.']
    """
    found = []
    for match in _token().finditer(text):
        end = match.end()
        found.append((match[0], end == len(text) or text[end].isspace()))
    return found


def read_plain(text: str, name: str = "") -> TokenText:
    """A raw text as tokens in sentences and paragraphs."""
    words: list[tuple[str, bool]] = []
    sentences: list[int] = []
    paragraphs: list[int] = []
    sentence = -1
    for number, paragraph in enumerate(_paragraphs(text)):
        here = tokenize(paragraph)
        begins = set(sentence_starts([word for word, _ in here]))
        for at, word in enumerate(here):
            sentence += at in begins
            words.append(word)
            sentences.append(sentence)
            paragraphs.append(number)
    return _text(words, sentences, paragraphs, None, name)


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in _PARAGRAPH.split(text.replace("\r\n", "\n")):
        if _token().search(paragraph):
            yield paragraph


def sentence_starts(words: Sequence[str]) -> list[int]:
    """Where the sentences of a paragraph begin.

    >>> sentence_starts("Mr. Li left . He was “ tired . ” So ?".split())
    [0, 4, 10]
    """
    starts = [0] if words else []
    at = 0
    while at < len(words):
        if words[at] not in _STOPS and not _is_ending(words[at]):
            at += 1
            continue
        is_sure = words[at] != "." or not _is_short(words[at - 1] if at else "")
        at += 1
        while at < len(words) and (words[at] in _STOPS or words[at] in _CLOSING):
            at += 1
        if at < len(words) and is_sure and _can_begin(words[at]):
            starts.append(at)
    return starts


def _is_ending(word: str) -> bool:
    """Whether a word may end a sentence with its own stop."""
    return word.lower() in ("etc.", "p.m.", "a.m.", "inc.", "jr.", "al.")


def _is_short(word: str) -> bool:
    """Whether a stop after the word belongs to it."""
    return word.lower() in abbreviations() or (len(word) == 1 and word.isupper())


def _can_begin(word: str) -> bool:
    return not word[0].islower() and word not in (",", ";", ":", "-", "–")


def of_edus(edus: Sequence[str], name: str = "") -> TokenText:
    """EDUs as tokens. A sentence ends where an EDU ends as one; `<P>` ends a paragraph.

    >>> text = of_edus(["He left", "because it rained.", "We stayed."])
    >>> text.edu_starts, sorted(set(text.sentences))
    ([0, 2, 6], [0, 1])
    """
    words: list[tuple[str, bool]] = []
    sentences: list[int] = []
    paragraphs: list[int] = []
    sizes = []
    sentence = paragraph = 0
    for at, edu in enumerate(edus):
        marked = _MARKUP.search(edu)
        here = tokenize(_MARKUP.sub("", edu)) or [(edu.strip() or UNKNOWN, True)]
        here[-1] = here[-1][0], True
        words += here
        sizes.append(len(here))
        sentences += [sentence] * len(here)
        paragraphs += [paragraph] * len(here)
        following = edus[at + 1].strip() if at + 1 < len(edus) else ""
        last = [word for word, _ in here if word not in _CLOSING] or [""]
        is_stop = last[-1] in _STOPS or _is_ending(last[-1])
        can_follow = not following or _can_begin(following.lstrip("\"'“‘([") or "X")
        if marked or (is_stop and can_follow):
            sentence += 1
        if marked and marked["what"] == "P":
            paragraph += 1
    starts = [0, *accumulate(sizes)][:-1]
    return _text(words, sentences, paragraphs, starts, name)


def _text(
    words: Sequence[tuple[str, bool]],
    sentences: Sequence[int],
    paragraphs: Sequence[int],
    starts: Sequence[int] | None,
    name: str,
) -> TokenText:
    forms = [word for word, _ in words]
    return TokenText(
        forms,
        [form.lower() for form in forms],
        [UNKNOWN] * len(forms),
        [NO_GOVERNOR] * len(forms),
        [UNKNOWN] * len(forms),
        sentences,
        paragraphs,
        [""] * len(forms),
        [has_space for _, has_space in words],
        starts,
        has_syntax=False,
        name=name,
    )
