"""Dependencies between words, in CoNLL-U: as sentences that trees can be laid beside.

A sentence is a flat tree of its tokens as they are written, so that it can be paired by
text and aligned by characters; the words of a token that stands for several (`du`: *de*
and *le*) are all at its place. Words that are not written (`8.1`) are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from analyzer.exceptions import InputError, Place
from analyzer.files.inputs import Input
from analyzer.formats.documents import file_text
from analyzer.model.treebank import Treebank, TreebankBuilder

NO_GOVERNOR = -1  # of the root of a sentence
_COLUMNS = 10
DependencySource = str | Path | Sequence[str | Path]


class DependentWord(NamedTuple):
    """A word of a sentence: which token it is in, its governor, its relation, and its
    part of speech."""

    token: int
    governor: int  # a word of the same sentence, or NO_GOVERNOR
    relation: str
    part_of_speech: str = "_"  # UPOS


class Dependencies(NamedTuple):
    """Sentences of files: flat trees of tokens; and the words of each sentence."""

    banks: list[Treebank]
    words: list[list[list[DependentWord]]]


def read_dependencies(text: str, source: str = "<text>") -> Dependencies:
    """The sentences of a CoNLL-U text.

    >>> row = "\\t".join("{} {} _ _ NN _ {} {} _ _".split())
    >>> text = "\\n".join(
    ...     row.format(*columns)
    ...     for columns in [("1-2", "du", "_", "_"), (1, "de", 3, "case")]
    ...     + [(2, "le", 3, "det"), (3, "pain", 0, "root")]
    ... )
    >>> read = read_dependencies(text)
    >>> read.banks[0][0].words, [word.token for word in read.words[0][0]]
    (['du', 'pain'], [0, 0, 1])
    """
    builder = TreebankBuilder(source)
    sentences: list[list[DependentWord]] = []
    rows: list[tuple[int, list[str]]] = []
    name = ""
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.startswith("#"):
            kind, _, value = line[1:].partition("=")
            name = value.strip() if kind.strip() == "sent_id" else name
            continue
        if line.strip():
            rows.append((number, conllu_columns(line, Place(source, number))))
        elif rows:
            sentences.append(_sentence(rows, builder, source))
            builder.end_tree(rows[0][0], id=name)
            rows, name = [], ""
    if not sentences:
        raise InputError("E150 contains no tokens", Place(source))
    return Dependencies([builder.finish()], [sentences])


def _sentence(
    rows: Iterable[tuple[int, list[str]]], builder: TreebankBuilder, source: str
) -> list[DependentWord]:
    """The words of a sentence; its tokens go to the builder."""
    places: dict[str, int] = {}
    words: list[tuple[int, str, str, str, int]] = []
    tokens: list[tuple[str, str]] = []
    last, written = 0, ""  # of a token that stands for several words
    for line, (number, form, _, coarse, tag, _, head, relation, _, _) in rows:
        if "." in number:
            continue
        if "-" in number:
            last, written = int(number.rpartition("-")[2]), form
            tokens.append((tag, form))
            continue
        if not number.isdecimal():
            place = Place(source, line)
            raise InputError("E630 is no number of a word", place, found=number[:20])
        if int(number) > last:
            tokens.append((coarse if tag == "_" else tag, form))
        elif written.startswith(form) and len(written) > len(form):
            # The words as they are written: `that's` is *that* and *'s*.
            tokens[-1:] = [(tag, form), (tag, written := written[len(form) :])]
            places[number] = len(words)
            words.append((len(tokens) - 2, head, relation, coarse, line))
            continue
        places[number] = len(words)
        words.append((len(tokens) - 1, head, relation, coarse, line))
    builder.open("")
    for tag, form in tokens:
        builder.leaf(tag, form)
    builder.close()
    return [
        DependentWord(
            token, governor_of(head, places, Place(source, line)), relation, coarse
        )
        for token, head, relation, coarse, line in words
    ]


def conllu_columns(line: str, place: Place) -> list[str]:
    """The columns of a line of CoNLL-U; InputError if they are not ten."""
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        raise InputError("E151 expected 10", place, count=len(columns))
    return columns


def governor_of(head: str, places: Mapping[str, int], place: Place) -> int:
    """The place of the token that a head names; NO_GOVERNOR of the root."""
    if head not in places and head not in ("0", "_"):
        raise InputError("E152 no token of the sentence", place, head=head[:20])
    return places.get(head, NO_GOVERNOR)


def open_dependencies(
    given: DependencySource, *, encoding: str = "utf-8"
) -> Dependencies:
    """The sentences of files, folders, globs; of a text, if it has several lines."""
    if isinstance(given, str) and "\n" in given:
        return read_dependencies(given)
    several = [given] if isinstance(given, str | Path) else given
    opened = Input.of_paths(several, encoding=encoding)
    files = opened.files
    if opened.is_folder:  # beside other annotation of the same documents
        files = [file for file in files if file.name.endswith((".conllu", ".conll"))]
    parts = [read_dependencies(file_text(file), file.name) for file in files]
    if not parts:
        raise InputError("E631 no dependencies", Place(opened.name))
    return Dependencies(
        [bank for part in parts for bank in part.banks],
        [block for part in parts for block in part.words],
    )
