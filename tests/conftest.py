"""Fixtures that several test files use."""

from __future__ import annotations

import gc
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.browser import OPTIONS, Browser, chromium
from tests.support.examples import PROFILE, some

# A busy machine is slow now and then; that is no fault of the code. `.ci/run` sets CI:
# there all draw the same examples, so that a submission is judged by what it changes.
settings.register_profile(
    PROFILE,
    deadline=None,
    derandomize="CI" in os.environ,
    max_examples=some(),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(PROFILE)


_ALL_MARKED = re.compile(r"^pytestmark = .*pytest\.mark\.(slow|browser|cluster)", re.M)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files of slow tests alone are not even imported where these are left out."""
    if not config.option.markexpr.startswith("not (slow"):
        return None
    if not collection_path.match("test_*.py"):
        return None
    return bool(_ALL_MARKED.search(collection_path.read_text("utf-8"))) or None


def pytest_collection_finish() -> None:
    """What was imported and collected stays: the garbage collector need not look."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """The order of the tests is another each time; this says how to have it again."""
    seed = config.getoption("randomly_seed", None)
    if seed is not None:
        terminalreporter.write_line(
            f"the order of the tests again: --randomly-seed={seed}"
        )


@contextmanager
def started_browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip("NOT RUN: no chromium found (set CHROMIUM to its path)")
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = path
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for option in (*OPTIONS, f"--user-data-dir={profile}"):
            options.add_argument(option)
        # Without a path selenium would look for a driver on the network.
        driver_path = shutil.which("chromedriver")
        service = webdriver.ChromeService(executable_path=driver_path)
        driver = webdriver.Chrome(options=options, service=service)
        try:
            yield Browser(driver)
        finally:
            driver.quit()


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[Browser]:
    with started_browser() as found:
        yield found


@pytest.fixture
def browser(shared_browser: Browser) -> Iterator[Browser]:
    """A browser; a page that makes it complain fails the test."""
    shared_browser.complaints()
    yield shared_browser
    assert shared_browser.complaints() == []


@pytest.fixture
def own_browser() -> Iterator[Browser]:
    """For tests that store something, or go back: a browser that knows nothing.

    What is stored cannot be cleared away between tests: Chromium does so some time
    later, with what is new in the store. Of the 50 places of a history it drops those
    first which no hand has chosen, all those of tests.
    """
    with started_browser() as found:
        yield found
        assert found.complaints() == []
