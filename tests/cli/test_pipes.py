"""Every command reads pipes as it reads files: nothing is lost by looking first."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from analyzer import RstParser
from tests.support.command import spinal, spinal_process
from tests.support.data_paths import EXAMPLES, ROOT

GOLD, PARSED = EXAMPLES / "news.gold.mrg", EXAMPLES / "news.chart.mrg"
DIS = """( Root (span 1 3)
  ( Nucleus (span 1 2) (rel2par span)
    ( Nucleus (leaf 1) (rel2par span) (text _!It rained,_!) )
    ( Satellite (leaf 2) (rel2par Cause) (text _!because it was autumn,_!) ) )
  ( Satellite (leaf 3) (rel2par Elaboration) (text _!as it does._!) ) )
"""
BRACKETS = "(NS-Cause (1) (2))\n(SN-Elaboration (1) (NS-Cause (2) (3)))\n"
# A: gold, B: parsed. Files that are read only once must be read just once, whole.
SYNTAX = [
    "score A B --format json",
    "evalb A B --format json",
    "evalb A B --conventions --format json",
    "errors A B --format json",
    "derive A 2",
    "derive A B 2",
    "breakdown A x=B y=A --by length --resamples 2 --train A --format json",
    "instances A B",
    "repairs A B --classifier spinal --format json",
    "compare A x=B y=A --resamples 2 --repairs --format json",
    "domains x=A:B y=A:A --format json",
    "compare A x=B y=A --resamples 10 --format json",
    "agree A B --format json",
    "agree A B --pair text --format json",
    "agree A B A --format json",
    "check A --kind shape --format json",
    "check A --kind shape --write-decisions OUT",
    "patterns check A --format json",
    "show A 2",
    "show A B 2 --style line",
    "kernel A B --format json",
    "report x=A:B --html OUT -q",
]
DISCOURSE = [
    "errors A B --format json",
    "derive A 1",
    "derive A B 1",
    "breakdown A B --by length --resamples 2 --format json",
    "instances A B",
    "domains x=A:B y=A:A --format json",
    "compare A x=B y=A --resamples 10 --format json",
    "agree A B --format json",
    "check A --format json",
    "kernel A B --format json",
    "rst score A B --format json",
    "rst score A B --constructions --format json",
    "rst convert A --to brackets",
    "rst show A",
    "rst similarity x=A y=B --format json",
    "rst ambiguity A --format json",
    "rst parse MODEL A",
    "rst segment MODEL A",
    "rst segment MODEL A --gold B --format json",
    "rst train A -o MODEL.new -q",
    "report x=A:B --html OUT -q",
]
SEGMENTS = [
    "discotk represent A",
    "discotk score --reference A --system x=B --as nolex --format json",
]
# Runs commands, each after a `::`, and prints what they do as JSON.
DRIVER = """
import contextlib, io, json, os, sys
from analyzer.cli.main import main
page, *given = sys.argv[1:]
found = []
for command in " ".join(given).split(":: ")[1:]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command.split())
    if os.path.exists(page):
        with open(page, encoding="utf-8", errors="replace") as written:
            out.write(written.read())
        os.remove(page)
    found.append([command, code, out.getvalue(), err.getvalue()])
json.dump(found, sys.stdout)
"""
_GIVEN = re.compile(r"\b[AB]\b")
_FILE = re.compile(r"/(?:dev/fd/\d+|[\w/.-]+/(?:pipe|news)\.[\w.]+)")


class Files(NamedTuple):
    gold: Path
    parsed: Path
    page: Path
    model: Path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    """Documents are called as those of a pipe are."""
    folder = tmp_path_factory.mktemp("pipes")
    dis, brackets = folder / "pipe.dis", folder / "pipe.brackets"
    dis.write_text("\n" * 9000 + DIS)  # more than is looked at
    brackets.write_text(BRACKETS)
    (folder / "b").mkdir()
    other = folder / "b" / "pipe.dis"
    other.write_text(DIS.replace("Cause", "Reason"))
    page, model = folder / "page.html", folder / "rain.model"
    RstParser.train(EXAMPLES / "discourse" / "rain.tsv").save(model)
    return {
        "syntax": Files(GOLD, PARSED, page, model),
        "discourse": Files(dis, other, page, model),
        "segments": Files(brackets, brackets, page, model),
    }


def ran(commands: list[str], files: Files, given_as: str) -> dict[str, list[str]]:
    """What each command does if its files are given so."""
    paths = {"A": files.gold, "B": files.parsed}
    words = [
        ":: " + _GIVEN.sub(lambda name: given_as.format(paths[name[0]]), command)
        for command in commands
    ]
    words = [
        word.replace("OUT", str(files.page)).replace("MODEL", str(files.model))
        for word in words
    ]
    shell = f"{shlex.join([sys.executable, '-c', DRIVER])} {files.page} "
    done = subprocess.run(
        ["bash", "-c", shell + " ".join(words)],
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=600,
    )
    assert done.stdout, done.stderr.decode()
    found = json.loads(done.stdout)
    return {
        command: [_FILE.sub("FILE", str(one)) for one in outcome]
        for command, (_, *outcome) in zip(commands, found, strict=True)
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "commands"),
    [("syntax", SYNTAX), ("discourse", DISCOURSE), ("segments", SEGMENTS)],
)
def test_what_comes_through_pipes_is_read_as_from_files(
    kind: str, commands: list[str], files: dict[str, Files]
) -> None:
    plain = ran(commands, files[kind], "{}")
    assert not [one for one in plain.items() if one[1][0] not in "01"]
    # Compressed, because that is one more thing to find out without consuming it.
    piped = ran(commands, files[kind], "<(gzip -c {})")
    for command in commands:
        assert piped[command] == plain[command], command


@pytest.mark.slow
@pytest.mark.parametrize("given", ["score - {1}", "evalb {0} -", "errors - {1}"])
def test_standard_input(given: str, files: dict[str, Files], tmp_path: Path) -> None:
    is_discourse = given.startswith("errors")
    of = files["discourse" if is_discourse else "syntax"]
    paths = []
    for side in (of.gold, of.parsed):
        copied = tmp_path / str(len(paths)) / f"stdin{side.suffix}"
        copied.parent.mkdir()
        copied.write_bytes(side.read_bytes())
        paths.append(str(copied))
    piped = paths[0 if given.split()[1] == "-" else 1]
    options = ["-q", "--format", "json"]
    done = spinal_process(
        *given.format(*paths).split(), *options, input=Path(piped).read_bytes()
    )
    assert done.returncode == 0, done.stderr.decode()
    plain = spinal(*given.replace("-", piped).format(*paths).split(), *options)
    assert json.loads(done.stdout) == json.loads(plain.out)
