"""Files that nobody should have written: every input format, damaged in every way.

They are equal each time: nothing here is random. A file is made only when it is asked
for, as some are large. What is expected of a file holds for all commands that read it.
"""

from __future__ import annotations

from tests.support.hostile.damaged_files import damaged
from tests.support.hostile.discourse_files import dis_files, json_files, rs3_files
from tests.support.hostile.files import Hostile
from tests.support.hostile.settings_files import settings_files
from tests.support.hostile.syntax_files import graph_files, syntactic, tiger_files
from tests.support.hostile.unit_files import bracketed_files, dependency_files


def all_files() -> list[Hostile]:
    return [
        *damaged(),
        *syntactic(),
        *dis_files(),
        *rs3_files(),
        *tiger_files(),
        *graph_files(),
        *dependency_files(),
        *bracketed_files(),
        *json_files(),
        *settings_files(),
    ]
