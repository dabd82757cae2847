"""Files are written whole or not at all.

A full disk, a kill or a power cut leaves the file that was there before, or the new
one: what is written goes into a file beside it, which then takes its name.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from typing import IO, TYPE_CHECKING

from analyzer.exceptions import InputError, Place

if TYPE_CHECKING:  # to import it takes as long as the rest of `spinal --help`
    from pathlib import Path

STDOUT = "-"

# Files and folders that nothing may replace, and folders below these that it may.
_INPUTS: ContextVar[tuple[frozenset[str], frozenset[str]]] = ContextVar(
    "inputs", default=(frozenset(), frozenset())
)


@contextmanager
def keeping(inputs: Iterable[str], outputs: Iterable[str]) -> Iterator[None]:
    """In this block no input, nor any file in a folder that is one, is replaced.

    Folders among the outputs that lie in such a folder may be written to.
    """
    kept = (
        frozenset(os.path.realpath(path) for path in inputs),
        frozenset(os.path.realpath(path) for path in outputs),
    )
    token = _INPUTS.set(kept)
    try:
        yield
    finally:
        _INPUTS.reset(token)


def refuse_input(path: str | Path) -> None:
    """An error if this is an input, which must not be replaced."""
    if not os.path.isfile(path):
        return
    inputs, outputs = _INPUTS.get()
    at = file = os.path.realpath(path)
    while at not in inputs:
        above = os.path.dirname(at)
        if above == at or (at in outputs and at != file):
            return
        at = above
    raise InputError("E135 is an input, and would be replaced", Place(str(path)))


def write_text(path: str | Path, text: str) -> None:
    """A text, as UTF-8, in a file or ('-') to standard output; or an InputError.

    Half a surrogate pair, which is no text, becomes '?', as on standard output.
    """
    write_bytes(path, text.encode("utf-8", "replace"))


def write_bytes(path: str | Path, data: bytes) -> None:
    with replacing(path) as stream:
        stream.write(data)


@contextmanager
def replacing(path: str | Path) -> Iterator[IO[bytes]]:
    """A stream whose content replaces a file as the block ends, unless it fails.

    Pipes, terminals and other devices are written to directly. '-' is standard output;
    a file of that name is './-'.
    """
    refuse_input(path)
    if path == STDOUT:
        with _explained("standard output"):
            draft = io.BytesIO()
            yield draft
            _write_to_stdout(draft.getvalue())
        return
    with _explained(path):
        if _is_device(path):
            with open(path, "wb") as stream:
                yield stream
            return
        # Through a symbolic link, to the file that it stands for.
        with _replacing(os.path.realpath(path)) as stream:
            yield stream


def _write_to_stdout(data: bytes) -> None:
    sys.stdout.flush()
    if hasattr(sys.stdout, "buffer"):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        sys.stdout.write(data.decode("utf-8"))


@contextmanager
def only_writer(folders: Iterable[str]) -> Iterator[None]:
    """In this block no other process is in one for the same folders; it waits for them.

    For whoever reads files, changes them and writes them back. Where folders cannot be
    locked (Windows, some network drives), nothing is locked.
    """
    with ExitStack() as locked:
        for folder in sorted(set(folders)):
            with suppress(OSError, ImportError):
                import fcntl

                handle = os.open(folder, os.O_RDONLY)
                locked.callback(os.close, handle)
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def make_folder(path: str | Path) -> None:
    """A directory and those above it, as far as they are not there yet."""
    with _explained(path):
        os.makedirs(path, exist_ok=True)


@contextmanager
def _explained(path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        # NumPy says how many numbers found room, but not why.
        reason = error.strerror or f"there is no room for all of it ({error})"
        raise InputError(
            "E104 cannot be written", Place(str(path)), reason=reason
        ) from error


def _is_device(path: str | Path) -> bool:
    """Whether there is something other than a file.

    /dev/stdout may stand for a file, but one that others have open: it must not be
    exchanged for another.
    """
    if os.path.dirname(os.path.abspath(path)) in ("/dev", "/dev/fd", "/proc/self/fd"):
        return True
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode)


@contextmanager
def _replacing(target: str) -> Iterator[IO[bytes]]:
    # A file that is not to be written to is not to be replaced either.
    mode = None
    if os.path.exists(target):
        mode = stat.S_IMODE(os.stat(target).st_mode)
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
    draft = os.path.join(os.path.dirname(target), f".spinal-{os.urandom(8).hex()}.tmp")
    try:
        with open(draft, "xb") as stream:  # with the permissions of any new file
            if mode is not None:
                os.chmod(draft, mode)
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):
            os.remove(draft)
        raise
