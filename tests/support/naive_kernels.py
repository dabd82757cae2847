"""Tree kernels by their definitions: every fragment is written down and counted.

A tree is a name and a tuple of trees; one without children is a leaf. Only for small
trees: a tree of fifty nodes has millions of fragments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from math import prod
from typing import Any

from hypothesis import strategies as st

Plain = tuple[str, tuple[Any, ...]]
Fragment = Any
LEAF = "leaf"  # marks leaves, so that no leaf equals a label


def trees(most: int = 8) -> st.SearchStrategy[Plain]:
    """Trees over few names, so that much is shared, and leaves are called as labels."""
    names = st.sampled_from("ABx")
    leaves = st.tuples(names, st.just(()))
    return st.recursive(
        leaves,
        lambda below: st.tuples(
            names, st.lists(below, min_size=1, max_size=3).map(tuple)
        ),
        max_leaves=most,
    )


def written(tree: Plain, *, bare: bool = True) -> str:
    """Brackets; `bare` leaves that are alone stand without brackets of their own."""
    name, kids = tree
    if bare and len(kids) == 1 and not kids[0][1]:
        return f"({name} {kids[0][0]})"
    return "(" + " ".join([name, *(written(kid, bare=bare) for kid in kids)]) + ")"


def nodes(tree: Plain) -> Iterator[Plain]:
    yield tree
    for kid in tree[1]:
        yield from nodes(kid)


def sst(x: Plain, y: Plain, decay: float) -> float:
    return _shared(_subset_trees(x), _subset_trees(y), decay)


def st_(x: Plain, y: Plain, decay: float) -> float:
    return _shared(_subtrees(x), _subtrees(y), decay)


def sst_bow(x: Plain, y: Plain, decay: float) -> float:
    in_x, in_y = (Counter(n[0] for n in nodes(t) if not n[1]) for t in (x, y))
    return sst(x, y, decay) + decay * sum(n * in_y[word] for word, n in in_x.items())


def ptk(x: Plain, y: Plain, decay: float, mu: float) -> float:
    in_x, in_y = _partial_trees(x, decay), _partial_trees(y, decay)
    return sum(
        mu ** _count(fragment)
        * decay ** (2 * _tips(fragment))
        * weight
        * in_y.get(fragment, 0)
        for fragment, weight in in_x.items()
    )


def recursive_sst(x: Plain, y: Plain, decay: float, sigma: float) -> float:
    """By the recursion, which has a σ; fragments have none."""

    def delta(a: Plain, b: Plain) -> float:
        if _production(a) != _production(b):
            return 0
        kids = [(c, d) for c, d in zip(a[1], b[1], strict=True) if c[1]]
        return decay * prod(sigma + delta(c, d) for c, d in kids)

    inner = [[n for n in nodes(tree) if n[1]] for tree in (x, y)]
    return sum(delta(a, b) for a, b in product(*inner))


def _production(node: Plain) -> Any:
    return node[0], tuple((name, bool(kids)) for name, kids in node[1])


def _shared(x: Counter[Fragment], y: Counter[Fragment], decay: float) -> float:
    return sum(decay ** _size(f) * n * y[f] for f, n in x.items())


def _size(fragment: Fragment) -> int:
    """Productions of a fragment: its nodes that have children."""
    _, kids = fragment
    return 1 + sum(map(_size, kids)) if kids and kids != LEAF else 0


def _subset_trees(tree: Plain) -> Counter[Fragment]:
    return Counter(f for node in nodes(tree) if node[1] for f in _rooted(node))


def _rooted(node: Plain) -> list[Fragment]:
    choices = [
        [(kid[0], LEAF)] if not kid[1] else [(kid[0], ()), *_rooted(kid)]
        for kid in node[1]
    ]
    return [(node[0], kids) for kids in product(*choices)]


def _subtrees(tree: Plain) -> Counter[Fragment]:
    def marked(node: Plain) -> Fragment:
        return node[0], tuple(map(marked, node[1])) or LEAF

    return Counter(marked(node) for node in nodes(tree) if node[1])


def _partial_trees(tree: Plain, decay: float) -> dict[Fragment, float]:
    """Fragments, each with λ^gaps added up over the places where it stands."""
    weights: dict[Fragment, float] = {}
    for node in nodes(tree):
        for fragment, weight in _partial(node, decay):
            weights[fragment] = weights.get(fragment, 0) + weight
    return weights


def _partial(node: Plain, decay: float) -> list[tuple[Fragment, float]]:
    name, kids = node
    found: list[tuple[Fragment, float]] = [((name, ()), 1.0)]
    below = [_partial(kid, decay) for kid in kids]
    for size in range(1, len(kids) + 1):
        for places in combinations(range(len(kids)), size):
            gaps = places[-1] - places[0] + 1 - size
            for chosen in product(*(below[place] for place in places)):
                weight = decay**gaps * prod(w for _, w in chosen)
                found.append(((name, tuple(f for f, _ in chosen)), weight))
    return found


def _count(fragment: Fragment) -> int:
    return 1 + sum(map(_count, fragment[1]))


def _tips(fragment: Fragment) -> int:
    return sum(map(_tips, fragment[1])) if fragment[1] else 1
