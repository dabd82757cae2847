"""The compiled kernel does what NumPy does, on good input and bad."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analyzer import _native, evalb, score
from analyzer.checks.leave_one_out import context, judged, numbered
from analyzer.formats.penn.faults import Fault, Kind, bad_lines, find_fault
from analyzer.formats.penn.records import Layout, escape_bracket_words, without_comments
from analyzer.formats.penn.scanner import scan
from analyzer.metrics.join import Join, match
from analyzer.metrics.significance import dense_pools, interval, paired_tests
from hatch_build import compile_kernel
from tests.support.command import spinal
from tests.support.data_paths import ROOT
from tests.support.examples import some
from tests.support.kernels import both_ways, compiled, using
from tests.support.strategies import (
    Dialect,
    Plain,
    banks,
    dialects,
    garbled_lines,
    pair_lists,
    pair_texts,
)

NEWS = (ROOT / "examples/news.gold.mrg", ROOT / "examples/news.chart.mrg")

# -- reading -------------------------------------------------------------------------


def scans(text: bytes) -> list[object]:
    """The tables of a text in every layout; None where it is refused."""
    return [
        scan(text, layout, keep_blank_lines=keep, first_line=7)
        for layout in (Layout.LINES, Layout.INDENTED, Layout.SEPARATED, Layout.FREE)
        for keep in (True, False)
    ]


@given(st.lists(garbled_lines(), max_size=4))
@example([b"(A b"])
@example([b"(A b)", b"", b" ", b"(A (B c) (D ))(E f)"])
@example([b"((A b))", b"( b)", b"()", b"( )", b"(A)", b"(A )"])
@example([b"(A\nb\n)"])
@example([b"(A (B c)d)"])
@example([b"(A b)c"])
@example([b"# no tree", b"(A b)"])
@example([b"(A b)", b"*x* no tree", b"(A #)"])
@example([b"(A \xc3)"])
@example([b"(A \xed\xa0\x80)"])
@example([b"(A \xc0\xaf)", b"(\xf4\x90\x80\x80 b)"])
@example([b"(A \xf0\x9f\x98\x80)", "(Épithète-longue 日本語)".encode()])
@example([b"(A \0)"])
@example([b"(NN " + b"a" * 70 + b")", b"(" + b"N" * 70 + b" #$%&'!\"*)"])
def test_texts_are_scanned_alike(lines: list[bytes]) -> None:
    text = b"\n".join(lines)
    for whole in (text, text + b"\n"):
        numpy, c = both_ways(lambda whole=whole: scans(whole))  # type: ignore[misc]
        assert numpy == c


def told(fault: Fault | None) -> tuple[object, ...]:
    """What a message says of a fault: of a bracket that is open, not its label."""
    assert fault is not None
    if fault.kind is Kind.END:
        return fault.kind, fault.at, fault.still_open
    return fault.kind, fault.at, fault.token[: 1 if fault.kind is Kind.OPEN else None]


@given(st.lists(garbled_lines(), max_size=6), st.booleans())
@example([b"(A", b"b", b"c)", b"", b"(A b)", b"(A b c)"], False)
@example([b"(A \xff)", b"(A \0)", b"(A b) \xc3\xa9", b"(A \xc3\xa9 (B c))"], True)
@example([b"(A b)c", b"((A b)", b")", b" ", b"(\xc3\xa9 b) (C", b"(A (B c) d)"], True)
def test_bad_lines_are_those_that_are_not_scanned(
    lines: list[bytes], ends: bool
) -> None:
    lines = [
        line for line in b"\n".join(lines).split(b"\n") if line[:1] not in (b"#", b"*")
    ]
    text = b"\n".join(lines) + b"\n" * ends
    numpy, c = both_ways(lambda: bad_lines(text))
    assert [one[:3] for one in numpy] == [one[:3] for one in c]
    bad = {one.number: one for one in c}
    for number, line in enumerate(lines):
        is_bad = scan(line, Layout.LINES, keep_blank_lines=True) is None
        assert (number in bad) == is_bad
        if is_bad and bad[number].fault is not None:
            assert told(bad[number].fault) == told(find_fault(line.decode()))
            assert text[bad[number].start : bad[number].end] == line


@given(banks(), dialects())
def test_trees_are_scanned_alike(trees: list[Plain], dialect: Dialect) -> None:
    text = "\n".join(dialect.record(tree) for tree in trees).encode()
    numpy, c = both_ways(lambda: scans(text))
    assert numpy == c


@given(st.binary(max_size=60) | st.text(alphabet="()# *\n-LR").map(str.encode))
def test_what_precedes_scanning_is_found_alike(text: bytes) -> None:
    for function in (without_comments, escape_bracket_words):
        numpy, c = both_ways(lambda function=function: function(text))  # type: ignore[misc]
        assert numpy == c


# -- scoring -------------------------------------------------------------------------


@settings(max_examples=some(60))
@given(pair_lists(), st.sampled_from(["skip", "zero", "align"]))
def test_scores_are_the_same(
    pairs: list[tuple[Plain, Plain]], on_mismatch: str
) -> None:
    gold, parsed = pair_texts(pairs)

    def scored() -> tuple[object, ...]:
        constructions = score(gold, parsed, on_mismatch=on_mismatch, by_sentence=True)
        brackets = evalb(gold, parsed, on_mismatch=on_mismatch, by_label=True)
        return (
            constructions.rows,
            constructions.sentence_rows,
            constructions.reconciliation,
            constructions.ledger,
            [column.tolist() for column in constructions.units.counts[2:]],
            brackets.summary,
            brackets.labels,
        )

    numpy, c = both_ways(scored)
    assert numpy == c


@given(
    st.lists(st.tuples(*[st.integers(-2, 3)] * 3), max_size=9),
    st.lists(st.tuples(*[st.integers(-2, 3)] * 3), max_size=9),
)
def test_joins_are_the_same(
    gold: list[tuple[int, int, int]], parsed: list[tuple[int, int, int]]
) -> None:
    left = np.array(gold, np.int64).reshape(-1, 3).T
    right = np.array(parsed, np.int64).reshape(-1, 3).T

    def joined() -> list[list[list[int]]]:
        join = Join([left[0]], [right[0]])
        found = [
            match([*left], [*right]),
            join.matches(),
            join.matches([left[1]], [right[1]]),
            join.matches([left[1], left[2].astype(np.int32)], [right[1], right[2]]),
        ]
        return [[column.tolist() for column in one] for one in found]

    numpy, c = both_ways(joined)
    assert numpy == c


@pytest.mark.parametrize("command", ["score", "evalb", "errors", "derive"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_commands_print_the_same(command: str, jobs: str) -> None:
    line = [command, *NEWS, "--jobs", jobs]
    numpy, c = both_ways(lambda: spinal(*line))
    assert numpy == c


@given(
    st.integers(1, 6).flatmap(
        lambda scores: st.lists(
            st.tuples(*[st.integers(0, 3)] * (2 * scores)), min_size=1, max_size=8
        )
    ),
    st.sampled_from([1, 10_000_000]),
)
def test_resampling_is_the_same(counts: list[tuple[int, ...]], unit: int) -> None:
    """Also where sums are too large for 32 bits."""
    table = np.array(counts, np.int64) * unit
    num, den = np.split(table, 2, axis=1)
    fractions = np.stack([num, num + den, num[::-1], den + num[::-1]])
    names = [str(score) for score in range(num.shape[1])]

    def tested() -> list[object]:
        found = paired_tests(dense_pools(fractions), names, resamples=40, seed=3)
        ends = [
            interval(pool, name, resamples=40, seed=3)
            for pool, name in zip(dense_pools(fractions[:2]), names, strict=True)
        ]
        return [*(np.nan_to_num(column, nan=-7).tolist() for column in found), ends]

    numpy, c = both_ways(tested)
    assert numpy == c


# -- checking ------------------------------------------------------------------------


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=60))
@example([(0, 0, 0)])
@example([(number, number % 7, number % 3) for number in range(3000)])
def test_choices_are_judged_alike(columns: list[tuple[int, int, int]]) -> None:
    one, other, chosen = np.array(columns).T

    def judge() -> list[float]:
        contexts = [context(one), context(one, other), context(np.arange(one.size))]
        return judged(numbered([contexts]), chosen, 5).ravel().tolist()

    numpy, c = both_ways(judge)
    assert numpy == c


# -- what is passed ------------------------------------------------------------------


def test_every_function_of_the_sources_says_what_it_takes() -> None:
    """The library carries its own signatures; all types in them are known."""
    functions, names = compiled().kernel, set()
    for source in Path(_native.SOURCES).glob("*.c"):
        text = source.read_text("utf-8")
        names |= set(re.findall(r"^FUNCTION\(\w+, (\w+)", text, re.MULTILINE))
        assert "EXPORT" not in text or source.name == "library.c"
    assert len(names) > 20
    for name in names:
        assert getattr(functions, name).argtypes


def test_what_c_does_not_take_is_not_passed() -> None:
    line_ends = compiled().kernel.line_ends
    assert line_ends(b"a\nb\n", 4, None) == 2
    assert line_ends(np.frombuffer(b"a\nb\n", np.uint8), 4, None) == 2
    read_only = np.frombuffer(bytes(16), np.int64)
    for places in (np.empty(2, np.int32), np.empty((2, 2))[:, 0], read_only, b" " * 16):
        with pytest.raises(ctypes.ArgumentError):
            line_ends(b"a\nb\n", 4, places)
    with pytest.raises(TypeError, match="3 arguments"):
        line_ends(b"a\nb\n", 4)
    rows, key = np.ones(1, np.int64), np.zeros(4, np.int64)
    columns = np.arange(4).reshape(2, 2)[:, 0], np.array([True, False])  # copied
    assert compiled().kernel.add_key(columns[0], 2, columns[1], 2, rows, key)
    assert key.tolist() == [0, 2, 1, 0]
    with pytest.raises(ctypes.ArgumentError):
        compiled().kernel.add_key(np.array([0.5]), 1, columns[1], 2, rows, key)


# -- which one is in use ---------------------------------------------------------------


def test_numpy_can_be_asked_for() -> None:
    code = "from analyzer._native import CURRENT; print(CURRENT)"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"SPINAL_KERNEL": "numpy"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ran.stdout == "NumPy (as SPINAL_KERNEL says)\n", ran.stderr


def test_what_was_compiled_from_other_sources_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = compiled()
    for source in Path(_native.SOURCES).glob("*.[ch]"):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    monkeypatch.setattr(_native, "SOURCES", str(tmp_path))
    assert _native.Library(library.path).kernel is not None
    with (tmp_path / "common.h").open("a") as stream:
        stream.write("\n")
    stale = _native.Library(library.path)
    assert stale.kernel is None
    assert str(stale) == f"NumPy ({library.path} was compiled from other sources)"


def test_what_is_no_library_of_ours_is_not_used(tmp_path: Path) -> None:
    """Of another architecture, cut short, or another library of that name."""
    library = Path(compiled().path).read_bytes()
    other = bytearray(library)
    other[18] = 0xF3  # the ELF header's machine
    foreign = Path(np._core._multiarray_umath.__file__).read_bytes()
    for bad in (bytes(other), library[:100], b"", b"no library", foreign):
        path = tmp_path / f"{len(bad)}{bad[:20].hex()}.so"
        path.write_bytes(bad)
        found = _native.Library(str(path))
        assert found.kernel is None
        assert str(found) == f"NumPy ({path} cannot be loaded)"


def test_no_compiler_no_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "libkernel.so"
    for compiler in ("false", str(tmp_path / "no-such-compiler")):
        monkeypatch.setenv("CC", compiler)
        said = compile_kernel(Path(_native.SOURCES), library)
        assert said.startswith("not compiled, NumPy does the same work")
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "no C compiler" in compile_kernel(Path(_native.SOURCES), library)
    assert list(tmp_path.iterdir()) == []
    with using(_native.Library(str(library)).kernel):
        assert evalb("(S (NN a))", "(S (NN a))").summary.f1 == 1
