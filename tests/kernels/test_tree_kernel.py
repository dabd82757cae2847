"""Tree kernels: definitions, reference values of other programs, large trees."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import AnalyzerError, PairingError, SettingsError, Treebank, read_trees
from analyzer.kernels import tree_kernel as sums_module
from analyzer.kernels import tree_kernel as tree_kernel_module
from analyzer.kernels.tree_kernel import KERNELS, TreeKernel
from analyzer.model.treebank import TreebankBuilder
from tests.support import naive_kernels as naive
from tests.support.data_paths import EXAMPLES, SHARED
from tests.support.examples import some
from tests.support.naive_kernels import Plain, written

KERNEL_DATA = SHARED / "kernels"
needs_kernel_data = pytest.mark.skipif(
    not KERNEL_DATA.exists(),
    reason="NOT RUN: the shared data (../shared/data/kernels) is not here",
)
DECAYS = (1.0, 0.5, 0.4, 0.1)
FORESTS = st.lists(naive.trees(), min_size=1, max_size=4)


def bank_of(trees: list[Plain], *, bare: bool = True) -> Treebank:
    return read_trees("\n".join(written(tree, bare=bare) for tree in trees) + "\n")


@pytest.fixture(scope="module")
def news() -> Treebank:
    return read_trees(EXAMPLES / "news.gold.mrg")


# -- definitions ---------------------------------------------------------------------


def naive_value(name: str, x: Plain, y: Plain, decay: float, mu: float) -> float:
    if name == "ptk":
        return naive.ptk(x, y, decay, mu)
    by_name = {"sst": naive.sst, "st": naive.st_, "sst-bow": naive.sst_bow}
    return by_name[name](x, y, decay)


def kernel_of(name: str, decay: float, mu: float) -> TreeKernel:
    """A kernel; μ is PTK's alone."""
    kernel = TreeKernel(name=name, decay=decay)
    return replace(kernel, mu=mu) if name == "ptk" else kernel


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
@given(FORESTS, FORESTS, st.sampled_from(DECAYS), st.sampled_from((1.0, 0.3)))
@settings(max_examples=some(60), deadline=None)
def test_equals_enumeration_of_fragments(
    name: str, xs: list[Plain], ys: list[Plain], decay: float, mu: float
) -> None:
    wanted = [[naive_value(name, x, y, decay, mu) for y in ys] for x in xs]
    kernel = kernel_of(name, decay, mu)
    for bare in (True, False):
        x, y = bank_of(xs, bare=bare), bank_of(ys)
        assert np.allclose(kernel.gram(x, y), wanted, rtol=1e-12, atol=0)
    n = min(len(xs), len(ys))
    beside = kernel.pairwise(bank_of(xs[:n]), bank_of(ys[:n]))
    assert np.allclose(beside, np.diagonal(wanted), rtol=1e-12, atol=0)


@pytest.mark.slow
@given(naive.trees(), naive.trees(), st.sampled_from((0.0, 0.5, 1.0, 2.0)))
@settings(max_examples=some(60), deadline=None)
def test_sigma_is_the_worth_of_a_child_that_is_cut_off(
    x: Plain, y: Plain, sigma: float
) -> None:
    value = TreeKernel(sigma=sigma).pairwise(bank_of([x]), bank_of([y]))
    assert value == pytest.approx(naive.recursive_sst(x, y, 0.4, sigma), rel=1e-12)


def test_leaves_and_labels_are_different_things() -> None:
    x, y = read_trees("(X (A))"), read_trees("(X (A b))")
    assert TreeKernel(name="st").pairwise(x, y) == [0]
    assert TreeKernel(name="sst").pairwise(x, y) == [0]
    # Partial trees compare names alone: X over A is in both.
    assert TreeKernel(name="ptk", decay=1, mu=1).pairwise(x, y) == [3]


def test_dummy_leaves_make_a_unit_exponential_in_its_words() -> None:
    """λ (1+λ)^n for the unit, and λ for each word."""
    unit = read_trees("(EDU (to *) (link *) (content *))")
    assert TreeKernel().self_values(unit)[0] == pytest.approx(0.4 * 1.4**3 + 3 * 0.4)


# -- what makes it a kernel ------------------------------------------------------------


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("normalize", [False, True])
def test_symmetric_and_positive_semidefinite(
    name: str, normalize: bool, news: Treebank
) -> None:
    matrix = TreeKernel(name=name, normalize=normalize).gram(news)
    assert np.array_equal(matrix, matrix.T)
    eigenvalues = np.linalg.eigvalsh(matrix)
    assert eigenvalues.min() > -1e-10 * eigenvalues.max()
    if normalize:
        assert np.all(matrix.diagonal() == 1)
        assert matrix.max() <= 1 + 1e-12


@pytest.mark.parametrize("name", KERNELS)
def test_matrix_pairs_and_self_values_agree(name: str, news: Treebank) -> None:
    kernel = TreeKernel(name=name)
    half = len(news) // 2
    x, y = news[:half], news[half : 2 * half]
    matrix = kernel.gram(news)
    assert np.allclose(kernel.gram(x, y), matrix[:half, half : 2 * half], rtol=1e-12)
    assert np.allclose(kernel(y, x), matrix[half : 2 * half, :half], rtol=1e-12)
    pairs = kernel.pairwise(x, y)
    assert np.allclose(pairs, matrix[:half, half : 2 * half].diagonal(), rtol=1e-12)
    assert np.allclose(kernel.self_values(news), matrix.diagonal(), rtol=1e-12)
    own = np.sqrt(np.outer(matrix.diagonal(), matrix.diagonal()))
    normal = TreeKernel(name=name, normalize=True)
    assert np.allclose(normal.gram(news), matrix / own, rtol=1e-12)
    among = (matrix / own)[:half, half : 2 * half].diagonal()
    assert np.allclose(normal.pairwise(x, y), among, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("block", [1, 100, 5000])
def test_blocks_change_nothing(
    name: str, block: int, news: Treebank, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y = news[:9], news[9:22]
    kernel = TreeKernel(name=name)

    def values() -> tuple[Any, ...]:
        beside = kernel.pairwise(x, y[:9])
        return kernel.gram(x), kernel.gram(x, y), kernel.self_values(y), beside

    whole = values()
    monkeypatch.setattr(sums_module, "BLOCK_PAIRS", block)
    monkeypatch.setattr(tree_kernel_module, "_NODES_AT_A_TIME", block)
    for one, other in zip(whole, values(), strict=True):
        assert np.allclose(one, other, rtol=1e-12, atol=0)


def test_trees_with_nothing_to_compare() -> None:
    nothing = read_trees("(A)\n\n(B b)\n", keep_blank_lines=True)
    assert len(nothing) == 3
    matrix = TreeKernel(normalize=True).gram(nothing)
    assert matrix.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]
    empty = TreebankBuilder().finish()
    for name in KERNELS:
        assert TreeKernel(name=name).gram(empty).shape == (0, 0)
        assert TreeKernel(name=name).gram(nothing, empty).shape == (3, 0)
        assert TreeKernel(name=name).pairwise(empty, empty).size == 0


def test_settings_and_pairs_are_checked() -> None:
    for wrong in ({"name": "gk"}, {"decay": 0}, {"mu": float("nan")}, {"sigma": -1}):
        with pytest.raises(SettingsError):
            TreeKernel(**wrong)  # type: ignore[arg-type]
    one, two = read_trees("(A a)"), read_trees("(A a)\n(A b)")
    with pytest.raises(PairingError, match="1 trees and 2"):
        TreeKernel().pairwise(one, two)


# -- large trees -----------------------------------------------------------------------


def deep(levels: int) -> Treebank:
    builder = TreebankBuilder()
    for _ in range(levels - 1):
        builder.open("A")
    builder.leaf("A", "x")
    for _ in range(levels - 1):
        builder.close()
    builder.end_tree(line=1)
    return builder.finish()


def wide(words: int, *, last: str = "last") -> Treebank:
    builder = TreebankBuilder()
    builder.open("S")
    for number in range(words - 1):
        builder.leaf("A", f"w{number}")
    builder.leaf("A", last)
    builder.close()
    builder.end_tree(line=1)
    return builder.finish()


@pytest.mark.slow
def test_deep_trees() -> None:
    n = 2000
    tree = deep(n)
    # Two nodes of a chain share the shorter's length k: λ + λ² + … + λ^(k-1), but the
    # lowest, the only one over the word, shares nothing with the others.
    geometric = np.cumsum(0.4 ** np.arange(1, n + 1))
    lengths = np.arange(2, n + 1)
    chains = (geometric[lengths - 2] * (2 * (n - lengths))).sum() + geometric.sum()
    assert TreeKernel().self_values(tree)[0] == pytest.approx(chains, rel=1e-9)
    own = TreeKernel(name="st", decay=1).self_values(tree)
    assert own == [n]
    assert TreeKernel(name="ptk", normalize=True).pairwise(tree, tree) == [1]


@pytest.mark.slow
def test_wide_trees() -> None:
    x, y = wide(2000), wide(2000, last="other")
    sst = TreeKernel(decay=0.1)
    assert sst.pairwise(x, y)[0] == pytest.approx(0.1 * 1.1**1999 + 199.9, rel=1e-9)
    assert TreeKernel(name="st").pairwise(x, y)[0] == pytest.approx(0.4 * 1999)
    assert TreeKernel(name="ptk", normalize=True).gram(x)[0, 0] == 1


@pytest.mark.slow
def test_values_beyond_any_float() -> None:
    x, y = wide(4000), wide(4000, last="other")
    with pytest.raises(AnalyzerError, match="larger than the largest float"):
        TreeKernel().pairwise(x, y)
    for name in ("sst", "sst-bow"):
        normal = TreeKernel(name=name, normalize=True)
        assert normal.pairwise(x, y)[0] == pytest.approx(1 / 1.4, rel=1e-9)
        both = Treebank.join([x, y, read_trees("(S (A w1))\n(B)")])
        matrix = normal.gram(both)
        assert matrix[0, 1] == pytest.approx(1 / 1.4, rel=1e-9)
        assert matrix.diagonal().tolist() == [1, 1, 1, 0 if name == "sst" else 1]
        assert np.array_equal(matrix, matrix.T)


@pytest.mark.parametrize("decay", [1e-120, 1e-200])
def test_values_near_zero(decay: float) -> None:
    trees = read_trees("(A a)\n(A a)\n(A b)")
    for name in ("sst", "st"):
        matrix = TreeKernel(name=name, decay=decay, normalize=True).gram(trees)
        assert np.allclose(matrix, [[1, 1, 0], [1, 1, 0], [0, 0, 1]])


def test_partial_trees_of_large_values() -> None:
    tree = wide(250)
    kernel = TreeKernel(name="ptk", decay=1, mu=1)
    assert kernel.self_values(tree)[0] > 1e154
    normal = TreeKernel(name="ptk", decay=1, mu=1, normalize=True)
    assert normal.pairwise(tree, tree)[0] == pytest.approx(1, rel=1e-12)


@given(FORESTS)
@settings(max_examples=some(30), deadline=None)
def test_logarithms_give_the_same(trees: list[Plain]) -> None:
    bank = bank_of(trees)
    for name in ("sst", "sst-bow", "st"):
        kernel = TreeKernel(name=name, normalize=True)
        with pytest.MonkeyPatch.context() as patch:
            wanted = kernel.gram(bank)
            patch.setattr("analyzer.kernels.tree_kernel._LARGEST", -1)
            assert np.allclose(kernel.gram(bank), wanted, rtol=1e-12, atol=1e-15)


# -- other programs --------------------------------------------------------------------


@cache
def reference() -> Any:
    return json.loads((KERNEL_DATA / "tree_kernel_reference.json").read_text("utf-8"))


def _single_precision(pair: str) -> float:
    """How near KeLP, which adds up single precision, can be.

    On the two representations with four copies of each word it is up to 9.2e-6 off
    the reference (and off SVM-LIGHT-TK, which agrees with us to 1e-14): 12 values.
    """
    return 1e-5 if pair.startswith(("disco/DR-LEX1.1/", "disco/DR-LEX2.1/")) else 1e-6


@needs_kernel_data
@pytest.mark.parametrize("setting", range(13))
def test_reference_values(setting: int) -> None:
    """Explicit enumeration, SVM-LIGHT-TK (double), KeLP (float32): see DISCOTK.md."""
    data = reference()
    how = data["configs"][setting]
    x = read_trees("\n".join(pair["t1"] for pair in data["pairs"]))
    y = read_trees("\n".join(pair["t2"] for pair in data["pairs"]))
    rows = [pair["values"][setting] for pair in data["pairs"]]
    name = how["kernel"].lower().replace("_", "-")
    kernel = kernel_of(name, how["lam"], how["mu"])
    normal = replace(kernel, normalize=True)
    found = {
        "K12": kernel.pairwise(x, y),
        "K11": kernel.self_values(x),
        "K22": kernel.self_values(y),
        "norm": normal.pairwise(x, y),
        "brute": kernel.pairwise(x, y),
    }
    for what, values in found.items():
        for value, row in zip(values, rows, strict=True):
            if row.get(what) is not None:
                assert value == pytest.approx(row[what], rel=1e-9, abs=1e-300), what
    for value, pair, row in zip(found["K12"], data["pairs"], rows, strict=True):
        for peer, other in row["peers"].items():
            is_single = peer == "kelp_f32"
            rel = _single_precision(pair["id"]) if is_single else 1e-9
            assert value == pytest.approx(other, rel=rel), (peer, pair["id"])
    matrix = kernel.gram(x, y)
    assert np.allclose(matrix.diagonal(), found["K12"], rtol=1e-12, atol=0)


@needs_kernel_data
@pytest.mark.parametrize(
    ("trees", "total"), [(300, 380105.198956), (1000, 4501001.88462)]
)
def test_checksum_over_gum(trees: int, total: float) -> None:
    bank = read_trees(KERNEL_DATA / "gum1000.txt")[:trees]
    assert TreeKernel().gram(bank).sum() == pytest.approx(total, rel=1e-9)
