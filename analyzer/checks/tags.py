"""The same word between the same neighbours, tagged differently."""

from __future__ import annotations

from analyzer.checks.contrast import contrast, finding_of
from analyzer.checks.findings import Finding, ranked, without_overlap
from analyzer.checks.variation import groups_that_vary, pair_name
from analyzer.checks.word_stream import Corpus
from analyzer.model.symbols import SYMBOLS


def check_tags(corpus: Corpus) -> list[Finding]:
    """T501. One word is nucleus enough: longer ones hold the same variation."""
    found = []
    tag = corpus.bank.label[corpus.bank.leaf_node[corpus.kept]].astype("int64")
    for repeats in corpus.repeats(longest=1):
        for at, values in groups_that_vary(repeats, tag[corpus.word_at[repeats.at]]):
            one = finding_of(
                corpus,
                contrast(1, at, [SYMBOLS.name(value) for value in values]),
                code="T501",
                kind="tag",
                group=lambda names: pair_name("tag", names),
            )
            found.append(one)
    return without_overlap(ranked(found))
