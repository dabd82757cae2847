"""No module knows a label of a treebank: what labels mean is in `patterns/*.labels`."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.transform.labels import label_set_names, load_labels

ROOT = Path(__file__).parents[2]
# Where a label may stand in code, and why.
ALLOWED = {
    "analyzer/editing": "the rules of Kummerfeld et al. are about labels",
    "analyzer/analyses/repairs.py": "the same, for the Chinese treebank",
    "analyzer/rst_parser": "it tags words itself, with tags of its own",
    "analyzer/transform/parameters.py": "EVALB's own sets of parameters",
    "analyzer/analyses/conventions.py": "what EVALB's sets of parameters differ in",
    "analyzer/formats/tiger.py": "what trees of graphs are written with",
    "analyzer/formats/crossing.py": "as in TIGER-XML",
    "analyzer/formats/dialects.py": "as in TIGER-XML",
    "analyzer/formats/penn/records.py": "how brackets are escaped",
    "analyzer/formats/penn/generated.py": "how brackets are escaped",
    "analyzer/model/tree.py": "how brackets are escaped",
    "analyzer/pairing/characters.py": "how brackets are escaped",
    "analyzer/pairing/texts.py": "how brackets are escaped",
    "analyzer/checks/draft.py": "CONJ and NT are classes of the pattern language",
    "analyzer/checks/heads.py": "how brackets are escaped; Collins' rules say CC",
    "analyzer/queries/language.py": "NOT is a negation",
    "analyzer/checks/explanations.py": "as in drafts",
    "analyzer/transform/draft_labels.py": "names that treebanks give to what is none",
    "analyzer/constructions": "CONJ and NT are classes of the pattern language",
}
# What is no label where it stands: of discourse trees, of options, of findings.
OTHER = {"ROOT", "ID", "IN", "NN", "NS", "S1", "COMMENT", "multi"}


def labels() -> set[str]:
    found: set[str] = set()
    for name in label_set_names():
        one = load_labels(name)
        found |= one.known | one.tag_phrase | one.no_text | one.empty | one.wrapper
    return {
        label
        for label in found
        if len(label) > 1 and any(map(str.isalpha, label)) and label not in OTHER
    }


def constants(tree: ast.AST) -> Iterator[str]:
    """All strings but those that nothing is done with: docstrings."""
    alone = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in alone:
            if isinstance(node.value, bytes):
                yield node.value.decode("latin-1")
            elif isinstance(node.value, str):
                yield node.value


@pytest.mark.slow
def test_no_module_knows_a_label() -> None:
    known, found = labels(), defaultdict(set)
    for folder in ("analyzer", "reports", "spinal"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if any(name.startswith(allowed) for allowed in ALLOWED):
                continue
            for text in constants(ast.parse(path.read_text("utf-8"))):
                if text in known:
                    found[name].add(text)
    assert not found
