"""A word between the same neighbours that is tagged differently."""

from __future__ import annotations

from analyzer.checks.contrast import contrast, finding_of
from analyzer.checks.findings import Finding, ranked, without_overlap
from analyzer.checks.variation import groups_that_vary, pair_name
from analyzer.checks.word_stream import WordStream
from analyzer.model.symbols import SYMBOLS


def check_tags(stream: WordStream) -> list[Finding]:
    """T501. One word is nucleus enough: longer ones hold the same variation."""
    found = []
    tag = stream.bank.label[stream.bank.leaf_node[stream.kept]].astype("int64")
    for repeats in stream.repeats(longest=1):
        for at, values in groups_that_vary(repeats, tag[stream.word_at[repeats.at]]):
            one = finding_of(
                stream,
                contrast(1, at, [SYMBOLS.name(value) for value in values]),
                code="T501",
                group=lambda names: pair_name("tag", names),
            )
            found.append(one)
    return without_overlap(ranked(found))
