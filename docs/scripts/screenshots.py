"""Pictures of our pages in a browser, for the documentation."""

from __future__ import annotations

import contextlib
import io
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from analyzer.cli.main import main

if TYPE_CHECKING:
    from tests.support.browser import Browser

_MARGIN = 16


class Screenshot(NamedTuple):
    """The command that writes a page, what of it is shown, and how large."""

    command: str  # writes page.html, or prints the page
    fragment: str
    top: str  # in JavaScript: the element that the picture begins with
    bottom: str  # and the one that it ends with, if it fits
    size: tuple[int, int]


SCREENSHOTS = {
    "report.png": Screenshot(
        "report news=examples/news.gold.mrg:examples/news.chart.mrg"
        " web=examples/web.gold.mrg:examples/web.chart.mrg --html page.html -q",
        "#news/PP-t/attachment/6.4",
        "document.querySelector('#trees svg') && document.querySelector('#errors')",
        "document.querySelector('#trees')",
        (1280, 1400),
    ),
    "check.png": Screenshot(
        "check examples/treebanks/notices.mrg --format html -q",
        "",
        "document.querySelectorAll('img')[1].closest('article, section, div, li')",
        "document.querySelectorAll('img')[1].closest('article, section, div, li')",
        (1100, 1000),
    ),
    "agree.png": Screenshot(
        "agree examples/annotators/anna.mrg examples/annotators/ben.mrg"
        " --format html -q",
        "#A-B/NP-modr/*",
        "document.querySelector('#trees svg') && document.querySelector('#errors')",
        "document.querySelector('#trees')",
        (1280, 1400),
    ),
    "parsers.png": Screenshot(
        "report examples/web.gold.mrg chart=examples/web.chart.mrg"
        " greedy=examples/web.greedy.mrg --html page.html -q --resamples 100",
        "#chart/VP-t/span/6.2",
        "document.querySelector('#other-1-tree svg') && "
        "document.querySelector('#detail')",
        "document.querySelector('#trees')",
        (1280, 1500),
    ),
}


def made(name: str, folder: Path, page: Path) -> None:
    """Write the page of a picture; its command runs in a folder that has examples/."""
    out = io.StringIO()
    command = SCREENSHOTS[name].command.replace("page.html", shlex.quote(str(page)))
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        main(shlex.split(command))
    if out.getvalue():
        page.write_text(out.getvalue(), "utf-8")


def take(name: str, folder: Path, browser: Browser) -> bytes:
    """Make the page in a folder that has examples/, open it; the picture as PNG."""
    given = SCREENSHOTS[name]
    page = folder / "page.html"
    made(name, folder, page)
    with browser.sized(*given.size):
        browser.open(page, given.fragment)
        browser.wait(f"[...document.images].every(one => one.complete) && {given.top}")
        browser.run("document.documentElement.style.scrollbarWidth = 'none'")
        browser.run(f"({given.top}).scrollIntoView()")
        end = browser.run(f"return ({given.bottom}).getBoundingClientRect().bottom")
        picture = browser.driver.get_screenshot_as_png()
    return _small(picture, int(end) + _MARGIN)


def _small(picture: bytes, height: int) -> bytes:
    """The upper part of a picture, with a palette: that is a third of the size."""
    from PIL import Image

    out = io.BytesIO()
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image = image.crop((0, 0, image.width, min(image.height, height)))
    colors = image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=0)
    colors.save(out, "PNG", optimize=True)
    return out.getvalue()
