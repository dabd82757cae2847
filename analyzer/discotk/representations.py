"""A discourse tree in the five shapes of Joty et al. (2014, section 2).

For `[to link]N [to go on]N`, joined, the nucleus of an attribution to `[he said]S`:

    NOLEX   (Attribution-Root (Joint-Nucleus (EDU-Nucleus *) …) (EDU-Satellite *))
    LEX1    (Attribution-Root (Joint-Nucleus (EDU-Nucleus (to *) (link *)) …) …)
    LEX1.1  (… (EDU-Nucleus (NGRAM (to *) …) (NUC (to|Nucleus *) …)
                (REL (to|Joint *) …) (NUCREL (to|Nucleus|Joint *) …)) …)
    LEX2    (SPAN (NUC Root) (REL Attribution)
                (SPAN (NUC Nucleus) (REL Joint) (EDU (NUC Nucleus) (NGRAM (to *) …)) …)
    LEX2.1  as LEX2, with NUC-NGRAM, REL-NGRAM and NUCREL-NGRAM in each EDU

The relation of a span is the one between its children; that of an EDU, for its words,
the one of its parent. `docs/discotk.md` says what the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.exceptions import SettingsError
from analyzer.model.discourse import NO_RELATION, SPAN, Unit
from analyzer.model.treebank import Treebank, TreebankBuilder

REPRESENTATIONS = ("nolex", "lex1", "lex1.1", "lex2", "lex2.1")
LEAVES = ("dummy", "bow")
DUMMY = "*"
_NO_RELATION = "None"  # of a tree that is one EDU
_NUCLEARITY = {"N": "Nucleus", "S": "Satellite", "R": "Root"}


def represent(
    trees: Sequence[Unit],
    shape: str,
    *,
    leaves: str = "dummy",
    lowercase: bool = False,
    single: str = "Root",
) -> Treebank:
    """Discourse trees in a shape, as a table for the kernels.

    With `dummy` leaves each word is a node over `*`, as in the paper. With `bow` words
    are leaves, which the kernel `sst-bow` matches one by one. `single` is the
    nuclearity of a tree that is one EDU.

    >>> from analyzer.formats.registry import read_document
    >>> tree = read_document("(reason[N][S] _!He left!_ _!as it rained!_)")
    >>> print(represent([tree], "nolex")[0])
    (reason-Root (EDU-Nucleus *) (EDU-Satellite *))
    >>> print(represent([tree], "lex1", leaves="bow")[0])
    (reason-Root (EDU-Nucleus (He) (left)) (EDU-Satellite (as) (it) (rained)))
    """
    if shape not in REPRESENTATIONS:
        known = ", ".join(REPRESENTATIONS)
        raise SettingsError("E911 no representation", shape=shape, known=known)
    builder = TreebankBuilder(f"<{shape}>")
    writer = _Writer(builder, shape, leaves)
    for number, tree in enumerate(trees, start=1):
        writer.write(tree, lowercase=lowercase, single=single)
        builder.end_tree(line=number)
    return builder.finish()


def metric_of(shape: str) -> str:
    """What a representation's score is called.

    >>> metric_of("lex1.1")
    'DR-LEX1.1'
    """
    return f"DR-{shape.upper()}"


def shapes_of(text: str | None) -> list[str]:
    """The representations asked for: all, or some with commas between them."""
    if not text or text == "all":
        return list(REPRESENTATIONS)
    names = [name.strip().lower().removeprefix("dr-") for name in text.split(",")]
    for name in names:
        if name not in REPRESENTATIONS:
            known = ", ".join(REPRESENTATIONS)
            raise SettingsError("E906 no representation", name=name, known=known)
    return list(dict.fromkeys(names))


def relation_between(unit: Unit) -> str:
    """The relation that holds between a unit's children.

    A unit with satellites of several relations (binary trees have none) gets them all,
    joined with `+`; one without any relation gets `span`.
    """
    names = [child.relation for child in unit.children]
    names = [name for name in names if name not in (SPAN, NO_RELATION)]
    return "+".join(dict.fromkeys(names)) or SPAN


def has_words(trees: Sequence[Unit]) -> bool:
    """Whether any EDU has text: some formats number EDUs and hold no words."""
    return any(unit.text.split() for tree in trees for unit in tree.walk())


class _Writer(NamedTuple):
    """Writes discourse trees in a shape into a builder."""

    builder: TreebankBuilder
    shape: str
    leaves: str

    def write(self, root: Unit, *, lowercase: bool, single: str) -> None:
        """A tree, up to `end_tree`."""
        builder, as_properties = self.builder, self.shape.startswith("lex2")
        pending: list[tuple[Unit, str] | None] = [(root, "")]
        while pending:
            item = pending.pop()
            if item is None:
                builder.close()
                continue
            unit, relation_above = item
            nuclearity = _NUCLEARITY.get(unit.nuclearity, unit.nuclearity)
            if not unit.children:
                if unit is root:
                    nuclearity, relation_above = single, _NO_RELATION
                text = unit.text.lower() if lowercase else unit.text
                self._write_edu(text.split(), nuclearity, relation_above)
                continue
            relation = relation_between(unit)
            builder.open("SPAN" if as_properties else f"{relation}-{nuclearity}")
            if as_properties:
                builder.leaf("NUC", nuclearity)
                builder.leaf("REL", relation)
            pending.append(None)
            pending.extend((child, relation) for child in reversed(unit.children))

    def _write_edu(self, words: list[str], nuclearity: str, relation: str) -> None:
        as_properties = self.shape.startswith("lex2")
        label = "EDU" if as_properties else f"EDU-{nuclearity}"
        if self.shape in ("nolex", "lex1"):
            self._write_words(label, words if self.shape == "lex1" else [])
            return
        self.builder.open(label)
        if as_properties:
            self.builder.leaf("NUC", nuclearity)
        self._write_words("NGRAM", words)
        if self.shape.endswith(".1"):
            suffix = "-NGRAM" if as_properties else ""
            both = f"{nuclearity}|{relation}"
            for name, mark in (
                ("NUC", nuclearity),
                ("REL", relation),
                ("NUCREL", both),
            ):
                # Words are fused with their marks: a node over marks alone would match
                # every EDU of the same length.
                fused = [f"{word}|{mark}" for word in words]
                self._write_words(name + suffix, fused)
        self.builder.close()

    def _write_words(self, label: str, words: list[str]) -> None:
        if not words:
            # Without its dummy an EDU would have no production, and a tree of one EDU
            # would be unlike itself.
            self.builder.leaf(label, DUMMY)
            return
        self.builder.open(label)
        for word in words:
            if self.leaves == "dummy":
                self.builder.leaf(word, DUMMY)
            else:  # a node without children: for the kernels, a leaf
                self.builder.open(word)
                self.builder.close()
        self.builder.close()
