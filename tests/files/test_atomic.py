"""Files are written whole or not at all, also on a full disk."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.exceptions import InputError
from analyzer.files.atomic import make_folder, replacing, write_bytes, write_text
from tests.support.command import spinal, spinal_process, started
from tests.support.data_paths import EXAMPLES, ROOT
from tests.support.forked import Runner
from tests.support.users import folder_of_nobody

GOLD, PARSED = EXAMPLES / "news.gold.mrg", EXAMPLES / "news.chart.mrg"
OLD = "what was there before\n"


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_text(OLD)
    write_text(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    write_bytes(str(path), b"\0")
    assert path.read_bytes() == b"\0"
    assert os.listdir(tmp_path) == ["table.txt"]


def test_permissions_are_those_of_any_file(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_text(OLD)
    old.chmod(0o640)
    before = os.umask(0o027)
    try:
        write_text(new, "x")
        write_text(old, "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE(new.stat().st_mode) == 0o640
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there/real", tmp_path / "link"
    link.symlink_to(target)
    write_text(link, "one")
    write_text(link, "two")
    assert link.is_symlink()
    assert target.read_text() == "two"
    assert os.listdir(tmp_path / "there") == ["real"]


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_text(OLD)

    def fail(error: type[BaseException]) -> None:
        with replacing(path) as stream:
            stream.write(b"half of it")
            raise error

    for error in (ZeroDivisionError, KeyboardInterrupt):
        with pytest.raises(error):
            fail(error)
    assert path.read_text() == OLD
    assert os.listdir(tmp_path) == ["table.txt"]


def test_errors_name_the_file_that_was_meant(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(OLD)
    for path in (
        tmp_path,
        tmp_path / "no/such/folder",
        tmp_path / "file/below",
        tmp_path / ("x" * 300),
    ):
        with pytest.raises(InputError, match="cannot be written") as caught:
            write_text(path, "x")
        assert str(path) in str(caught.value)
    with pytest.raises(InputError, match="cannot be written: File exists"):
        make_folder(tmp_path / "file")
    assert os.listdir(tmp_path) == ["file"]


def test_a_protected_file_is_not_replaced() -> None:
    with folder_of_nobody() as folder:
        path = folder / "table.txt"
        write_text(path, OLD)
        path.chmod(0o444)
        with pytest.raises(InputError, match="Permission denied"):
            write_text(path, "x")
        assert path.read_text() == OLD


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        write_text(pipe, "through it")
        assert reader.communicate(timeout=600)[0] == b"through it"
    assert os.listdir(tmp_path) == ["pipe"]
    write_text("/dev/null", "x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.slow
def test_standard_output_as_a_file(tmp_path: Path) -> None:
    """/dev/stdout is a pipe here, there a file that the shell has open."""
    command = ("show", GOLD, "1", "--svg", "/dev/stdout")
    piped = spinal_process(*command)
    assert (piped.returncode, piped.stdout[:4]) == (0, b"<svg")
    command_line = [sys.executable, "-m", "analyzer", *map(str, command)]
    out = tmp_path / "out.svg"
    with out.open("wb") as stream:
        ran = subprocess.run(
            command_line, stdout=stream, cwd=ROOT, check=False, timeout=600
        )
        assert os.fstat(stream.fileno()).st_ino == out.stat().st_ino
    assert ran.returncode == 0
    assert out.read_bytes() == piped.stdout


def test_killed_in_between(tmp_path: Path) -> None:
    """Whatever the moment: the old file or the new one."""
    path = tmp_path / "table.txt"
    path.write_text(OLD)
    program = (
        "import sys; from analyzer.files.atomic import replacing\n"
        f"with replacing({str(path)!r}) as stream:\n"
        "    stream.write(b'half'); stream.flush(); print('now', flush=True)\n"
        "    import time; time.sleep(60)\n"
    )
    for number in (signal.SIGTERM, signal.SIGKILL):
        with subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=ROOT
        ) as running:
            assert running.stdout is not None
            assert running.stdout.readline() == b"now\n"
            running.send_signal(number)
            running.wait(timeout=600)
        assert path.read_text() == OLD
    write_text(path, "new")
    assert path.read_text() == "new"


@pytest.mark.slow
def test_a_command_that_is_ended_leaves_no_draft(tmp_path: Path) -> None:
    """It waits for its standard input, with its output begun."""
    out = tmp_path / "rows.csv"
    gold = tmp_path / "gold.mrg"
    gold.write_text("(S (NN a))\n" * 50_000)
    command = ["instances", gold, "-", "-o", out, "--jobs", "1", "-q"]
    with started(*command, stdin=subprocess.PIPE) as running:
        assert running.stdin is not None
        running.stdin.write(gold.read_bytes()[:-20])
        running.stdin.flush()
        while not (drafts := [*tmp_path.glob(".spinal-*.tmp")]):
            assert running.poll() is None
        assert len(drafts) == 1
        running.send_signal(signal.SIGTERM)
        assert running.wait(timeout=600) == -signal.SIGTERM
    assert [*tmp_path.glob(".spinal-*")] == []


# -- a full disk -------------------------------------------------------------------


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    running = Runner(tmp_path_factory.mktemp("runner"))
    yield running
    running.close()


DISCOURSE = "(Root (Nucleus:span _!He left!_) (Satellite:reason _!because!_))\n"
SCORES = "system\tsegment\tM\n" + "".join(
    f"{system}\t{n}\t{n}\n" for system in "AB" for n in range(1, 9)
)
RANKINGS = "segmentId,system1Id,system2Id,system1rank,system2rank\n" + "".join(
    f"{n},A,B,{1 + n % 2},{2 - n % 2}\n" for n in range(1, 9)
)
# What is written, and by which command; {out} is the folder.
WRITERS = {
    "tables/data.json": f"score {GOLD} {PARSED} --output {{out}}/tables",
    "plots/data.json": f"domains a={GOLD}:{PARSED} b={PARSED}:{GOLD} "
    "--output {out}/plots",
    "page.html": f"report {GOLD} {PARSED} --html {{out}}/page.html",
    "tree.svg": f"show {GOLD} 1 --svg {{out}}/tree.svg",
    "known.json": f"check {GOLD} --write-baseline {{out}}/known.json",
    "matrix.npy": f"kernel {GOLD} --matrix -o {{out}}/matrix.npy",
    "matrix.csv": f"kernel {GOLD} --matrix -o {{out}}/matrix.csv",
    "doc.rs3": "rst convert {out}/in.brackets --to rs3 -o {out}/doc.rs3",
    "rst.svg": "rst show {out}/in.brackets --svg {out}/rst.svg",
    "weights.json": "discotk tune --scores {out}/in.tsv --rankings {out}/in.csv "
    "--folds 2 --model {out}/weights.json",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk(runner: Runner, tmp_path: Path, name: str) -> None:
    inputs = {"in.brackets": DISCOURSE, "in.tsv": SCORES, "in.csv": RANKINGS}
    for file, text in inputs.items():
        (tmp_path / file).write_text(text)
    command = [word.format(out=tmp_path) for word in WRITERS[name].split()]
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(OLD)
    before = sorted(tmp_path.rglob("*"))
    # Standard output and the messages are written to files, too.
    full = runner.run(command, out="/dev/null", largest_file=200)
    assert full.code == 2
    reasons = ("File too large", "there is no room for all of it")
    assert any(f"cannot be written: {reason}" in full.err for reason in reasons)
    assert str(path.parent) in full.err
    assert "Traceback" not in full.err
    assert path.read_text() == OLD
    assert [p for p in sorted(tmp_path.rglob("*")) if p.suffix == ".tmp"] == []
    assert set(before) <= set(tmp_path.rglob("*"))
    # With room for it, the same command writes it.
    assert runner.run(command, out="/dev/null").code in (0, 1)
    assert path.read_bytes() != OLD.encode()
    assert [p for p in sorted(tmp_path.rglob("*")) if p.suffix == ".tmp"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        f"score {GOLD} {PARSED}",
        f"evalb {GOLD} {PARSED} --format json",
        f"show {GOLD}",
        f"derive {GOLD} 1 --style json",
        "patterns list",
        "--help",
    ],
)
def test_standard_output_on_a_full_disk(runner: Runner, command: str) -> None:
    ran = runner.run(command.split(), out="/dev/full")
    assert ran.code == 2
    assert ran.err == (
        "spinal: standard output: cannot be written: No space left on device\n"
    )


@pytest.mark.slow
def test_standard_output_on_a_full_disk_as_a_process() -> None:
    """Python flushes once more as it exits: that must not fail again."""
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "analyzer", "evalb", str(GOLD), str(PARSED)],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            check=False,
            timeout=600,
        )
    assert ran.returncode == 2
    assert ran.stderr.count(b"\n") == 1
    assert b"No space left on device" in ran.stderr


@pytest.mark.slow
def test_closed_streams() -> None:
    """As a shell closes them: `>&-`, `<&-`."""
    start = f"{sys.executable} -m analyzer"
    for command, code in (
        (f"{start} evalb {GOLD} {PARSED} >&-", 2),
        (f"{start} evalb {GOLD} {PARSED} --format json >&-", 2),
        (f"{start} show - <&-", 2),
    ):
        ran = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            cwd=ROOT,
            check=False,
            timeout=600,
        )
        assert ran.returncode == code, ran.stderr
        assert b"Traceback" not in ran.stderr


def test_one_place_writes_files() -> None:
    """No command writes a file in another way, which could be half written."""
    for folder in ("analyzer", "reports"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name == "atomic.py":
                continue
            text = path.read_text("utf-8")
            for way in (".write_text(", ".write_bytes(", '"wb"', ".to_csv("):
                assert way not in text, f"{path}: {way}"
            assert not re.search(r'\bopen\([^)]*, "w', text), path


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(OLD)
    ran = spinal("score", GOLD, PARSED, "--output", tmp_path / "file")
    assert (ran.code, ran.out) == (2, "")
    assert f"{tmp_path / 'file'}: cannot be written: File exists" in ran.err
