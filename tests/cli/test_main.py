"""The command line: its output, word for word, and how it behaves on a terminal.

Expected output stands in tests/golden. After a change that is meant,
`UPDATE_GOLDEN=1 pytest tests/cli/test_main.py` writes it anew: read the difference.
"""

from __future__ import annotations

import csv
import html.parser
import io
import json
import os
import pty
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from analyzer import __version__
from analyzer.cli import common
from reports.render import FORMATS
from tests.support.command import spinal, spinal_process
from tests.support.data_paths import ROOT

GOLDEN = ROOT / "tests" / "golden"
WEB = ("examples/web.gold.mrg", "examples/web.greedy.mrg")
NEWS = ("examples/news.gold.mrg", "examples/news.greedy.mrg")
SCORED = ("evalb", "markdown", "latex", "csv", "tsv", "html", "json", "text")

COMMANDS: dict[str, tuple[str, ...]] = {
    **{f"evalb.{form}": ("evalb", *WEB, "--format", form) for form in SCORED},
    "by-label.text": ("evalb", *NEWS, "--by-label"),
    "by-label.csv": ("evalb", *NEWS, "--by-label", "--format", "csv"),
    "by-label.latex": ("evalb", *NEWS, "--by-label", "--format", "latex"),
    "by-sentence.text": ("evalb", *NEWS, "--by-sentence"),
    "by-sentence.tsv": ("evalb", *NEWS, "--by-sentence", "--format", "tsv"),
    "conventions.text": ("evalb", *WEB, "--conventions"),
    "conventions.json": ("evalb", *WEB, "--conventions", "--format", "json"),
    "conventions.markdown": ("evalb", *WEB, "--conventions", "--format", "markdown"),
    "zero.text": ("evalb", *WEB, "--on-mismatch", "zero", "--cutoff", "10"),
    "none.text": ("evalb", *WEB, "--params", "none"),
    "show.drawn": ("show", WEB[0], "2", "5", "--width", "100"),
    "show.indented": ("show", WEB[0], "2", "5", "--style", "indented"),
    "show.line": ("show", WEB[0], "2-3", "--style", "line"),
    "show-pair.drawn": ("show", *WEB, "2", "14", "--width", "100"),
    "show-pair.indented": ("show", *WEB, "2", "--style", "indented"),
    "show-pair.line": ("show", *WEB, "2", "--style", "line"),
    "show-pair.color": (
        *("show", *WEB, "2", "--style", "indented"),
        *("--color", "always"),
    ),
}


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", COMMANDS)
def test_output_word_for_word(name: str) -> None:
    ran = spinal(*COMMANDS[name])
    text = ran.out.replace(f"spinal:{__version__}", "spinal:VERSION")
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert ran.code == 0
    assert text == path.read_text("utf-8")


def test_no_golden_file_is_left_over() -> None:
    """Of the files that this test owns."""
    mine = re.compile(r"(evalb|by-|conventions|zero|none|show)")
    there = {path.stem for path in GOLDEN.glob("*.txt") if mine.match(path.name)}
    assert there == set(COMMANDS)


# -- JSON ----------------------------------------------------------------------


def test_json_has_the_names_that_programs_rely_on() -> None:
    ran = spinal(
        "evalb", *NEWS, "--by-label", "--by-sentence", "--format", "json", "-q"
    )
    data = json.loads(ran.out)
    counts = {
        *("sentences", "error", "skip", "valid", "matched", "gold", "test", "crossing"),
        *("words", "correct_tags", "complete", "no_crossing", "two_or_less_crossing"),
    }
    for summary in (data["summary"], data["summary_cutoff"]):
        assert counts | {"recall", "precision", "f1"} <= summary.keys()
        assert all(isinstance(summary[name], int) for name in counts)
        assert 0 < summary["recall"] < 1
    assert data["summary_cutoff"]["cutoff_length"] == 40
    assert {"label", "gold", "test", "matched", "f1"} <= data["labels"][0].keys()
    assert len(data["sentences"]) == data["summary"]["sentences"]
    assert data["signature"].startswith("scorer:evalb|")
    (left_out,) = data["left_out"]
    assert left_out["sentence"] == 10
    assert left_out["reason"] == "length mismatch"


def test_json_says_null_where_nothing_can_be_divided(tmp_path: Path) -> None:
    (tmp_path / "leaf").write_text("(NN cat)\n")
    ran = spinal("evalb", tmp_path / "leaf", tmp_path / "leaf", "--format", "json")
    assert json.loads(ran.out)["summary"]["f1"] is None


def test_csv_holds_one_table() -> None:
    ran = spinal("evalb", *NEWS, "--by-label", "--by-sentence", "--format", "csv")
    assert ran.code == 2
    assert "one table" in ran.err


def test_conventions_have_no_evalb_layout() -> None:
    ran = spinal("evalb", *NEWS, "--conventions", "--format", "evalb")
    assert (ran.code, ran.out) == (2, "")


# -- help, version, quiet ------------------------------------------------------


@pytest.mark.parametrize("command", ["evalb", "show"])
def test_help_shows_an_example(command: str) -> None:
    ran = spinal(command, "--help")
    assert ran.code == 0
    assert f"spinal {command} " in ran.out.split("examples:")[1]


def test_version() -> None:
    assert spinal("--version").out == f"spinal {__version__}\n"


def test_quiet_and_verbose(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("(S (NN a))\n" * 20)
    (tmp_path / "parsed").write_text("(S (NN a))\n" + "(S (NN b))\n" * 19)
    pair = (tmp_path / "gold", tmp_path / "parsed")
    assert len(spinal("evalb", *pair).err.splitlines()) == 11
    assert len(spinal("evalb", *pair, "-v").err.splitlines()) == 19
    assert spinal("evalb", *pair, "-q").err == ""


def test_deleting_a_label_and_a_parameter_file(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("(ROOT (S (NN a) (NN b)))\n")
    (tmp_path / "parsed").write_text("(ROOT (X (NN a) (NN b)))\n")
    (tmp_path / "mine.prm").write_text("DELETE_LABEL ROOT\nDELETE_LABLE S\n")
    pair = ("evalb", tmp_path / "gold", tmp_path / "parsed", "--format", "json")
    both = [
        spinal(*pair, "--delete-label", "ROOT"),
        spinal(*pair, "--params", tmp_path / "mine.prm"),
    ]
    for ran in both:
        assert ran.code == 0
        assert json.loads(ran.out)["summary"]["gold"] == 1
    assert "mine.prm:2: unknown keyword 'DELETE_LABLE'" in both[1].err
    counted = json.loads(spinal(*pair).out)
    assert counted["summary"]["matched"] == 1
    assert any("'ROOT'" in note for note in counted["notes"])


# -- pictures ------------------------------------------------------------------


def test_pictures(tmp_path: Path) -> None:
    one = tmp_path / "two.svg"
    ran = spinal("show", WEB[0], "2", "--svg", one)
    assert (ran.code, ran.out) == (0, "")
    assert "terrible" in "".join(ElementTree.parse(one).getroot().itertext())
    assert spinal("show", *WEB, "2-3", "--svg", tmp_path / "pair.svg").code == 0
    names = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert names == ["pair-2.svg", "pair-3.svg", "two.svg"]


# -- terminals -----------------------------------------------------------------


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a command writes to a terminal, standard output and error together."""
    parent, child = pty.openpty()
    variables = {**os.environ, "COLUMNS": "80", "TERM": "xterm", **environment}
    if "NO_COLOR" not in environment:
        variables.pop("NO_COLOR", None)
    with subprocess.Popen(
        [sys.executable, *arguments],
        stdout=child,
        stderr=child,
        env=variables,
        cwd=ROOT,
    ) as process:
        os.close(child)
        written = b""
        while True:
            try:
                data = os.read(parent, 65536)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            written += data
        process.wait(timeout=60)
    os.close(parent)
    return written.decode()


def test_colour_on_a_terminal_unless_told_not_to() -> None:
    shown = ("-m", "analyzer", "show", *WEB, "2")
    assert "\x1b[" in on_a_terminal(*shown)
    assert "\x1b[" not in on_a_terminal(*shown, NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal(*shown, "--color", "never")
    assert "\x1b[" in on_a_terminal(*shown, "--color", "always", NO_COLOR="1")


def test_no_colour_in_a_pipe() -> None:
    assert b"\x1b[" not in spinal_process("show", *WEB, "2").stdout


SLOW = """\
import sys
from analyzer.cli import common
from analyzer.cli.main import main
from analyzer.formats.penn import reader
common._SECONDS_BEFORE_PROGRESS = float(sys.argv[1])
common._SECONDS_BETWEEN_UPDATES = 0
reader.BLOCK_BYTES = 2000
sys.exit(main(sys.argv[2:]))
"""


def test_progress_on_a_terminal_when_it_takes_long() -> None:
    command = ("evalb", NEWS[0], "examples/news.chart.mrg")
    slow = on_a_terminal("-c", SLOW, "0", *command)
    assert "█" in slow
    assert "100%" in slow
    assert slow.index("█") < slow.index("Bracket scores")
    assert slow[: slow.index("Bracket scores")].endswith("\x1b[K")  # wiped
    assert "█" not in on_a_terminal("-c", SLOW, "60", *command)
    assert "█" not in on_a_terminal("-c", SLOW, "0", *command, "-q")


def test_no_progress_in_a_pipe() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SLOW, "0", "evalb", *WEB],
        capture_output=True,
        cwd=ROOT,
        check=True,
        timeout=60,
    )
    assert "█" not in ran.stderr.decode()
    assert b"\x1b" not in ran.stderr


def test_the_bar_waits_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    screen.isatty = lambda: True  # type: ignore[method-assign]
    now = [100.0]
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    bar = common.ProgressBar(list(WEB), quiet=False)
    bar.add(1000)
    now[0] += 0.9
    bar.add(1000)
    assert screen.getvalue() == ""
    now[0] += 0.2
    bar.add(1000)
    assert "%" in screen.getvalue()


def test_help_is_quick() -> None:
    """It must not import NumPy, pandas or Lark."""
    code = (
        "import sys; from analyzer.cli.main import main; main(['--help']); "
        "sys.exit(bool({'numpy', 'pandas', 'lark', 'reports'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT)
    assert ran.returncode == 0


# -- what stands in a treebank is data -----------------------------------------

NASTY = [
    "<script>alert-1</script>",
    "=cmd",
    "+1",
    "@SUM",
    "\\input{x}",
    "|",
    '"onload=',
    "'><b>",
    "&amp;",
    "$x^2_y$%#~",
    "`code`*b*_i_[link]",
    "]]>",
    "{}",
]


@pytest.fixture
def nasty(tmp_path: Path) -> tuple[Path, Path]:
    """A pair whose labels and words would be markup if they were let."""
    for name in ("gold", "parsed"):
        lines = [f"(S ({word} (NN {word}) (NN w)) (NN v))" for word in NASTY]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path / "gold", tmp_path / "parsed"


def labels(nasty: tuple[Path, Path], form: str) -> str:
    ran = spinal("evalb", *nasty, "--by-label", "--params", "none", "--format", form)
    assert ran.code == 0
    return ran.out


class _Page(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"class", "id", "style"}

    def handle_data(self, data: str) -> None:
        self.cells.append(data)


def bare(word: str) -> str:
    return re.split("[-=]", word)[0]


def test_html_is_escaped(nasty: tuple[Path, Path]) -> None:
    page = _Page()
    page.feed(labels(nasty, "html"))
    expected = ["table", "caption", "thead", "tbody", "tr", "th", "td", "p"]
    assert page.tags <= set(expected)
    assert {bare(word) for word in NASTY} <= {*page.cells, ""}


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_spreadsheets_run_no_formulas(nasty: tuple[Path, Path], form: str) -> None:
    text = labels(nasty, form)
    rows = list(csv.reader(io.StringIO(text), delimiter="," if form == "csv" else "\t"))
    assert not any(row[0].startswith(("=", "+", "-", "@")) for row in rows)
    names = {row[0].removeprefix("'") for row in rows}
    assert {bare(word) for word in NASTY if word[0] != "'"} <= names


def test_latex_has_no_live_characters(nasty: tuple[Path, Path]) -> None:
    text = labels(nasty, "latex")
    rows = [line for line in text.splitlines() if line.endswith(r" \\")]
    commands = re.compile(
        r"\\(textbackslash|textasciicircum|textasciitilde|textless|textgreater|textbar)"
        r"\{\}|\\symbol\{34\}|\\[{}$&#%_]|\\\\$| & |\$\\leq\$"
    )
    for row in rows:
        assert not re.search(r"[\\{}$&#%_^~]", commands.sub("", row)), row
    assert "\\input" not in text


def test_markdown_cells_stay_cells(nasty: tuple[Path, Path]) -> None:
    text = labels(nasty, "markdown").split("By label")[1]
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) >= len(NASTY)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {8}
    assert not re.search(r"(?<!\\)[<`]", "".join(rows))


def test_pictures_are_escaped(nasty: tuple[Path, Path], tmp_path: Path) -> None:
    for arguments in ((nasty[0],), nasty):
        for old in tmp_path.glob("*.svg"):
            old.unlink()
        ran = spinal("show", *arguments, "--svg", tmp_path / "out.svg")
        assert ran.code == 0
        for number, word in enumerate(NASTY, start=1):
            root = ElementTree.parse(tmp_path / f"out-{number}.svg").getroot()
            assert word in "".join(root.itertext())
            kinds = {element.tag.split("}")[1] for element in root.iter()}
            assert "script" not in kinds
            assert not any(
                name.startswith("on")
                for element in root.iter()
                for name in element.attrib
            )


def test_trees_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "tree").write_text("(S (\x1b[2J \x1b[31mred\x07) (NN \x9b2J))\n")
    for style in ("drawn", "indented", "line"):
        shown = spinal("show", tmp_path / "tree", "--style", style)
        assert not set("\x1b\x07\x9b") & set(shown.out)


def test_every_format_of_tables_is_offered() -> None:
    for form in FORMATS:
        assert spinal("evalb", *WEB, "--format", form, "-q").code == 0
