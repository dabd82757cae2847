"""Edits on files: as a list to be ticked, as a patch, or done; nothing else changes.

A fix list is a table with tabs, one line an edit. People write `yes` in its first
column; `apply_fixes` then does these edits, after it has made sure that the tree in
the file is still the one that the edit was made for.
"""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from analyzer.checks.findings import Edit, Finding
from analyzer.checks.sources import SourceFile, Sources, SourceTree
from analyzer.exceptions import InputError, Place
from analyzer.files.atomic import write_bytes
from analyzer.files.small_files import LARGEST_FILE, read_text
from analyzer.transform.labels import LabelSet

YES = ("yes", "y", "x", "1", "ja")
_CONTEXT = 3  # lines around a change in a patch


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


Splice = tuple[int, int, str]  # characters from, to, and what takes their place


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
    label = _new_label(edit, was, sources.stream.labels)
    if splices(source, edit.action, node, other, label) is None:
        return None
    return Fix(
        "",
        finding.fingerprint,
        f"{finding.confidence:.3f}",
        finding.code,
        finding.file,
        int(bank.line[tree]),
        _which(sources, tree),
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


def _which(sources: Sources, tree: int) -> int:
    bank, of_file = sources.stream.bank, sources.stream.file_of_tree
    which = 1
    while (
        tree - which >= 0
        and of_file[tree - which] == of_file[tree]
        and bank.line[tree - which] == bank.line[tree]
    ):
        which += 1
    return which


def _new_label(edit: Edit, was: str, labels: LabelSet) -> str:
    """The label to write, with the function tags or indices that stay."""
    bare = labels.bare_phrase(was)
    if edit.action == "relabel":
        return edit.label + was[len(bare) :]
    if edit.action == "functions":
        index = [part for part in was.split("-")[1:] if part.isdecimal()]
        return "-".join([bare, *(edit.label.split("-") if edit.label else []), *index])
    return edit.label


# -- what changes in the text ---------------------------------------------------------


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
    one = tree.nodes[node]
    if action in ("relabel", "retag", "functions"):
        return [(*one.label, label)] if label else None
    if action == "add":
        end = tree.nodes[other] if other >= 0 else one
        if end.parent != one.parent:
            return None
        return [(one.start, one.start, f"({label} "), (end.end, end.end, ")")]
    if action == "drop":
        return _dropped(tree, node)
    return _moved(tree, node, other, label)


def _dropped(tree: SourceTree, node: int) -> list[Splice] | None:
    children = tree.children(node)
    if not children:
        return None
    one = tree.nodes[node]
    first, last = tree.nodes[children[0]], tree.nodes[children[-1]]
    return [(one.start, first.start, ""), (last.end, one.end, "")]


def _moved(tree: SourceTree, node: int, other: int, label: str) -> list[Splice] | None:
    nodes = tree.nodes
    one, target = nodes[node], nodes[other]
    owner = one.parent
    if owner < 0 or other in (owner, node):
        return None
    left = [child for child in tree.children(owner) if child != node]
    if not left:
        return None
    text = tree.text[one.start : one.end]
    before = one.start
    while before > 0 and tree.text[before - 1].isspace():
        before -= 1
    holder = nodes[owner]
    if target.start < one.start and one.end <= target.end:  # higher
        child = owner
        while nodes[child].parent != other:
            child = nodes[child].parent
            if child < 0:
                return None
        made = [(nodes[child].end, nodes[child].end, f" {text}")]
    elif target.end <= one.start and label:
        made = [
            (target.start, target.start, f"({label} "),
            (target.end, target.end, f" {text})"),
        ]
    elif target.end <= one.start and target.form is None:
        made = [(target.end - 1, target.end - 1, f" {text}")]
    else:
        return None
    rest = nodes[left[0]]
    is_copy = len(left) == 1 and rest.form is None and one.start > rest.start
    if is_copy and _bare(tree, left[0]) == _bare(tree, owner):
        # The bracket was there for the two of them.
        return [
            (holder.start, rest.start, ""),
            *made,
            (rest.end, holder.end, ""),
        ]
    return [*made, (before, one.end, "")]


def _bare(tree: SourceTree, node: int) -> str:
    return tree.label(node).partition("-")[0].partition("=")[0]


def spliced(text: str, changes: Sequence[Splice] | None) -> str:
    """The text with all changes made; they are given in any order."""
    pieces, at = [], 0
    for start, end, new in sorted(changes or (), key=lambda one: one[:2]):
        pieces += [text[at:start], new]
        at = max(at, end)
    return "".join([*pieces, text[at:]])


def _clash(made: Sequence[Splice], more: Sequence[Splice]) -> bool:
    """Whether two edits touch the same characters, or the same place."""
    return any(
        (a[0] < b[1] and b[0] < a[1]) or a[0] == b[0] or (a[1] == b[1] and a[1] > a[0])
        for a in made
        for b in more
    )


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
        if near or _clash(made.get(fix.file, []), found):
            reason = "another edit of this tree touches the same brackets: apply again"
            skipped.append(Skipped(fix, reason))
            continue
        taken.setdefault(tree, []).append(span)
        made.setdefault(fix.file, []).extend(found)
    done = []
    for path, changes in made.items():
        file = files[path]
        assert file is not None
        done.append(Change(file, changes))
    return done, skipped


def _wanted(fix: Fix, file: SourceFile | None) -> list[Splice] | str:
    """What a fix changes, or why it cannot be made."""
    if file is None:
        return "there is no such file"
    if not file.is_plain:
        return "the file is compressed"
    tree = file.tree(fix.line, fix.tree - 1)
    if tree is None:
        return f"no tree begins in line {fix.line}"
    node, other = fix.node - 1, fix.other - 1
    if not (0 <= node < len(tree.nodes) and other < len(tree.nodes)):
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


# -- fix lists ------------------------------------------------------------------------


def written_fixes(fixes: Iterable[Fix]) -> str:
    """A fix list: a heading, and a line a fix."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
    writer.writerow(Fix._fields)
    for fix in fixes:
        writer.writerow([" ".join(str(value).split()) for value in fix])
    return stream.getvalue()


_NUMBERS = ("line", "tree", "sentence", "node", "other")


def read_fixes(path: str) -> list[Fix]:
    """The fixes of a list; the columns may be in any order."""
    text = read_text(path, largest=LARGEST_FILE)
    rows = list(csv.reader(io.StringIO(text), delimiter="\t"))
    names = rows[0] if rows else []
    if missing := [name for name in Fix._fields if name not in names]:
        raise InputError(
            "is no fix list (--fix-list writes one): no column {name}",
            Place(path, 1),
            code="E196",
            name=missing[0],
        )
    found = []
    for number, row in enumerate(rows[1:], start=2):
        if not any(row):
            continue
        values = dict(zip(names, row, strict=False))
        try:
            columns: dict[str, str | int] = {name: values[name] for name in Fix._fields}
            for name in _NUMBERS:
                columns[name] = int(values[name])
        except (KeyError, ValueError) as error:
            raise InputError(
                "is no line of a fix list", Place(path, number), code="E197"
            ) from error
        found.append(Fix(**columns))  # type: ignore[arg-type]
    return found


# -- patches --------------------------------------------------------------------------


def patch_of(changes: Iterable[Change]) -> str:
    """A patch as `git apply` and `patch -p1` take it."""
    return "".join(_file_patch(one) for one in changes)


def _file_patch(change: Change) -> str:
    text = change.file.text
    old = text.split("\n")  # what `patch` takes for lines
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line) + 1)
    blocks = _blocks(change.splices, starts)
    path = change.file.path.lstrip("/").removeprefix("./")
    lines = [f"--- a/{path}", f"+++ b/{path}"]
    shift = 0
    for first, last, inner in _hunks(blocks, len(old) - (old[-1] == "")):
        body: list[str] = []
        added = 0
        at = first
        for begin, end, parts in inner:
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


_Block = tuple[int, int, list[Splice]]  # lines from, to, and what changes in them


def _blocks(changes: Sequence[Splice], starts: Sequence[int]) -> list[_Block]:
    """Changes by the lines that they are in."""
    blocks: list[_Block] = []
    for one in sorted(changes, key=lambda change: change[:2]):
        begin = bisect_right(starts, one[0]) - 1
        end = bisect_right(starts, max(one[0], one[1])) - 1 + 1
        if blocks and begin < blocks[-1][1]:
            start, stop, parts = blocks[-1]
            blocks[-1] = (start, max(stop, end), [*parts, one])
        else:
            blocks.append((begin, end, [one]))
    return blocks


def _hunks(blocks: Sequence[_Block], lines: int) -> list[tuple[int, int, list[_Block]]]:
    """Blocks whose surroundings meet, together."""
    hunks: list[tuple[int, int, list[_Block]]] = []
    for block in blocks:
        first = max(0, block[0] - _CONTEXT)
        last = min(lines, block[1] + _CONTEXT)
        if hunks and first <= hunks[-1][1]:
            start, stop, inner = hunks[-1]
            hunks[-1] = (start, max(stop, last), [*inner, block])
        else:
            hunks.append((first, last, [block]))
    return hunks
