"""The glossary of discourse: the shapes of schemas, and links, each with a drawing."""

from __future__ import annotations

from collections.abc import Callable

from analyzer import load_inventory, read_rst
from reports.drawing.discourse_svg import discourse_svg
from reports.drawing.discourse_text import draw

# An example of each shape of patterns/rst.pat: its construction, and a text.
EXAMPLES = {
    "modr": (
        "result-modr",
        "(Root (Nucleus:span _!It rained for nine days,!_)"
        " (Satellite:result _!so the river rose.!_))",
    ),
    "modl": (
        "condition-modl",
        "(Root (Satellite:condition _!If you plant beans early,!_)"
        " (Nucleus:span _!they grow slowly.!_))",
    ),
    "modlr": (
        "cause-modlr",
        "(Root (Satellite:background _!When we arrived,!_)"
        " (Nucleus:span _!the shop was closed,!_)"
        " (Satellite:cause _!because the oven had failed.!_))",
    ),
    "crd": (
        "sequence-crd",
        "(Root (Nucleus:sequence _!Fry an onion,!_)"
        " (Nucleus:sequence _!add the potatoes,!_)"
        " (Nucleus:sequence _!and pour in the water.!_))",
    ),
    "crdmod": (
        "purpose-crdmod",
        "(Root (Satellite:purpose _!To keep the birds away,!_)"
        " (Nucleus:list _!cover the seeds!_)"
        " (Nucleus:list _!and hang up a mirror.!_))",
    ),
}
_INTRODUCTION = """\
# Constructions: discourse

`spinal rst score --constructions`, and every other command on discourse trees, has two
families of [constructions](../rst.md#constructions-of-discourse).

A **schema** is a unit with two or more children: its relation and one of the five
shapes below, which are patterns of [rst.pat](../../patterns/rst.pat). Its head is the
head of its leftmost nucleus. Its relation is that of the nearest satellite, the right
one first, or else of the nuclei. Schemas are recursive, so they have no attachment
score (`att`).

A **link** says how the highest unit that an EDU heads attaches: `elaboration-s` as a
satellite, `list-n` as a further nucleus, or `root`. Its attachment is the EDU that it
depends on. In the first drawing, the links are `root` for EDU 1 and `result-s` for
EDU 2.

## Shapes of schemas
"""


def pages() -> dict[str, str]:
    """The page and its drawings by their place in the site."""
    made = {
        f"glossary/rst/{shape}.svg": discourse_svg(read_rst(text)["text"])
        for shape, (_, text) in EXAMPLES.items()
    }
    picture = "![{construction}](rst/{shape}.svg){{.tree loading=lazy}}".format
    made["glossary/rst.md"] = _page(picture)
    return made


def text_pages() -> dict[str, str]:
    """The page of the repository, with drawings in text, by its name."""

    def drawn(shape: str, construction: str) -> str:
        tree = read_rst(EXAMPLES[shape][1])["text"]
        lines = [line.text.rstrip() for line in draw(tree)]
        return "\n".join(("```text", *lines, "```"))

    return {"rst.md": _page(drawn)}


def _page(drawn: Callable[..., str]) -> str:
    lines = [_INTRODUCTION]
    for pattern in load_inventory("rst").patterns:
        shape = pattern.name.partition("-")[2]
        construction, _ = EXAMPLES[shape]
        lines.append(
            f"### {shape}\n\n{pattern.comment.strip().capitalize()}. "
            f"This one is `{construction}`:\n\n"
            f"{drawn(shape=shape, construction=construction)}\n\n"
            f"```text\n{pattern.source}\n```\n"
        )
    return "\n".join(lines)
