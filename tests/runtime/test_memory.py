"""Memory that is free again."""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys

import pytest

from analyzer.runtime.memory import keep_freed_memory
from tests.support.data_paths import ROOT

# Forty times eight arrays of a megabyte, 256 pages each, freed before the next eight.
FAULTS = """
import resource
import numpy as np
from analyzer.runtime.memory import keep_freed_memory
assert keep_freed_memory()
for times in range(41):
    if times == 1:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    arrays = [np.ones(1 << 17) for _ in range(8)]
    del arrays
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="GNU's library only")
def test_freed_memory_is_used_again() -> None:
    code = [sys.executable, "-c", FAULTS]
    ran = subprocess.run(code, cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 8 * 256


def test_other_libraries_go_on_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert not keep_freed_memory()
