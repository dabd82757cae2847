"""The fast reader of .dis: many documents at once, straight to columns.

Two substitutions turn a document into plain brackets, one line a document, which the
fast reader of brackets takes (`analyzer.scanning`). What is lost is the texts; the
numbers of EDUs stand in for them, and are checked. Anything irregular gives None: the
reader that builds units then reads the document, or says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from analyzer.layout import Layout
from analyzer.rst.documents import NO_RELATION, NUCLEUS, ROOT, SATELLITE
from analyzer.scanning import scan
from analyzer.symbols import SYMBOLS, Ids
from analyzer.treebank import Treebank

_LEAF = re.compile(
    r"\(\s*(Nucleus|Satellite)\s*\(\s*leaf\s+(\d+)\s*\)"
    r"\s*\(\s*rel2par\s+([^\s()/]+)\s*\)\s*\(\s*text\s+_!.*?_!\s*\)",
    re.DOTALL,
)
_INNER = re.compile(
    r"\(\s*(Root|Nucleus|Satellite)\s*\(\s*span\s+\d+\s+\d+\s*\)"
    r"(?:\s*\(\s*rel2par\s+([^\s()/]+)\s*\))?"
)
_SPAN = re.compile(r"\(\s*span\s+(\d+)\s+(\d+)\s*\)")
_EDU = re.compile(r"/(?:Nucleus|Satellite) (\d+)")
_SHORT = {"Root": ROOT, "Nucleus": NUCLEUS, "Satellite": SATELLITE}


def scan_documents(texts: Sequence[str], source: str = "<rst>") -> Treebank | None:
    """The trees of well-formed .dis documents, without their texts; or None."""
    lines = []
    spans: list[tuple[str, str]] = []
    for text in texts:
        with_leaves = _LEAF.sub(r"(\3/\1 \2", text)
        spans += _SPAN.findall(with_leaves)
        lines.append(_INNER.sub(r"(\2/\1", with_leaves).replace("\n", " ").strip())
    block = "\n".join(lines) + "\n"
    bank = scan(block.encode(), Layout.LINES, keep_blank_lines=True, source=source)
    if bank is None or len(bank) != len(texts):
        return None
    relabelled = _relabelled(bank)
    if relabelled is None or not _is_sound(bank, spans, _EDU.findall(block)):
        return None
    return bank.with_labels(relabelled)


def _relabelled(bank: Treebank) -> Ids | None:
    """`cause/Satellite` -> `cause/S`; None if a label is none of these."""
    numbers, which = np.unique(bank.label, return_inverse=True)
    names = []
    for number in numbers.tolist():
        relation, _, nuclearity = SYMBOLS.name(number).rpartition("/")
        if nuclearity not in _SHORT or (not relation) != (nuclearity == "Root"):
            return None
        names.append(f"{relation or NO_RELATION}/{_SHORT[nuclearity]}")
    return np.array([SYMBOLS.id(name) for name in names], np.int32)[which]


def _is_sound(bank: Treebank, spans: list[tuple[str, str]], edus: list[str]) -> bool:
    """Whether spans and EDUs are numbered as the tree has them, roots at the top."""
    inner = np.flatnonzero(~bank.is_leaf)
    if len(spans) != inner.size or len(edus) != bank.leaf_node.size:
        return False
    before = np.repeat(bank.leaf_start[:-1], np.diff(bank.leaf_start))
    expected = np.arange(bank.leaf_node.size) - before + 1
    if not np.array_equal(np.array(edus, np.int64), expected):
        return False
    tree = bank.tree_of_node[inner]
    given = np.array(spans, np.int64).reshape(-1, 2)
    first = bank.first[inner] - bank.leaf_start[tree] + 1
    last = bank.last[inner] - bank.leaf_start[tree]
    numbered = np.array_equal(given[:, 0], first) and np.array_equal(given[:, 1], last)
    return numbered and _has_roots_and_nuclei(bank)


def _has_roots_and_nuclei(bank: Treebank) -> bool:
    is_root = np.array([name.endswith("/Root") for name in SYMBOLS.names], np.bool_)[
        bank.label
    ]
    is_nucleus = np.array(
        [name.endswith("/Nucleus") for name in SYMBOLS.names], np.bool_
    )[bank.label]
    roots = bank.depth == 0
    if not np.array_equal(is_root, roots) or np.count_nonzero(roots) != len(bank):
        return False
    has_nucleus = np.zeros(bank.label.size, np.bool_)
    has_nucleus[bank.parent[is_nucleus]] = True
    return bool(np.all(has_nucleus | bank.is_leaf))
