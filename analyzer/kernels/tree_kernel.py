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

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from analyzer.exceptions import AnalyzerError, PairingError, SettingsError
from analyzer.kernels.nodes import (
    ComparedNodes,
    KernelNodes,
    Level,
    NodePairs,
    compared_nodes,
    kernel_nodes,
    levels,
    pairs_of,
)
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Flags, Floats, Ints
from analyzer.model.treebank import Treebank

# -- values of pairs of nodes, added up tree by tree -----------------------------------
#
# In blocks of bounded memory.
#
# **Subset trees** (Collins and Duffy 2002): of a pair of equal productions,
# Δ = λ ∏ (σ + Δ(child, child)) over the children that are no leaves; with σ = 0 these
# are complete subtrees. A pair of children with different productions has Δ = 0.
#
# **Partial trees** (Moschitti 2006): for a pair of nodes of equal labels with n and m
# children, S(k, l) is the sum over equally long subsequences that end in children k
# and l, D(k, l) the sum of all those that end there or before, each child in between
# costing λ:
#
#     S(k, l) = Δ(k, l) (1 + D(k-1, l-1))
#     D(k, l) = Σ over i ≤ k, j ≤ l of λ^(k-i + l-j) S(i, j)
#     Δ       = μ (λ² + Σ S(k, l))
#
# All lengths at once, in O(n m): Moschitti's recursion has one table a length.


# Pairs of nodes, and sums, in memory at a time. Two large trees may have more pairs.
BLOCK_PAIRS = 1 << 19
# Cells of a table over pairs and children in memory at a time.
_CELLS = 1 << 20


@dataclass(frozen=True)
class SumSettings:
    """What is summed; `analyzer.kernels.tree_kernel` has the definitions."""

    decay: float
    mu: float
    sigma: float
    is_partial: bool  # partial trees
    with_leaves: bool  # equal leaves count, too
    in_logs: bool  # logarithms of all sums, for those that no float holds

    def nodes_of(self, nodes: KernelNodes, apart: Ints | None = None) -> ComparedNodes:
        return compared_nodes(
            nodes, by_name=self.is_partial, with_leaves=self.with_leaves, apart=apart
        )


def gram_sums(
    nodes: KernelNodes, rows: range, columns: range, how: SumSettings
) -> Floats:
    """The sums for each tree of `rows` with each of `columns`: a matrix."""
    these = how.nodes_of(nodes)
    result = np.empty((len(rows), len(columns)))
    is_symmetric = rows == columns
    tree = np.arange(nodes.trees)
    pending = [(rows, columns)]
    while pending:
        some, others = pending.pop()
        if not some or not others:
            continue
        if _is_too_large(these, some, others):
            pending += _split(some, others, is_symmetric=is_symmetric)
            continue
        pairs = pairs_of(these, some, others)
        row_key = (tree - some.start) * len(others)
        column_key = tree - others.start
        sums = _sums(pairs, row_key, column_key, len(some) * len(others), how)
        block = sums.reshape(len(some), len(others))
        if is_symmetric and some == others:
            # Sums in another order differ in the last digit: one of them counts.
            lower = np.tril_indices(len(some), -1)
            block[lower] = block.T[lower]
        top, left = some.start - rows.start, others.start - columns.start
        result[top : top + len(some), left : left + len(others)] = block
        if is_symmetric:
            result[left : left + len(others), top : top + len(some)] = block.T
    return result


def pairwise_sums(
    nodes: KernelNodes, rows: range, columns: range, how: SumSettings
) -> Floats:
    """The sums for the trees of `rows` and `columns` at the same place."""
    # Rows and columns are the same trees, or columns come right after the rows.
    place = np.arange(nodes.trees) % max(1, len(rows))
    these = how.nodes_of(nodes, apart=place[nodes.tree])
    result = np.empty(len(rows))
    for part in parts(_pair_counts(these, rows, columns), BLOCK_PAIRS):
        some = rows[part.start : part.stop]
        others = columns[part.start : part.stop]
        pairs = pairs_of(these, some, others)
        key = place - part.start
        sums = _sums(pairs, key, np.zeros_like(key), len(part), how)
        result[part.start : part.stop] = sums
    return result


def _sums(
    pairs: NodePairs, row_key: Ints, column_key: Ints, cells: int, how: SumSettings
) -> Floats:
    """The values of all pairs, added up by the sum of their trees' keys."""
    fill = _fill_subset_trees
    if how.is_partial:
        fill = _fill_partial_trees
    elif how.in_logs:
        fill = _fill_logs_of_subset_trees
    delta = np.empty(int(pairs.start[-1]))
    key = np.empty(delta.size, np.int64)
    with np.errstate(over="ignore"):  # TreeKernel looks for infinite sums
        for level in levels(pairs, BLOCK_PAIRS):
            fill(how, pairs, level, delta)
            left_key = row_key[pairs.nodes.tree[level.left]]
            right_key = column_key[pairs.nodes.tree[level.right]]
            key[level.pairs] = left_key[level.row] + right_key
        if how.in_logs:
            return _added_logs(key, delta, cells)
        sums = np.bincount(key, weights=delta, minlength=cells)
        return np.asarray(sums, np.float64)


def _added_logs(key: Ints, logs: Floats, cells: int) -> Floats:
    """The logarithms of sums, from the logarithms of what is added."""
    largest = np.full(cells, -np.inf)
    np.maximum.at(largest, key, logs)
    # Where all is zero, the largest logarithm is that of 0.
    above = np.where(np.isfinite(largest), largest, 0.0)
    shares = np.bincount(key, weights=np.exp(logs - above[key]), minlength=cells)
    with np.errstate(divide="ignore"):
        return np.asarray(above + np.log(shares), np.float64)


def _is_too_large(these: ComparedNodes, some: range, others: range) -> bool:
    """Whether the pairs of these trees are more than a block should hold."""
    cells = len(some) * len(others)
    if cells == 1 or cells > BLOCK_PAIRS:
        return cells > 1
    of_group = np.bincount(these.group[these.of_trees(others)], minlength=these.groups)
    count = int(of_group[these.group[these.of_trees(some)]].sum())
    return count > BLOCK_PAIRS


def _split(
    some: range, others: range, *, is_symmetric: bool
) -> list[tuple[range, range]]:
    """A block in smaller ones, as square as may be: those have the fewest nodes.

    Of a block on the diagonal of a symmetric matrix, three quarters are enough.

    >>> _split(range(4), range(4), is_symmetric=True)
    [(range(0, 2), range(0, 2)), (range(0, 2), range(2, 4)), (range(2, 4), range(2, 4))]
    >>> _split(range(2), range(4), is_symmetric=False)
    [(range(0, 2), range(0, 2)), (range(0, 2), range(2, 4))]
    """
    if is_symmetric and some == others:
        first, last = _halves(some)
        return [(first, first), (first, last), (last, last)]
    if len(some) >= len(others):
        return [(half, others) for half in _halves(some)]
    return [(some, half) for half in _halves(others)]


def _halves(trees: range) -> tuple[range, range]:
    middle = len(trees) // 2
    return trees[:middle], trees[middle:]


def _pair_counts(these: ComparedNodes, rows: range, columns: range) -> Ints:
    """How many pairs of nodes each pair of trees has."""
    left = these.of_trees(rows)
    groups = np.sort(these.group[these.of_trees(columns)])
    count = np.searchsorted(groups, these.group[left], "right")
    count -= np.searchsorted(groups, these.group[left], "left")
    place = these.tree[left] - rows.start
    return np.bincount(place, weights=count, minlength=len(rows)).astype(np.int64)


def parts(sizes: Ints, limit: int) -> Iterator[range]:
    """Runs of places whose sizes add up to no more than the limit, or that are one.

    >>> list(parts(np.array([1, 2, 9, 1]), 3))
    [range(0, 2), range(2, 3), range(3, 4)]
    """
    begin = total = 0
    for place, size in enumerate(sizes.tolist()):
        if total + size > limit and place > begin:
            yield range(begin, place)
            begin, total = place, 0
        total += size
    if begin < sizes.size:
        yield range(begin, int(sizes.size))


# -- subset trees ----------------------------------------------------------------------

# Each computes the values of a level's pairs into the array of all values, in which
# those of deeper pairs stand already.


def _fill_subset_trees(
    how: SumSettings, pairs: NodePairs, level: Level, delta: Floats
) -> None:
    value = delta[level.pairs]
    value.fill(how.decay)
    for size, equal, place in _children(pairs, level):
        if how.sigma == 1:  # most children differ, and change nothing
            value[equal] *= 1 + delta[place]
        else:
            factor = np.full(size, how.sigma)
            factor[equal] += delta[place]
            value[:size] *= factor


def _fill_logs_of_subset_trees(
    how: SumSettings, pairs: NodePairs, level: Level, delta: Floats
) -> None:
    """Logarithms of the values, which no float may hold themselves.

    A node over 2,300 equal words is worth 0.4 · 1.4^2300, more than any float.
    """
    with np.errstate(divide="ignore"):
        log_decay, log_sigma = np.log(how.decay), np.log(how.sigma)
    value = delta[level.pairs]
    value.fill(log_decay)
    for size, equal, place in _children(pairs, level):
        factor = np.full(size, log_sigma)
        factor[equal] = np.logaddexp(log_sigma, delta[place])
        value[:size] += factor


def _children(pairs: NodePairs, level: Level) -> Iterator[tuple[int, Ints, Ints]]:
    """Child by child: how many pairs have one, for which the two are of one group,
    and where the pair of these children stands.

    Left nodes with most children come first, so those that have an i-th child are a
    beginning of the list, and so are their pairs.
    """
    these = pairs.nodes
    fewer = -these.kid_count[level.left]
    with_kids = int(level.first[np.searchsorted(fewer, 0)])
    right_kids = these.kid_start[level.right[:with_kids]]
    for i in range(-int(fewer[0])):
        rows = int(np.searchsorted(fewer, -i))
        size = int(level.first[rows])
        own = these.kid_start[level.left[:rows]] + i
        other = right_kids[:size] + i
        own_group = these.kid_group[own][level.row[:size]]
        equal = np.flatnonzero(these.kid_group[other] == own_group)
        start = pairs.start_of[these.kids[own]][level.row[equal]]
        yield size, equal, start + pairs.rank_of[these.kids[other[equal]]]


# -- partial trees ---------------------------------------------------------------------


def _fill_partial_trees(
    how: SumSettings, pairs: NodePairs, level: Level, delta: Floats
) -> None:
    value = delta[level.pairs]
    value.fill(how.decay**2)
    these = pairs.nodes
    many = these.kid_count[level.left][level.row]
    for n, m, chosen in _shapes(many, these.kid_count[level.right]):
        own = these.kid_start[level.left[level.row[chosen]]]
        other = these.kid_start[level.right[chosen]]
        value[chosen] += _subsequences(pairs, own, other, n, m, delta, how.decay)
    value *= how.mu


def _shapes(many: Ints, others: Ints) -> Iterator[tuple[int, int, Ints]]:
    """Pairs of nodes with children, by how many they have, in lots of bounded size."""
    chosen = np.flatnonzero((many > 0) & (others > 0))
    if not chosen.size:
        return
    many, others = many[chosen], others[chosen]
    shape = many * (int(others.max()) + 1) + others
    order = np.argsort(shape, kind="stable")
    ends = np.flatnonzero(np.diff(shape[order])) + 1
    for run in np.split(order, ends):
        n, m = int(many[run[0]]), int(others[run[0]])
        step = max(1, _CELLS // m)
        for begin in range(0, run.size, step):
            yield n, m, chosen[run[begin : begin + step]]


def _subsequences(
    pairs: NodePairs,
    own: Ints,
    other: Ints,
    n: int,
    m: int,
    delta: Floats,
    decay: float,
) -> Floats:
    """Σ S(k, l) for pairs of nodes with n and m children, which begin as given."""
    these = pairs.nodes
    columns = other[:, None] + np.arange(m)
    group = these.kid_group[columns]
    rank: Ints | None = None
    total = np.zeros(own.size)
    # D(k-1, l-1) stands at l: a column of zeros comes first. None: nothing found yet.
    before: Floats | None = None
    down = np.zeros((own.size, m))
    for k in range(n):
        is_hit: Flags = group == these.kid_group[own + k][:, None]
        hits = np.flatnonzero(is_hit)
        if hits.size:
            if rank is None:
                rank = pairs.rank_of[these.kids[columns]].ravel()
            pair = hits // m
            begins = pairs.start_of[these.kids[own + k]]
            ended = delta[begins[pair] + rank[hits]]
            if before is not None:
                ended *= 1 + before.ravel()[hits]
            total += np.bincount(pair, weights=ended, minlength=own.size)
        if k == n - 1:
            break
        down *= decay
        if hits.size:
            down.ravel()[hits] += ended
        if before is not None or hits.size:
            before = _shifted(_decayed(down, decay))
    return total


def _decayed(values: Floats, decay: float) -> Floats:
    """Along each row, the sum of all values so far, λ to the power of their distance.

    In log2(m) steps: sums over 1, 2, 4 … neighbours.
    """
    sums = values.copy()
    step, weight = 1, decay
    while step < values.shape[1]:
        sums[:, step:] += weight * sums[:, :-step]
        step, weight = 2 * step, weight * weight
    return sums


def _shifted(values: Floats) -> Floats:
    shifted = np.zeros_like(values)
    shifted[:, 1:] = values[:, :-1]
    return shifted


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
