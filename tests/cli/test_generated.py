"""`--mend`, `--faithfulness` and `--on-mismatch align` of `evalb` and `score`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support.command import spinal, spinal_process

GOLD = """\
(S (NP (DT the) (JJ big) (NN cat)) (VP (VBD sat)) (. .))
(S (NP (PRP I)) (VP (MD can) (RB not) (VP (VB go))) (. .))
(S (NP (NNS dogs)) (VP (VBP bark)))
(S (NP (PRP it)) (VP (VBZ rains)))
"""
PARSED = """\
```
(S (NP (DT the) (JJ big) (NN cat))
   (VP (VBD sat)) (. .)
```

Here is the parse:
(S (NP (PRP I)) (VP (MD cannot) (VP (VB go))) (. .))

(S (NP (NNS dogs)) (VP (VBP bark))))
(S (NP (PRP it)) (VP (VBZ rai
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "model.txt"
    gold.write_text(GOLD)
    parsed.write_text(PARSED)
    return str(gold), str(parsed)


@pytest.mark.parametrize("command", ["score", "evalb"])
def test_text_around_trees_names_the_option(command: str, tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "answers.txt"
    gold.write_text("\n".join(GOLD.splitlines()[2:]))
    parsed.write_text("1. " + "\n2. ".join(GOLD.splitlines()[2:]))
    advice = "--mend takes them out of it"
    assert spinal(command, gold, parsed).err.count(advice) == 1
    assert advice not in spinal(command, gold, parsed, "-q").err
    mended = spinal(command, gold, parsed, "--mend")
    assert mended.code == 0
    assert advice not in mended.err


@pytest.mark.parametrize("command", ["evalb", "score"])
def test_each_mend_is_told_of(command: str, files: tuple[str, str]) -> None:
    ran = spinal(command, *files, "--mend", "--on-mismatch", "align")
    parsed = files[1]
    for line, sentence, mends in (
        (2, 1, "mended: code fence, missing bracket at the end"),
        (7, 2, "extracted: text around"),
        (9, 3, "mended: surplus bracket at the end"),
    ):
        told = f"spinal: {parsed}:{line}: sentence {sentence}: {mends}\n"
        assert told in ran.err
    assert f"{parsed}:10" in ran.err  # within a word: uncertain
    assert "Faithfulness of the parsed trees" in ran.out
    assert ran.code == 2  # one is malformed still


@pytest.mark.parametrize("command", ["evalb", "score"])
@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html", "csv", "tsv"])
def test_the_table_is_in_every_format(
    command: str, form: str, files: tuple[str, str]
) -> None:
    ran = spinal(command, *files, "--mend", "--faithfulness", "--format", form, "-q")
    assert "words re-tokenised" in ran.out
    assert "ed: " not in ran.err  # the ledger says how many, not which


def test_json(files: tuple[str, str]) -> None:
    for command in (["evalb"], ["score"], ["evalb", "--conventions"]):
        ran = spinal(*command, *files, "--mend", "--format", "json", "-q")
        data = json.loads(ran.out)["faithfulness"]
        assert (data["total"]["extracted"], data["total"]["mended"]) == (1, 2)
        assert data["total"]["malformed"] == 1
        assert [row["sentence"] for row in data["sentences"]] == [1, 2, 3, 4]
        plain = spinal(*command, files[0], files[0], "--format", "json", "-q")
        assert "faithfulness" not in json.loads(plain.out)


def test_csv_has_the_scores_unless_the_table_is_asked_for(
    files: tuple[str, str],
) -> None:
    scores = spinal("evalb", *files, "--mend", "--format", "csv", "-q")
    assert scores.out.startswith("measure,")
    table = spinal("evalb", *files, "--faithfulness", "--format", "csv", "-q")
    assert table.out.startswith("what,")
    both = ("--faithfulness", "--by-label", "--format", "csv")
    assert "contains one table" in spinal("evalb", *files, *both).err


def test_evalbs_own_layout_has_no_such_table(files: tuple[str, str]) -> None:
    ran = spinal("evalb", *files, "--faithfulness", "--format", "evalb")
    assert ran.code == 2
    assert "has no evalb layout" in ran.err


def test_from_standard_input(files: tuple[str, str]) -> None:
    ran = spinal_process("evalb", files[0], "-", "--mend", input=PARSED.encode())
    assert b"sentence 1: mended" in ran.stderr


def test_aligned_words(files: tuple[str, str]) -> None:
    ran = spinal("evalb", *files, "--mend", "--on-mismatch", "align", "-q")
    assert (
        "scored 4 of 4 sentences, 1 parse extracted, 2 parses mended; 1 scored by "
        "aligned words: 1 length mismatch; 1 counted as finding nothing: 1 cut off"
    ) in ran.out
    assert "mismatch:align|mend:yes" in ran.out


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["zero", "align"])
def test_a_page_lists_errors_of_sentences_with_equal_words(
    policy: str, tmp_path: Path
) -> None:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    gold.write_text(GOLD * 2)
    wrong = GOLD.replace("(NP (PRP it)) (VP (VBZ rains))", "(NP (PRP it) (NN rains))")
    parsed.write_text(GOLD.replace("(RB not) ", "").replace("cat", "dog") + wrong)
    page = tmp_path / "page.html"
    ran = spinal("report", gold, parsed, "--html", page, "--on-mismatch", policy, "-q")
    assert ran.code == 0
    assert page.exists()


@pytest.mark.parametrize(
    "command",
    [
        *("score G P", "evalb G P", "evalb G P --conventions", "errors G P"),
        *("repairs G P", "repairs G P --classifier spinal", "compare G a=P b=P"),
        *("domains x=G:P y=G:P", "breakdown --by length G P", "instances G P"),
        *("derive G P", "report --html OUT G P"),
    ],
)
def test_every_command_that_scores_mends(command: str, tmp_path: Path) -> None:
    tree = "(S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (NN it)))))"
    (tmp_path / "g").write_text(f"{tree}\n" * 3)
    (tmp_path / "p").write_text(f"{tree}\n{tree[:-1]}\n{tree}\n")
    names = {"G": tmp_path / "g", "P": tmp_path / "p", "OUT": tmp_path / "out.html"}
    words = re.sub(r"\b[A-Z]+\b", lambda it: str(names[it[0]]), command).split()
    ran = spinal(*words, "--mend")
    assert ran.code == 0, ran.err
    assert "left out" not in ran.out + ran.err
    if names["OUT"].exists():
        assert "1 parse mended" in names["OUT"].read_text()
    elif "derive" not in command:
        assert "mended" in ran.out + ran.err
    if command != "repairs G P":  # which closes brackets itself
        assert spinal(*words).code == 2


@pytest.mark.parametrize(
    "command",
    [
        *("score R R", "evalb R R", "evalb R R --conventions", "errors R R"),
        *("repairs R R", "compare R a=R b=R", "domains x=R:R y=R:R"),
        *("breakdown --by length R R", "instances R R", "derive R R"),
        "report --html OUT R R",
    ],
)
def test_every_command_that_scores_reads_records(command: str, tmp_path: Path) -> None:
    tree = "(S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (NN it)))))"
    records = [
        {"id": f"s{n}", "gold": tree, "response": f"Here:\n{tree}"} for n in (1, 2, 3)
    ]
    (tmp_path / "r").write_text("".join(json.dumps(one) + "\n" for one in records))
    names = {"R": tmp_path / "r", "OUT": tmp_path / "out.html"}
    words = re.sub(r"\b[A-Z]+\b", lambda it: str(names[it[0]]), command).split()
    fields = ("--field", "response", "--gold-field", "gold", "--id", "id")
    ran = spinal(*words, "--mend", *fields, "--pair", "id")
    assert ran.code == 0, ran.err
    assert "left out" not in ran.out + ran.err


@pytest.mark.parametrize(
    "command",
    [
        *(["score"], ["evalb"], ["evalb", "--conventions"], ["errors"], ["instances"]),
        *(["breakdown", "--by", "length"], ["repairs"], ["repairs", "--worth", "type"]),
        *(["compare"], ["domains"], ["report", "--html"]),
    ],
    ids=" ".join,
)
def test_signatures_say_how_files_were_read(command: list[str], tmp_path: Path) -> None:
    """Whatever command gives the numbers."""
    gold, answers = tmp_path / "gold.mrg", tmp_path / "answers.jsonl"
    tree = "(S (NP (PRP I)) (VP (VBP see)))"
    gold.write_text(f"{tree}\n{tree}\n")
    records = [{"out": f"Sure: {tree[:-1]}"}, {"out": tree}]
    answers.write_text("\n".join(map(json.dumps, records)))
    page = tmp_path / "page.html"
    command = [*command, str(page)] if "--html" in command else command
    files = [str(gold), str(answers)]
    if command == ["compare"]:
        files.append(f"other={answers}")
    if command == ["domains"]:
        files = [f"{name}={gold}:{answers}" for name in "ab"]
    ran = spinal(*command, *files, "--mend", "--field", "out")
    assert ran.code == 0, ran.err
    told = ran.out + ran.err + (page.read_text("utf-8") if page.exists() else "")
    assert "|mend:yes|field:out|" in told
    plain = [name.replace(str(answers), str(gold)) for name in files]
    assert "mend:yes" not in spinal(*command, *plain).out


def test_signatures_name_the_grammar(tmp_path: Path) -> None:
    gold = tmp_path / "gold.mrg"
    gold.write_text("[S [NP [PRP I]] [VP [VBP see]]]\n")
    ran = spinal("score", gold, gold, "--grammar", "square")
    assert "|grammar:square|" in ran.out


@pytest.fixture(name="both")
def _both(tmp_path: Path) -> list[str]:
    """Records of two annotators, each with ids; one answer has prose around it."""
    tree = "(S (NP (PRP I)) (VP (VBP see)))"
    files = []
    for name, answers in {"a": [f"Sure: {tree}", tree], "b": [tree, tree]}.items():
        path = tmp_path / f"{name}.jsonl"
        records = [
            {"n": number, "out": [{"text": one}]} for number, one in enumerate(answers)
        ]
        path.write_text("\n".join(map(json.dumps, records)))
        files.append(str(path))
    return files


def test_neither_annotator_is_gold(both: list[str]) -> None:
    """Both sides are records, and both are mended."""
    options = ["--mend", "--field", "out[0].text", "--id", "n", "--pair", "id"]
    ran = spinal("agree", *both, *options)
    assert ran.code == 0, ran.err
    assert "scored 2 of 2 sentences, paired by id, 1 parse extracted" in ran.out
    assert "|mend:yes|field:out[0].text|" in ran.out
    # The side that has prose may be either.
    assert spinal("agree", *both[::-1], *options).code == 0
    assert spinal("agree", *both, "--field", "out.0.text").code == 2  # no tree in it


def test_kernels_and_drawings_of_answers(both: list[str]) -> None:
    options = ["--mend", "--field", "out.0.text", "--id", "n"]
    ran = spinal("kernel", *both, "--normalize", *options)
    assert ran.code == 0, ran.err
    assert "|mend:yes|field:out.0.text|" in ran.out
    ran = spinal("show", both[0], *options, "--style", "line")
    assert ran.out.splitlines() == ["(S (NP (PRP I)) (VP (VBP see)))"] * 2
    gold = ["--gold-field", "out.0.text"]
    shown = spinal("show", both[1], both[0], "1", *options, *gold, "--style", "line")
    assert (shown.code, shown.err) == (0, "")
    by_id = spinal("show", both[0], *options, "--sentence", "1", "--style", "line")
    assert by_id.out.count("\n") == 1


def test_conventions_by_the_tags_of_gold(tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.txt"
    gold.write_text("(S (NP (DT the) (NN cat)) (VP (VBD sat)) (. !))\n")
    parsed.write_text("(S (NP the cat) (VP sat) !)\n")
    ran = spinal("evalb", gold, parsed, "--conventions", "--tags", "gold")
    assert ran.code == 0, ran.err
    assert "|tags:gold|" in ran.out
