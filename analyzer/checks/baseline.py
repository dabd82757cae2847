"""Known findings, so that a treebank's CI complains of new ones only."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from analyzer.checks.findings import Finding
from analyzer.exceptions import InputError, Place
from analyzer.files.atomic import write_text
from analyzer.files.small_files import read_json

_VERSION = 1
_NO_BASELINE = "is no baseline (--write-baseline writes one)"


def write_baseline(findings: Sequence[Finding], path: str) -> None:
    """The fingerprints of all findings; how often each, what it is, for readers."""
    counts = Counter(one.fingerprint for one in findings)
    entries = {
        one.fingerprint: {
            "count": counts[one.fingerprint],
            "code": one.code,
            "words": one.words,
            "message": one.message,
        }
        for one in findings
    }
    data = {"version": _VERSION, "findings": dict(sorted(entries.items()))}
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def read_baseline(path: str) -> Counter[str]:
    """Fingerprints, and how often each is known."""
    data = read_json(path, _NO_BASELINE)
    try:
        if data["version"] != _VERSION:
            raise InputError(
                "a baseline of version {data}; this is {version}",
                Place(path),
                code="E103",
                data=data["version"],
                version=_VERSION,
            )
        return Counter(
            {key: int(one["count"]) for key, one in data["findings"].items()}
        )
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(_NO_BASELINE, Place(path), code="E188") from error


def new_findings(findings: Sequence[Finding], known: Counter[str]) -> list[Finding]:
    """The findings that are not known: two alike count against two."""
    left = Counter(known)
    new = []
    for finding in findings:
        if left[finding.fingerprint] > 0:
            left[finding.fingerprint] -= 1
        else:
            new.append(finding)
    return new
