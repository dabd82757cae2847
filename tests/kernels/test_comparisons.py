"""Trees of files compared from Python, as `spinal kernel` does it."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import PairingError, TreeKernel, __version__
from analyzer.formats.registry import Family
from analyzer.kernels.comparisons import (
    Neighbour,
    PairValue,
    kernel_matrix,
    kernel_pairs,
    nearest_trees,
    pair_documents,
    read_named_trees,
)

KERNEL = TreeKernel(name="st", normalize=True)


def test_the_signature_has_a_version() -> None:
    signature = TreeKernel(decay=1).signature
    assert str(signature) == f"kernel:sst|decay:1|norm:no|spinal:{__version__}"
    assert TreeKernel(sigma=0.5).signature.get("sigma") == "0.5"
    assert TreeKernel(name="st").signature.get("sigma") is None


def test_pairs_and_neighbours_of_sentences(tmp_path: Path) -> None:
    one, other = tmp_path / "a.mrg", tmp_path / "b.mrg"
    one.write_text("(A a)\n(B b\n(C c)\n")
    other.write_text("(A a)\n(B b)\n(D d)\n")
    a, b = read_named_trees(str(one)), read_named_trees(str(other))
    assert a.is_readable == [True, False, True]
    assert len(a.problems) == 1
    assert kernel_pairs(KERNEL, a, b) == [
        PairValue("1", "1", 1.0),
        PairValue("2", "2", None),
        PairValue("3", "3", 0.0),
    ]
    assert nearest_trees(KERNEL, a, b) == [
        Neighbour("1", 1, "1", 1.0),
        Neighbour("3", 1, "1", 0.0),
    ]
    # Among its own, no tree is its own neighbour.
    assert [(n.tree, n.nearest) for n in nearest_trees(KERNEL, b, most=5)] == [
        *(("1", "2"), ("1", "3"), ("2", "1"), ("2", "3"), ("3", "1"), ("3", "2")),
    ]
    assert kernel_matrix(KERNEL, b).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_documents_are_paired_by_name(tmp_path: Path) -> None:
    for folder, names in (("a", "xyz"), ("b", "zyw")):
        (tmp_path / folder).mkdir()
        for name in names:
            text = "(NS-Cause (1) (2))" if name != "y" else "(SN-Cause (1) (2))"
            (tmp_path / folder / f"{name}.brackets").write_text(text)
    a, b = (
        read_named_trees(str(tmp_path / side), Family.DISCOURSE) for side in ("a", "b")
    )
    left, right, alone = pair_documents(a, b)
    assert left.names == right.names == ["y", "z"]
    assert alone == ["w", "x"]
    assert [pair.value for pair in kernel_pairs(KERNEL, left, right)] == [1.0, 1.0]
    with pytest.raises(PairingError, match=r"has 3 trees and .* 2 trees"):
        kernel_pairs(KERNEL, a, right)
