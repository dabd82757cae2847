"""Commands are run at the root of the project: files are named as the README does."""

from __future__ import annotations

import pytest

from tests.support.data_paths import ROOT


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
