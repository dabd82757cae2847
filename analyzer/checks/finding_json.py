"""Findings in JSON and as SARIF 2.1.0, which code hosts show beside the lines.

Every place has its line, words and characters; an edit is told in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from analyzer import __version__
from analyzer.checks.evidence import concordance_line
from analyzer.checks.findings import DocumentFinding, Finding, LeafSpan, TreeFinding
from analyzer.checks.registry import CHECKS
from analyzer.checks.sources import Sources

_ALWAYS = ("start", "end", "words", "file", "before", "after")
_PLACES = 1000  # a label that occurs more often is no slip
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_SARIF_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_SARIF_PLACES = 20


def place_json(sources: Sources, place: LeafSpan) -> dict[str, Any]:
    """A place; without an identifier, or where it is in its file, if there is none.

    It is a line of a concordance: what stands before and after its words is with it.
    """
    line = concordance_line(sources.stream, place)
    location = sources.location(place)._asdict()
    location |= {"before": line.before, "after": line.after}
    return {
        name: value
        for name, value in location.items()
        if value not in (None, "") or name in _ALWAYS
    }


def finding_json(finding: TreeFinding, sources: Sources) -> dict[str, Any]:
    """A finding in sentences, as it stands in JSON."""
    confidence = finding.chance

    def places(spans: Sequence[LeafSpan]) -> list[dict[str, Any]]:
        return [place_json(sources, span) for span in spans]

    def fields(*names: str) -> dict[str, Any]:
        return {name: getattr(finding, name) for name in names}

    return {
        **fields("code", "kind", "level"),
        "confidence": confidence,
        "reliability": confidence,
        "support": finding.support,
        **fields("message", "file", "line", "sentence"),
        **({"id": finding.id} if finding.id else {}),
        **fields("words", "context", "group", "fingerprint"),
        "places": places(finding.suspects[:_PLACES]),
        "places_left_out": max(0, len(finding.suspects) - _PLACES),
        "also": places(finding.also),
        "merged": finding.merged,
        "merged_codes": list(finding.codes),
        "edit": _edit_json(finding),
        "analyses": [
            {
                "analysis": item.text,
                # How often it is annotated as here is known where words recur.
                "count": None if item.spans and not item.count else item.count,
                "places": places(item.spans),
            }
            for item in sources.evidence(finding)
        ],
    }


def document_finding_json(finding: DocumentFinding) -> dict[str, Any]:
    """A finding in a document."""
    names = ("code", "document", "first", "last", "line", "message", "level", "file")
    return {name: getattr(finding, name) for name in names} | {
        "confidence": finding.chance,
        "words": finding.words,
        "fingerprint": finding.fingerprint,
        "edit": _edit_json(finding),
    }


def _edit_json(finding: Finding) -> dict[str, str] | None:
    edit, text = finding.edit, finding.suggestion
    return edit and {"action": edit.action, "label": edit.label, "text": text}


# -- SARIF ----------------------------------------------------------------------------


def sarif(
    findings: Sequence[TreeFinding | DocumentFinding], sources: Sources | None
) -> dict[str, Any]:
    """The findings as one run; the first suspect is the place of a result.

    `sources` are those of sentences; None for documents.
    """
    codes = sorted({finding.code for finding in findings})
    rules = [_rule(code) for code in codes]
    driver = {"name": "spinal", "version": __version__, "rules": rules}
    results = [
        _result(finding, codes.index(finding.code), sources) for finding in findings
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{**run, "results": results}],
    }


def _result(
    finding: TreeFinding | DocumentFinding, rule: int, sources: Sources | None
) -> dict[str, Any]:
    words = f"{finding.words}: " if finding.words else ""
    sentence, context = 0, ""
    if isinstance(finding, DocumentFinding):
        units = f"{finding.document}, EDUs {finding.first}-{finding.last}"
        region = {"startLine": max(1, finding.line)}
        first, others = _location(finding.file, region, units), []
    else:
        assert sources is not None
        places = finding.suspects[:_SARIF_PLACES]
        first, *others = (_location_of(span, sources) for span in places)
        sentence, context = finding.sentence, finding.context
    result = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _SARIF_LEVELS[finding.level],
        "message": {"text": f"{words}{finding.message}"},
        "locations": [first],
        "partialFingerprints": {"spinal/v1": finding.fingerprint},
        "rank": round(100 * finding.confidence, 2),
        "properties": {
            "group": finding.group,
            "sentence": sentence,
            "context": context,
            "confidence": finding.chance,
        },
    }
    return {**result, "relatedLocations": others} if others else result


def _location_of(span: LeafSpan, sources: Sources) -> dict[str, Any]:
    place = sources.location(span)
    region = {"startLine": place.first_line or place.line}
    if place.first_column and place.last_line and place.last_column:
        region |= {
            "startColumn": place.first_column,
            "endLine": place.last_line,
            "endColumn": place.last_column,
        }
    return _location(place.file, region, f"sentence {place.sentence}")


def _location(file: str, region: dict[str, int], name: str) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": PurePath(file).as_posix()},
            "region": region,
        },
        "logicalLocations": [{"name": name, "kind": "element"}],
    }


def _rule(code: str) -> dict[str, Any]:
    """What a code means, and where to read more."""
    text, kind = CHECKS[code].text, CHECKS[code].kind
    return {
        "id": code,
        "shortDescription": {"text": text},
        "fullDescription": {"text": f"{code}: {text}."},
        "help": {
            "text": f"{text}. See docs/check.md, section Kinds, for {kind}.",
            "markdown": f"**{code}**: {text}. See `docs/check.md`, *Kinds*, "
            f"for {kind}.",
        },
        "properties": {"tags": [kind]},
    }
