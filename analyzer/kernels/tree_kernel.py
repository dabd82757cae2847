"""Definitions, and the object that computes them.

K(x, y) is a sum over all pairs of a node of x and a node of y:

* `sst`, subset trees (Collins and Duffy 2002). A fragment is a part of a tree that
  takes all children of a node or none. Two nodes with different productions give 0,
  with the same one λ ∏ (σ + Δ(child, child)) over their children that are no leaves,
  σ = 1. This is the sum over fragments f of λ^size(f) c_x(f) c_y(f), the size counted
  in productions.
* `st`, complete subtrees (Vishwanathan and Smola 2003): the same with σ = 0.
* `sst-bow`: `sst`, and λ for each pair of equal leaves.
* `ptk`, partial trees (Moschitti 2006): a fragment may take some of a node's children.
  Two nodes with different labels give 0, with the same one μ (λ² + the sum over equally
  long subsequences of their children of λ^gaps ∏ Δ(child, child)). Gaps are children
  jumped over within the subsequence, on both sides; neighbours cost nothing.

Leaves and labels are never equal, even if they are spelt the same, but for `ptk`, which
compares nodes by their names alone (as its definition and both public programs do). A
tag `(NN cat)` is a node over the leaf `cat`; so is `(NN (cat))`, which allows several
leaves: `(EDU (a) (b))`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from analyzer.exceptions import AnalyzerError, PairingError, SettingsError
from analyzer.kernels.nodes import KernelNodes, kernel_nodes
from analyzer.kernels.sums import SumSettings, gram_sums, pairwise_sums, parts
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Floats
from analyzer.model.treebank import Treebank

Sums = Callable[[KernelNodes, range, range, SumSettings], Floats]

KERNELS = ("sst", "st", "sst-bow", "ptk")
DEFAULT_DECAY = 0.4
DEFAULT_MU = 0.4
# Self-kernels above this are not far from what a float cannot hold.
_LARGEST = 1e300
# Pairs of trees are independent: so many nodes are looked at together.
_NODES_AT_A_TIME = 1 << 18


@dataclass(frozen=True, kw_only=True)
class TreeKernel:
    """A kernel and its settings.

    `decay` is λ, `mu` PTK's μ, `sigma` the σ of `sst` and `sst-bow`. With `normalize`
    a value is K(x, y) / √(K(x, x) K(y, y)), and 0 if a tree has nothing to compare.

    >>> from analyzer.formats.reading import read_trees
    >>> trees = read_trees("(NP (D a) (N cat))\\n(NP (D a) (N dog))")
    >>> TreeKernel(name="sst", decay=1).gram(trees)
    array([[6., 3.],
           [3., 6.]])

    Six fragments: `a`'s and `cat`'s own productions, and NP with each of the two
    expanded or not. Of these, `(NP D N)`, `(NP (D a) N)` and `(D a)` are in both.
    """

    name: str = "sst"
    decay: float = DEFAULT_DECAY
    mu: float = DEFAULT_MU
    normalize: bool = False
    sigma: float = 1.0

    def __post_init__(self) -> None:
        if self.name not in KERNELS:
            raise SettingsError("E519 there are", name=self.name, kernels=KERNELS)
        ignored = {
            "mu": self.mu != DEFAULT_MU and self.name != "ptk",
            "sigma": self.sigma != 1 and self.name not in ("sst", "sst-bow"),
        }
        for what, is_ignored in ignored.items():
            if is_ignored:
                raise SettingsError("E542 the kernel", name=self.name, what=what)
        for what, value in (("decay", self.decay), ("mu", self.mu)):
            if not (np.isfinite(value) and value > 0):
                raise SettingsError("E521 must be a number", what=what, value=value)
        if not (np.isfinite(self.sigma) and self.sigma >= 0):
            raise SettingsError("E520 sigma must be 0 or above, not", sigma=self.sigma)

    @property
    def signature(self) -> Signature:
        """The settings that move a number.

        >>> str(TreeKernel(name="ptk", normalize=True).signature)
        ... # doctest: +ELLIPSIS
        'kernel:ptk|decay:0.4|mu:0.4|norm:yes|spinal:...'
        """
        more = {}
        if self.name == "ptk":
            more["mu"] = f"{self.mu:g}"
        elif self.name != "st" and self.sigma != 1:
            more["sigma"] = f"{self.sigma:g}"
        return Signature.of(
            kernel=self.name, decay=f"{self.decay:g}", **more, norm=self.normalize
        )

    def gram(self, x: Treebank, y: Treebank | None = None) -> Floats:
        """The kernel of each tree of `x` (rows) with each of `y`, or of `x`.

        What scikit-learn takes as a precomputed kernel: `fit(kernel.gram(train), …)`,
        then `predict(kernel.gram(test, train))`. The object itself can be called the
        same way, for estimators that take a callable.

        >>> from analyzer.formats.reading import read_trees
        >>> trees = read_trees("(A (B x))\\n(A (B y))")
        >>> TreeKernel(name="st", normalize=True).gram(trees)
        array([[1., 0.],
               [0., 1.]])
        """
        nodes, rows, columns = _together(x, y)
        values = self._values(gram_sums, nodes, rows, columns)
        if self.normalize and rows == columns:
            # Exactly so, although the two sums were added up in different orders.
            np.fill_diagonal(values, values.diagonal() > 0)
        return values

    __call__ = gram

    def pairwise(self, x: Treebank, y: Treebank) -> Floats:
        """The kernel of each tree of `x` with the tree of `y` at the same place.

        >>> from analyzer.formats.reading import read_trees
        >>> x, y = read_trees("(A x)\\n(B y)"), read_trees("(A x)\\n(B z)")
        >>> TreeKernel(name="sst-bow", decay=0.5).pairwise(x, y)
        array([1., 0.])
        """
        if len(x) != len(y):
            raise PairingError("E410 pairs need", count=len(x), count_2=len(y))
        sizes = np.diff(x.node_start) + np.diff(y.node_start)
        values = [np.zeros(0)]
        for part in parts(sizes, _NODES_AT_A_TIME):
            some = slice(part.start, part.stop)
            values.append(self._values(pairwise_sums, *_together(x[some], y[some])))
        return np.concatenate(values)

    def _values(
        self, sums: Sums, nodes: KernelNodes, rows: range, columns: range
    ) -> Floats:
        if not self.normalize:
            return _finite(sums(nodes, rows, columns, self._sum_settings(False)))
        own, in_logs = self._norms(nodes)
        values = sums(nodes, rows, columns, self._sum_settings(in_logs))
        own_x, own_y = own[rows.start : rows.stop], own[columns.start : columns.stop]
        if sums is gram_sums:
            own_x = own_x[:, None]
        return _normalize(values, own_x, own_y, in_logs)

    def self_values(self, x: Treebank) -> Floats:
        """K(x, x) for each tree, never normalised.

        >>> from analyzer.formats.reading import read_trees
        >>> TreeKernel(decay=1).self_values(read_trees("(A (B x) (C y))\\n(A)"))
        array([6., 0.])
        """
        values = [np.zeros(0)]
        for part in parts(np.diff(x.node_start), _NODES_AT_A_TIME):
            nodes = kernel_nodes(x[part.start : part.stop])
            values.append(_finite(self._self_sums(nodes)))
        return np.concatenate(values)

    def _norms(self, nodes: KernelNodes) -> tuple[Floats, bool]:
        """K(x, x) of all trees, or the logarithms if they are too large, and which."""
        own = self._self_sums(nodes)
        if self.name == "ptk" or bool(np.all(own < _LARGEST)):
            return own, False
        return self._self_sums(nodes, in_logs=True), True

    def _self_sums(self, nodes: KernelNodes, *, in_logs: bool = False) -> Floats:
        everything = range(nodes.trees)
        return pairwise_sums(nodes, everything, everything, self._sum_settings(in_logs))

    def _sum_settings(self, in_logs: bool) -> SumSettings:
        return SumSettings(
            decay=self.decay,
            mu=self.mu,
            sigma=0.0 if self.name == "st" else float(self.sigma),
            is_partial=self.name == "ptk",
            with_leaves=self.name == "sst-bow",
            in_logs=in_logs,
        )


def _together(x: Treebank, y: Treebank | None) -> tuple[KernelNodes, range, range]:
    """The nodes of both banks with common numbers; which trees are whose."""
    for given in (x, x if y is None else y):
        if not isinstance(given, Treebank):
            kind = f"a {type(given).__name__}"
            raise SettingsError("E587 kernels are of a treebank", kind=kind)
    rows = range(len(x))
    if y is None or y is x:
        return kernel_nodes(x), rows, rows
    columns = range(len(x), len(x) + len(y))
    return kernel_nodes(Treebank.join([x, y])), rows, columns


def _finite(values: Floats) -> Floats:
    if not np.all(np.isfinite(values)):
        raise AnalyzerError("E002 a kernel value is larger than the largest")
    return values


def _normalize(values: Floats, x: Floats, y: Floats, in_logs: bool) -> Floats:
    if in_logs:
        # A tree without anything to compare has the logarithm of 0.
        half = np.where(np.isfinite(x) & np.isfinite(y), (x + y) / 2, 0.0)
        return np.asarray(np.exp(values - half), np.float64)
    with np.errstate(over="ignore", under="ignore"):
        product = _finite(x) * _finite(y)
    # The root of a square is exact, so that K(x, x) / √(K(x, x)²) is just 1; but the
    # product may be out of range where the roots are not.
    is_in_range = (product > 1 / _LARGEST) & (product < _LARGEST)
    norm = np.where(is_in_range, np.sqrt(product), np.sqrt(x) * np.sqrt(y))
    return np.divide(values, norm, out=np.zeros_like(values), where=norm > 0)
