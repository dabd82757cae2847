"""`spinal show`: pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES
from tests.support.golden import WEB


def test_pictures(tmp_path: Path) -> None:
    one = tmp_path / "two.svg"
    ran = spinal("show", WEB[0], "2", "--svg", one)
    assert (ran.code, ran.out) == (0, "")
    assert "terrible" in "".join(ElementTree.parse(one).getroot().itertext())
    assert spinal("show", *WEB, "2-3", "--svg", tmp_path / "pair.svg").code == 0
    names = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert names == ["pair-2.svg", "pair-3.svg", "two.svg"]


def test_a_picture_is_what_its_name_says(tmp_path: Path) -> None:
    starts = {"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG", "tex": b"% "}
    for ending, start in starts.items():
        path = tmp_path / f"tree.{ending}"
        ran = spinal("show", EXAMPLES / "web.gold.mrg", "1", "--svg", path)
        assert (ran.code, ran.out) == (0, ""), ran.err
        assert path.read_bytes().startswith(start)
    path = tmp_path / "tree.jpg"
    ran = spinal("show", EXAMPLES / "web.gold.mrg", "1", "--picture", path)
    assert ran.code == 2
    assert "expected a name that ends in .svg, .pdf, .png or .tex" in ran.err
    assert not path.exists()
