"""Known findings, so that a treebank's CI complains of new ones only."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path, PurePath
from typing import NamedTuple

from analyzer.checks.findings import Finding, Name
from analyzer.exceptions import InputError, Place
from analyzer.files.atomic import write_text
from analyzer.files.small_files import read_json, read_text

IGNORE_FILE = ".spinalignore"
_FINGERPRINT = re.compile("[0-9a-f]{16}")
_VERSION = 3  # 1 knew findings by their analyses, 2 by their sentences alone
_NO_BASELINE = "is not a baseline (--write-baseline writes one)"


def write_baseline(
    findings: Sequence[Finding], path: str, quiet: Iterable[Name] = ()
) -> None:
    """The fingerprints of all findings, and what each is, for readers.

    `also` are those of the other places of findings, of what was merged into them, and
    of what is hardly suspicious (`quiet`): it may become more so when others are
    mended, but it is not new.
    """
    entries = {
        one.fingerprint: {
            "code": one.code,
            "file": one.file,
            "words": one.words,
            "message": one.message,
        }
        for one in findings
    }
    names = {name for one in findings for name in one.known_as} | set(quiet)
    also = {key for name in names for key in (name.fingerprint, name.at) if key}
    data = {
        "version": _VERSION,
        "findings": dict(sorted(entries.items())),
        "also": sorted(also - entries.keys()),
    }
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def read_baseline(path: str) -> frozenset[str]:
    """The fingerprints that are known."""
    data = read_json(path, _NO_BASELINE)
    try:
        if data["version"] != _VERSION:
            raise InputError(
                "a baseline of version {data}, not {version}: write it again",
                Place(path),
                code="E103",
                data=data["version"],
                version=_VERSION,
            )
        return frozenset([*data["findings"].keys(), *map(str, data["also"])])
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(_NO_BASELINE, Place(path), code="E188") from error


def new_findings(findings: Sequence[Finding], known: Collection[str]) -> list[Finding]:
    """The findings of which something is not known, even if it is one of many places.

    If there are more places that are alike than the baseline has, those are new that
    are in other sentences than before.
    """
    alike: dict[str, dict[str, Name]] = {}
    for one in findings:
        for name in one.known_as:
            alike.setdefault(name.base, {})[name.fingerprint] = name
    new: set[str] = set()
    for names in alike.values():
        more = sum(fingerprint not in known for fingerprint in names)
        last_first = reversed(names.values())
        if more:
            latest = sorted(last_first, key=lambda name: name.at in known)[:more]
            new.update(name.fingerprint for name in latest)
    return [one for one in findings if any(n.fingerprint in new for n in one.known_as)]


class Ignored(NamedTuple):
    """Findings that people looked at and want to see no more."""

    fingerprints: frozenset[str]
    codes: tuple[tuple[str, str], ...]  # how a code begins, and files as a glob
    folder: str = "."  # that globs start from

    def covers(self, finding: Finding) -> bool:
        if finding.fingerprint in self.fingerprints:
            return True
        return any(
            finding.code.startswith(code) and self._is_meant(finding.file, files)
            for code, files in self.codes
        )

    def _is_meant(self, path: str, glob: str) -> bool:
        """Whether a glob is of the name of a file, or of its path: from the folder, or
        as the path was given."""
        here = os.path.relpath(path, self.folder)
        names = path, here, os.path.basename(path)
        return any(fnmatch(PurePath(name).as_posix(), glob) for name in names)


def default_ignore_file() -> str | None:
    """The file `.spinalignore` of the folder at hand, if there is one."""
    return IGNORE_FILE if Path(IGNORE_FILE).is_file() else None


def read_ignored(path: str) -> Ignored:
    """Lines `FINGERPRINT` or `CODE FILES`; what stands after # is the reason."""
    fingerprints, codes = set(), []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) == 1 and _FINGERPRINT.fullmatch(words[0]):
            fingerprints.add(words[0])
        elif len(words) == 2 and words[0][:1].isupper():
            codes.append((words[0], words[1]))
        else:
            raise InputError(
                "expected a fingerprint, or a code and a file",
                Place(path, number),
                code="E195",
            )
    folder = os.path.dirname(path) or os.curdir
    return Ignored(frozenset(fingerprints), tuple(codes), folder)
