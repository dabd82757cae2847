"""Files by URL: what fsspec opens (s3://, gs://, https://, file://, memory:// …).

Only imported libraries that a URL needs: fsspec itself, and what it asks for.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, cast

from analyzer.exceptions import AnalyzerError, InputError, Place, SettingsError

_GLOB = "*"
_WITHOUT_FOLDERS = frozenset({"http", "https", "data"})
_S3 = frozenset({"s3", "s3a"})
_SECONDS_TO_ANSWER = 5
_SECONDS_OF_SILENCE = 60  # of a server that has begun to send a file


def is_url(spec: str) -> bool:
    """Whether an argument is a URL and not a path.

    >>> is_url("s3://bucket/dev.mrg"), is_url("dev.mrg")
    (True, False)
    """
    return "://" in spec


def files_at(url: str) -> tuple[list[str], bool]:
    """Those that a URL matches with `*`, those of a folder, or the URL itself.

    And whether it is a folder.
    """
    with explained(url):
        system, path = _system_and_path(url)
        _forget_listings(system)
        if _GLOB in url:
            urls = sorted(map(system.unstrip_protocol, system.glob(path)))
            if not urls:
                raise InputError("E112 no file matches this pattern", Place(url))
            return urls, False
        if _is_folder(url, system, path):
            return sorted(map(system.unstrip_protocol, system.find(path))), True
        return [url], False


def _is_folder(url: str, system: Any, path: str) -> bool:
    """Whether there are files below; it is asked unless this is the name of a file."""
    has_folders = url.partition("://")[0] not in _WITHOUT_FOLDERS
    is_name = "." in url.rpartition("/")[2]
    return has_folders and not is_name and bool(system.isdir(path))


@contextmanager
def open_url(url: str) -> Iterator[io.BufferedReader]:
    system, path = _system_and_path(url)
    with system.open(path, "rb") as stream:
        yield io.BufferedReader(cast(io.RawIOBase, stream))


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
            raise InputError("E102 no such file", Place(url)) from error
        reason = (str(cause) or type(cause).__name__) + _hint(url, cause)
        raise InputError("E117 cannot be read", Place(url), reason=reason) from error


def _hint(url: str, cause: BaseException) -> str:
    """What to do about keys that are missing, or that do not open this."""
    if url.partition("://")[0] not in _S3:
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


@cache
def _call(endpoint: str | None) -> None:
    """OSError unless a server answers: botocore would try for many seconds."""
    import socket
    from urllib.parse import urlsplit
    from urllib.request import getproxies

    if endpoint is None or getproxies():  # a proxy finds what we may not
        return
    parts = urlsplit(endpoint)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        server = parts.hostname or "", port
        socket.create_connection(server, _SECONDS_TO_ANSWER).close()
    except OSError as error:
        problem = f"no server at AWS_ENDPOINT_URL={endpoint}: {error.strerror or error}"
        raise ConnectionError(problem) from error


def _patience(url: str) -> dict[str, Any]:
    """How long to wait for a server that stalls: fsspec's own would wait for ever."""
    if url.partition("://")[0] not in ("http", "https"):
        return {}
    from aiohttp import ClientTimeout

    seconds = _SECONDS_OF_SILENCE
    timeout = ClientTimeout(total=None, sock_connect=seconds, sock_read=seconds)
    return {"client_kwargs": {"timeout": timeout}}


def _system_and_path(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise SettingsError("E516 read with fsspec", url=url) from error
    if url.partition("://")[0] in _S3:
        own = os.environ.get("AWS_ENDPOINT_URL_S3")
        _call(own or os.environ.get("AWS_ENDPOINT_URL"))
    try:
        system, path = url_to_fs(url, **_patience(url))
    except ImportError as error:  # as s3fs, adlfs, aiohttp
        raise SettingsError(
            "E517 needs another package", url=url, error=error
        ) from error
    return system, str(path)
