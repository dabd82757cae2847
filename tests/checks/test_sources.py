"""Places in files: every word is found where it stands, however a file is written."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings

from analyzer.checks.findings import LeafSpan
from analyzer.checks.sources import Sources
from analyzer.checks.word_stream import WordStream
from analyzer.formats.reading import read_trees
from tests.support.strategies import Dialect, Plain, banks, dialects


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(banks(), dialects())
def test_a_place_leads_to_its_word(
    tmp_path: Path, trees: list[Plain], dialect: Dialect
) -> None:
    path = tmp_path / "bank.mrg"
    data = dialect.file(trees)
    path.write_bytes(data)
    bank = read_trees(str(path))
    sources = Sources(WordStream.of([bank]))
    text = data.decode("utf-8")
    lines = data.decode("utf-8-sig").split("\n")
    for tree in bank:
        for at, word in enumerate(tree.words):
            if not word:
                continue
            place = sources.location(LeafSpan(tree.index, at, at + 1))
            assert place.words == word
            assert place.first_line is not None
            assert place.first_column is not None
            assert place.last_column is not None
            assert text[place.file_start : place.file_end] == word
            line = lines[place.first_line - 1]
            assert line[place.first_column - 1 : place.last_column - 1] == word
