"""Arguments taken apart: what names files, merges and sentences."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.constructions.names import merged_names
from analyzer.exceptions import SettingsError


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        (["NP-t"], "cannot read the merge 'NP-t'; expected NAME=NAME,NAME"),
        (["=NP-t"], "cannot read the merge"),
        (["NP-t="], "cannot read the merge"),
        (5, "cannot read the merge 5; expected NAME"),
        (["A-x=NP-t", "B-x=NP-t"], "NP-t is merged twice"),
        (["A-x=NP-t", "NP-t=VP-t"], "NP-t is merged into another name"),
    ],
)
def test_merges_that_make_no_sense(specs: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        merged_names(specs)
