"""What the page shows of an error, read in the browser."""

from __future__ import annotations

from typing import Any

from tests.support.browser import Browser

# Everything the error browser shows of an error, read from the page.
SHOWN = """
const texts = (side, more = "") =>
  [...document.querySelectorAll(`#${side}-tree text${more}`)]
    .map((t) => t.dataset.text);
const one = (side) => ({
  texts: texts(side),
  marked: texts(side, ":has(.sign)"),
  here: texts(side, ".here"),
  asked: document.querySelectorAll(`#${side}-tree rect.asked`).length,
  name: document.querySelector(`#${side}-tree svg`).getAttribute("aria-label"),
});
const shown = () => ({
  hash: document.getElementById("link").getAttribute("href"),
  heading: document.getElementById("error-heading").textContent,
  words: document.getElementById("words").textContent.trim(),
  mended: document.getElementById("mended").textContent,
  mark: document.querySelector("#words mark").textContent,
  sides: [...document.querySelectorAll("#sides tr")].map(
    (row) => [...row.cells].map((cell) => cell.textContent.trim())),
  gold: one("gold"), parsed: one("parsed"),
});
"""
ALL_SHOWN = (
    SHOWN
    + """
const next = document.getElementById("next");
const found = [shown()];
while (!next.disabled) {
  next.click();
  found.push(shown());
}
return found;
"""
)


def shown(browser: Browser) -> dict[str, Any]:
    found: dict[str, Any] = browser.run(SHOWN + "return shown();")
    return found
