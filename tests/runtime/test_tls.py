"""A Dask cluster that uses TLS, on this machine: who may use it, and who is told why.

Certificates are made here. What a client has to say stands in Dask's configuration.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer.runtime import cluster
from tests.support.certificates import Certificate, make_certificate
from tests.support.command import Ran, spinal, spinal_process
from tests.support.data_paths import EXAMPLES
from tests.support.sharded import in_one_process, sharded

pytestmark = [pytest.mark.cluster, pytest.mark.slow]

distributed = pytest.importorskip(
    "distributed", reason="NOT RUN: Dask is not here (pip install 'spinal[cluster]')"
)
dask = pytest.importorskip("dask", reason="NOT RUN: Dask is not here")

NEWS = EXAMPLES / "news.gold.mrg", EXAMPLES / "news.chart.mrg"
SECONDS = 600
CLIENT = "distributed.comm.tls.client"


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return make_certificate(tmp_path_factory.mktemp("ours") / "tls")


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """Of another authority."""
    return make_certificate(tmp_path_factory.mktemp("theirs") / "tls")


@pytest.fixture(scope="module")
def address(ours: Certificate) -> Iterator[str]:
    told = ours.configuration("client", "scheduler", "worker")
    with dask.config.set(told):
        security = distributed.Security(require_encryption=True)
        cluster = distributed.LocalCluster(
            processes=True,
            n_workers=1,
            threads_per_worker=1,
            host="127.0.0.1",
            protocol="tls://",
            security=security,
            dashboard_address=":0",
            silence_logs=50,
        )
    with cluster:
        yield str(cluster.scheduler_address)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no reason to give up."""
    monkeypatch.setattr(cluster, "_SECONDS_TO_CONNECT", SECONDS)
    monkeypatch.setattr("analyzer.runtime.cluster._SECONDS_FOR_WORKERS", SECONDS)


def on(address: str, **told: Any) -> Ran:
    with dask.config.set(told):
        return spinal("score", *NEWS, "--cluster", address)


def test_the_numbers_are_those_of_one_process(
    address: str, ours: Certificate, tmp_path: Path
) -> None:
    assert address.startswith("tls://127.0.0.1:")
    files = sharded(tmp_path, zipped=True)
    given = ["score", *files.specs, "--format", "json"]
    with dask.config.set(ours.configuration("client")):
        ran = spinal(*given, "--cluster", address)
        blocks = spinal("evalb", *NEWS, "--cluster", address)
    assert ran == in_one_process(*given)
    assert blocks == in_one_process("evalb", *NEWS)


def test_keys_named_in_the_environment(address: str, ours: Certificate) -> None:
    """By the lines that docs/cluster.md has."""
    start = "DASK_DISTRIBUTED__COMM__TLS__"
    named = {
        f"{start}CA_FILE": str(ours.authority),
        f"{start}CLIENT__CERT": str(ours.certificate),
        f"{start}CLIENT__KEY": str(ours.key),
    }
    given = ["score", *NEWS, "--cluster", address]
    ran = spinal_process(*given, env={**os.environ, **named})
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.decode() == in_one_process("score", *NEWS).out


def test_a_client_without_keys(address: str) -> None:
    ran = on(address)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "no keys for an encrypted connection; name their files" in ran.err


@pytest.mark.parametrize("is_ours", [True, False])
def test_certificates_of_another_authority(
    is_ours: bool, address: str, ours: Certificate, theirs: Certificate
) -> None:
    """We do not trust the scheduler, or the scheduler does not trust us."""
    told = theirs.configuration("client")
    if is_ours:
        told |= ours.configuration()
    ran = on(address, **told)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"spinal: no secure connection to {address}: ")
    assert "must be of the same authority" in ran.err


def test_files_that_hold_no_keys(
    address: str, ours: Certificate, theirs: Certificate
) -> None:
    for name, path, reason in (
        (f"{CLIENT}.cert", "/none.pem", "No such file"),
        (f"{CLIENT}.key", str(theirs.key), "key values mismatch"),
        ("distributed.comm.tls.ca-file", str(NEWS[0]), "no certificate"),
    ):
        ran = on(address, **ours.configuration("client") | {name: path})
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert "(ca-file, client.cert, client.key) cannot be used: " in ran.err
        assert reason in ran.err


def test_without_encryption(address: str, ours: Certificate) -> None:
    ran = on(address.replace("tls://", "tcp://"), **ours.configuration("client"))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "closed the connection: if it is a Dask scheduler that uses TLS" in ran.err


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """Takes connections, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def address_of(server: socket.socket) -> str:
    return f"tls://127.0.0.1:{server.getsockname()[1]}"


def test_one_who_does_not_use_tls(silent: socket.socket, ours: Certificate) -> None:
    def answer() -> None:
        there, _ = silent.accept()
        with there:
            there.sendall(b"this is no handshake\n" * 9)
            there.recv(1 << 16)

    threading.Thread(target=answer, daemon=True).start()
    ran = on(address_of(silent), **ours.configuration("client"))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "the scheduler must use TLS" in ran.err


def test_one_who_says_nothing(
    silent: socket.socket, ours: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_SECONDS_TO_CONNECT", 1)
    ran = on(address_of(silent), **ours.configuration("client"))
    assert ran.code == 2
    assert "no Dask scheduler answers at tls://" in ran.err
