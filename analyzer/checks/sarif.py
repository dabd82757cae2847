"""Findings as SARIF 2.1.0, which code hosts show beside the lines they are about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from analyzer import __version__
from analyzer.checks.findings import CODES, Finding, LeafSpan, kind_of
from analyzer.checks.places import place_json
from analyzer.checks.sources import Sources

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_PLACES = 20


def sarif(findings: Sequence[Finding], sources: Sources | None) -> dict[str, Any]:
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
                        "rules": [_rule(code) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(one, numbers, sources) for one in findings],
            }
        ],
    }


def _result(
    finding: Finding, numbers: dict[str, int], sources: Sources | None
) -> dict[str, Any]:
    words = f"{finding.words}: " if finding.words else ""
    if sources is None:
        first, others = _document(finding), []
    else:
        places = finding.suspects[:_PLACES]
        first, *others = (_location(span, sources) for span in places)
    result = {
        "ruleId": finding.code,
        "ruleIndex": numbers[finding.code],
        "level": _LEVELS[finding.level],
        "message": {"text": f"{words}{finding.message}"},
        "locations": [first],
        "partialFingerprints": {"spinal/v1": finding.fingerprint},
        "rank": round(100 * finding.confidence, 2),
        "properties": {
            "group": finding.group,
            "sentence": finding.sentence,
            "context": finding.context,
            "confidence": round(finding.confidence, 4),
        },
    }
    if others:
        result["relatedLocations"] = others
    return result


def _location(span: LeafSpan, sources: Sources) -> dict[str, Any]:
    place = place_json(sources, span)
    region = {"startLine": place.get("first_line", place["line"])}
    if "first_column" in place:
        region |= {
            "startColumn": place["first_column"],
            "endLine": place["last_line"],
            "endColumn": place["last_column"],
        }
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": PurePath(place["file"]).as_posix()},
            "region": region,
        },
        "logicalLocations": [
            {"name": f"sentence {place['sentence']}", "kind": "element"}
        ],
    }


def _document(finding: Finding) -> dict[str, Any]:
    """Where a unit of a document is."""
    place = {
        "physicalLocation": {
            "artifactLocation": {"uri": PurePath(finding.file).as_posix()},
            "region": {"startLine": max(1, finding.line)},
        },
    }
    units = f"{finding.document}, EDUs {finding.first}-{finding.last}"
    return {**place, "logicalLocations": [{"name": units, "kind": "element"}]}


def _rule(code: str) -> dict[str, Any]:
    """What a code means, and where to read more."""
    text = CODES[code]
    return {
        "id": code,
        "shortDescription": {"text": text},
        "fullDescription": {"text": f"{code}: {text}."},
        "help": {
            "text": f"{text}. See docs/check.md, section Kinds, for {kind_of(code)}.",
            "markdown": f"**{code}**: {text}. See `docs/check.md`, *Kinds*, "
            f"for {kind_of(code)}.",
        },
        "properties": {"tags": [kind_of(code)]},
    }
