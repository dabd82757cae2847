"""Files on an S3 server, on this machine: the same trees, and errors one can act on.

The server is moto's. It and its keys are named in the environment, as docs/cluster.md
tells.
"""

from __future__ import annotations

import logging
import os
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from analyzer.formats.registry import write_rst
from tests.support.command import Ran, spinal
from tests.support.data_paths import EXAMPLES
from tests.support.rst_strategies import tree_of
from tests.support.sharded import Sharded, in_one_process, in_shards, sharded

pytestmark = pytest.mark.slow

s3fs = pytest.importorskip("s3fs", reason="NOT RUN: s3fs is not here")
moto_server = pytest.importorskip(
    "moto.server", reason="NOT RUN: moto's server is not here (moto[server])"
)

BUCKET = "trees"
KEY_OF_NOBODY = {"AWS_ACCESS_KEY_ID": "nobody", "AWS_SECRET_ACCESS_KEY": "nothing"}


class Bucket(NamedTuple):
    """A bucket, where its server is, and what writes to it.

    That is not what spinal reads with, which would know of changes.
    """

    server: str
    system: Any

    def put(self, folder: Path) -> None:
        """All files below a folder, by their paths from there."""
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self.write(str(path.relative_to(folder)), path.read_bytes())

    def write(self, key: str, data: bytes) -> None:
        self.system.pipe(f"{BUCKET}/{key}", data)

    def ask_for_keys(self) -> None:
        """From here on, only keys that the server knows open anything."""
        _post(f"{self.server}/moto-api/reset-auth", b"0")


def _post(url: str, data: bytes) -> None:
    # Unless it is told, the server takes it for a form, and waits for the rest.
    of_a_kind = {"Content-Type": "application/octet-stream"}
    request = urllib.request.Request(url, data, of_a_kind)
    urllib.request.urlopen(request, timeout=600).close()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    running = moto_server.ThreadedMotoServer(
        ip_address="127.0.0.1", port=0, verbose=False
    )
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture(scope="module")
def system(server: str) -> Any:
    return s3fs.S3FileSystem(
        key="writer",
        secret="nothing",
        endpoint_url=server,
        skip_instance_cache=True,
        use_listings_cache=False,
    )


@pytest.fixture
def bucket(
    server: str, system: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bucket]:
    for name in [name for name in os.environ if name.startswith(("AWS_", "FSSPEC_"))]:
        monkeypatch.delenv(name)
    named = {
        "AWS_ENDPOINT_URL": server,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",  # or it would look for keys out there
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "NO_PROXY": "127.0.0.1",
        **KEY_OF_NOBODY,
    }
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    _post(f"{server}/moto-api/reset", b"")
    _post(f"{server}/moto-api/reset-auth", b"inf")
    s3fs.S3FileSystem.clear_instance_cache()
    system.mkdir(BUCKET)
    yield Bucket(server, system)
    s3fs.S3FileSystem.clear_instance_cache()


@pytest.fixture
def files(bucket: Bucket, tmp_path: Path) -> Sharded:
    """Compressed files of both sides, here and there."""
    made = sharded(tmp_path / "in", zipped=True)
    bucket.put(made.folder)
    return made


def there(files: Sharded) -> list[str]:
    return [spec.replace(str(files.folder), f"s3://{BUCKET}") for spec in files.specs]


@pytest.mark.parametrize("command", ["score", "evalb"])
def test_scores_are_those_of_files_here(command: str, files: Sharded) -> None:
    here = in_one_process(command, *files.specs, "--format", "json")
    assert here.code == 0
    assert in_one_process(command, *there(files), "--format", "json") == here
    name = files.shard("gold", 0).name
    pair = [f"{side}/{name}" for side in ("gold", "parsed")]
    assert in_one_process(
        command, *(f"s3://{BUCKET}/{key}" for key in pair), "--format", "json"
    ) == in_one_process(
        command, *(files.folder / key for key in pair), "--format", "json"
    )


def test_processes_open_files_themselves(files: Sharded) -> None:
    ran = in_shards("score", "--format", "json", "--jobs", "2", *there(files))
    assert ran == in_one_process("score", *files.specs, "--format", "json")


def test_discourse_trees(bucket: Bucket, tmp_path: Path) -> None:
    for side, cause in (("gold", "cause"), ("parsed", "result")):
        for name in ("a", "b"):
            path = tmp_path / side / f"{name}.dis"
            path.parent.mkdir(exist_ok=True)
            tree = tree_of(f"[N:span S:{cause} S:list]")
            path.write_text(write_rst(tree, "dis"))
    bucket.put(tmp_path)
    given = ["rst", "score", "--format", "json", "-q"]
    here = spinal(*given, *(f"{tmp_path}/{side}/*.dis" for side in ("gold", "parsed")))
    urls = [f"s3://{BUCKET}/{side}/*.dis" for side in ("gold", "parsed")]
    assert here.code == 0
    assert spinal(*given, *urls) == here


def test_a_listing_of_before_is_not_trusted(bucket: Bucket) -> None:
    """One process, two calls, and in between the file has become longer."""
    lines = (EXAMPLES / "news.gold.mrg").read_bytes().splitlines(keepends=True)
    url = f"s3://{BUCKET}/gold/*.mrg"
    for count in (3, 5):
        bucket.write("gold/a.mrg", b"".join(lines[:count]))
        found = spinal("evalb", url, url, "--format", "json")
        assert (found.code, found.err) == (0, "")
        assert f'"sentences": {count}' in found.out
        one = spinal("evalb", *[f"s3://{BUCKET}/gold/a.mrg"] * 2, "--format", "json")
        assert one == found


def read(url: str) -> Ran:
    return spinal("evalb", url, EXAMPLES / "news.chart.mrg")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("s3://trees/gold/none.mrg", "no such file"),
        ("s3://trees/none/*.mrg", "no file matches this pattern"),
        ("s3://none/gold/a.mrg", "cannot be read: "),
        ("s3://none/gold/*.mrg", "no file matches this pattern"),
    ],
)
def test_what_is_not_there(url: str, message: str, files: Sharded) -> None:
    ran = read(url)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"spinal: {url}: {message}")


@pytest.mark.parametrize("key", ["gold/000.mrg.gz", "gold/*"])
def test_keys_that_may_not_read_it(key: str, bucket: Bucket, files: Sharded) -> None:
    bucket.ask_for_keys()
    ran = read(f"s3://{BUCKET}/{key}")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"spinal: s3://{BUCKET}/{key}: cannot be read: ")
    assert "; the keys in use (AWS_PROFILE or AWS_ACCESS_KEY_ID) may not" in ran.err


@pytest.mark.parametrize("key", ["gold/000.mrg.gz", "gold/*"])
def test_no_keys(key: str, files: Sharded, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEY_OF_NOBODY:
        monkeypatch.delenv(name)
    s3fs.S3FileSystem.clear_instance_cache()
    ran = read(f"s3://{BUCKET}/{key}")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "cannot be read: Unable to locate credentials; name them: AWS_" in ran.err


def test_a_cut_off_object(bucket: Bucket, files: Sharded) -> None:
    bucket.write("gold/000.mrg.gz", files.shard("gold", 0).read_bytes()[:-9])
    ran = read(f"s3://{BUCKET}/gold/000.mrg.gz")
    assert ran.code == 2
    assert "000.mrg.gz: damaged compressed file: " in ran.err
