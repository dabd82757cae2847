"""The page of the examples, for tests in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "examples page.html"
    specs = [
        f"{name}={EXAMPLES}/{name}.gold.mrg:{EXAMPLES}/{name}.chart.mrg"
        for name in ("news", "web")
    ]
    assert spinal("report", *specs, "--html", path, "-q").code == 0
    return path
