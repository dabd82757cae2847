"""Finished tasks in a folder, so that a run that was killed can go on.

One file a task. Its name is a digest of everything that its content depends on: this
spinal, the settings, the limits and the task itself (a file's path, size and time, or
the text). Whatever changes, the name does too: nothing stale is ever found. Files are
JSON, so that a folder may be shared; they carry a digest of their content, and one that
does not fit is not used. They are written aside and moved into place, so that runs that
share a folder do not disturb each other.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, TypeVar, get_type_hints

from analyzer.exceptions import AnalyzerError, InputError, Place, SettingsError
from analyzer.files.atomic import make_folder, write_text
from analyzer.limits import limits
from analyzer.runtime.build_id import version
from analyzer.runtime.typed_json import describe, from_plain, to_plain
from analyzer.safe_text import counted

Result = TypeVar("Result")
_DIGEST_BYTES = 20
# What reading a file that holds anything at all can end in.
_NOT_READABLE = (
    OSError,
    ValueError,
    TypeError,
    KeyError,
    ArithmeticError,
    RecursionError,
)


class Checkpoint:
    """A folder of finished tasks; `tell` gets what a person should know."""

    def __init__(self, folder: str, tell: Callable[[str], None]) -> None:
        self.folder = Path(folder)
        self.tell = tell
        make_folder(folder)
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise InputError(
                "cannot be written: {strerror}",
                Place(folder),
                code="E134",
                strerror=error.strerror,
            ) from error

    def store(self, work: Callable[[Any], Result]) -> CheckpointStore[Result]:
        """The finished tasks of this work."""
        return CheckpointStore(self.folder, work, self.tell)


class CheckpointStore(Generic[Result]):
    """The finished tasks of one work."""

    def __init__(
        self, folder: Path, work: Callable[[Any], Result], tell: Callable[[str], None]
    ) -> None:
        self._folder = folder
        self._tell = tell
        self._type = get_type_hints(type(work).__call__)["return"]
        try:
            self._work = [version(), describe(limits()), describe(work)]
        except TypeError as error:
            raise SettingsError(
                "--checkpoint: this work {error}", code="E523", error=error
            ) from error
        self._asked = self._found = 0
        self._is_full = False

    def name(self, task: object) -> str | None:
        """What the task's file is called; None if it cannot be told from others."""
        try:
            told = json.dumps([*self._work, describe(task)])
        except TypeError:
            return None
        return _digest(told)

    def find(self, name: str | None) -> Result | None:
        """What came of a task, if that was kept."""
        self._asked += 1
        path = self._folder / f"{name}.json"
        try:
            found = _read(path, name, self._type) if name else None
        except FileNotFoundError:
            return None
        except _NOT_READABLE as error:
            self._tell(f"{path}: not a finished piece ({error}); it is done again")
            return None
        self._found += found is not None
        return found

    def keep(self, name: str | None, task: object, result: Result) -> None:
        """Keep a result, unless its file has changed since it was named."""
        if name is None or self._is_full or not self._is_still(name, task):
            return
        content = to_plain(result)
        data = {"piece": name, "digest": _digest(json.dumps(content)), "part": content}
        try:
            write_text(self._folder / f"{name}.json", json.dumps(data))
        except InputError as error:
            # The numbers are right all the same, and may have taken hours.
            self._is_full = True
            self._tell(f"{error}: what is finished from here on is not kept")

    def _is_still(self, name: str, task: object) -> bool:
        with suppress(AnalyzerError):  # the file has gone
            return self.name(task) == name
        return False

    def tell_resumed(self) -> None:
        if self._found:
            self._tell(
                f"resumed: {self._found:,} of {counted(self._asked, 'piece')} were "
                "already done"
            )


def _read(path: Path, name: str | None, kind: Any) -> Any:
    data = json.loads(path.read_text("utf-8"))
    if data["piece"] != name or data["digest"] != _digest(json.dumps(data["part"])):
        raise ValueError("damaged")
    return from_plain(kind, data["part"])


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()
