"""Findings in JSON: every place, with its line, words and characters; the edit."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.checks.findings import Edit, Finding, LeafSpan
from analyzer.checks.sources import Sources, character_offsets
from analyzer.model.treebank import Treebank

_ANALYSIS_PLACES = 10
_WORDS_NAMED = 4
_PLACES = 1000  # a label that occurs more often is no slip


def place_json(sources: Sources, place: LeafSpan) -> dict[str, Any]:
    """A place: words are counted from 1, the last one is in it.

    `start` and `end` are characters of the sentence, its words joined by spaces;
    `file_start` and `file_end` those of the file, if it can be read again.
    """
    stream = sources.stream
    bank = stream.bank
    words = bank[place.tree].words
    offsets = character_offsets(words)
    is_empty = place.first >= place.last
    found: dict[str, Any] = {
        "file": stream.files[int(stream.file_of_tree[place.tree])],
        "line": int(bank.line[place.tree]),
        "sentence": place.tree - int(stream.first_of_file[place.tree]) + 1,
        **({"id": bank.id_of(place.tree)} if bank.id_of(place.tree) else {}),
        "first": place.first + 1,
        "last": place.last,
        "words": " ".join(words[place.first : place.last]),
        "start": None if is_empty else offsets[place.first][0],
        "end": None if is_empty else offsets[place.last - 1][1],
    }
    position = sources.position(place)
    if position is not None:
        found |= {
            "file_start": position.start,
            "file_end": position.end,
            "first_line": position.line,
            "first_column": position.column,
            "last_line": position.end_line,
            "last_column": position.end_column,
        }
    return found


def edit_json(sources: Sources, edit: Edit) -> dict[str, Any]:
    return {
        "action": edit.action,
        "label": edit.label,
        "text": edit_text(sources, edit),
    }


def edit_text(sources: Sources, edit: Edit) -> str:
    """What would be done, in words."""
    bank = sources.stream.bank
    label = bank.label_name(edit.row)
    if edit.action == "retag":
        word = bank.form(int(bank.first[edit.row]))
        return f"tag {word} {edit.label}, not {label}"
    if edit.action == "relabel":
        return f"label it {edit.label}, not {label}"
    if edit.action == "functions":
        return f"make its function tags {edit.label or 'none'}, not {label}"
    if edit.action == "drop":
        return f"drop the bracket {label}"
    if edit.action == "add":
        return f"add a bracket {edit.label}"
    around = f", with a new {edit.label} around both" if edit.label else ""
    return f"attach {_named(bank, edit.row)} to {_named(bank, edit.other)}{around}"


def _named(bank: Treebank, row: int) -> str:
    """A phrase by its label and words, of many the first and last: NP (the … cat)."""
    words = bank.forms(np.arange(bank.first[row], bank.last[row]))
    if len(words) > _WORDS_NAMED:
        words = [*words[:2], "…", *words[-1:]]
    return f"{bank.label_name(row)} ({' '.join(words)})"


def finding_json(finding: Finding, sources: Sources) -> dict[str, Any]:
    """A finding in sentences, as it stands in JSON."""
    confidence = round(finding.confidence, 4)
    return {
        "code": finding.code,
        "kind": finding.kind,
        "level": finding.level,
        "confidence": confidence,
        "reliability": confidence,
        "message": finding.message,
        "file": finding.file,
        "line": finding.line,
        "sentence": finding.sentence,
        **({"id": finding.id} if finding.id else {}),
        "words": finding.words,
        "context": finding.context,
        "group": finding.group,
        "fingerprint": finding.fingerprint,
        "places": [place_json(sources, one) for one in finding.suspects[:_PLACES]],
        "places_left_out": max(0, len(finding.suspects) - _PLACES),
        "also": [place_json(sources, one) for one in finding.also],
        "merged": finding.merged,
        "merged_codes": list(finding.codes),
        "edit": finding.edit and edit_json(sources, finding.edit),
        "analyses": [
            {
                "analysis": one.text,
                "count": one.count,
                "places": [
                    place_json(sources, place) for place in one.spans[:_ANALYSIS_PLACES]
                ],
            }
            for one in finding.analyses
        ],
    }


def document_finding_json(finding: Finding) -> dict[str, Any]:
    """A finding in a document."""
    names = ("code", "document", "first", "last", "line", "message", "level", "file")
    return {name: getattr(finding, name) for name in names} | {
        "confidence": round(finding.confidence, 4),
        "words": finding.words,
        "fingerprint": finding.fingerprint,
    }
