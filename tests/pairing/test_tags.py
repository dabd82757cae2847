"""Words without tags: constructions are refused, or told by the other side's tags."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from analyzer import ConstructionMetric, agree, evalb, read_trees, score
from analyzer.exceptions import SettingsError, UntaggedError
from analyzer.formats.penn import reader as penn
from analyzer.pairing.tags import has_no_labels, has_no_tags, with_tags_of
from tests.support.command import spinal
from tests.support.data_paths import SHARED, WEB_PAIR, needs_shared_data
from tests.support.examples import some
from tests.support.strategies import pair_lists, pair_texts

GOLD = "(S (NP (DT the) (NN cat)) (, ,) (VP (VBD sat)) (. ?))\n"
BARE = "(S (NP the cat) , (VP sat) ?)\n"
UNLABELLED = "((the cat) sat)\n"
_LEAF = re.compile(r"\([^\s()]+ ([^\s()]+)\)")


@pytest.fixture(name="files")
def _files(tmp_path: Path) -> tuple[Path, Path]:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.txt"
    gold.write_text(GOLD)
    parsed.write_text(BARE)
    return gold, parsed


def test_marks_are_deleted_as_in_trees_with_tags() -> None:
    """`?` has the tag of a full stop, so that both sides have the same words left."""
    bare = read_trees(BARE, grammar="untagged")
    assert str(bare[0]) == "(S (NP ( the) ( cat)) (, ,) (VP ( sat)) (. ?))"
    counts = evalb(GOLD, bare).summary
    assert (counts.matched, counts.gold, counts.test) == (3, 3, 3)
    assert counts.tagging_accuracy is None  # nobody said what the tags are


def test_what_has_no_tags_and_what_has_no_labels() -> None:
    bare = read_trees(BARE, grammar="untagged")
    nothing = read_trees(UNLABELLED, grammar="unlabelled")
    assert [has_no_tags(one) for one in (bare, nothing, read_trees(GOLD))] == [
        *(True, True, False)
    ]
    assert [has_no_labels(one) for one in (bare, nothing, read_trees(GOLD))] == [
        *(False, True, False)
    ]
    assert not has_no_labels(read_trees("( (NN a))"))  # a root, as Penn has it


def test_tags_are_those_of_the_same_words() -> None:
    gold = read_trees("(S (NP (-NONE- *)) (DT the) (NN cat) (, ,) (VBD sat) (CC sat))")
    bare = read_trees("((the cat) (sat sat))", grammar="unlabelled")
    tagged = with_tags_of(gold, bare, frozenset({"-NONE-"}))
    assert str(tagged[0]) == "( ( (DT the) (NN cat)) ( (VBD sat) (CC sat)))"
    other = with_tags_of(gold, read_trees("((a cat) sat)", grammar="unlabelled"))
    assert str(other[0]) == "( ( ( a) (NN cat)) (VBD sat))"


def test_constructions_are_refused_without_tags() -> None:
    bare = read_trees(BARE, grammar="untagged")
    with pytest.raises(UntaggedError, match='tags="gold"') as told:
        score(GOLD, bare)
    assert told.value.code == "E471"
    with pytest.raises(UntaggedError, match="nor have those of the other side"):
        score(bare, bare)
    with pytest.raises(UntaggedError, match="brackets have no labels"):
        score(GOLD, read_trees(UNLABELLED, grammar="unlabelled"), tags="gold")
    with pytest.raises(SettingsError, match="no side to take tags from 'both'"):
        score(GOLD, bare, tags="both")


def test_an_input_is_judged_by_all_its_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last block has one word, without a tag; the file has tags."""
    monkeypatch.setattr(penn, "BLOCK_BYTES", 2000)
    for odd in ("( well)\n", "(S ( well))\n"):
        trees = GOLD * 100 + odd
        found = score(trees, trees)
        assert found.ledger.scored == 101
        assert found.signature.get("tags") is None
        counts = evalb(trees, trees).summary
        assert (counts.tagging_accuracy, counts.words) == (1.0, 100 * 3 + 1)
        # Words that have no tags cannot have the right one.
        untagged = evalb(trees, GOLD * 100 + "(S (UH well))\n").summary
        assert untagged.correct_tags == 300
        assert agree(trees, trees).total.f_s == 1
        metric = ConstructionMetric()
        metric.update([GOLD], [GOLD])
        _ = metric.compute()
        metric.update([odd], [odd])
        assert metric.compute().ledger.scored == 2
    bare = BARE * 200
    for gold, parsed in ((GOLD * 200, bare), (bare, GOLD * 200), (bare, bare)):
        for scores in (score, agree):
            with pytest.raises(UntaggedError):
                scores(gold, parsed, grammar=None)
    assert evalb(GOLD * 200, bare).summary.tagging_accuracy is None


def test_tags_of_the_other_side_if_asked_for() -> None:
    bare = read_trees(BARE, grammar="untagged")
    result = score(GOLD, bare, tags="gold")
    assert result.total == score(GOLD, GOLD).total
    assert result.signature.get("tags") == "gold"
    assert score(bare, GOLD, tags="parsed").total == result.total
    assert evalb(GOLD, bare, tags="gold").signature.get("tags") == "gold"


@given(pair_lists())
@settings(max_examples=some(40))
def test_trees_whose_tags_were_taken_away_score_as_before(pairs: list) -> None:
    gold, parsed = (read_trees(text) for text in pair_texts(pairs))
    if any(map(has_no_labels, (gold, parsed))) or has_no_tags(gold):
        return
    same_tags = with_tags_of(gold, parsed, frozenset({"-NONE-"}))
    assert score(gold, parsed, tags="gold").tally == score(gold, same_tags).tally


def test_the_command_refuses_and_shows_brackets(files: tuple[Path, Path]) -> None:
    ran = spinal("score", *files)
    assert ran.code == 2
    assert "so constructions cannot be recognised; --tags gold" in ran.err
    assert "Bracket scores, evalb with collins" in ran.out
    found = json.loads(spinal("score", *files, "--format", "json").out)
    assert found["summary"]["matched"] == 3
    assert "constructions" not in found
    tagged = spinal("score", *files, "--tags", "gold")
    assert tagged.code == 0
    assert "|tags:gold|" in tagged.out


def test_other_commands_refuse(files: tuple[Path, Path]) -> None:
    for command in (["errors"], ["breakdown", "--by", "length"], ["instances"]):
        ran = spinal(*command, *files)
        assert (ran.code, ran.out) == (2, ""), command
        assert "--tags gold" in ran.err
        assert spinal(*command, *files, "--tags", "gold").code == 0, command


def test_a_sample_without_its_tags(tmp_path: Path) -> None:
    bare = tmp_path / "bare.txt"
    text = Path(WEB_PAIR[1]).read_text("utf-8")
    bare.write_text(_LEAF.sub(r"\1", text))
    gold = read_trees(WEB_PAIR[0])
    with_tags = with_tags_of(gold, read_trees(WEB_PAIR[1]), frozenset({"-NONE-"}))
    found = score(WEB_PAIR[0], bare, tags="gold")
    assert found.total == score(gold, with_tags).total
    in_processes = score(WEB_PAIR[0], bare, tags="gold", jobs=2)
    assert in_processes.total == found.total


@needs_shared_data
def test_real_trees_without_tags() -> None:
    folder = SHARED / "syntax_more" / "robustness"
    gold, parsed = folder / "untagged.gold.txt", folder / "untagged.benepar.txt"
    with pytest.warns(match="words have no tags"):
        found = evalb(gold, parsed).summary
    assert (found.matched, found.gold, found.test) == (93, 116, 118)
    with pytest.warns(match="words have no tags"):
        constructions = score(gold, parsed, tags="parsed")
    assert constructions.tally.evalb.matched == 93
    assert constructions.tally.gold_coverage == (116, 116)
