"""What mkdocs does besides rendering docs/: see mkdocs.yml.

Pages that lie elsewhere in the repository (the changelog, the notes on the samples) and
pages that are made from code (the glossary, the help texts) become part of the site.
Links between files of the repository become links between pages, so that every page
can be read in the repository as well.
"""

from __future__ import annotations

import posixpath
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from docs.scripts import (  # noqa: E402
    command_pages,
    discourse_glossary,
    glossary,
    screenshots,
)

# Files outside of docs/, and where they are in the site.
OUTSIDE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks.md",
    "examples/README.md": "examples.md",
}
LIVE = ("report.png", "check.png")  # on the start page, with what is in them
_PLAIN = (
    "patterns/*.pat",
    "patterns/*.labels",
    "patterns/*.heads",
    "grammars/*.lark",
    "benchmarks/*.svg",
)
_PICTURE = re.compile(r'<img [^>]*class="picture"[^>]* src="(?P<source>[^"]+)"[^>]*>')
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^()\s#]+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    made = {
        **glossary.pages(),
        **discourse_glossary.pages(),
        **command_pages.pages(),
        **live_pages(),
    }
    for outside, page in OUTSIDE.items():
        if page not in made and files.get_file_from_path(page) is None:
            made[page] = (ROOT / outside).read_text("utf-8")
    for uri, content in made.items():
        files.append(File.generated(config, uri, content=content))
    for pattern in _PLAIN:
        for path in sorted(ROOT.glob(pattern)):
            uri = path.relative_to(ROOT).as_posix()
            files.append(File.generated(config, uri, abs_src_path=str(path)))
    return files


def on_page_markdown(
    markdown: str, page: Page, config: MkDocsConfig, files: Files
) -> str:
    return with_links_of_site(markdown, page.file.src_uri)


def live_pages() -> dict[str, str]:
    """Pages of the samples, as the commands write them today."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in LIVE:
            page = Path(folder) / "page.html"
            screenshots.made(name, ROOT, page)
            found[f"live/{Path(name).stem}.html"] = page.read_text("utf-8")
    return found


def with_live_pages(html: str) -> str:
    """The start page has the pages themselves where a file has pictures of them."""
    for name in LIVE:
        address = f"live/{Path(name).stem}.html"
        picture = re.compile(rf'<img alt="([^"]*)"[^>]* src="pictures/{name}"[^>]*>')
        frame = f'<iframe class="live" src="{address}" title="\\1"></iframe>'
        alone = f'<a class="alone" href="{address}">This page alone</a>'
        html = picture.sub(frame + alone, html)
    return html


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A picture is a link to itself, where it has all the room that it needs."""
    if page.file.src_uri == "index.md":
        html = with_live_pages(html)
    return _PICTURE.sub(r'<a href="\g<source>">\g<0></a>', html)


def with_links_of_site(markdown: str, page: str) -> str:
    """Relative links of a file of the repository, as links of its page in the site."""
    sources = {page: source for source, page in OUTSIDE.items() if page != "index.md"}
    source = sources.get(page, f"docs/{page}")

    def moved(link: re.Match[str]) -> str:
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[1]))
        target = OUTSIDE.get(file) or file.removeprefix("docs/")
        return posixpath.relpath(target, posixpath.dirname(page) or ".")

    return _LINK.sub(moved, markdown)
