"""One HTML file with everything in it: tables, plots and the error browser.

The file loads nothing: style and script stand in it, and its content security
policy names them by their hashes and forbids everything else. Text from
treebanks is escaped here and set as text by the script, so it is never markup.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import resources
from itertools import count
from string import Template
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

from analyzer import __version__
from analyzer.analyses.error_data import KINDS
from analyzer.analyses.errors import Kind
from analyzer.editing.types import EXPLANATIONS
from analyzer.files.atomic import write_bytes
from analyzer.metrics.measures import TOTAL
from analyzer.safe_text import on_page
from reports.drawing.svg import escaped
from reports.model import Column, Value, shown
from reports.page.model import (
    Explanation,
    Fact,
    Fold,
    Page,
    PageTable,
    Picture,
    Section,
    Wording,
)
from reports.plots.style import BLACK, COLORS, GREYS, WHITE
from reports.render import html_table

# What the page does, by concern. Words and labels come from treebanks: they are only
# ever set as text.
_SCRIPTS = (
    "base",  # helpers, light and dark
    "tables",  # sorting and filtering
    "packed",  # trees and derivation trees from packed data
    "nodes",  # what is drawn, and folded
    "layout",  # places, and drawing
    "errors",  # errors, links to them, data sets
    "list",  # the list of errors
    "detail",  # the error that is shown
    "panels",  # its trees
    "start",  # following links, keys, start
)
_LONG_TEXT = 60  # characters of a cell that needs a wide column
_LONG_WORD = 14  # characters of a word in a heading that may be broken
ANY = "*"  # every construction, every kind: in links


def write_page(page: Page, path: str) -> int:
    """Write the page; its size in bytes."""
    content = page_html(page).encode("utf-8", "replace")  # names of files may be none
    write_bytes(path, content)
    return len(content)


def page_html(page: Page) -> str:
    """The page as one HTML document."""
    datasets = list(
        dict.fromkeys(
            [errors.name for errors in page.errors]
            + [s.dataset for s in page.sections if s.dataset is not None]
        )
    )
    data = {
        "datasets": datasets,
        "kinds": _kinds(page),
        "errors": [errors.as_json() for errors in page.errors],
        "explanations": EXPLANATIONS
        | {
            on_page(name): f"{explanation.text} ({explanation.example})"
            if explanation.example
            else explanation.text
            for name, explanation in page.explanations.items()
        },
        **_words(page.wording),
    }
    words = page.wording
    texts = {
        "title": page.title,
        "lead": page.lead,
        "noun": words.noun.capitalize(),
        "errors": words.errors,
        "small_errors": words.errors.lower(),
        "error": words.error,
        "gold": words.sides[0],
        "parsed": words.sides[1],
        "only_gold": _within(words.sides[0]),
        "only_parsed": _within(words.sides[1]),
        "leaf": words.leaf,
        "tree": words.tree,
    }
    sections = [_section(part, datasets, page.explanations) for part in page.sections]
    return self_contained(
        "page",
        page_script(),
        data,
        navigation=_navigation(page),
        sections="\n".join(sections),
        signatures=_signatures(page.signatures),
        no_errors="" if page.errors else " hidden",
        **{name: escaped(text) for name, text in texts.items()},
    )


def self_contained(name: str, script: str, data: object, **parts: str) -> str:
    """A page with its style, script and data in it, and nothing from elsewhere.

    `parts` are HTML: where they stand in the template of that name.
    """
    style = "".join(map(template, ("colours.css", f"{name}.css", "copy.css")))
    # On every page, a block with a table or a picture can be copied.
    script = f"{template('js/copy.js')}\n{script}\nsetUpCopying();\n"
    policy = (
        "default-src 'none'; img-src data:; "
        f"style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return Template(template(f"{name}.html")).substitute(
        policy=escaped(policy),
        version=escaped(__version__),
        style=style,
        script=script,
        data=script_json(data),
        **parts,
    )


def _within(side: str) -> str:
    """The name of a side within a sentence: names of people and files stay."""
    return side.lower() if side in Wording().sides else side


def _words(words: Wording) -> dict[str, object]:
    """What the script has to call by name."""
    return {
        "noun": words.noun,
        "sides": list(words.sides),
        "tree": words.tree,
        "leaf": words.leaf,
        "error": words.error,
        "kindNames": dict(words.kinds),
        "losses": dict(words.losses),
    }


def _kinds(page: Page) -> list[str]:
    """The kinds of error; function tags only where they were scored."""
    has_functions = any(errors.has_functions for errors in page.errors)
    return [kind for kind in KINDS if has_functions or kind != Kind.FUNCTION.value]


def error_link(
    dataset: str, construction: str = ANY, kind: str = ANY, **chosen: str | int
) -> str:
    """The fragment that opens the error browser there: of a data set, group or parser.

    `kind` is one of errors, "lost", or "lost-" and one of `LOSSES`. What else may be
    `chosen`: an error `type`, what stands `instead`, who it is made `by` as well, a
    `view`, a `filter`, and the number or name of a `sentence`.

    >>> error_link("web/forum", "PP-t", "attachment", type="PP Attachment")
    '#web%2Fforum/PP-t/attachment?type=PP+Attachment'
    >>> error_link("web", sentence=12)
    '#web/*/*?filter=%2312'
    """
    parts = (quote(part, safe="*") for part in (dataset, on_page(construction), kind))
    if "sentence" in chosen:
        chosen["filter"] = f"#{chosen.pop('sentence')}"
    options = {name: on_page(str(value)) for name, value in chosen.items()}
    return "#" + "/".join(parts) + (f"?{urlencode(options)}" if options else "")


def template(name: str) -> str:
    path = resources.files("reports.page") / "templates" / name
    # A browser reads line ends as \n before it hashes what stands between them.
    return path.read_text("utf-8").replace("\r\n", "\n")


def page_script() -> str:
    """The page's script: its parts in one scope, in the order of `_SCRIPTS`."""
    parts = "\n".join(template(f"js/{name}.js") for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")


def script_json(data: object) -> str:
    """JSON that may stand in a script element: no word can end it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _navigation(page: Page) -> str:
    entries = {
        section.key: section.heading
        for section in page.sections
        if section.in_navigation
    }
    if page.errors:
        entries["errors"] = page.wording.errors
    return "\n".join(
        f'<a href="#{escaped(key)}" data-key="{escaped(key)}">{escaped(heading)}</a>'
        for key, heading in entries.items()
    )


def _section(
    section: Section, datasets: Sequence[str], explained: Mapping[str, Explanation]
) -> str:
    name, of_dataset, heading = section.key, "", escaped(section.heading)
    is_later = False
    if section.dataset is not None and len(datasets) > 1:
        number = datasets.index(section.dataset)
        name += f"-{number + 1}" if number else ""
        is_later = number > 0
        of_dataset = f' data-dataset="{number}"'
        heading += f' <span class="of">{escaped(section.dataset)}</span>'
    name = escaped(name)
    parts = [f'<h2 id="{name}-heading">{heading}</h2>']
    if section.facts:
        parts.append(f'<dl class="facts">{"".join(map(_fact, section.facts))}</dl>')
    places = _Places(name)
    parts += _contents(section, places)
    parts += [_fold(fold, places, is_whole=is_later) for fold in section.folds]
    if section.has_glossary and explained:
        parts.append(_glossary(explained))
    inside = "\n".join(parts)
    return (
        f'<section id="{name}" data-key="{escaped(section.key)}"{of_dataset}'
        f' aria-labelledby="{name}-heading">\n'
        f"{_for_later(inside) if is_later else inside}\n</section>"
    )


@dataclass
class _Places:
    """Numbers the pictures and the tables of a section, those that are folded, too."""

    name: str
    pictures: Iterator[int] = field(default_factory=lambda: count(1))
    tables: Iterator[int] = field(default_factory=lambda: count(1))


def _contents(part: Section | Fold, places: _Places) -> list[str]:
    """Paragraphs, pictures and tables."""
    return [
        *(f"<p>{escaped(on_page(text))}</p>" for text in part.paragraphs),
        *(
            _picture(item, f"{places.name}-{number}")
            for item, number in zip(part.pictures, places.pictures, strict=False)
        ),
        *(
            _table(item, number)
            for item, number in zip(part.tables, places.tables, strict=False)
        ),
    ]


def _fold(fold: Fold, places: _Places, is_whole: bool) -> str:
    """A fold; within what is kept for later, it is whole."""
    inside = "\n".join(_contents(fold, places))
    return (
        f'<details class="fold"{" open" if fold.is_open else ""}>'
        f"<summary>{escaped(on_page(fold.summary))}</summary>\n"
        f"{inside if fold.is_open or is_whole else _for_later(inside)}\n</details>"
    )


def _for_later(inside: str) -> str:
    """HTML that is not shown at first; the page's script unpacks it when it is.

    To a browser that runs scripts it is a text; a browser without shows it at once.
    """
    return f"<noscript>{inside}</noscript>"


def _glossary(explained: Mapping[str, Explanation]) -> str:
    """What the constructions are, to be unfolded."""
    entries = "\n".join(
        f"<div><dt>{escaped(on_page(name))}</dt><dd>{escaped(on_page(note.text))}"
        + (f" <code>{escaped(on_page(note.example))}</code>" if note.example else "")
        + "</dd></div>"
        for name, note in sorted(explained.items())
    )
    return (
        '<details class="glossary"><summary>What the names of constructions mean'
        f"</summary><dl>{entries}</dl></details>"
    )


def _fact(fact: Fact) -> str:
    hint = f'<dd class="hint">{escaped(fact.hint)}</dd>' if fact.hint else ""
    return (
        f"<div><dt>{escaped(fact.name)}</dt>"
        f'<dd class="value">{escaped(fact.value)}</dd>{hint}</div>'
    )


def _picture(picture: Picture, name: str) -> str:
    caption = escaped(picture.caption)
    if picture.is_ours:
        shown = picture.svg
    elif picture.is_plot:
        shown = page_svg(picture.svg, name=name, label=picture.caption)
    else:
        # As an image: there its styles and names cannot touch the page's.
        encoded = base64.b64encode(picture.svg.encode("utf-8")).decode("ascii")
        shown = f'<img alt="{caption}" src="data:image/svg+xml;base64,{encoded}">'
    kind = "picture small" if picture.is_small else "picture"
    return f'<figure class="{kind}">{shown}<figcaption>{caption}</figcaption></figure>'


def _table(given: PageTable, place: int) -> str:
    table = given.table
    lines = html_table(
        table,
        attributes=f'data-name="{escaped(table.name)}"',
        escape=escaped,
        head=_head,
        cell=partial(_cell, given),
        has_total=given.has_total,
    )
    all_notes = replace(table, option="").all_notes  # the page is no command
    notes = [f'<p class="note">{escaped(note)}</p>' for note in all_notes]
    inside = "\n".join(lines)
    scrolled = f'<div class="scroll">{inside}</div>'
    kind = "table half" if given.is_half else "table"
    start = f'<div class="{kind}" data-place="{place}">'
    return "\n".join([start, scrolled, *notes, "</div>"])


def _head(column: Column) -> str:
    first = "" if column.is_worst_low else ' data-first="descending"'
    if not column.is_numeric:
        first = ""
    wide = ["wide"] * any(len(word) > _LONG_WORD for word in column.title.split())
    return (
        f'<th scope="col"{_align(column, *wide)} data-unit="{column.unit}"{first}>'
        f"{escaped(column.title)}</th>"
    )


def _cell(given: PageTable, value: Value, column: Column, row: Sequence[Value]) -> str:
    text = escaped(on_page(shown(value, column)))
    is_first, link, kinds = column is given.table.columns[0], "", []
    hot = given.cells.get((str(row[0]), column.name))
    if given.dataset and column.name in given.error_links and value != TOTAL:
        link = error_link(given.dataset, str(value))
    elif hot:
        link = hot.link
    elif given.link:
        names = (heading.name for heading in given.table.columns)
        link = given.link(dict(zip(names, row, strict=True)), column.name)
    if link:
        text = f'<a href="{escaped(link)}">{text}</a>'
    if hot:
        text += f"<small>{escaped(hot.detail)}</small>"
        kinds = ["heat", f"{'worse' if hot.step < 0 else 'better'}-{abs(hot.step)}"]
    if is_first and (mark := given.marks.get(str(value))):
        text += f' <small class="mark" title="{escaped(mark)}">annotation?</small>'
    exact = ""
    if isinstance(value, int | float) and column.is_numeric:
        exact = f' data-value="{value:.9g}"'
    tag, scope = ("th", ' scope="row"') if is_first else ("td", "")
    is_long = tag == "td" and not column.is_numeric and len(text) > _LONG_TEXT
    kind = ' class="long"' if is_long else _align(column, *kinds)
    return f"<{tag}{scope}{kind}{exact}>{text}</{tag}>"


def _align(column: Column, *kinds: str) -> str:
    """Numbers stand to the right, and so do intervals of them."""
    is_number = column.is_numeric or column.name.endswith("interval")
    kinds = ("n", *kinds) if is_number else kinds
    return f' class="{" ".join(kinds)}"' if kinds else ""


def _signatures(signatures: Mapping[str, Sequence[str]]) -> str:
    return "\n".join(
        f"<p><code>{escaped(signature)}</code><br>{escaped(', '.join(names))}</p>"
        for signature, names in signatures.items()
    )


# -- plots: in the page's font and colours, light or dark --------------------------
#
# matplotlib writes SVG with styles that the page's content security policy forbids, and
# with colours for white paper. Here styles become attributes, and colours those of the
# page (`--plot-…` in page.css); names that occur in several plots are made distinct.

_LINK = "{http://www.w3.org/1999/xlink}href"
_KEPT = {"svg", "g", "defs", "path", "text", "use", "clipPath", "rect", "tspan"}
_STYLES = {
    *("fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-dashoffset"),
    *("stroke-linejoin", "stroke-linecap", "opacity", "fill-opacity", "stroke-opacity"),
    *("text-anchor", "font-size", "font-weight", "font-style"),
}
_FONT = re.compile(r"(?:(bold|[1-9]00) )?([\d.]+)px")  # of matplotlib before 3.11
_NUMBER = re.compile(r"-?\d+\.\d{2,}")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_NO_TURN = re.compile(r"rotate\(-?0 [^)]*\)")
_COLORS = {
    **{color.lower(): f"var(--plot-{n})" for n, color in enumerate(COLORS, start=1)},
    **{color.lower(): f"var(--plot-{name})" for color, name in GREYS.items()},
    BLACK: "currentColor",
    WHITE: "none",
}


def page_svg(svg: str, *, name: str, label: str) -> str:
    """The plot as an element for the page; `name` tells its ids from other plots'."""
    root = ElementTree.fromstring(svg.encode("utf-8"))
    box = root.get("viewBox", "0 0 1 1")
    width, height = box.split()[2:]
    inside = "".join(text for child in root for text in _svg_element(child, name))
    # Points in a plot's size are of 72 to an inch, pixels of a page of 96.
    return (
        f'<svg class="plot" role="img" aria-label="{escaped(label)}"'
        f' viewBox="{box}" width="{float(width) * 4 / 3:.0f}"'
        f' height="{float(height) * 4 / 3:.0f}" stroke-linejoin="round">{inside}</svg>'
    )


def _svg_element(node: ElementTree.Element, name: str) -> Iterator[str]:
    tag = node.tag.rpartition("}")[2]
    if tag not in _KEPT:
        return
    attributes = " ".join(
        f'{key}="{escaped(value)}"' for key, value in _svg_attributes(node, name)
    )
    yield f"<{tag} {attributes}>" if attributes else f"<{tag}>"
    if node.text and node.text.strip():
        yield escaped(node.text)
    for child in node:
        yield from _svg_element(child, name)
    yield f"</{tag}>"


def _svg_attributes(node: ElementTree.Element, name: str) -> Iterator[tuple[str, str]]:
    for key, value in node.attrib.items():
        if key == "style":
            yield from _styles(value)
        elif key == "id":
            yield key, f"{name}-{value}"
        elif key == _LINK:
            yield "href", f"#{name}-{value[1:]}"
        elif key == "clip-path":
            yield key, _REFERENCE.sub(rf"url(#{name}-\1)", value)
        elif key == "transform":
            if kept := _NO_TURN.sub("", value).strip():
                yield key, kept
        elif "}" not in key:
            yield key, _short_numbers(value)


def _styles(style: str) -> Iterator[tuple[str, str]]:
    for declaration in style.split(";"):
        key, _, value = (part.strip() for part in declaration.partition(":"))
        if key == "font" and (font := _FONT.match(value)):
            yield "font-size", f"{font[2]}px"
            if font[1]:
                yield "font-weight", font[1]
        elif key in _STYLES:
            yield key, _COLORS.get(value.lower(), value)


def _short_numbers(text: str) -> str:
    """Hundredths of a point cannot be seen."""
    short = _NUMBER.sub(lambda number: f"{float(number[0]):.1f}", text)
    return " ".join(short.split())
