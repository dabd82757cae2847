"""The edits that findings suggest, in files; only those that still fit are made."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from analyzer.checks.edits import Splice, clash, spliced, splices
from analyzer.checks.findings import Edit, Finding
from analyzer.checks.sources import SourceFile, Sources
from analyzer.files.atomic import write_bytes
from analyzer.transform.labels import LabelSet

YES = ("yes", "y", "x", "1", "ja")
_INDICES = re.compile(r"(?:[^\w$+]\d+)+$")  # NP-SBJ-1, NP=2


class Fix(NamedTuple):
    """One line of a fix list; brackets are counted from 1 in the tree of the file."""

    decision: str
    fingerprint: str
    confidence: str
    code: str
    file: str
    line: int
    tree: int  # which of the trees that begin in this line, from 1
    sentence: int
    action: str
    node: int
    other: int  # 0 for none
    label: str
    was: str  # the label of the node
    words: str
    context: str
    message: str

    @property
    def is_wanted(self) -> bool:
        return self.decision.strip().lower() in YES


class Skipped(NamedTuple):
    """A fix that was not done, and why."""

    fix: Fix
    reason: str


# -- from findings --------------------------------------------------------------------


def fixes_of(findings: Iterable[Finding], sources: Sources) -> list[Fix]:
    """The edits of findings that can be made in files."""
    found = []
    for one in findings:
        if one.edit is None:
            continue
        fix = _fix(one, one.edit, sources)
        if fix is not None:
            found.append(fix)
    return found


def _fix(finding: Finding, edit: Edit, sources: Sources) -> Fix | None:
    bank = sources.stream.bank
    tree = int(bank.tree_of_node[edit.row])
    file, matched = sources.file_of(tree), sources.tree(tree)
    if file is None or not file.is_plain or matched is None:
        return None
    source, nodes = matched
    start = int(bank.node_start[tree])
    node = nodes[edit.row - start]
    other = nodes[edit.other - start] if edit.other >= 0 else -1
    was = source.label(node)
    label = new_label(edit, was, sources.stream.labels)
    if splices(source, edit.action, node, other, label) is None:
        return None
    return Fix(
        "",
        finding.fingerprint,
        f"{finding.confidence:.3f}",
        finding.code,
        finding.file,
        int(bank.line[tree]),
        sources.which(tree) + 1,
        finding.sentence,
        edit.action,
        node + 1,
        other + 1,
        label,
        was,
        finding.words,
        finding.context,
        finding.message,
    )


def new_label(edit: Edit, was: str, labels: LabelSet) -> str:
    """The label to write, with the function tags or indices that stay.

    >>> from analyzer.transform.labels import load_labels
    >>> functions = Edit("functions", 0, label="OB1")
    >>> new_label(functions, "NP*SBJ-1", load_labels("historical"))
    'NP*OB1-1'
    """
    bare = labels.bare_phrase(was)
    found = _INDICES.search(was)
    index = found[0] if found and found.start() else ""
    if edit.action == "relabel":
        return edit.label + was[len(bare) :]
    if edit.action == "retag":
        return edit.label + index
    if edit.action == "functions":
        joint = was[len(bare) : len(bare) + 1] if index != was[len(bare) :] else "-"
        parts = [bare, *(edit.label.split("-") if edit.label else [])]
        return joint.join(parts) + index
    return edit.label


# -- in files -------------------------------------------------------------------------


class Change(NamedTuple):
    """A file with what changes in it."""

    file: SourceFile
    splices: list[Splice]

    @property
    def text(self) -> str:
        return spliced(self.file.text, self.splices)


def changes_of(
    fixes: Iterable[Fix], encoding: str = "utf-8"
) -> tuple[list[Change], list[Skipped]]:
    """What fixes change, file by file; those that do not fit their file are skipped."""
    files: dict[str, SourceFile | None] = {}
    made: dict[str, list[Splice]] = {}
    taken: dict[tuple[str, int, int], list[tuple[int, int]]] = {}
    skipped = []
    for fix in fixes:
        if fix.file not in files:
            files[fix.file] = SourceFile.read(fix.file, encoding)
        file = files[fix.file]
        found = _wanted(fix, file)
        if isinstance(found, str) or file is None:
            skipped.append(Skipped(fix, str(found)))
            continue
        tree = fix.file, fix.line, fix.tree
        span = min(s[0] for s in found), max(s[1] for s in found)
        near = [s for s in taken.get(tree, []) if s[0] < span[1] and span[0] < s[1]]
        if near or clash(made.get(fix.file, []), found):
            reason = "another edit of this tree touches the same brackets: apply again"
            skipped.append(Skipped(fix, reason))
            continue
        taken.setdefault(tree, []).append(span)
        made.setdefault(fix.file, []).extend(found)
    return _changes(files, made), skipped


def _changes(
    files: dict[str, SourceFile | None], made: dict[str, list[Splice]]
) -> list[Change]:
    return [
        Change(file, made[path])
        for path, file in files.items()
        if file and path in made
    ]


def _wanted(fix: Fix, file: SourceFile | None) -> list[Splice] | str:
    """What a fix changes, or why it cannot be made."""
    if file is None:
        return "there is no such file"
    if not file.is_plain:
        return "the file is compressed, or its bytes are not what its encoding writes"
    tree = file.tree(fix.line, fix.tree - 1)
    if tree is None:
        return f"no tree begins in line {fix.line}"
    node, other = fix.node - 1, fix.other - 1
    if not (0 <= node < len(tree.nodes) and -1 <= other < len(tree.nodes)):
        return "the tree has changed"
    if tree.label(node) != fix.was:
        return f"the bracket is {tree.label(node)} now, not {fix.was}"
    found = splices(tree, fix.action, node, other, fix.label)
    return "the brackets have changed" if found is None else found


def apply_fixes(
    fixes: Iterable[Fix], encoding: str = "utf-8"
) -> tuple[int, list[Skipped]]:
    """Do the fixes that are wanted; how many edits were made, and what was skipped."""
    wanted = [fix for fix in fixes if fix.is_wanted]
    changes, skipped = changes_of(wanted, encoding)
    for change in changes:
        data = change.text.encode(encoding, "surrogateescape")
        write_bytes(change.file.path, data)
    return len(wanted) - len(skipped), skipped
