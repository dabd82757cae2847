"""Commands that are given TIGER-XML."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.support.command import Ran, spinal
from tests.support.tiger_xml import SEEN, SEEN_IN_BRACKETS, YES, corpus, sentence, words


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.xml"
    path.write_text(corpus(SEEN, YES), "utf-8")
    return path


@pytest.fixture
def parsed(tmp_path: Path) -> Path:
    path = tmp_path / "parsed.mrg"
    path.write_text(f"{SEEN_IN_BRACKETS}\n(ROOT (PTKANT Ja))\n")
    return path


def said(ran: Ran) -> str:
    assert "Traceback" not in ran.err
    return ran.err


def test_commands_read_it_and_warn(gold: Path, parsed: Path) -> None:
    for arguments in (
        ("score", gold, parsed),
        ("evalb", gold, parsed),
        ("errors", gold, parsed),
        ("agree", gold, parsed),
        ("derive", gold, parsed, "1"),
        ("compare", gold, f"a={parsed}", f"b={parsed}"),
        ("show", gold),
        ("kernel", gold, parsed),
        ("patterns", "check", gold),
    ):
        ran = spinal(*arguments)
        assert ran.code in (0, 1), ran.err
        warning = f"spinal: {gold}: 1 of 2 trees has crossing branches, resolved by"
        assert said(ran).count(warning) == 1, arguments


def test_scores_are_those_of_the_brackets(gold: Path, parsed: Path) -> None:
    quiet = spinal("evalb", gold, parsed, "-q")
    assert "scored 2 of 2 sentences" in quiet.out
    assert "F1                  100.00" in quiet.out
    assert quiet.err == ""
    assert f"  {gold.name}:2:" in spinal("check", gold, "-q").out


def test_compressed_directories_and_globs(gold: Path, parsed: Path) -> None:
    packed = gold.with_name("gold.xml.gz")
    packed.write_bytes(gzip.compress(gold.read_bytes()))
    assert "scored 2 of 2" in spinal("evalb", packed, parsed, "-q").out
    folder = gold.parent / "bank"
    folder.mkdir()
    (folder / "part.xml").write_bytes(gold.read_bytes())
    (folder / "page.xml").write_text("<?xml version='1.0'?><html/>")
    assert "scored 2 of 2" in spinal("evalb", folder, parsed, "-q").out
    pattern = f"{gold.parent}/bank/p*t.xml"
    assert "scored 2 of 2" in spinal("score", pattern, parsed, "-q").out


def test_bad_sentences_are_left_out_or_stop(tmp_path: Path, parsed: Path) -> None:
    path = tmp_path / "bad.xml"
    path.write_text(corpus(sentence(words("a/A"), "p9"), YES))
    ran = spinal("evalb", path, parsed)
    assert "scored 1 of 2 sentences; 1 left out: 1 malformed gold" in ran.out
    assert f"{path}:2: sentence 1 (s1): the root p9 does not exist" in said(ran)
    stopped = spinal("evalb", path, parsed, "--strict")
    assert stopped.code == 2
    assert "the root p9 does not exist" in said(stopped)


RS3 = """<?xml version="1.0"?>
<rst><header><relations><rel name="reason" type="rst"/></relations></header><body>
<segment id="1" parent="3" relname="span">He left</segment>
<segment id="2" parent="1" relname="reason">because it rained.</segment>
<group id="3" type="span"/></body></rst>
"""


def test_discourse_trees_are_still_told_from_syntax(tmp_path: Path, gold: Path) -> None:
    document = tmp_path / "a.rs3"
    document.write_text(RS3)
    assert "contains discourse trees" in spinal("score", document, document).err
    assert spinal("rst", "score", document, document, "-q").code == 0
    shown = spinal("show", document)
    assert shown.code == 2
    assert "is XML, but not TIGER-XML: expected <corpus>, found <rst>" in shown.err
    refused = spinal("rst", "score", gold, gold)
    assert refused.code == 2
    assert f"{gold}:1: an unknown format" in refused.err


def test_other_xml_given_to_score(tmp_path: Path, parsed: Path) -> None:
    path = tmp_path / "page.xml"
    path.write_text("<?xml version='1.0'?>\n<html/>")
    ran = spinal("score", path, parsed)
    assert ran.code == 2
    assert f"{path}:2: is XML, but not TIGER-XML" in said(ran)
