"""The HTML page without a browser: well-formed, self-contained, and all there."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from analyzer import read_trees
from analyzer.analyses.errors import OF_BRACKETS, Kind
from analyzer.analyses.report import score_for_page
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES
from tests.support.pages import HOSTILE, hostile_banks, long_sentences, page_of

VOID = {"meta", "link", "br", "input", "img"}


class Document(HTMLParser):
    """Reads the page as a browser would, and checks that elements nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.contents: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.contents.setdefault(self.open[-1], []).append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        kept = (t for n, t in self.contents.items() if n not in ("script", "style"))
        return "\n".join(piece for pieces in kept for piece in pieces)

    @property
    def data(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.contents["script"][0])
        return content


def unpacked(errors: dict[str, Any], packed: list[int], words: list[int]) -> str:
    """A packed tree in brackets again."""
    text, types = errors["texts"], errors["types"]
    pieces: list[str] = []
    depth = at = 0
    numbers = iter(packed)
    for number in numbers:
        if number < 0:
            pieces.append(")" * -number)
            depth += number
            continue
        label, construction, *rest = types[number >> 1]
        pieces.append(f" ({text[label]}")
        if construction == -2:
            count, is_own = rest
            pieces.append(f" {text[next(numbers) if is_own else words[at]]})")
            at += count
        else:
            depth += 1
    return ("".join(pieces) + ")" * depth).strip()


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "page.html"
    specs = [
        f"{n}={EXAMPLES}/{n}.gold.mrg:{EXAMPLES}/{n}.chart.mrg" for n in ("news", "web")
    ]
    ran = spinal("report", *specs, "--html", path)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith(f"wrote {path}")
    return path.read_text("utf-8")


def test_the_document_nests_and_loads_nothing(examples: str) -> None:
    document = Document(examples)
    assert [attributes.get("id") for attributes in document.all("script")] == [
        "data",
        None,
    ]
    for _, attributes in document.elements:
        assert not [name for name in attributes if name.startswith("on")]
        assert "style" not in attributes
        for name in ("src", "href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:"))
    ids = [a["id"] for _, a in document.elements if "id" in a]
    assert len(ids) == len(set(ids))


def test_the_policy_names_style_and_script_by_their_hashes(examples: str) -> None:
    policy = next(
        a["content"] or ""
        for a in Document(examples).all("meta")
        if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';")
    for tag in ("style", "script"):
        content = re.findall(rf"<{tag}>(.*?)</{tag}>", examples, re.S)
        digest = base64.b64encode(hashlib.sha256(content[0].encode()).digest()).decode()
        assert len(content) == 1
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("name", ["news", "web"])
def test_every_packed_tree_is_the_treebanks(examples: str, name: str) -> None:
    data = Document(examples).data
    errors = data["errors"][data["datasets"].index(name)]
    banks = [
        read_trees(str(EXAMPLES / f"{name}.{side}.mrg")) for side in ("gold", "chart")
    ]
    assert errors["sentences"]
    for number, words, *trees in errors["sentences"]:
        for packed, bank in zip(trees, banks, strict=True):
            assert unpacked(errors, packed, words) == bank[number - 1].brackets()


def test_errors_are_as_many_as_the_command_counts(examples: str) -> None:
    errors = Document(examples).data["errors"][0]
    kinds = [list(Kind)[kind].value for kind in errors["errors"][1::10]]
    for kind in (one for one in OF_BRACKETS if one is not Kind.FUNCTION):
        ran = spinal(
            "errors",
            EXAMPLES / "news.gold.mrg",
            EXAMPLES / "news.chart.mrg",
            *("--kind", kind.value, "--limit", "0", "--format", "json"),
        )
        assert kinds.count(kind.value) == json.loads(ran.out)["total"]
    assert errors["total"] == len(kinds)


def test_hostile_text_is_text() -> None:
    text = page_of(*hostile_banks(), name="<b>&")
    document = Document(text)
    assert len(document.all("script")) == 2
    assert not document.all("i") + document.all("b")[5:]  # five stand in the legend
    assert "<b>&" in document.data["datasets"]
    words = set(document.data["errors"][0]["texts"])
    assert {*HOSTILE[:-1], "\ufffdgnp", 'NP<i>"'} <= words
    assert "alert(1)<" not in text


@pytest.mark.slow
def test_the_cap_keeps_a_sample_and_says_how_many_there_are(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    files = EXAMPLES / "web.gold.mrg", EXAMPLES / "web.chart.mrg"
    spinal("report", *files, "--html", path, "-q")
    whole = Document(path.read_text("utf-8")).data["errors"][0]
    ran = spinal("report", *files, "--html", path, "-q", "--max-instances", "40")
    assert (ran.code, ran.err) == (0, "")
    capped = Document(path.read_text("utf-8")).data["errors"][0]
    assert 20 < len(capped["errors"]) / 8 <= 40
    assert capped["total"] == whole["total"] > 40
    assert capped["name"] == "web.chart"
    # One sentence in so many, with all that the whole page has of it.
    every = capped["every"]
    assert every > 1
    assert _readable(capped) == [
        one for one in _readable(whole) if one["sentence"] % every == 1
    ]
    used = {text for one in _readable(capped) for text in one["texts"]}
    assert set(capped["texts"]) == used


def _readable(errors: dict[str, Any]) -> list[dict[str, Any]]:
    """The errors of a page without its numbers of texts and types."""
    texts = errors["texts"]
    found = []
    rows = [
        errors["errors"][at : at + 10] for at in range(0, len(errors["errors"]), 10)
    ]
    for (at, kind, construction, *rest, instead, loss), link in zip(
        rows, errors["links"], strict=True
    ):
        number, words, *trees = errors["sentences"][at]
        steps, changed = errors["edits"][at]
        found.append(
            {
                "sentence": number,
                "error": (kind, texts[construction], rest, link),
                "instead": (texts[instead] if instead >= 0 else None, loss),
                "trees": [unpacked(errors, tree, words) for tree in trees],
                "steps": [[texts[told], *marks] for told, *marks in steps],
                "before": [unpacked(errors, tree, words) for tree in changed[:1]],
                "texts": [texts[word] for word in words]
                + [texts[construction], *(texts[told] for told, *_ in steps)]
                + ([texts[instead]] if instead >= 0 else [])
                + [
                    text
                    for tree in (*trees, *changed[:1], *(x[2:] for x in changed[1:]))
                    for text in _texts(errors, tree)
                ],
            }
        )
    return found


def _texts(errors: dict[str, Any], packed: list[int]) -> list[str]:
    """Labels and constructions of a packed tree, and words that are its own."""
    found, numbers = [], iter(packed)
    for number in numbers:
        if number < 0:
            continue
        label, construction, *rest = errors["types"][number >> 1]
        found.append(errors["texts"][label])
        if construction >= 0:
            found.append(errors["texts"][construction])
        if construction == -2 and rest[1]:
            found.append(errors["texts"][next(numbers)])
    return found


def test_a_sentence_with_too_many_errors_has_some_and_says_so() -> None:
    gold, parsed = long_sentences(1, 60)
    (data,) = score_for_page([("a", gold, parsed)], max_instances=1)
    assert (data.errors.shown, data.errors.total) == (1, 2)
    assert not data.errors.is_whole
    (nothing,) = score_for_page([("a", gold, parsed)], max_instances=0)
    assert (nothing.errors.shown, nothing.errors.total) == (0, 2)
    assert not nothing.errors.is_whole


def test_trees_stay_within_their_budget() -> None:
    budget = 50_000
    (data,) = score_for_page([("a", *long_sentences(300, 60))], budget=budget)
    errors = data.errors
    size = len(json.dumps(errors.as_json(), separators=(",", ":")))
    assert 0 < errors.shown < errors.total == 600
    assert 0.45 * budget < size < 1.1 * budget
    numbers = [sentence[0] for sentence in errors.sentences]
    assert numbers == [*range(1, 301, errors.every)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.mrg"], "expected NAME=GOLD:PARSED"),
        (["n=a.mrg"], "expected NAME=GOLD:PARSED"),
        (["a=b:c", "a=d:e"], "the same name: a"),
        (["a=b:c", "--max-instances", "-1"], "must be 0 or more"),
    ],
)
def test_bad_usage(arguments: list[str], message: str, tmp_path: Path) -> None:
    ran = spinal("report", *arguments, "--html", tmp_path / "page.html")
    assert ran.code == 2
    assert message in ran.err


@pytest.mark.slow
def test_a_page_that_cannot_be_written(tmp_path: Path) -> None:
    files = EXAMPLES / "web.gold.mrg", EXAMPLES / "web.chart.mrg"
    ran = spinal("report", *files, "--html", tmp_path / "no" / "page.html")
    assert ran.code == 2
    assert "cannot be written" in ran.err


def test_failed_parses_and_lengths_are_said(tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold", tmp_path / "parsed"
    gold.write_text("(S (NN a))\n(S (NN b))\n(S (NN c))\n")
    parsed.write_text("(S (NN a))\n(S (NN x))\n")
    ran = spinal("report", gold, parsed, "--html", tmp_path / "page.html")
    assert ran.code == 2
    assert "differ in length by 1 sentence" in ran.err
    document = Document((tmp_path / "page.html").read_text("utf-8"))
    assert "word 1 differs: gold 'b', parsed 'x'" in document.text
    assert document.data["errors"][0]["errors"] == []


@pytest.mark.slow
def test_a_label_as_long_as_a_book_is_not_quoted_in_full(tmp_path: Path) -> None:
    sizes = []
    for name, label in (("short", "XP"), ("long", "X" * 100_000)):
        gold, parsed = tmp_path / f"{name}.gold", tmp_path / f"{name}.parsed"
        gold.write_text(f"(S ({label} (NN a)) (VP (VB b)))\n")
        parsed.write_text("(S (NP (NN a)) (VP (VB b)))\n")
        page = tmp_path / f"{name}.html"
        assert spinal("report", gold, parsed, "--html", page, "-q").code == 0
        sizes.append(page.stat().st_size)
    assert sizes[1] - sizes[0] < 60_000  # its ends, in every link to its errors
