"""The command line: its output, word for word; help, version, quiet.

Expected output stands in tests/golden. After a change that is meant,
`UPDATE_GOLDEN=1 pytest tests/cli/test_main.py` writes it anew: read the difference.
It is made with an inventory that does not change (tests/data/frozen.pat).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer import __version__, _native, load_inventory
from reports.render import FORMATS
from tests.support.command import spinal
from tests.support.data_paths import ROOT
from tests.support.golden import FOLD, GOLDEN, NEWS, PATTERNS, SCORE, WEB, steady

SCORED = ("evalb", "markdown", "latex", "csv", "tsv", "html", "json", "text")

REPAIRS = ("repairs", *WEB, *PATTERNS, "--classifier", "spinal")

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
    "score.text": SCORE,
    "score.markdown": (*SCORE, "--min-share", "1", "--format", "markdown"),
    "score.latex": (*SCORE, "--min-share", "1", "--format", "latex"),
    "score.csv": (*SCORE, "--columns", "all", "--format", "csv"),
    "score.html": (*SCORE, "--top", "3", "--format", "html"),
    "score.json": (*SCORE, "--format", "json"),
    "score-sorted.text": (*SCORE, "--min-share", "1", "--sort", "f-s", "--top", "8"),
    "score-columns.text": (
        *(*SCORE, "--top", "6", "--columns"),
        "gold,precision-h,recall-h,precision-s,recall-s,span-left,matched-att",
    ),
    "score-merged.text": (*SCORE, "--top", "6", *FOLD),
    "score-by-sentence.text": (*SCORE, "--top", "3", "--by-sentence"),
    "score-by-sentence.csv": (*SCORE, "--by-sentence", "--format", "csv"),
    "derive.drawn": ("derive", WEB[0], "2", "3", *PATTERNS, "--width", "100"),
    "derive.table": ("derive", WEB[0], "3", *PATTERNS, "--style", "table"),
    "derive.json": ("derive", WEB[0], "2", *PATTERNS, "--style", "json"),
    "derive-pair.drawn": ("derive", *WEB, "1", "3", *PATTERNS, "--width", "100"),
    "derive-pair.color": (
        *("derive", *WEB, "1", *PATTERNS, "--width", "100"),
        *("--color", "always"),
    ),
    "derive-pair.table": ("derive", *WEB, "1", *PATTERNS, "--style", "table"),
    "derive-pair.json": ("derive", *WEB, "1", *PATTERNS, "--style", "json"),
    "derive-failed.drawn": ("derive", *WEB, "40", *PATTERNS, "--width", "100"),
    "errors.text": ("errors", *WEB, *PATTERNS, "--limit", "12"),
    "errors-attachment.text": (
        *("errors", *WEB, *PATTERNS, "--construction", "PP-t", "--kind", "att"),
        *("--limit", "0"),
    ),
    "errors-right.markdown": (
        *("errors", *WEB, *PATTERNS, "--kind", "span-right", "--limit", "5"),
        *("--format", "markdown"),
    ),
    "errors.json": ("errors", *WEB, *PATTERNS, "--limit", "3", "--format", "json"),
    "errors-confusions.text": ("errors", *WEB, *PATTERNS, "--confusions"),
    "errors-confusions.csv": (
        *("errors", *WEB, *PATTERNS, "--confusions", "--limit", "0"),
        *("--construction", "NP-modr", "--format", "csv"),
    ),
    "repairs.text": (*REPAIRS, "--worth"),
    "repairs.latex": (*REPAIRS, "--classifier", "kummerfeld", "--format", "latex"),
    "repairs-list.tsv": (*REPAIRS, "--list", "--limit", "12", "--format", "tsv"),
    "repairs-worth.json": (*REPAIRS, "--worth", "construction", "--format", "json"),
    "patterns-list.text": ("patterns", "list", *PATTERNS),
    "patterns-list-counts.text": ("patterns", "list", WEB[0], *PATTERNS),
    "patterns-list-counts.csv": (
        *("patterns", "list", WEB[0], *PATTERNS),
        *("--format", "csv"),
    ),
    "patterns-check.text": ("patterns", "check", *NEWS, *PATTERNS, "--limit", "5"),
    "patterns-check.json": (
        *("patterns", "check", WEB[0], *PATTERNS, "--limit", "2"),
        *("--format", "json"),
    ),
    "patterns-explain.text": ("patterns", "explain", "NP-SBJ -> NP , CC NP", *PATTERNS),
    "patterns-explain-uncovered.text": (
        *("patterns", "explain", "NP -> NP NN PP", *PATTERNS),
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_output_word_for_word(name: str) -> None:
    ran = spinal(*COMMANDS[name])
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(steady(ran.out), "utf-8")
    assert ran.code == 0
    assert steady(ran.out) == path.read_text("utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == COMMANDS.keys()


@pytest.mark.parametrize("command", ["evalb", "show"])
def test_help_shows_an_example(command: str) -> None:
    ran = spinal(command, "--help")
    assert ran.code == 0
    assert f"spinal {command} " in ran.out.split("examples:")[1]


def test_version() -> None:
    assert spinal("--version").out == f"spinal {__version__}\n"


def test_version_says_which_kernel_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    for line in (["--version", "-v"], ["-v", "--version"]):
        out = spinal(*line).out
        assert out.startswith(
            f"spinal {__version__}; kernel {_native.CURRENT}; Python "
        )
    monkeypatch.setattr(_native.CURRENT, "kernel", None)
    assert "; kernel NumPy (" in spinal("--version", "-v").out


def test_quiet_and_verbose(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("(S (NN a))\n" * 20)
    (tmp_path / "parsed").write_text("(S (NN a))\n" + "(S (NN b))\n" * 19)
    pair = (tmp_path / "gold", tmp_path / "parsed")
    assert len(spinal("evalb", *pair).err.splitlines()) == 11
    assert len(spinal("evalb", *pair, "-v").err.splitlines()) == 19
    assert spinal("evalb", *pair, "-q").err == ""


@pytest.mark.parametrize(
    "code",
    ["import analyzer", "from analyzer.cli.main import main; main(['--help'])"],
)
def test_it_starts_without_heavy_imports(code: str) -> None:
    """NumPy, pandas, Lark and the reports are imported when they are needed."""
    heavy = {"numpy", "pandas", "lark", "regex", "reports"}
    code = f"import sys; {code}; print({heavy} & {{*sys.modules}})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT)
    assert ran.stdout.endswith(b"set()\n"), ran.stderr


@pytest.mark.parametrize("form", ["text", "csv"])
@pytest.mark.parametrize("command", ["score", "evalb"])
def test_what_a_score_does_not_need_is_not_imported(command: str, form: str) -> None:
    """A small input takes about as long as the imports; tables need tabulate's own."""
    heavy = {"lark", "pandas", "numpy.ma"}
    if form == "csv":
        heavy |= {"tabulate", "hashlib", "importlib.resources"}
    line = [command, *map(str, WEB), "-q", "--format", form]
    code = (
        f"import sys; from analyzer.cli.main import main; main({line}); main({line}); "
        f"print({heavy} & {{*sys.modules}})"
    )
    load_inventory()  # so that it is kept from now on
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT)
    assert ran.stdout.endswith(b"set()\n"), ran.stdout


def test_a_command_imports_no_other() -> None:
    """Nor does a file that is called like one, nor another part of a family."""
    code = (
        "import sys; from analyzer.cli.main import main; "
        "main(['show', 'score', 'errors']); main(['rst', 'ambiguity', 'score']); "
        "loaded = {name for name in sys.modules if name.startswith('analyzer.cli.')}; "
        "print(sorted(loaded & {f'analyzer.cli.{n}' for n in sys.argv[1:]}))"
    )
    asked = ("show", "score", "errors", "rst_scores", "rst_trees", "rst_parser")
    command = [sys.executable, "-c", code, *asked]
    ran = subprocess.run(command, capture_output=True, cwd=ROOT, text=True)
    assert ran.stdout == "['analyzer.cli.rst_trees', 'analyzer.cli.show']\n"


def test_every_format_of_tables_is_offered() -> None:
    for form in FORMATS:
        assert spinal("evalb", *WEB, "--format", form, "-q").code == 0


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
def test_a_command_starts_no_threads_for_matrices() -> None:
    """They cost more than a small command does."""
    code = """
import analyzer.cli.main
from analyzer.__main__ import run
def main():
    import numpy
    lines = open("/proc/self/status").read().splitlines()
    print(*(line for line in lines if line.startswith("Threads:")))
analyzer.cli.main.main = main
run()
"""
    kept = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        env=kept,
        check=True,
    )
    assert ran.stdout.split() == [b"Threads:", b"1"]
