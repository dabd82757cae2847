"""Permissions mean nothing to root: tests of them run as somebody else."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NOBODY = 65534


@contextmanager
def folder_of_nobody() -> Iterator[Path]:
    """A folder of one who is not root, who we are meanwhile.

    What is loaded late must be loaded before: nobody may not read where Python is.
    """
    folder = Path(tempfile.mkdtemp(prefix="spinal-tests-"))
    is_root = os.geteuid() == 0
    if is_root:
        os.chown(folder, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, 0)  # os.access asks for the real one
    try:
        yield folder
    finally:
        if is_root:
            os.setresuid(0, 0, 0)
        shutil.rmtree(folder)
