"""Files by URL: the same trees as from a path, and errors that can be understood."""

from __future__ import annotations

import gzip
import socket
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from analyzer.files.urls import files_at
from analyzer.formats.registry import write_rst
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES
from tests.support.rst_strategies import tree_of
from tests.support.sharded import as_shards, in_one_process, sharded

fsspec = pytest.importorskip(
    "fsspec", reason="NOT RUN: fsspec is not here (pip install 'spinal[cluster]')"
)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The URL of a folder that is served, on this machine only."""
    pytest.importorskip("aiohttp", reason="NOT RUN: aiohttp is not here")
    handler = partial(Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_port}"
        found.shutdown()


@pytest.mark.slow
def test_trees_from_the_web(server: str, tmp_path: Path) -> None:
    files = sharded(tmp_path, zipped=True)
    urls = [spec.replace(str(tmp_path), server) for spec in files.specs]
    alone = in_one_process("score", *files.specs, "--format", "json")
    assert in_one_process("score", *urls, "--format", "json") == alone
    name = files.shard("gold", 0).name
    one = in_one_process("evalb", f"{server}/gold/{name}", f"{server}/parsed/{name}")
    assert one.code == 0
    with as_shards() as divided:
        assert in_one_process("score", *urls, "--format", "json") == alone
    assert divided == [13]


def test_discourse_trees_by_url(server: str, tmp_path: Path) -> None:
    for side in ("gold", "parsed"):
        for name in ("a", "b"):
            path = tmp_path / side / f"{name}.dis"
            path.parent.mkdir(exist_ok=True)
            path.write_text(write_rst(tree_of("[N:span S:cause S:list]"), "dis"))
    paths = [f"{tmp_path}/{side}/*.dis" for side in ("gold", "parsed")]
    for action in (["rst", "score"], ["errors"], ["rst", "similarity"], ["agree"]):
        here = spinal(*action, *paths, "--format", "json")
        assert here.code == 0
        for start in (f"file://{tmp_path}", server):
            urls = [path.replace(str(tmp_path), start) for path in paths]
            there = spinal(*action, *urls, "--format", "json")
            assert there.code == 0, there.err
            if "similarity" not in action:
                assert there.out == here.out
    one = spinal("rst", "show", f"{server}/gold/a.dis")
    assert one == spinal("rst", "show", f"{tmp_path}/gold/a.dis")
    missing = spinal("rst", "show", f"{server}/gold/c.dis")
    assert missing.code == 2


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/none.mrg", "cannot be read: 404"),
        ("/none*.mrg", "no file matches this pattern"),
        ("/cut.mrg.gz", "damaged compressed file: "),
    ],
)
def test_what_the_web_has_not(
    path: str, message: str, server: str, tmp_path: Path
) -> None:
    (tmp_path / "cut.mrg.gz").write_bytes(gzip.compress(b"(A a)\n" * 99)[:-9])
    ran = spinal("evalb", server + path, EXAMPLES / "news.chart.mrg")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"spinal: {server}{path}: {message}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nosuch://x/y", "cannot be read: Protocol not known: nosuch"),
        ("memory://none.mrg", "no such file"),
        ("file:///none/*.mrg", "no file matches this pattern"),
        ("http://127.0.0.1:9/x.mrg", "cannot be read: "),
    ],
)
def test_what_cannot_be_read(url: str, message: str) -> None:
    ran = spinal("score", url, EXAMPLES / "news.chart.mrg")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"spinal: {url}: {message}")
    assert ran.err.count("\n") == 1


def test_files_in_memory(tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    for side, system in (("gold", "gold"), ("parsed", "chart")):
        for name in ("news", "web"):
            data = (EXAMPLES / f"{name}.{system}.mrg").read_bytes()
            memory.pipe(f"/{side}/{name}.mrg", data)
    urls = ["memory:///gold/news.mrg", "memory:///gold/web.mrg"]
    assert files_at("memory://gold/*.mrg") == (urls, False)
    ran = spinal("evalb", "memory://gold/*.mrg", "memory://parsed/*.mrg")
    folders = [f"{EXAMPLES}/*.{system}.mrg" for system in ("gold", "chart")]
    assert ran.out == spinal("evalb", *folders).out


@pytest.mark.parametrize("missing", ["fsspec", "s3fs"])
def test_what_must_be_installed(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    if missing == "s3fs":  # fsspec remembers what it has imported
        known: Any = import_module("fsspec.registry")
        monkeypatch.delitem(known._registry, "s3", raising=False)
    ran = spinal("score", "s3://bucket/gold/*.mrg", "s3://bucket/parsed/*.mrg")
    assert (ran.code, ran.out) == (2, "")
    assert "s3://bucket/gold/*.mrg" in ran.err
    assert ("spinal[cluster]" if missing == "fsspec" else "s3fs") in ran.err
    assert ran.err.count("\n") == 1


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    for side, system in (("gold", "gold"), ("chart", "chart")):
        data = (EXAMPLES / f"web.{system}.mrg").read_bytes()
        memory.pipe(f"/folder/{side}/deep/web.mrg", data)
    memory.pipe("/folder/gold/.hidden.mrg", b"(S (X y))")
    memory.pipe("/folder/gold/README.md", b"About the trees.")
    alone = in_one_process(
        "score", *(EXAMPLES / f"web.{s}.mrg" for s in ("gold", "chart"))
    )
    for end in ("", "/"):
        ran = in_one_process(
            "score", f"memory://folder/gold{end}", f"memory://folder/chart{end}"
        )
        assert (ran.code, ran.out) == (0, alone.out)
        assert "passed over 1 file without trees" in ran.err
    ran = in_one_process("score", "memory://folder/nobody", "memory://folder/chart")
    assert ran.code == 2
    assert "no such file" in ran.err


def test_a_server_that_stalls_halfway_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("aiohttp", reason="NOT RUN: aiohttp is not here")
    monkeypatch.setattr("analyzer.files.urls._SECONDS_OF_SILENCE", 0.2)
    end = threading.Event()

    class Stalling(Quiet):
        def send_head(self) -> None:  # what HEAD and GET both begin with
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()

        def do_GET(self) -> None:
            self.send_head()
            self.wfile.write(b"(S (NN a))\n")
            self.wfile.flush()
            end.wait()

    with ThreadingHTTPServer(("127.0.0.1", 0), Stalling) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{found.server_port}/x.mrg"
        ran = spinal("score", url, EXAMPLES / "news.chart.mrg")
        end.set()
        found.shutdown()
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"spinal: {url}: cannot be read: ")


def test_a_server_that_is_not_there_is_named_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing of s3fs is asked: it would try again for many seconds."""
    pytest.importorskip("s3fs", reason="NOT RUN: s3fs is not here")
    with socket.socket() as nobody:  # bound, and never listening
        nobody.bind(("127.0.0.1", 0))
        server = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        monkeypatch.setenv("AWS_ENDPOINT_URL", server)
        monkeypatch.setattr("fsspec.core.url_to_fs", None)
        ran = in_one_process("score", "s3://trees/a.mrg", EXAMPLES / "web.gold.mrg")
    assert ran.code == 2
    assert f"no server at AWS_ENDPOINT_URL={server}" in ran.err
