"""Files by URL: what fsspec opens (s3://, gs://, https://, file://, memory:// …).

Only imported libraries that a URL needs: fsspec itself, and what it asks for.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, cast

from analyzer.exceptions import AnalyzerError, InputError, Place, SettingsError

_GLOB = "*"
# By these a file system says that a file is not the one it was.
_MARKS = frozenset(
    {
        *("etag", "last-modified", "lastmodified", "last_modified", "mtime"),
        *("created", "updated", "generation", "md5hash", "content-md5", "version"),
    }
)


def is_url(spec: str) -> bool:
    """Whether an argument is a URL and not a path.

    >>> is_url("s3://bucket/dev.mrg"), is_url("dev.mrg")
    (True, False)
    """
    return "://" in spec


def files_at(url: str) -> list[str]:
    """The files that a URL stands for: itself, or those that it matches with `*`."""
    with explained(url):
        system, path = _system_and_path(url)
        _forget_listings(system)
        if _GLOB not in url:
            return [url]
        found = sorted(system.unstrip_protocol(name) for name in system.glob(path))
        if not found:
            raise InputError("no file matches this pattern", Place(url), code="E112")
        return found


@contextmanager
def open_url(url: str) -> Iterator[io.BufferedReader]:
    system, path = _system_and_path(url)
    with system.open(path, "rb") as stream:
        yield io.BufferedReader(cast(io.RawIOBase, stream))


def stamp_of(url: str) -> list[tuple[str, str]] | None:
    """Size and marks of the file as it is now; None if nothing would tell a change."""
    with explained(url):
        system, path = _system_and_path(url)
        _forget_listings(system)
        told = {str(name).lower(): str(is_) for name, is_ in system.info(path).items()}
    marks = sorted((name, told[name]) for name in _MARKS & set(told))
    return [("size", told.get("size", "")), *marks] if marks else None


def _forget_listings(system: Any) -> None:
    """What was listed before may have changed since; not all keep it, or can forget."""
    with suppress(Exception):
        system.invalidate_cache()


@contextmanager
def explained(url: str) -> Iterator[None]:
    """Turns what can go wrong into errors for people.

    Each file system raises errors of its own, hence all of them.
    """
    try:
        yield
    except AnalyzerError:
        raise
    except Exception as error:
        # To fsspec a server that does not answer has no such file; it knows better.
        cause = error.__cause__ if isinstance(error, FileNotFoundError) else error
        if cause is None or isinstance(cause, FileNotFoundError):
            raise InputError("no such file", Place(url), code="E102") from error
        reason = (str(cause) or type(cause).__name__) + _hint(url, cause)
        raise InputError(
            "cannot be read: {reason}", Place(url), code="E117", reason=reason
        ) from error


def _hint(url: str, cause: BaseException) -> str:
    """What to do about keys that are missing, or that do not open this."""
    if url.split("://")[0] not in ("s3", "s3a"):
        return ""
    if isinstance(cause, PermissionError):
        return (
            "; the keys in use (AWS_PROFILE or AWS_ACCESS_KEY_ID) may not read it, or "
            "it is not there"
        )
    if type(cause).__name__ == "NoCredentialsError":
        return (
            "; name them: AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; "
            "for public files FSSPEC_S3_ANON=true"
        )
    return ""


def _system_and_path(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise SettingsError(
            "{url} is a URL, and these are read with fsspec: pip "
            "install 'spinal[cluster]'",
            code="E516",
            url=url,
        ) from error
    try:
        system, path = url_to_fs(url)
    except ImportError as error:  # as s3fs, adlfs, aiohttp
        raise SettingsError(
            "{url} needs another package: {error}", code="E517", url=url, error=error
        ) from error
    return system, str(path)
