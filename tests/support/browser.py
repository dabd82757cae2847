"""A real browser without a window, for the tests of the HTML page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
)


def chromium() -> str | None:
    """The browser's path: the variable CHROMIUM, or one of the usual names."""
    given = os.environ.get("CHROMIUM")
    return given or next(filter(None, map(shutil.which, _NAMES)), None)


class Browser:
    """One window; what a test needs of it, and no more."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, page: Path, fragment: str = "") -> None:
        self.driver.get("about:blank")  # a new fragment alone would not load the page
        self.driver.get(page.as_uri() + fragment)
        # Keys that are pressed before anything is to be seen are lost.
        self.wait("performance.getEntriesByName('first-contentful-paint').length")

    @contextmanager
    def sized(self, width: int, height: int = 800) -> Iterator[None]:
        """A window of so many pixels. Chromium takes its time to make it so."""
        before = self.run("return innerWidth")
        size = {"width": width, "height": height, "deviceScaleFactor": 1}
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {**size, "mobile": False}
        )
        self.wait(f"innerWidth === {width}")
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
            self.wait(f"innerWidth === {before}")

    def reload_until(self, condition: str, stored: dict[str, str]) -> None:
        """Load the page anew until a condition in JavaScript holds, with these stored.

        What a page stores reaches the process of the next one some time later, or
        never: on a busy machine Chromium loses it now and then.
        """
        from selenium.webdriver.support.ui import WebDriverWait

        def holds(_: Any) -> bool:
            self.run(
                "localStorage.clear();"
                "for (const one of arguments[0]) localStorage.setItem(...one)",
                list(stored.items()),
            )
            self.driver.refresh()
            return bool(self.run(f"return {condition}"))

        WebDriverWait(self.driver, 60, 0.1).until(holds)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def text(self, selector: str) -> str:
        return str(
            self.run("return document.querySelector(arguments[0]).innerText", selector)
        )

    def texts(self, selector: str) -> list[str]:
        """What elements show, in order; hidden ones left out."""
        found: list[str] = self.run(
            "return [...document.querySelectorAll(arguments[0])]"
            ".filter(e => e.getClientRects().length).map(e => e.textContent)",
            selector,
        )
        return found

    def click(self, selector: str) -> None:
        self.run("document.querySelector(arguments[0]).click()", selector)

    def choose(self, selector: str, value: str) -> None:
        self.run(
            "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
            "e.dispatchEvent(new Event('change', {bubbles: true}))",
            selector,
            value,
        )

    def keys(self, text: str) -> None:
        """Keys pressed wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(text).perform()

    def wait(self, condition: str) -> None:
        """Wait until a condition in JavaScript holds."""
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, 300, 0.02).until(
            lambda _: self.run(f"return {condition}")
        )

    def fragment(self) -> str:
        return str(self.run("return location.hash"))

    def complaints(self) -> list[str]:
        """What the browser logged since last asked: errors, refused resources."""
        return [entry["message"] for entry in self.driver.get_log("browser")]
