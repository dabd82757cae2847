"""`import spinal`, and the command, also beside packages of the same names."""

from __future__ import annotations

import os
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import analyzer
import spinal
from tests.support.command import spinal as command
from tests.support.data_paths import EXAMPLES, ROOT

PAIR = [str(EXAMPLES / "news.gold.mrg"), str(EXAMPLES / "news.chart.mrg")]
# The script that an installation writes for [project.scripts].
SCRIPT = "import sys; from spinal.__main__ import run; sys.exit(run())"


def run(
    *command: str, cwd: Path = ROOT, pythonpath: str | None = None
) -> subprocess.CompletedProcess[str]:
    """A process of its own; spinal is found behind whatever `pythonpath` names."""
    path = str(ROOT) if pythonpath is None else f"{pythonpath}{os.pathsep}{ROOT}"
    return subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Somebody's project with folders `analyzer` and `reports` of its own."""
    for name in ("analyzer", "reports"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("theirs = True\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "spinal").write_text(SCRIPT)
    return tmp_path


def test_spinal_offers_what_analyzer_offers() -> None:
    assert dir(spinal) == dir(analyzer)
    for name in dir(analyzer):
        assert getattr(spinal, name) is getattr(analyzer, name)


def test_help_is_short_and_names_every_function() -> None:
    shown = pydoc.render_doc(spinal, renderer=pydoc.plaintext)
    assert len(shown.splitlines()) < 80
    functions = [
        name for name in dir(spinal) if name.islower() and not name.startswith("_")
    ]
    assert functions
    missing = [name for name in functions if name not in (spinal.__doc__ or "")]
    assert not missing
    assert "__getattr__" not in shown
    assert "FUNCTIONS" not in shown


def test_import_is_light() -> None:
    code = "import spinal, sys; print({'numpy', 'pandas', 'lark'} & set(sys.modules))"
    assert run("-c", code).stdout.strip() == "set()"


def test_run_as_a_module() -> None:
    ran = run("-m", "spinal", "evalb", *PAIR)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == command("evalb", *PAIR).out


@pytest.mark.slow
@pytest.mark.parametrize("start", [["-m", "spinal"], ["bin/spinal"]], ids=str)
@pytest.mark.parametrize(("pythonpath", "jobs"), [(None, "1"), (".", "2")])
def test_the_command_finds_its_own_packages(
    project: Path, start: list[str], pythonpath: str | None, jobs: str
) -> None:
    ran = run(
        *start, "score", *PAIR, "--jobs", jobs, cwd=project, pythonpath=pythonpath
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "F-h" in ran.stdout


def test_import_says_what_is_in_the_way(project: Path) -> None:
    ran = run("-c", "import spinal", cwd=project)
    assert ran.returncode == 1
    told = ran.stderr.splitlines()[-1]
    assert told.startswith("ImportError: spinal needs its own package 'analyzer'")
    assert str(project / "analyzer") in told
    assert "Rename that one" in told


def test_import_after_theirs_says_what_is_in_the_way(project: Path) -> None:
    ran = run("-c", "import reports, sys; del sys.path[0]; import spinal", cwd=project)
    told = ran.stderr.splitlines()[-1]
    assert told.startswith("ImportError: spinal needs its own package 'reports'")
    assert str(project / "reports") in told


def test_folders_of_data_are_not_in_the_way(tmp_path: Path) -> None:
    """A folder without an `__init__.py` is no package to Python if there is another."""
    for name in ("patterns", "reports"):
        (tmp_path / name).mkdir()
    ran = run("-c", "import spinal; print(spinal.__version__)", cwd=tmp_path)
    assert ran.stdout.strip() == analyzer.__version__


def test_import_star_takes_everything_and_help_stays_short() -> None:
    names: dict[str, object] = {}
    exec("from spinal import *", names)
    assert names["score"] is spinal.score
    assert names.keys() >= set(analyzer.__all__)
    assert len(pydoc.render_doc(spinal).splitlines()) < 120
