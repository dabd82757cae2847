"""What a parser learns from: trees with their tokens, with syntax and without."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from analyzer.exceptions import AnalyzerError
from analyzer.formats.registry import write_rst
from analyzer.model.discourse import Documents, Unit
from analyzer.rst_parser.inputs import Syntax, TextSource, edu_texts
from analyzer.rst_parser.tagging import TagModel, tagged
from analyzer.rst_parser.tokens import TokenText

# Texts with tags and dependencies, and texts that are words alone.
WITH_SYNTAX, WORDS = "syntax", "words"


class GoldDocument(NamedTuple):
    """A text with its EDUs, and its tree."""

    text: TokenText
    root: Unit


def gold_documents(
    documents: Documents,
    syntax: TextSource | None,
    problems: list[AnalyzerError],
    encoding: str = "utf-8",
) -> list[GoldDocument]:
    """Trees with their tokens; those whose tokens do not match are problems."""
    beside = Syntax(syntax, encoding)
    found = []
    for name, root in documents:
        try:
            text = beside.over(name, edu_texts(root))
        except AnalyzerError as error:
            problems.append(error)
            continue
        found.append(GoldDocument(text, root))
    return found


def as_words(text: TokenText, tagger: TagModel | None) -> TokenText:
    """A text as if nobody had parsed it, with guessed tags if there is a tagger."""
    if tagger is not None:
        return tagged(tagger, text)
    return text.without_syntax() if text.has_syntax else text


def by_kind(
    gold: Sequence[GoldDocument], tagger: TagModel | None
) -> dict[str, list[GoldDocument]]:
    """What each view is trained on: words are what every document has.

    Of documents whose words are masked (GUM's from Reddit), only the syntax is used.
    """
    with_syntax = [one for one in gold if one.text.has_syntax]
    readable = [one for one in gold if not one.text.is_masked] or gold
    words = [GoldDocument(as_words(one.text, tagger), one.root) for one in readable]
    return {**({WITH_SYNTAX: with_syntax} if with_syntax else {}), WORDS: words}


def corpus_facts(gold: Sequence[GoldDocument], documents: Documents) -> dict[str, Any]:
    """What a model says of the corpus that it was trained on."""
    found = hashlib.sha256()
    for one in gold:
        tree = write_rst(one.root, "dis", name=one.text.name)
        found.update(f"{one.text.name}\n{tree}\n".encode())
    return {
        "source": Path(documents.bank.source).name,
        "documents": len(gold),
        "edus": sum(len(one.text.edus()) for one in gold),
        "tokens": sum(len(one.text) for one in gold),
        "with_syntax": sum(one.text.has_syntax for one in gold),
        "sha256": found.hexdigest(),
    }
