"""What `check` says of the samples, of each kind: golden files in tests/golden.

Gold and two parsers' output have the same sentences, so that much contradicts itself.
`UPDATE_GOLDEN=1 pytest tests/checks/test_samples.py` writes anew: read the difference.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from analyzer.checks.findings import DocumentFinding, TreeFinding
from analyzer.checks.run import CheckResult, check
from tests.support.data_paths import EXAMPLES, ROOT
from tests.support.golden import FROZEN


def lines(result: CheckResult, shown: int) -> Iterator[str]:
    """Of each code: how many, how sure they are together, and the surest of them."""
    by_code: dict[str, list[TreeFinding | DocumentFinding]] = defaultdict(list)
    for one in result.findings:
        by_code[one.code].append(one)
    for code, findings in sorted(by_code.items()):
        total = sum(one.confidence for one in findings)
        levels = sorted({one.level for one in findings})
        yield f"{code} {' '.join(levels)}: {len(findings)}, {total:.2f}"
        for one in findings[:shown]:
            yield f"  {one.confidence:.3f} {place(one)}: {one.message}"
            yield f"    {one.fingerprint}, {one.group}"
            if isinstance(one, TreeFinding):
                yield from evidence(one)


def evidence(finding: TreeFinding) -> Iterator[str]:
    """What speaks for it, and what would mend it."""
    yield f"    {finding.context}"
    for analysis in finding.analyses:
        places = ", ".join(f"{tree}:{a}-{b}" for tree, a, b in analysis.spans)
        yield f"    {analysis.count}x {analysis.text} {places}"
    if (edit := finding.edit) is not None:
        yield f"    {edit.action} {edit.row} {edit.other} {edit.label}".rstrip()
    if finding.merged:
        yield f"    and {finding.merged} of {' '.join(finding.codes)}"


def place(finding: TreeFinding | DocumentFinding) -> str:
    if isinstance(finding, DocumentFinding):
        return f"{finding.document} {finding.first}-{finding.last}"
    return (
        f"{Path(finding.file).name}:{finding.line} {finding.sentence} {finding.words}"
    )


def assert_golden(name: str, text: str) -> None:
    path = Path(__file__).parent / "golden" / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_treebanks_of_the_same_sentences() -> None:
    files = sorted(map(str, EXAMPLES.glob("*.mrg")))
    result = check(*files, min_confidence=0.0, patterns=str(ROOT / FROZEN))
    assert_golden("check-samples.txt", "\n".join(lines(result, 4)) + "\n")


def planted(folder: Path) -> Path:
    """The sample documents six times each, in most of them with a slip: another EDU as
    head, another relation, a satellite for a nucleus, parts of a unit."""
    for path in sorted((EXAMPLES / "discourse").glob("*.tsv")):
        head, *rows = path.read_text("utf-8").splitlines()
        relations = sorted({row.split("\t")[2] for row in rows} - {"ROOT"})
        for copy in range(6):
            fields = [row.split("\t") for row in rows]
            at = 1 + (copy + len(path.stem)) % (len(rows) - 1)
            if copy == 1:
                fields[at][2] = relations[(at + copy) % len(relations)]
            elif copy == 2:
                fields[at][3] = "N" if fields[at][3] == "S" else "S"
            elif copy == 3 and at > 1:
                fields[at][1] = str(at)  # the EDU before it
            elif copy == 4:
                fields[at][2] = "same-unit"
            text = "\n".join([head, *map("\t".join, fields)]) + "\n"
            (folder / f"{path.stem}{copy}.tsv").write_text(text, "utf-8")
    return folder


def test_documents_with_slips(tmp_path: Path) -> None:
    result = check(str(planted(tmp_path)), rst=True, min_confidence=0.0)
    assert_golden("check-discourse.txt", "\n".join(lines(result, 20)) + "\n")
