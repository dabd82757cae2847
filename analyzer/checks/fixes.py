"""The edits that findings suggest, as files have them: what they change in a text.

A file of decisions has an edit for each finding that one would mend; `--apply` makes
those that people decided on as errors, after it has made sure that all trees are still
those that the file was made for. A patch is for `git apply` or `patch -p1`: names are
those of the folder at hand, with `a/` and `b/` before them.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from analyzer.checks.decisions import WRONG, Decision, read_decisions
from analyzer.checks.findings import DocumentFinding, Edit, TreeFinding
from analyzer.checks.sources import (
    SourceFile,
    Sources,
    SourceTree,
    Splice,
    digest_of,
    spliced,
)
from analyzer.checks.unit_edits import ACTIONS as UNIT_ACTIONS
from analyzer.checks.unit_edits import edited, units_in
from analyzer.exceptions import InputError, Place
from analyzer.files.atomic import only_writer, write_bytes
from analyzer.formats.rst.rs3 import shape_of
from analyzer.model.discourse import Unit
from analyzer.transform.labels import LabelSet

_INDICES = re.compile(r"(?:[^\w$+]\d+)+$")  # NP-SBJ-1, NP=2
_SPACE = " \t\n\r\v\f"
_LABEL = re.compile(r"[\w$+]*")  # up to function tags and indices, whatever joins them
_NUMBERS = ("line", "tree", "node", "other")
_ACTIONS = ("relabel", "retag", "functions", "add", "drop", "move", *UNIT_ACTIONS)
_WITHOUT_LABEL = ("drop", "move", "nuclearity", "attach")  # actions that need none
_NO_LABEL = re.compile(r"[\s()\x00-\x20\x7f]")  # what cannot stand in a label
Item = TypeVar("Item")
Joined = tuple[int, int, list[Item]]  # lines from, to, and what is in them
_CONTEXT = 3  # lines around a change in a patch
_QUOTED = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r"}
)

# -- in the text of a tree: all else stays as it is ----------------------------------


def splices(
    tree: SourceTree, action: str, node: int, other: int, label: str
) -> list[Splice] | None:
    """What an edit changes in the text; None if it cannot be made.

    >>> from analyzer.checks.sources import parse
    >>> text = "(S (NP (DT a) (NN dog)) (VP (VBZ barks)))"
    >>> spliced(text, splices(parse(text, 0), "relabel", 1, -1, "NP-SBJ"))
    '(S (NP-SBJ (DT a) (NN dog)) (VP (VBZ barks)))'
    >>> spliced(text, splices(parse(text, 0), "drop", 4, -1, ""))
    '(S (NP (DT a) (NN dog)) (VBZ barks))'
    """
    bracket = tree.nodes[node]
    if action in ("relabel", "retag", "functions"):
        return [(*bracket.label, label)] if label else None
    if action == "add":
        end = tree.nodes[other] if other >= 0 else bracket
        if not label or end.parent != bracket.parent or end.start < bracket.start:
            return None
        return [(bracket.start, bracket.start, f"({label} "), (end.end, end.end, ")")]
    children = [tree.nodes[child] for child in tree.children(node)]
    if action == "drop" and children:
        first, last = children[0], children[-1]
        return [(bracket.start, first.start, ""), (last.end, bracket.end, "")]
    return _moved(tree, node, other, label) if action == "move" else None


def _moved(tree: SourceTree, node: int, other: int, label: str) -> list[Splice] | None:
    nodes = tree.nodes
    bracket, target = nodes[node], nodes[other]
    owner = bracket.parent
    if owner < 0 or other < 0 or other in (owner, node):
        return None
    left = [child for child in tree.children(owner) if child != node]
    if not left:
        return None
    text, holder = tree.text[bracket.start : bracket.end], nodes[owner]
    start = nodes[0].start
    before = start + len(tree.text[start : bracket.start].rstrip(_SPACE))
    if target.start < bracket.start and bracket.end <= target.end:  # higher
        child = owner
        while nodes[child].parent != other:
            child = nodes[child].parent
            if child < 0:
                return None
        made = [(nodes[child].end, nodes[child].end, f" {text}")]
    elif target.end <= bracket.start and label:
        made = [
            (target.start, target.start, f"({label} "),
            (target.end, target.end, f" {text})"),
        ]
    elif target.end <= bracket.start and target.form is None:
        made = [(target.end - 1, target.end - 1, f" {text}")]
    else:
        return None
    rest = nodes[left[0]]
    is_copy = len(left) == 1 and rest.form is None and bracket.start > rest.start
    below = label if label and other == left[0] else tree.label(left[0])
    if is_copy and _bare(below) == _bare(tree.label(owner)):
        # The bracket was there for the two of them.
        return [(holder.start, rest.start, ""), *made, (rest.end, holder.end, "")]
    return [*made, (before, bracket.end, "")]


def _bare(label: str) -> str:
    bare = _LABEL.match(label)
    return bare[0] if bare else ""


def clash(made: Sequence[Splice], more: Sequence[Splice]) -> bool:
    """Whether two edits reach into one another, or touch the same place.

    >>> clash([(0, 4, "NP")], [(5, 5, "(NP ")]), clash([(0, 4, "NP")], [(2, 5, "VP")])
    (False, True)
    """
    first, second = ((min(s[0] for s in e), max(s[1] for s in e)) for e in (made, more))
    return (first[0] < second[1] and second[0] < first[1]) or any(
        a[0] == b[0] or (a[1] == b[1] and a[1] > a[0]) for a in made for b in more
    )


# -- from findings --------------------------------------------------------------------


class Fix(NamedTuple):
    """An edit in a file; brackets are counted from 1 in the tree of the file."""

    fingerprint: str  # of its finding
    file: str
    action: str
    label: str
    was: str  # the label of the node
    line: int
    tree: int  # which of the trees that begin in this line, from 1
    node: int
    other: int  # 0 for none
    digest: str  # of the tree as it stands in the file

    @property
    def edit(self) -> dict[str, Any]:
        """What a line of decisions has of it."""
        return {name: getattr(self, name) for name in Fix._fields[2:]}


class Skipped(NamedTuple):
    """A fix that was not done, and why; for some, no other one may be done either."""

    fix: Fix
    reason: str
    stops_all: bool = False


_CHANGED = "the tree is not the one that was decided on"
_MOVED = "its tree stands elsewhere in the file: write the decisions again"


def fixes_of(findings: Iterable[TreeFinding], sources: Sources) -> list[Fix]:
    """The edits of findings that can be made in files."""
    fixes = (
        _fix(finding, finding.edit, sources)
        for finding in findings
        if finding.edit is not None
    )
    return [fix for fix in fixes if fix is not None]


def _fix(finding: TreeFinding, edit: Edit, sources: Sources) -> Fix | None:
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
        *(finding.fingerprint, finding.file, edit.action, label, was),
        *(int(bank.line[tree]), sources.which(tree) + 1, node + 1, other + 1),
        source.digest,
    )


def unit_fixes_of(
    findings: Iterable[DocumentFinding], units: Mapping[str, Unit], encoding: str
) -> list[Fix]:
    """The edits of findings in discourse trees that can be made in their files."""
    read = cache(partial(SourceFile.read, encoding=encoding))
    tree = cache(units_in)
    fixes = []
    for finding in findings:
        file, root = read(finding.file), units.get(finding.document)
        if finding.edit is None or root is None or file is None or not file.is_plain:
            continue
        # A document may be read from another file, or otherwise than it is written.
        written = tree(file.text)
        if written is None or shape_of(written) != shape_of(root):
            continue
        if edited(file.text, finding.edit) is None:
            continue
        action, row, other, label = finding.edit
        was = next(islice(root.walk(), row, None)).label
        place = finding.line, 1, row + 1, other + 1
        digest = digest_of(file.text)
        fixes.append(
            Fix(finding.fingerprint, finding.file, action, label, was, *place, digest)
        )
    return fixes


def new_label(edit: Edit, was: str, labels: LabelSet) -> str:
    """The label to write, with the function tags or indices that stay.

    >>> from analyzer.transform.labels import load_labels
    >>> functions = Edit("functions", 0, label="OB1")
    >>> new_label(functions, "NP*SBJ-1", load_labels("historical"))
    'NP*OB1-1'
    """
    bare = labels.bare_phrase(was)
    indices = _INDICES.search(was)
    index = indices[0] if indices and indices.start() else ""
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


def changes_of(
    fixes: Iterable[Fix], encoding: str = "utf-8"
) -> tuple[list[Change], list[Skipped]]:
    """What fixes change, file by file; those that do not fit their file are skipped."""
    by_file: dict[str, list[Fix]] = {}
    for fix in fixes:
        by_file.setdefault(fix.file, []).append(fix)
    changes: list[Change] = []
    skipped: list[Skipped] = []
    for path, listed in by_file.items():
        file = SourceFile.read(path, encoding)
        if file is None or not file.is_plain:
            odd = "the file is compressed, or its bytes are not what its encoding "
            reason = f"{odd}writes" if file else "there is no such file"
            skipped += [Skipped(fix, reason, stops_all=True) for fix in listed]
        elif listed[0].action in UNIT_ACTIONS:
            changes.append(_unit_changes(file, listed, skipped))
        else:
            changes.append(_tree_changes(file, listed, skipped))
    return [change for change in changes if change.splices], skipped


def _tree_changes(
    file: SourceFile, fixes: Iterable[Fix], skipped: list[Skipped]
) -> Change:
    """What edits of sentences change; of two that touch each other, the first."""
    by_line: dict[int, list[list[Splice]]] = {}
    for fix in fixes:
        tree = file.tree(fix.line, fix.tree - 1)
        made = by_line.setdefault(fix.line, [])
        wanted, node = None, fix.node - 1
        if tree is None or tree.digest != fix.digest:
            is_moved = fix.digest in file.digests
            reason = _MOVED if is_moved else _CHANGED
            skipped.append(Skipped(fix, reason, stops_all=is_moved))
            continue
        count = len(tree.nodes)
        if 0 <= node < count >= fix.other >= 0 and tree.label(node) == fix.was:
            wanted = splices(tree, fix.action, node, fix.other - 1, fix.label)
        if wanted is None:
            skipped.append(Skipped(fix, "the edit cannot be made in this tree"))
        elif any(clash(earlier, wanted) for earlier in made):
            reason = "another edit of this tree touches the same brackets: check again"
            skipped.append(Skipped(fix, reason))
        else:
            made.append(wanted)
    listed = [splice for made in by_line.values() for edit in made for splice in edit]
    return Change(file, listed)


def _unit_changes(
    file: SourceFile, fixes: Iterable[Fix], skipped: list[Skipped]
) -> Change:
    """What edits of a discourse tree change, one after the other.

    A unit keeps its number in the tree as it was, wherever edits put it.
    """
    text, root = file.text, units_in(file.text)
    digest, done = digest_of(text), set[tuple[str, int]]()
    numbers: list[int | None] = list(range(sum(1 for _ in root.walk()) if root else 0))
    for fix in fixes:
        node, other = (
            numbers[at - 1] if 0 < at <= len(numbers) else None
            for at in (fix.node, fix.other)
        )
        if fix.digest != digest:
            skipped.append(Skipped(fix, _CHANGED))
            continue
        is_again = (fix.action, fix.node) in done
        edit = Edit(fix.action, node or 0, -1 if other is None else other, fix.label)
        result = None if is_again else edited(text, edit)
        if result is None:
            reason = "another edit of this tree changes the same units: check again"
            reason = reason if done else "the edit cannot be made in this tree"
            skipped.append(Skipped(fix, reason))
            continue
        text, then = result
        done.add((fix.action, fix.node))
        places = {id(unit): at for at, unit in enumerate(then.root.walk())}
        numbers = [
            None if at is None else places.get(id(then.units[at])) for at in numbers
        ]
    return Change(file, [(0, len(file.text), text)] if done else [])


def apply_fixes(
    fixes: Iterable[Fix], encoding: str = "utf-8"
) -> tuple[int, list[Skipped]]:
    """Make edits in files; how many were made, and what was skipped.

    An edit of a tree that has changed is skipped: it may have been made before. If such
    a tree stands elsewhere in its file, none is made. While files are looked at and
    written, nobody else's `--apply` writes to their folders.
    """
    wanted = list(fixes)
    with only_writer({os.path.dirname(os.path.abspath(fix.file)) for fix in wanted}):
        changes, skipped = changes_of(wanted, encoding)
        if stopping := [item for item in skipped if item.stops_all]:
            return 0, stopping
        for change in changes:
            text = spliced(change.file.text, change.splices)
            write_bytes(change.file.path, text.encode(encoding, "surrogateescape"))
    return len(wanted) - len(skipped), skipped


# -- from decisions -------------------------------------------------------------------


def read_fixes(path: str) -> list[Fix]:
    """The edits of a file of decisions that people want: those of errors."""
    decisions = read_decisions(path).values()
    wanted = [
        decision
        for decision in decisions
        if decision.verdict == WRONG and decision.edit is not None
    ]
    return [_read_fix(decision, Place(path, decision.line)) for decision in wanted]


def _read_fix(decision: Decision, place: Place) -> Fix:
    name = {"fingerprint": decision.fingerprint, "file": decision.file}
    values: dict[str, Any] = {**(decision.edit or {}), **name}
    is_whole = values.keys() == set(Fix._fields) and all(
        type(value) is (int if name in _NUMBERS else str)
        for name, value in values.items()
    )
    if not is_whole or values["action"] not in _ACTIONS:
        raise InputError("E197 is not an edit", place, fields=Fix._fields[2:])
    fix = Fix(**values)
    if not _has_label(fix):
        raise InputError("E199 cannot be a label", place, label=fix.label)
    return fix


def _has_label(fix: Fix) -> bool:
    """Whether its label can stand behind a bracket, or it needs none."""
    if not fix.label:
        return fix.action in _WITHOUT_LABEL
    if fix.action in UNIT_ACTIONS:  # what is written is read again
        return True
    return _NO_LABEL.search(fix.label) is None


# -- patches ---------------------------------------------------------------------------


def patch_of(changes: Iterable[Change]) -> str:
    """A patch as `git apply` and `patch -p1` take it."""
    return "".join(_file_patch(change) for change in changes)


def _name(path: str) -> str:
    """A file as seen from the folder at hand, or else from the root."""
    inside = os.path.relpath(path)
    if inside.split(os.sep)[0] == os.pardir:
        inside = os.path.splitdrive(os.path.abspath(path))[1]
    return inside.replace(os.sep, "/").lstrip("/")


def _header(name: str) -> str:
    """A name as patches have it: a tab behind spaces, quotes around what is odd.

    >>> _header("a/one.mrg"), _header("a/my trees.mrg")
    ('a/one.mrg', 'a/my trees.mrg\\t')
    """
    quoted = name.translate(_QUOTED)
    if quoted != name:
        return f'"{quoted}"'
    return f"{name}\t" if " " in name else name


def _file_patch(change: Change) -> str:
    text = change.file.text
    old = text.split("\n")  # what `patch` takes for lines
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line) + 1)
    count = len(old) - (old[-1] == "")

    def line_of(place: int) -> int:
        return bisect_right(starts, place) - 1

    changed = (
        (line_of(splice[0]), line_of(max(splice[:2])) + 1, splice)
        for splice in sorted(change.splices, key=lambda splice: splice[:2])
    )
    hunks = (
        (max(0, block[0] - _CONTEXT), min(count, block[1] + _CONTEXT), block)
        for block in _joined(changed, gap=0)
    )
    path = _name(change.file.path)
    lines = [f"--- {_header(f'a/{path}')}", f"+++ {_header(f'b/{path}')}"]
    shift = 0
    for first, last, blocks in _joined(hunks, gap=1):
        body: list[str] = []
        added, at = 0, first
        for begin, end, parts in blocks:
            body += [f" {line}" for line in old[at:begin]]
            piece = text[starts[begin] : starts[end] - 1]
            moved = [(s - starts[begin], e - starts[begin], new) for s, e, new in parts]
            fresh = spliced(piece, moved).split("\n")
            body += [f"-{line}" for line in old[begin:end]]
            body += [f"+{line}" for line in fresh]
            added += len(fresh) - (end - begin)
            at = end
        body += [f" {line}" for line in old[at:last]]
        size = last - first
        lines.append(f"@@ -{first + 1},{size} +{first + 1 + shift},{size + added} @@")
        if last == len(old) and old[-1] != "":
            body = _without_newline(body)
        lines += body
        shift += added
    return "\n".join([*lines, ""])


def _without_newline(body: list[str]) -> list[str]:
    """The mark after each line that ends the file without a line end."""
    mark = "\\ No newline at end of file"
    if body[-1].startswith(" "):
        return [*body, mark]
    last_old = max(n for n, line in enumerate(body) if line.startswith("-"))
    return [*body[: last_old + 1], mark, *body[last_old + 1 :], mark]


def _joined(spans: Iterable[tuple[int, int, Item]], gap: int) -> list[Joined[Item]]:
    """Spans of lines, in order; those with fewer lines between them are one."""
    joined: list[Joined[Item]] = []
    for first, last, item in spans:
        if joined and first - joined[-1][1] < gap:
            start, stop, items = joined[-1]
            joined[-1] = (start, max(stop, last), [*items, item])
        else:
            joined.append((first, last, [item]))
    return joined
