"""Answers of language models: in records, in lists; each is one sentence."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import analyzer
from analyzer import InputError, PairingError, SettingsError, read_trees, score
from analyzer.formats.answers import read_answers
from analyzer.formats.blocks import Fields
from analyzer.pairing.ledger import Reason
from tests.support.data_paths import SHARED
from tests.support.examples import some

TREE = "(S (NP (PRP I)) (VP (VBP see)))"
# Whatever a model may say.
ANSWERS = [
    TREE,
    "",
    " \n\n",
    "I cannot help with that.",
    "sorry :(",
    f"Here is the parse: {TREE}",
    f"```lisp\n{TREE}\n```",
    f"<think>\n\n(S (X y))?\n\n</think>\n\n{TREE}",
    "<think>hmm, (S (NP",
    f"`{TREE}` or\n\n`{TREE[:-1]}`",
    f"{TREE}\n\n{TREE}",
    "(S (NP (PRP I)) (VP (VB",
    "[S [NP [PRP I]] [VP [VBP see]]]",
    "# A heading\n(S (NN a))",
    "/~* a comment\n*~/",
    '<?xml version="1.0"?><corpus/>',
    "#BOS 1\n#EOS 1",
    '{"response": "(X x)"}',
    "(S (NN big cat))",
    "(()",
    "README.md",
    "(X " * 40_000,
]
pytestmark = pytest.mark.filterwarnings("ignore")


@given(
    st.lists(st.sampled_from(ANSWERS) | st.text(max_size=30), min_size=1, max_size=8),
    st.booleans(),
)
@settings(max_examples=some(60))
def test_as_many_sentences_as_answers_whatever_stands_in_them(
    answers: list[str], mend: bool
) -> None:
    assert len(read_trees(answers, mend=mend)) == len(answers)
    lines = "".join(json.dumps({"a": answer}) + "\n" for answer in answers)
    found = score([TREE] * len(answers), answers, mend=mend).ledger
    assert (found.gold, found.parsed) == (len(answers), len(answers))
    # Nothing is lost: a sentence is scored, or it is told why not.
    assert found.scored + found.lost == len(answers)
    texts = [one.text for one in read_answers(lines, "a", Fields("a"))]
    assert texts == answers


def test_a_list_of_strings_is_sentences() -> None:
    for answers in (["Here is the parse: " + TREE, TREE], ["I cannot.", TREE]):
        found = score([TREE, TREE], answers, mend=True).ledger
        assert (found.gold, found.parsed) == (2, 2)
    assert len(read_trees(["I cannot.", "I will not."])) == 2
    with pytest.raises(InputError, match="no such file"):
        read_trees(["none.mrg"])  # which can only be a name
    with pytest.warns(analyzer.InputWarning, match="name a file by a Path"):
        assert len(read_trees([__file__])) == 1


@pytest.mark.parametrize("mend", [False, True])
def test_a_refusal_is_not_malformed(mend: bool, tmp_path: Path) -> None:
    answers = [TREE, "I cannot.", "(S (NP"]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"a": one}) + "\n" for one in answers))
    for parsed, fields in ((answers, {}), (path, {"field": "a"})):
        found = score([TREE] * 3, parsed, mend=mend, **fields).ledger
        reasons = [item.reason for item in found.items]
        cut_off = Reason.CUT_OFF if mend else Reason.BAD_PARSE
        assert reasons == [Reason.NO_TREE, cut_off]
    # But in a file of trees, it is a line that does not belong there.
    path.write_text("\n".join([TREE, TREE, "I cannot.", TREE, TREE]))
    found = score([TREE] * 5, path, mend=mend).ledger
    expected = Reason.NO_TREE if mend else Reason.BAD_PARSE
    assert [item.reason for item in found.items] == [expected]


# -- records -----------------------------------------------------------------------

GOLD = [
    "(S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .))",
    "(S (NP (PRP I)) (VP (VBP go)) (. .))",
    "(S (NP (NNS dogs)) (VP (VBP bark)) (. .))",
    "(S (NP (PRP it)) (VP (VBZ rains)) (. .))",
]
PARSED = [
    f"<think>Is it (S (X y))?</think>\nSure!\n```\n{GOLD[0]}\n```\nGood (I hope)?",
    "I cannot parse this.",
    None,
    "(S (NP (PRP it)) (VP (VBZ rains))) (. .))",
]
RECORDS = [
    {"id": number, "gold": gold, "said": {"to": ["", parsed]}, "response": parsed}
    for number, (gold, parsed) in enumerate(zip(GOLD, PARSED, strict=True), start=1)
]


def json_lines(records: list[dict[str, Any]]) -> str:
    return "\n\n".join(map(json.dumps, records))


def table(delimiter: str) -> Callable[[list[dict[str, Any]]], str]:
    def written(records: list[dict[str, Any]]) -> str:
        text = io.StringIO()
        writer = csv.DictWriter(text, records[0].keys(), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(records)
        return text.getvalue()

    return written


@pytest.mark.parametrize(
    ("name", "written", "lines"),
    [
        ("a.jsonl", json_lines, [1, 3, 5, 7]),
        ("a.json", json.dumps, [1, 1, 1, 1]),
        ("a.json", lambda them: json.dumps(them, indent=1), [2, 13, 24, 35]),
        ("a.csv", table(","), [2, 8, 9, 10]),
        ("a.tsv", table("\t"), [2, 8, 9, 10]),
        ("a.txt", lambda them: "\ufeff" + json_lines(them), [1, 3, 5, 7]),
    ],
)
def test_records_of_every_kind(
    name: str, written: Any, lines: list[int], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(written(RECORDS), "utf-8", newline="")
    bank = read_trees(path, field="response", id="id", mend=True)
    assert bank.line.tolist() == lines
    assert bank.ids == ("1", "2", "3", "4")
    assert [str(tree) for tree in bank] == [GOLD[0], "", "", GOLD[3]]
    assert bank.mends == {
        0: ("code fence", "reasoning", "text around"),
        3: ("closed before the final punctuation",),
    }
    problem = bank.problems[1]
    assert (problem.code, problem.place.line, problem.place.id) == (
        "E203",
        lines[1],
        "2",
    )
    scores = score(path, path, field="response", gold_field="gold", id="id", mend=True)
    assert scores.ledger.text() == (
        "scored 2 of 4 sentences, 1 parse extracted, 1 parse mended; 2 left out: "
        "1 answer without a tree, 1 failed parse"
    )
    assert scores.total.f_s == 1


def test_fields_below_others() -> None:
    lines = json_lines(RECORDS)
    found = read_answers(lines, "a", Fields("said.to.1"))
    assert [one.text for one in found] == [one or "" for one in PARSED]


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ('{"b": 1}', "E172", "a:1: no field 'a' in this record; there are b"),
        (
            '{"a": "", "id": 1}\n{"a": ["(X x)"]}',
            "E483",
            "a:2: the field 'a' holds a list of 1 text, perhaps several parses of one "
            "sentence: spinal score --nbest",
        ),
        ('{"a": [["(X x)"]]}', "E173", "a:1: the field 'a' holds a list"),
        ('{"a": 1}', "E173", "holds 1; expected a text, or null"),
        ('{"a": {}}', "E173", "holds a record"),
        ('{"a": "", "id": null}', "E174", "the field 'id' holds no id"),
        ('{"a": "", "id": 1}\n"(X x)"', "E175", "a:2: expected a record"),
        ('{"a": "", "id": 1}\n{"a": "', "E108", "a:2:7: broken JSON"),
        ('[{"a": "", "id": 1},\n{"a": ]', "E108", "a:2:7: broken JSON"),
        ('{"a": ' + "[" * 100_000, "E109", "a:1: broken JSON"),
        ('{"a": ' + "9" * 5_000, "E110", "a:1: broken JSON"),
        ("b,c\n(X x),1\n", "E172", "a:2: no field 'a' in this record; there are b, c"),
    ],
    ids=range(12),
)
def test_errors_name_the_record(text: str, code: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read_answers(text, "a", Fields("a", "id"))
    assert caught.value.code == code
    assert told in str(caught.value)


def test_files_of_records_that_are_not_as_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json_lines(RECORDS))
    for options in ({}, {"mend": True}):
        with pytest.raises(InputError, match="field=NAME for parsed, gold_field="):
            score(GOLD, path, **options)
    with pytest.raises(SettingsError, match="no field has trees"):
        score(GOLD, path, id="id")
    path.write_text("[]")
    with pytest.raises(InputError, match="contains no records"):
        score(GOLD, path, field="a")
    path.write_text('{"a": "(S (NP"}')
    with pytest.raises(analyzer.TreeSyntaxError, match=r"a\.jsonl:1: sentence 1:"):
        read_trees(path, field="a", strict=True)


def test_a_dialect_in_records(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json_lines([{"a": "[X [A a]]"}, {"a": None}, {"a": "[X [A b]]"}]))
    for grammar in (None, "square"):
        bank = read_trees(path, field="a", grammar=grammar)
        assert [str(tree) for tree in bank] == ["(X (A a))", "", "(X (A b))"]
    assert [
        len(read_trees(["[X [A a]]", "", "# no"], grammar=g)) for g in (None, "square")
    ] == [3, 3]


def test_a_file_of_trees_is_read_as_ever_beside_records(tmp_path: Path) -> None:
    trees, records = tmp_path / "a.mrg", tmp_path / "b.jsonl"
    trees.write_text("\n".join(GOLD) + "\n")
    records.write_text(json_lines(RECORDS))
    fields = {"field": "response", "mend": True}
    found = analyzer.compare_systems(trees, [("a", trees), ("b", records)], **fields)
    assert [one.ledger.scored for one in found.systems] == [4, 2]


def test_a_folder_of_records(tmp_path: Path) -> None:
    for side, field in (("gold", "gold"), ("parsed", "response")):
        (tmp_path / side).mkdir()
        for name, records in (("a", RECORDS[:2]), ("b", RECORDS[2:])):
            file = tmp_path / side / f"{name}.jsonl"
            file.write_text(json_lines([{field: one[field]} for one in records]))
    sides = str(tmp_path / "gold"), str(tmp_path / "parsed")
    found = score(*sides, field="response", gold_field="gold", mend=True)
    assert (found.ledger.gold, found.ledger.scored) == (4, 2)


# -- pairs by id -------------------------------------------------------------------


def test_pairs_by_id(tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.jsonl", tmp_path / "parsed.jsonl"
    gold.write_text(json_lines([{"n": n, "t": GOLD[n]} for n in (0, 1, 2)]))
    parsed.write_text(json_lines([{"n": n, "t": GOLD[n]} for n in (3, 2, 0)]))
    fields = {"field": "t", "gold_field": "t", "id": "n"}
    found = score(gold, parsed, **fields, pair="id")
    assert found.ledger.text() == (
        "scored 2 of 3 sentences, paired by id; 1 left out: 1 only in gold; 1 only in "
        "parsed"
    )
    assert found.total.f_s == 1
    assert "|pair:id|" in str(found.signature)
    assert [str(item.error) for item in found.ledger.items] == [
        f"{gold}:3: sentence 2 (1): no sentence of the other side has the id '1'",
        f"{parsed}:1: sentence 1 (3): no sentence of the other side has the id '3'",
    ]
    assert found.ledger.items[0].reason is Reason.ONLY_GOLD
    for other in (analyzer.evalb, analyzer.compare_conventions):
        assert other(gold, parsed, **fields, pair="id").ledger.scored == 2
    assert analyzer.faithfulness(gold, parsed, **fields, pair="id").total.faithful == 2


def test_ids_that_files_have_themselves() -> None:
    text = "( (IP-MAT (NP (N {0})) (VB {0})) (ID {0},1))\n"
    gold = "".join(text.format(one) for one in "ABC")
    parsed = "".join(text.format(one) for one in "CA")
    found = score(gold, parsed, patterns="historical", pair="id")
    assert (found.ledger.scored, found.ledger.lost) == (2, 1)
    assert found.total.f_s == 1


def test_ids_that_cannot_be_paired_by() -> None:
    with pytest.raises(PairingError, match="<text>:1: sentence 1: has no id"):
        score(TREE, TREE, pair="id")
    twice = "( (IP-MAT (NP (N a))) (ID A,1))\n" * 2
    with pytest.raises(PairingError, match=r"'A,1' a second time; the first is at <t"):
        score(twice, twice, patterns="historical", pair="id")


# -- real answers ------------------------------------------------------------------

YIDDISH = SHARED / "syntax_more" / "llm_yiddish"


@pytest.mark.skipif(
    not YIDDISH.exists(),
    reason="NOT RUN: the shared data (../shared/data/syntax_more) is not here",
)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "llm_lite_zeroshot",
            "scored 62 of 100 sentences, 19 parses mended; 38 left out: "
            "24 length mismatch, 11 word mismatch, 2 malformed parse, 1 cut off",
        ),
        (
            "llm_frontier_fewshot",
            "scored 19 of 20 sentences, 1 parse mended; 1 left out: 1 failed parse",
        ),
    ],
)
def test_nothing_of_real_answers_is_lost(name: str, text: str, tmp_path: Path) -> None:
    gold = (YIDDISH / f"{name}.gold.mrg").read_text("utf-8").splitlines()
    parsed = (YIDDISH / f"{name}.pred.txt").read_text("utf-8").splitlines()
    records = [{"g": g, "p": p} for g, p in zip(gold, parsed, strict=True)]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    options: Any = {"patterns": "historical", "mend": True}
    of_files = score(
        YIDDISH / f"{name}.gold.mrg", YIDDISH / f"{name}.pred.txt", **options
    )
    of_lists = score(gold, parsed, **options)
    of_records = score(path, path, field="p", gold_field="g", **options)
    for found in (of_files, of_lists, of_records):
        ledger = found.ledger
        assert ledger.scored + ledger.lost == ledger.gold == len(gold)
        assert ledger.text() == text
        assert found.rows == of_files.rows
