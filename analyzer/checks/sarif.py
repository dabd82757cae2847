"""Findings as SARIF 2.1.0, which code hosts show beside the lines they are about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from analyzer import __version__
from analyzer.checks.findings import CODES, Finding, LeafSpan
from analyzer.checks.word_stream import WordStream

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_PLACES = 20


def sarif(findings: Sequence[Finding], stream: WordStream) -> dict[str, Any]:
    """The findings as one run; the first suspect is the place of a result."""
    codes = sorted({one.code for one in findings})
    numbers = {code: number for number, code in enumerate(codes)}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "spinal",
                        "version": __version__,
                        "rules": [
                            {"id": code, "shortDescription": {"text": CODES[code]}}
                            for code in codes
                        ],
                    }
                },
                "results": [_result(one, numbers, stream) for one in findings],
            }
        ],
    }


def _result(
    finding: Finding, numbers: dict[str, int], stream: WordStream
) -> dict[str, Any]:
    words = f"{finding.words}: " if finding.words else ""
    first, *others = (_location(span, stream) for span in finding.suspects[:_PLACES])
    result = {
        "ruleId": finding.code,
        "ruleIndex": numbers[finding.code],
        "level": _LEVELS[finding.level],
        "message": {"text": f"{words}{finding.message}"},
        "locations": [first],
        "partialFingerprints": {"spinal/v1": finding.fingerprint},
        "rank": round(100 * finding.reliability, 2),
        "properties": {
            "group": finding.group,
            "sentence": finding.sentence,
            "context": finding.context,
        },
    }
    if others:
        result["relatedLocations"] = others
    return result


def _location(span: LeafSpan, stream: WordStream) -> dict[str, Any]:
    file = stream.files[int(stream.file_of_tree[span.tree])]
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": PurePath(file).as_posix()},
            "region": {"startLine": int(stream.bank.line[span.tree])},
        }
    }
