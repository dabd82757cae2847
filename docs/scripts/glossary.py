"""The glossary: every construction of every inventory, with an example tree.

The trees are phrases of the samples in examples/, as they are scored: without
punctuation, empty elements and function tags. A construction that the samples do not
have is drawn as the first production that its pattern must match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from analyzer import Treebank, load_inventory, read_trees
from analyzer.constructions.inventory import Inventory, Pattern
from analyzer.derivation.columns import Derivation
from analyzer.derivation.syntax import SyntaxDeriver, syntax_deriver
from analyzer.model.arrays import Ints
from analyzer.model.treebank import TreebankBuilder
from analyzer.pairing.in_step import Pair
from analyzer.pairing.words import align
from analyzer.transform.labels import LabelSet
from reports.drawing.outline import outline
from reports.drawing.tree_svg import tree_svg

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
# Inventories: what their page is called, and the samples that have such trees.
INVENTORIES = {
    "english": (
        "English",
        ["news.gold.mrg", "web.gold.mrg", "treebanks/english.gold.mrg"],
    ),
    "chinese": ("Chinese", ["treebanks/chinese.gold.mrg"]),
    "historical": (
        "Historical English, Icelandic, Faroese",
        ["treebanks/letters.gold.psd"],
    ),
    "french": ("French", ["treebanks/french.gold.mrg"]),
    "german": ("German", ["treebanks/german.gold.xml"]),
    "japanese": ("Japanese", ["treebanks/japanese.gold.psd"]),
}
_BEST_LENGTH, _LONGEST = 5, 12
_ENDINGS = {
    "t": "the simple case, headed by a word",
    "nt": "headed by a phrase of another category",
    "mod": "a phrase of the same category with modifiers at its edges",
    "modr": "the same, with modifiers only to the right",
    "modl": "the same, with modifiers only to the left",
    "crd": "coordination of phrases; the leftmost conjunct is the head",
    "crdt": "coordination of words without phrases of their own",
    "aux": "a verb phrase below an auxiliary",
    "vp, v, s, sq": "clauses, named after what heads them: VP, a verb, S, SQ",
}


@dataclass(frozen=True)
class Entry:
    """One construction: its pattern, and a drawing of an example."""

    pattern: Pattern
    drawing: str
    is_attested: bool  # a phrase of the samples, not a bare production


def pages() -> dict[str, str]:
    """Pages and drawings by their place in the site."""
    made = {"glossary/index.md": _overview()}
    for name, (title, _) in INVENTORIES.items():
        inventory = load_inventory(name)
        found = list(entries(inventory))
        made[f"glossary/{name}.md"] = _page(inventory, title, found)
        for entry in found:
            made[f"glossary/{name}/{entry.pattern.name}.svg"] = entry.drawing
    return made


def entries(inventory: Inventory) -> Iterator[Entry]:
    """The constructions in the order of the inventory."""
    attested = _attested(inventory)
    for pattern in inventory.patterns:
        drawing = attested.get(pattern.name)
        yield Entry(pattern, drawing or _production(inventory, pattern), bool(drawing))


# -- phrases of the samples -----------------------------------------------------------


@dataclass(frozen=True)
class _Sample:
    """A treebank, its derivation, and the leaves that are its words."""

    bank: Treebank
    derivation: Derivation
    leaves: Ints

    def tree_of(self, at: int) -> int:
        starts = self.derivation.starts
        return int(np.searchsorted(starts, at, side="right")) - 1


def _attested(inventory: Inventory) -> dict[str, str]:
    """For each construction of the samples, its most legible phrase, drawn."""
    deriver = syntax_deriver(patterns=inventory)
    best: dict[str, tuple[tuple[int, int, int], _Sample]] = {}
    for number, file in enumerate(INVENTORIES[inventory.name][1]):
        sample = _read(EXAMPLES / file, deriver)
        derivation = sample.derivation
        lengths = (derivation.last - derivation.first).tolist()
        for at in np.flatnonzero(derivation.is_covered).tolist():
            name = deriver.constructions[int(derivation.construction[at])]
            rank = (abs(lengths[at] - _BEST_LENGTH), number, at)
            if lengths[at] <= _LONGEST and (name not in best or rank < best[name][0]):
                best[name] = (rank, sample)
    labels = inventory.labels
    return {
        name: _drawn_phrase(sample, at, labels)
        for name, ((_, _, at), sample) in best.items()
    }


def _read(path: Path, deriver: SyntaxDeriver) -> _Sample:
    bank = read_trees(path, treebank=deriver.inventory.name)
    alignment = align(Pair(bank, bank, 1), deriver.tables)
    derivation = deriver.derive(alignment.gold)
    return _Sample(bank, derivation, alignment.gold.leaves)


def _drawn_phrase(sample: _Sample, at: int, labels: LabelSet) -> str:
    """A phrase as it is scored; the way down to its head is marked."""
    bank, derivation = sample.bank, sample.derivation
    first, last = int(derivation.first[at]), int(derivation.last[at])
    head = int(derivation.head[at])
    stop = int(derivation.starts[sample.tree_of(at) + 1])
    # Rows are in document order, so those of the phrase follow its own.
    inside = [row for row in range(at, stop) if derivation.first[row] < last]
    builder = TreebankBuilder("example")
    marks: list[int] = []
    ends: list[int] = []
    nodes = 0
    for word in range(first, last):
        while inside and derivation.first[inside[0]] == word:
            row = inside.pop(0)
            builder.open(labels.bare_phrase(bank.label_name(int(derivation.row[row]))))
            ends.append(int(derivation.last[row]))
            marks += [nodes] if derivation.head[row] == head else []
            nodes += 1
        leaf = int(sample.leaves[word])
        builder.leaf(bank.label_name(int(bank.leaf_node[leaf])), bank.form(leaf))
        marks += [nodes] if word == head else []
        nodes += 1
        while ends and ends[-1] == word + 1:
            builder.close()
            ends.pop()
    builder.end_tree(line=1)
    tree = builder.finish()[0]
    drawing = outline(tree, marks=marks)
    return tree_svg(drawing, mark_class="noted", highlight_leaf=head - first)


def _production(inventory: Inventory, pattern: Pattern) -> str:
    """The first production that a pattern must match, drawn; its head is marked."""
    example = next(
        one
        for one in pattern.examples
        if one.is_positive and one.parent == pattern.nonterminal
    )
    readings = inventory.readings(example.children)
    heads = map(pattern.head_of, readings)
    head = next(head for head in heads if head is not None)
    builder = TreebankBuilder("production")
    builder.open(example.parent)
    for child in example.children:
        builder.leaf(child, "…")
    builder.close()
    builder.end_tree(line=1)
    tree = builder.finish()[0]
    drawing = outline(tree, marks=[0, 1 + head])
    return tree_svg(drawing, mark_class="noted", highlight_leaf=head)


# -- pages ----------------------------------------------------------------------------


def _page(inventory: Inventory, title: str, found: Sequence[Entry]) -> str:
    name = inventory.name
    drawn = sum(entry.is_attested for entry in found)
    lines = [
        f"# Constructions: {title}\n",
        f"The {len(found)} constructions of [{name}.pat](../../patterns/{name}.pat) "
        f"(`--patterns {name}`). Blue is the way from the phrase down to its head. "
        f"{drawn} of the trees are phrases of the [samples](../../examples/README.md); "
        "in the others, `…` stands for any words.\n",
    ]
    for nonterminal in inventory.nonterminals:
        lines.append(f"## {nonterminal}\n")
        lines += [
            _section(entry, name)
            for entry in found
            if entry.pattern.nonterminal == nonterminal
        ]
    return "\n".join(lines)


def _section(entry: Entry, inventory: str) -> str:
    pattern = entry.pattern
    comment = pattern.comment.strip()
    recursive = (
        " Its head is of its own category, so it has no attachment score (`att`)."
        if pattern.is_recursive
        else ""
    )
    lines = [
        f"### {pattern.name}\n",
        f"{_in_markdown(comment)}{'' if comment.endswith(('.', '?', '!')) else '.'}"
        f"{recursive}\n",
        f"![Tree of {pattern.name}]({inventory}/{pattern.name}.svg)"
        "{.tree loading=lazy}\n",
        f"```text\n{pattern.source}\n```\n",
    ]
    for positive, verb in ((True, "matches"), (False, "does not match")):
        productions = [
            f"`{one.parent} -> {' '.join(one.children)}`"
            for one in pattern.examples
            if one.is_positive == positive and one.parent == pattern.nonterminal
        ]
        if productions:
            lines.append(f"It {verb} {', '.join(productions)}.\n")
    return "\n".join(lines)


def _in_markdown(text: str) -> str:
    """Text in which brackets, asterisks and the like are only signs."""
    return re.sub(r"[\\`*_\[\]<>]", r"\\\g<0>", text)


def _overview() -> str:
    lines = [
        "# Glossary of constructions\n",
        "A construction is a phrase and what heads it: a [pattern](../patterns.md) "
        "over the children of a node. These pages list every construction of the "
        "inventories that come with spinal, each with the reason for its pattern and "
        "an example tree.\n",
        "| inventory | constructions | treebanks |",
        "|---|---|---|",
    ]
    for name, (title, _) in INVENTORIES.items():
        inventory = load_inventory(name)
        lines.append(
            f"| [{title}]({name}.md) | {len(inventory.patterns)} "
            f"| {inventory.labels.title} |"
        )
    lines += [
        "\nThe part of a name before the hyphen is the category of the phrase. In "
        "English, what follows it is:\n",
        "| ending | meaning |",
        "|---|---|",
        *(f"| {ending} | {meaning} |" for ending, meaning in _ENDINGS.items()),
        "\nDiscourse trees have [schemas and links](rst.md) instead.\n",
    ]
    return "\n".join(lines)
