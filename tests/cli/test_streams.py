"""What comes out, wherever it goes: hostile input, streams closed, full, not UTF-8."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from analyzer import RstParser, read_rst
from analyzer.cli.main import COMMANDS, main
from tests.support.command import on_a_terminal, spinal
from tests.support.data_paths import EXAMPLES, ROOT, WEB_PAIR

# Clear the screen, in seven bits and in eight; set the title; and reverse the text.
HOSTILE = "\x1b[2J", "\x9b2J", "\x1b]0;owned\x07", "\u202e", "\x08\x7f"
DIS = """( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!It rained_!) )
  ( Satellite (leaf 2) (rel2par cause) (text _!and we left._!) )
)
"""
_RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class Files(NamedTuple):
    """Inputs whose words, labels and names would command a terminal."""

    gold: Path
    parsed: Path
    discourse: Path
    model: Path  # of a discourse parser, whose texts are hostile


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("hostile") / "clear\x1b[2J"
    folder.mkdir()
    sides = []
    for side, label in (("gold", "S"), ("parsed", "SINV")):
        trees = [
            f"(TOP ({label} (NP{bad} (DT{bad} the{bad}) (NN{bad} cat)) "
            f"(VP{bad} (VBD sat{bad}) (PP (IN on) (NP (NN mat{bad})))) (. .)))\n"
            for bad in HOSTILE
        ]
        trees += ["(TOP (S (NN a)))\n", f"(TOP (S (NN one{HOSTILE[0]}{label})))\n"]
        trees.append(f"(S (NN x{HOSTILE[0]}) y)\n")  # malformed
        path = folder / f"{side}\x1b[31m.mrg"
        path.write_text("".join(trees), "utf-8")
        sides.append(path)
    discourse = folder / f"doc{HOSTILE[0]}.dis"
    text = DIS.replace("_!", f"_!{HOSTILE[0]}{HOSTILE[1]}", 1)
    assert HOSTILE[0] in text
    discourse.write_text(text, "utf-8")
    model = folder / f"m{HOSTILE[0]}.model"
    RstParser.train(read_rst(discourse)).save(model)
    return Files(sides[0], sides[1], discourse, model)


def commands(files: Files) -> dict[str, list[str]]:
    """Every command, on hostile files."""
    gold, parsed, discourse, model = map(str, files)
    pair = [gold, parsed]
    return {
        "score": ["score", *pair, "--by-sentence"],
        "errors": ["errors", *pair],
        "confusions": ["errors", *pair, "--confusions"],
        "derive": ["derive", *pair],
        "derive table": ["derive", gold, "--style", "table"],
        "derive json": ["derive", *pair, "--style", "json"],
        "domains": ["domains", f"a\x1b[2J={gold}:{parsed}", f"b={gold}:{gold}"],
        "compare": [
            *("compare", gold, f"x\x1b[2J={parsed}", f"y={gold}", "--resamples", "9")
        ],
        "breakdown": ["breakdown", *pair, "--by", "word,label", "--resamples", "2"],
        "instances": ["instances", *pair],
        "repairs": ["repairs", *pair, "--classifier", "spinal", "--by-sentence"],
        "repairs list": ["repairs", *pair, "--classifier", "spinal", "--list"],
        "repairs drawn": ["repairs", *pair, "--classifier", "spinal", "--draw", "1"],
        "agree": ["agree", *pair],
        "agree of three": ["agree", *pair, gold],
        "functions": ["score", *pair, "--functions", "--faithfulness"],
        "check": ["check", gold],
        "check documents": ["check", "--rst", discourse],
        "patterns list": ["patterns", "list", gold],
        "patterns check": ["patterns", "check", gold],
        "patterns explain": ["patterns", "explain", "NP\x1b[2J -> NN"],
        "evalb": ["evalb", *pair, "--by-label"],
        "evalb by sentence": ["evalb", *pair, "--by-sentence"],
        "show": ["show", *pair],
        "show line": ["show", gold, "--style", "line"],
        "show indented": ["show", gold, "--style", "indented"],
        "kernel": ["kernel", *pair],
        "kernel nearest": ["kernel", *pair, "--nearest", "1"],
        "kernel matrix": ["kernel", discourse, "--matrix"],
        "rst score": ["rst", "score", discourse, discourse],
        "rst documents": ["rst", "score", discourse, discourse, "--by-document"],
        "rst show": ["rst", "show", discourse],
        "rst show line": ["rst", "show", discourse, "--style", "line"],
        "rst ambiguity": ["rst", "ambiguity", discourse],
        "rst similarity": ["rst", "similarity", f"a\x1b[2J={discourse}", discourse],
        "rst train": ["rst", "train", discourse, "-o", f"{model}.new"],
        "rst segment scored": ["rst", "segment", model, discourse, "--gold", discourse],
        "represent": ["discotk", "represent", discourse],
        "a bad argument": ["score", gold, "--no\x1b[2J"],
        "no such file": ["score", "no\x1b[2J.mrg", gold],
    }


FORMATS = ("text", "markdown", "latex", "csv", "tsv", "html", "json", "evalb", "sarif")
OWN_FORMATS = {
    "instances": ("csv", "tsv", "jsonl"),
    "rst train": ("text",),
    "patterns explain": ("text",),
    "repairs drawn": ("text",),
}
NAMES = [*commands(Files(Path(), Path(), Path(), Path()))]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_raw_gets_out(name: str, files: Files) -> None:
    """As text or CSV, on both streams."""
    check_raw(name, files, OWN_FORMATS.get(name, FORMATS)[:1])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_nothing_raw_gets_out_in_other_formats(name: str, files: Files) -> None:
    """In every format that the command has."""
    check_raw(name, files, OWN_FORMATS.get(name, FORMATS)[1:])


def check_raw(name: str, files: Files, forms: Sequence[str]) -> None:
    command = commands(files)[name]
    for form in forms if "--style" not in command else forms[:1]:
        chosen = [] if form == "text" else ["--format", form]
        ran = spinal(*command, *chosen)
        assert ran.out or ran.code == 2
        for stream in (ran.out, ran.err):
            raw = _RAW.search(stream)
            assert raw is None, (form, stream[max(0, raw.start() - 60) : raw.end()])
        if form == "json" and ran.out:
            json.loads(ran.out)


@pytest.mark.parametrize("name", ["convert --to dis", "parse MODEL", "segment MODEL"])
def test_documents_are_exact_unless_a_terminal_shows_them(
    name: str, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [word.replace("MODEL", str(files.model)) for word in name.split()]
    arguments = ["rst", words[0], *words[1:], str(files.discourse)]
    assert f"{HOSTILE[0]}{HOSTILE[1]}It rained" in spinal(*arguments).out
    screen = io.StringIO()
    screen.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stdout", screen)
    assert main(arguments) == 0
    assert "It rained" in screen.getvalue()
    assert _RAW.search(screen.getvalue()) is None


@pytest.mark.parametrize("name", ["show", "derive"])
def test_colours_of_our_own_stay_and_no_others(name: str, files: Files) -> None:
    ran = spinal(name, files.gold, files.parsed, "--color", "always")
    assert "\x1b[31m" in ran.out or "\x1b[1;31m" in ran.out
    assert _RAW.search(re.sub("\x1b\\[[0-9;]*m", "", ran.out)) is None


def test_what_is_written_out_is_told(files: Files) -> None:
    ran = spinal("errors", files.gold, files.parsed, "--limit", "0")
    assert "sat\\x1b[2J" in ran.out or "the\\x1b[2J" in ran.out
    data = json.loads(spinal("errors", files.gold, files.parsed, "--format=json").out)
    words = {word for one in data["errors"] for word in one["words"]}
    assert "the\x1b[2J" in words  # exact, for programs


def test_written_files_are_clean_too(files: Files, tmp_path: Path) -> None:
    spinal("errors", files.gold, files.parsed, "--output", tmp_path, "-q")
    for path in tmp_path.iterdir():
        if path.suffix not in (".png", ".pdf"):
            assert _RAW.search(path.read_text("utf-8")) is None, path


def test_one_place_writes_to_the_streams() -> None:
    for path in (ROOT / "analyzer" / "cli").rglob("*.py"):
        if path.name != "streams.py":
            text = path.read_text("utf-8")
            for way in ("print(", "sys.stdout.write", "sys.stderr.write", "json.dump"):
                assert not re.search(rf"(?<![\w.]){re.escape(way)}", text), path


@pytest.mark.slow
def test_an_ascii_terminal_gets_stand_ins(greetings: Path) -> None:
    pair = f"{greetings}/g.mrg {greetings}/p.mrg"
    shown = on_a_terminal(
        *("-m", "analyzer", "show", *pair.split(), "1"),
        PYTHONIOENCODING="ascii",
        PYTHONUTF8="0",
        TERM="dumb",
    )
    assert "?" not in shown
    assert "Gr\\xfc\\xdfe" in shown
    assert "|" in shown


# -- closed, full, not UTF-8 ---------------------------------------------------------

UMLAUTS = "(S (NP (NN Grüße)) (VP (VBZ 日本)))\n"
START = f"{sys.executable} -m analyzer"


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=600,
        env={**os.environ, **environment},
    )


@pytest.fixture(scope="module")
def greetings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("greetings")
    (folder / "g.mrg").write_text(UMLAUTS, "utf-8")
    (folder / "p.mrg").write_text(UMLAUTS.replace("NP", "ADJP"), "utf-8")
    (folder / "bad.mrg").write_text("(S (NN a)\n" + UMLAUTS, "utf-8")
    return folder


WEB = f"{EXAMPLES}/web.gold.mrg {EXAMPLES}/web.chart.mrg"
# All write through `cli.streams`: at the end, bit by bit, and help.
ON_STREAMS = [f"score {WEB}", f"instances {WEB}", "kernel --help"]


@pytest.mark.slow
@pytest.mark.parametrize("command", ON_STREAMS)
def test_closed_full_and_ascii_streams(command: str) -> None:
    """A result or exit 2; never a traceback."""
    plain = shell(f"{START} {command}")
    for redirected, code in (
        (">&-", 2),
        (">/dev/full", 2),
        ("2>&-", plain.returncode),
        ("2>/dev/full", plain.returncode),
        (">&- 2>&-", 2),
    ):
        ran = shell(f"{START} {command} {redirected}")
        assert ran.returncode == code, (redirected, ran.stderr)
        assert b"Traceback" not in ran.stderr + ran.stdout
        if redirected.startswith("2"):
            assert ran.stdout == plain.stdout
        elif redirected != ">&- 2>&-":
            assert b"standard output" in ran.stderr
    ran = shell(f"{START} {command}", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert ran.returncode == plain.returncode
    assert ran.stderr == plain.stderr
    if "--help" not in command:
        assert ran.stdout.decode("utf-8")  # what a file gets is UTF-8


@pytest.mark.slow
def test_a_warning_that_cannot_be_told_costs_nothing(greetings: Path) -> None:
    bad = f"{START} score {greetings}/bad.mrg {greetings}/bad.mrg"
    plain = shell(bad)
    assert plain.stderr
    for redirected in ("2>&-", "2>/dev/full"):
        ran = shell(f"{bad} {redirected}")
        assert (ran.returncode, ran.stdout) == (plain.returncode, plain.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_no_character_is_lost(encoding: str, greetings: Path) -> None:
    pair = f"{greetings}/g.mrg {greetings}/p.mrg"

    def errors(form: str) -> bytes:
        command = f"{START} errors {pair} --format {form}"
        return shell(command, PYTHONIOENCODING=encoding, PYTHONUTF8="0").stdout

    as_json = errors("json")
    assert as_json.isascii()
    assert json.loads(as_json)["errors"][0]["words"] == ["Grüße", "日本"]
    rows = list(csv.DictReader(errors("csv").decode("utf-8").splitlines()))
    assert {row["word"] for row in rows} == {"Grüße"}
    assert "Grüße" in errors("text").decode("utf-8")


# -- files and standard output ---------------------------------------------------------


@pytest.mark.slow
def test_a_page_and_a_picture_to_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pair = f"{EXAMPLES}/web.gold.mrg", f"{EXAMPLES}/web.chart.mrg"
    page = spinal("report", *pair, "--html", "-")
    assert page.code == 0
    assert page.out.startswith("<!doctype html>")
    assert page.out.rstrip().endswith("</html>")
    assert "wrote" not in page.err
    assert spinal("show", pair[0], "1", "--svg", "-").out.startswith("<svg")
    assert not (tmp_path / "-").exists()
    assert spinal("report", *pair, "--html", "./-").code == 0
    assert (tmp_path / "-").exists()


@pytest.mark.parametrize(
    "command",
    [
        "report {gold} {parsed} --html {gold}",
        "report a={gold}:{parsed} b={gold}:{gold} --html {parsed}",
        "report {folder}/*.mrg.gold {parsed} --html {parsed}",
        "report {gold} {parsed} --html {folder}/link.html",
        "show {gold} 1 --svg {gold}",
        "derive {gold} {parsed} 1 --svg {parsed}",
        "kernel {gold} {parsed} --matrix -o {csv}",
        "kernel {csv} --matrix -o {csv}",
        "check {gold} --write-baseline {gold}",
        "check {folder} --write-baseline {gold}",
        "rst convert {dis} --to dis -o {dis}",
        "rst convert {folder} --to dis -o {folder}",
        "rst train {dis} --dev {parsed} -o {parsed}",
        "report {gold} {parsed} --params {csv} --html {csv}",
    ],
)
def test_no_input_is_replaced(command: str, tmp_path: Path) -> None:
    places = {
        "gold": tmp_path / "gold.mrg",
        "parsed": tmp_path / "parsed.mrg",
        "csv": tmp_path / "k.csv",
        "dis": tmp_path / "doc.dis",
        "folder": tmp_path,
    }
    for name in ("gold", "parsed", "csv"):
        places[name].write_text("(S (NN a))\n")
    places["dis"].write_text(DIS, "utf-8")
    (tmp_path / "link.html").symlink_to(places["gold"])
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    arguments = [part.format(**places) for part in command.split()]
    if "-o {csv}" in command and "kernel {csv}" not in command:
        arguments[1] = str(places["csv"])
    ran = spinal(*arguments)
    assert ran.code == 2
    assert "is an input, and would be replaced" in ran.err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_name_is_no_file_that_would_be_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An option's value, a command, a file: all may be called alike."""
    monkeypatch.chdir(tmp_path)
    pair = [str(Path(path).resolve()) for path in WEB_PAIR]
    for name in ("english", "collins", "json", "report", "Title"):
        Path(name).write_text("of before")
        options = ["--patterns", "english", "--params", "collins", "--title", "Title"]
        ran = spinal("report", *pair, *options, "--html", name, "-q")
        assert (ran.code, ran.err) == (0, "")
        assert Path(name).read_text().startswith("<!doctype html>")


def test_options_say_which_of_them_name_files() -> None:
    """A row is an input, a setting, an output, or is known to name no file."""
    names = """SHAPE SHAPES KEY[,KEY] ADDRESS LIST SHELL NAME LABEL N CHARACTERS CODES
        NAME=NAME,NAME METRIC METRICS fr-en ID COLUMN WAYS TEXT NAMES"""
    for entry in COMMANDS:
        if COMMANDS[entry].family:
            continue
        items = COMMANDS[entry].load(entry).arguments
        rows = [row for item in items for row in getattr(item, "rows", [item])]
        for row in rows:
            metavar = row.settings.get("metavar")
            is_text = metavar and not {"type", "choices"} & row.settings.keys()
            if is_text and not (row.is_input or row.is_setting or row.is_output):
                assert metavar in names.split(), row.names


def test_what_could_not_be_read_is_said_where_it_changes_the_exit_code(
    tmp_path: Path,
) -> None:
    for name, text in (("good", DIS), ("bad", "( Root (span 1")):
        (tmp_path / f"{name}.dis").write_text(text, "utf-8")
    model = tmp_path / "model"
    ran = spinal("rst", "train", tmp_path, "-o", model, "-q")
    assert ran.code == 2
    assert "bad.dis" in ran.out  # among the notes of the table
    ran = spinal("rst", "parse", model, tmp_path, "-o", tmp_path / "out", "-q")
    assert ran.code == 2
    assert "bad.dis" in ran.err


@pytest.mark.slow
def test_a_result_of_before_may_be_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also one that stands in a folder below that of the input."""
    (tmp_path / "gold.mrg").write_text("(S (NN a))\n")
    for _ in range(2):
        arguments = ["score", str(tmp_path), str(tmp_path / "gold.mrg"), "-q"]
        assert main([*arguments, "--output", str(tmp_path / "out")]) == 0
    assert "replaced" not in capsys.readouterr().err


def test_documents_of_which_none_can_be_scored(tmp_path: Path) -> None:
    gold, cut = tmp_path / "gold.dis", tmp_path / "cut.dis"
    gold.write_text(DIS, "utf-8")
    cut.write_text(DIS[: len(DIS) // 2], "utf-8")
    page = tmp_path / "page.html"
    for pairs in ([gold, cut], [f"a={gold}:{gold}", f"b={gold}:{cut}"]):
        ran = spinal("report", *pairs, "--html", page)
        assert ran.code == 2
        assert "nothing could be scored" in ran.err


def test_names_of_files_need_not_be_utf_8(tmp_path: Path) -> None:
    """A page shows them; decisions have them, and --apply finds the file."""
    odd = tmp_path / os.fsdecode(b"p\xe9.mrg")
    try:
        odd.write_text(Path(WEB_PAIR[0]).read_text("utf-8"), "utf-8")
    except OSError:
        pytest.skip("the file system has no such names")
    page, fixes = tmp_path / "page.html", tmp_path / "fixes.jsonl"
    for others in ((), (WEB_PAIR[1],)):
        assert spinal("report", WEB_PAIR[0], odd, *others, "--html", page).code == 0
        assert r"p\udce9" in page.read_text("utf-8")
    spinal("check", odd, "--min-confidence", "0.05", "--write-decisions", fixes)
    listed = fixes.read_bytes()
    assert rb"p\udce9.mrg" in listed
    fixes.write_bytes(listed.replace(b'"undecided"', b'"error"', 1))
    ran = spinal("check", "--apply", fixes)
    assert ran.code == 0
    assert "skipped 0" in ran.out + ran.err


def test_a_drawing_has_a_width(tmp_path: Path) -> None:
    ran = spinal("derive", *WEB_PAIR, "1", "--width", "9" * 21)
    assert ran.code == 2
    assert "must be 100,000 or less" in ran.err
