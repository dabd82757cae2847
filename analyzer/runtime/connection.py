"""The connection to a Dask scheduler, encrypted or not, and why there is none.

Keys and certificates are those of Dask's configuration, as for any client of Dask: its
files, or variables of the environment (docs/cluster.md has the lines).
"""

from __future__ import annotations

import logging
import re
import ssl
import warnings
from typing import Any

from analyzer.exceptions import AnalyzerError, SettingsError

INSTALL = "pip install 'spinal[cluster]'"
_SECONDS_TO_CONNECT = 5
_ADDRESS = re.compile(r"(tcp|tls|wss?|ucx)://.+:\d+/?")
_ENCRYPTED = ("tls:", "wss:")
_LOGGERS = (
    "distributed",
    "distributed.client",
    "tornado",
    "tornado.application",
    "asyncio",
)


def connect(address: str) -> Any:
    """A client of the scheduler at an address; an error says why there is none."""
    try:
        import distributed
    except ImportError as error:
        raise SettingsError(
            "--cluster needs Dask: {install}", code="E528", install=INSTALL
        ) from error
    if not _ADDRESS.fullmatch(address):
        raise SettingsError(
            "--cluster {address}: expected the address of a "
            "scheduler, such as tcp://localhost:8786",
            code="E524",
            address=address,
        )
    for name in _LOGGERS:  # what matters is raised; their warnings are not ours
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        if address.startswith(_ENCRYPTED):
            _try_keys(address, _keys(address))
        with warnings.catch_warnings():
            # Versions of libraries may differ; spinal's own are compared later.
            warnings.simplefilter("ignore")
            client: Any = distributed.Client
            return client(
                address,
                timeout=_SECONDS_TO_CONNECT,
                set_as_default=False,
                name="spinal",
            )
    except (OSError, TimeoutError) as error:
        raise _explained(error, address) from error


def _keys(address: str) -> dict[str, Any]:
    """What Dask's configuration says of encryption; an error if no keys are in it."""
    import distributed

    security: Any = distributed.Security
    try:
        found: dict[str, Any] = security().get_connection_args("client")
    except OSError as error:  # no such file, no key in it, or not that of the other
        raise SettingsError(
            "--cluster {address}: the files that Dask's configuration names under "
            "distributed.comm.tls (ca-file, client.cert, client.key) cannot be used: "
            "{reason}",
            code="E560",
            address=address,
            reason=error.strerror or error,
        ) from error
    if found.get("ssl_context") is None:
        raise SettingsError(
            "--cluster {address}: no keys for an encrypted connection; name their "
            "files in Dask's configuration (distributed.comm.tls), or in "
            "DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__CLIENT__CERT and …__CLIENT__KEY",
            code="E525",
            address=address,
        )
    return found


def _try_keys(address: str, keys: dict[str, Any]) -> None:
    """Connect once and hang up: a client that fails at that would take long to end."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from distributed.comm.core import CommClosedError
    from distributed.comm.core import connect as open_connection

    async def try_them() -> None:
        open_to: Any = open_connection
        try:
            connection = await open_to(address, timeout=_SECONDS_TO_CONNECT, **keys)
        except ValueError as error:  # it spoke before we asked for encryption
            raise CommClosedError(str(error)) from error
        await connection.close()

    # In a thread, for a notebook has a loop of its own in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(try_them())).result()


def _explained(error: BaseException, address: str) -> AnalyzerError:
    """Why there is no connection, by what Dask raises."""
    from distributed.comm.core import CommClosedError

    refusal: BaseException | None = error
    while refusal is not None and not isinstance(refusal, ssl.SSLError):
        refusal = refusal.__cause__
    is_closed = isinstance(error, CommClosedError)
    # Who does not trust a certificate says so, or just hangs up.
    if address.startswith(_ENCRYPTED) and (refusal is not None or is_closed):
        return AnalyzerError(
            "no secure connection to {address}: {reason}; the scheduler must use TLS, "
            "and its certificate and ours (distributed.comm.tls) must be of the same "
            "authority",
            code="E011",
            address=address,
            reason=getattr(refusal, "strerror", None) or "it was closed at once",
        )
    if is_closed:
        return AnalyzerError(
            "the program at {address} closed the connection: if it is a Dask "
            "scheduler that uses TLS, its address begins with tls://",
            code="E012",
            address=address,
        )
    return AnalyzerError(
        "no Dask scheduler answers at {address} (waited "
        "{seconds_to_connect} s); start one with: dask scheduler",
        code="E007",
        address=address,
        seconds_to_connect=_SECONDS_TO_CONNECT,
    )
