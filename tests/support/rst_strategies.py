"""Random discourse trees, and what tests compare of them."""

from __future__ import annotations

from hypothesis import strategies as st

from analyzer.model.discourse import Unit

Shape = list[tuple[str, str, int]]
RELATIONS = ("list", "contrast", "cause", "elaboration")


def shape(root: Unit) -> Shape:
    """The tree as a list: label, text and number of children, parents first."""
    return [(unit.label, unit.text, len(unit.children)) for unit in root.walk()]


def tree_of(spec: str) -> Unit:
    """A tree from a short notation; texts are numbers.

    `[N:span S:cause]` is a root with two EDUs; a unit below it is written
    `N:span[N:list N:list]`.

    >>> shape(tree_of("[N:span S:cause]"))
    [('---/R', '', 2), ('span/N', '1', 0), ('cause/S', '2', 0)]
    """
    root = Unit("R", "---")
    above = []
    unit = root
    edus = 0
    for token in spec.replace("[", " [ ").replace("]", " ] ").split():
        if token == "[":
            above.append(unit)
        elif token == "]":
            above.pop()
        else:
            nuclearity, _, relation = token.partition(":")
            unit = Unit(nuclearity, relation)
            above[-1].children.append(unit)
    for unit in root.walk():
        if unit.is_edu:
            edus += 1
            unit.text = str(edus)
    return root


@st.composite
def discourse_trees(
    draw: st.DrawFn,
    *,
    edus: int = 12,
    least: int = 1,
    binary: bool = False,
    proper: bool = True,
) -> Unit:
    """A headed tree without unary units, grown by joining neighbours.

    `proper`: one nucleus with satellites, or nuclei of one relation (Constraint 1);
    otherwise any mixture with a nucleus in it.
    """
    count = draw(st.integers(least, edus))
    units = [Unit("N", "span", text=str(number)) for number in range(1, count + 1)]
    while len(units) > 1:
        size = draw(st.integers(2, 2 if binary else min(5, len(units))))
        start = draw(st.integers(0, len(units) - size))
        children = units[start : start + size]
        if proper:
            _label_properly(draw, children)
        else:
            _label_anyhow(draw, children)
        units[start : start + size] = [Unit("N", "span", children)]
    units[0].nuclearity, units[0].relation = "R", "---"
    return units[0]


def _label_properly(draw: st.DrawFn, children: list[Unit]) -> None:
    if draw(st.booleans()):
        relation = draw(st.sampled_from(RELATIONS))
        for child in children:
            child.nuclearity, child.relation = "N", relation
        return
    nucleus = draw(st.integers(0, len(children) - 1))
    for at, child in enumerate(children):
        child.nuclearity, child.relation = "S", draw(st.sampled_from(RELATIONS))
        if at == nucleus:
            child.nuclearity, child.relation = "N", "span"


def _label_anyhow(draw: st.DrawFn, children: list[Unit]) -> None:
    nucleus = draw(st.integers(0, len(children) - 1))
    for at, child in enumerate(children):
        child.nuclearity = "N" if at == nucleus else draw(st.sampled_from("NS"))
        child.relation = draw(st.sampled_from((*RELATIONS, "span")))
