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
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from docs.scripts import command_pages, discourse_glossary, glossary  # noqa: E402

# Files outside of docs/, and where they are in the site.
OUTSIDE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks.md",
    "examples/README.md": "examples.md",
}
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


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A picture is a link to itself, where it has all the room that it needs."""
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
