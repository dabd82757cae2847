"""The glossary: every construction of every inventory, with an example tree.

In the repository it is Markdown with trees in text, docs/glossary, which
`python -m docs.scripts.glossary` writes; on the site, trees are pictures.

The trees are phrases of the samples in examples/, as they are scored: without
punctuation, empty elements and function tags. A construction that the samples do not
have is drawn as the first production that its pattern must match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from analyzer import load_inventory, read_trees
from analyzer.checks.explanations import (
    PhraseExample,
    best_examples,
    production_example,
)
from analyzer.constructions.inventory import Inventory, Pattern
from analyzer.derivation.syntax import syntax_deriver
from reports.drawing.outline import outline
from reports.drawing.tree_svg import tree_svg
from reports.drawing.tree_text import draw

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
# Inventories: what their page is called, and the samples that have such trees.
INVENTORIES = {
    "english": (
        "English",
        ["news.gold.mrg", "web.gold.mrg", "treebanks/english.gold.mrg"],
    ),
    "chinese": ("Chinese", ["treebanks/chinese.gold.mrg"]),
    "historical": (
        "Historical English, Icelandic, Faroese, Yiddish",
        ["treebanks/letters.gold.psd"],
    ),
    "french": ("French", ["treebanks/french.gold.mrg"]),
    "german": ("German", ["treebanks/german.gold.xml"]),
    "japanese": ("Japanese", ["treebanks/japanese.gold.psd"]),
}
_ENDINGS = {
    "t": "the simple case, headed by a word",
    "nt": "headed by a phrase of another category",
    "mod": "a phrase of the same category with modifiers at its edges",
    "modr": "the same, with modifiers only to the right",
    "modl": "the same, with modifiers only to the left",
    "crd": "coordination of phrases; the leftmost conjunct is the head",
    "crdt": "coordination of words, not of phrases",
    "aux": "a verb phrase below an auxiliary",
    "vp, v, s, sq": "clauses, named after what heads them: VP, a verb, S, SQ",
}


@dataclass(frozen=True)
class Entry:
    """One construction: its pattern, and an example."""

    pattern: Pattern
    example: PhraseExample

    @property
    def is_attested(self) -> bool:
        """Whether it is a phrase of the samples, not a bare production."""
        return self.example.place is not None

    @property
    def drawing(self) -> str:
        """The example as a picture."""
        shown = outline(self.example.tree, marks=self.example.marks)
        return tree_svg(shown, mark_class="noted", highlight_leaf=self.example.head)

    @property
    def text(self) -> str:
        """The example as text."""
        shown = draw(outline(self.example.tree, marks=self.example.marks))
        return "\n".join(line.rstrip() for line in shown.splitlines())


def pages() -> dict[str, str]:
    """Pages and drawings by their place in the site."""
    made = {"glossary/index.md": _overview()}
    for name, (title, _) in INVENTORIES.items():
        inventory = load_inventory(name)
        found = list(entries(inventory))
        made[f"glossary/{name}.md"] = _page(
            inventory, title, found, "Blue is", partial(_picture, folder=name)
        )
        for entry in found:
            made[f"glossary/{name}/{entry.pattern.name}.svg"] = entry.drawing
    return made


def text_pages() -> dict[str, str]:
    """The pages of the repository, by their names."""
    made = {"index.md": _overview()}
    for name, (title, _) in INVENTORIES.items():
        inventory = load_inventory(name)
        found = list(entries(inventory))
        made[f"{name}.md"] = _page(
            inventory, title, found, "Asterisks mark", lambda entry: _fenced(entry.text)
        )
    return made


def entries(inventory: Inventory) -> Iterator[Entry]:
    """The constructions in the order of the inventory."""
    files = INVENTORIES[inventory.name][1]
    banks = (read_trees(EXAMPLES / one, treebank=inventory.name) for one in files)
    attested = best_examples(banks, syntax_deriver(patterns=inventory))
    for pattern in inventory.patterns:
        example = attested.get(pattern.name) or production_example(inventory, pattern)
        yield Entry(pattern, example)


# -- pages ----------------------------------------------------------------------------


def _picture(entry: Entry, folder: str) -> str:
    name = entry.pattern.name
    return f"![Tree of {name}]({folder}/{name}.svg){{.tree loading=lazy}}\n"


def _fenced(text: str) -> str:
    return f"```text\n{text}\n```\n"


def _page(
    inventory: Inventory,
    title: str,
    found: Sequence[Entry],
    mark: str,
    drawn_as: Callable[[Entry], str],
) -> str:
    name = inventory.name
    drawn = sum(entry.is_attested for entry in found)
    lines = [
        f"# Constructions: {title}\n",
        f"The {len(found)} constructions of [{name}.pat](../../patterns/{name}.pat) "
        f"(`--patterns {name}`). {mark} the way from the phrase down to its head. "
        f"{drawn} of the trees are phrases of the [samples](../../examples/README.md); "
        "in the others, `…` stands for any words.\n",
    ]
    for nonterminal in inventory.nonterminals:
        lines.append(f"## {nonterminal}\n")
        lines += [
            _section(entry, drawn_as(entry))
            for entry in found
            if entry.pattern.nonterminal == nonterminal
        ]
    return "\n".join(lines)


def _section(entry: Entry, drawing: str) -> str:
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
        drawing,
        _fenced(pattern.source),
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
        "English, the part after it is:\n",
        "| ending | meaning |",
        "|---|---|",
        *(f"| {ending} | {meaning} |" for ending, meaning in _ENDINGS.items()),
        "\nDiscourse trees have [schemas and links](rst.md) instead.\n",
    ]
    return "\n".join(lines)


def write(folder: Path) -> None:
    """Write the pages of the repository."""
    from docs.scripts import discourse_glossary

    for name, text in {**text_pages(), **discourse_glossary.text_pages()}.items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write(Path(__file__).resolve().parent.parent / "glossary")
