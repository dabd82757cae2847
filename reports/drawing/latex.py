r"""Trees as LaTeX, for the package `forest`; and what a picture has for every format.

Each tree is a `forest` environment that says all it needs itself, so that it can be
taken out of the file and put into a paper. The file is a document of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from analyzer.model.discourse import NUCLEUS, SATELLITE, SPAN, DependencyTree
from reports.drawing.outline import Node, folded, one_line, shown
from reports.drawing.svg import MARK_CLASSES, PAIR_CLASSES, column_lines
from reports.drawing.tree_text import NO_TREE
from reports.render import latex_text

_DEEPEST = 60  # level on which phrases are folded, as in SVG
_PREAMBLE = r"""% Compile it as it is, with lualatex if there are letters that pdflatex
% lacks; or take \forestset and \begin{forest} … \end{forest} into a paper that has
% \usepackage[linguistics]{forest}.
\documentclass[varwidth=\maxdimen, border=6pt]{standalone}
\usepackage[T1]{fontenc}
\usepackage[linguistics]{forest}
\begin{document}
"""
_RELATION = (
    r"\forestset{relation/.style={edge label={node[midway, fill=white, inner sep=1pt, "
    r"font=\footnotesize\itshape]{#1}}}}"
)


class Picture(NamedTuple):
    """A drawing as SVG; and what it shows, for LaTeX: a title and nodes of each tree.

    Marked nodes are of the class of the tree's place: only in gold, only in parsed.
    """

    svg: str
    trees: Sequence[tuple[str, Sequence[Node]]]
    mark_classes: Sequence[str] = PAIR_CLASSES

    @property
    def latex(self) -> str:
        """A LaTeX document with each tree below its title."""
        parts = [_PREAMBLE]
        for (title, nodes), mark in zip(self.trees, self.mark_classes, strict=False):
            heading = rf"\noindent\textbf{{{latex_text(shown(title))}}}\par\medskip"
            parts += [heading + "\n"] if title else []
            parts.append(f"\\noindent\n{forest(nodes, mark)}\\par\\bigskip\n")
        return "".join([*parts, "\\end{document}\n"])


def forest(nodes: Sequence[Node], mark: str = PAIR_CLASSES[0]) -> str:
    r"""A tree as a `forest` environment; words stand in a row at the bottom.

    Every text is in braces and escaped: no label can end it or be read as an option.

    >>> from analyzer.formats.reading import read_trees
    >>> from reports.drawing.outline import outline
    >>> tree = read_trees("(S (NP (PRP it)) (VP (VBZ costs) (NP (CD 5%))))")[0]
    >>> print(forest(outline(tree).nodes).split("anchor=north}")[1], end="")
    <BLANKLINE>
    [{S}
      [{NP}
        [{PRP} [{it}, tier=word]]]
      [{VP}
        [{VBZ} [{costs}, tier=word]]
        [{NP}
          [{CD} [{5\%}, tier=word]]]]]
    \end{forest}
    """
    nodes = folded(nodes, _DEEPEST) or [Node(NO_TREE)]
    roots = sum(node.parent is None for node in nodes)
    lines, layout = [], "parent anchor=south, child anchor=north"
    if any(node.marks for node in nodes):
        red, green, blue = bytes.fromhex(MARK_CLASSES[mark][0][1:])
        color = f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"
        look = f"text={color}, font=\\bfseries, edge={{draw={color}, thick}}"
        lines.append(f"\\forestset{{{mark}/.style={{{look}}}}}")
    if any(node.nuclearity for node in nodes):
        lines.append(_RELATION)
        layout += ", align=center, l sep=14mm, s sep=5mm"
    lines += ["\\begin{forest}", f"for tree={{{layout}}}"]
    if roots > 1:  # forest has one root
        lines.append("[, phantom")
    open_levels: list[int] = []
    for node in nodes:
        while open_levels and open_levels[-1] >= node.level:
            open_levels.pop()
            lines[-1] += "]"
        level = node.level + (roots > 1)
        lines.append("  " * level + _bracket(node, mark))
        open_levels.append(node.level)
    lines[-1] += "]" * (len(open_levels) + (roots > 1))
    return "\n".join([*lines, "\\end{forest}\n"])


def _bracket(node: Node, mark: str) -> str:
    """A node, opened; its word is a node below it, a unit's text stands in it."""
    label = latex_text(node.label)
    options = f", {mark}" if node.marks else ""
    if not node.nuclearity:
        below = "roof" if node.is_folded else "tier=word"
        word = "" if node.text is None else f" [{{{latex_text(node.text)}}}, {below}]"
        return f"[{{{label}}}{options}{word}"
    if node.text is not None:
        # After a line's end, TeX takes '[' and '*' for arguments of that end.
        lines = [label, *map(latex_text, column_lines(node.text))]
        label = r"\\{}".join(lines)
    if node.nuclearity == NUCLEUS:
        options += ", edge={very thick}"
    if node.parent is not None and node.relation != SPAN:
        options += f", relation={{{latex_text(node.relation)}}}"
    return f"[, content={{{label}}}{options}"


def dependency_nodes(tree: DependencyTree, marks: Collection[int] = ()) -> list[Node]:
    """A dependency tree as nodes: below each EDU those that depend on it."""
    below = tree.dependents()
    nodes: list[Node] = []
    pending: list[tuple[int, int | None]] = [(edu, None) for edu in reversed(below[0])]
    while pending:
        edu, parent = pending.pop()
        here = len(nodes)
        nodes.append(
            Node(
                str(edu),
                int(edu in marks),
                text=one_line(tree.texts[edu - 1]),
                nuclearity=SATELLITE,
                relation=one_line(tree.label(edu)),
                level=0 if parent is None else nodes[parent].level + 1,
                parent=parent,
            )
        )
        if parent is not None:
            nodes[parent].children.append(here)
        pending += [(dependent, here) for dependent in reversed(below[edu])]
    return nodes
