"""All kinds of checks on treebanks or documents: what `spinal check` runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.checks.baseline import (
    Ignored,
    new_findings,
    read_baseline,
    read_ignored,
    write_baseline,
)
from analyzer.checks.blocks import blocks_of
from analyzer.checks.discourse import check_documents, findings_of_errors
from analyzer.checks.findings import (
    DISCOURSE,
    KINDS,
    LEVELS,
    Finding,
    Name,
    codes_of,
)
from analyzer.checks.identity import document_fingerprint
from analyzer.checks.places import document_finding_json, finding_json
from analyzer.checks.sentences import examined
from analyzer.checks.sources import Sources
from analyzer.checks.word_stream import WordStream
from analyzer.constructions.inventory import Inventory
from analyzer.constructions.language import DEFAULT_INVENTORY
from analyzer.derivation.syntax import syntax_deriver
from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    Place,
    RstError,
    SettingsError,
)
from analyzer.files.inputs import Input
from analyzer.formats.blocks import Progress
from analyzer.formats.documents import SECOND_DOCUMENT, document_name, read_rst
from analyzer.formats.reading import Trees, open_trees
from analyzer.formats.registry import Family, family_of
from analyzer.model.discourse import Unit
from analyzer.model.settings import require_choice, require_share
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.inputs import name_of, of_files
from analyzer.pairing.ledger import DOCUMENT, SENTENCE, Ledger, of_one_side
from analyzer.safe_text import counted
from analyzer.transform.label_hints import LabelHint, label_hint
from analyzer.transform.labels import LabelSet, load_labels
from analyzer.transform.parameters import EvalbParameters
from analyzer.transform.relations import COARSE, load_relation_inventory, load_relations

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class CheckResult:
    """What is suspicious in treebanks or documents.

    `known` findings were left out for a baseline; the ledger has what cannot be read.
    `stream` are the sentences, to draw what a finding is about; None for documents.
    """

    findings: list[Finding]
    ledger: Ledger
    known: int = 0
    stream: WordStream | None = None
    encoding: str = "utf-8"
    quiet: Sequence[Name] = field(default=(), repr=False)

    @property
    def size(self) -> int:
        """How many trees or documents were checked."""
        return self.ledger.gold if self.stream else self.ledger.scored

    @property
    def left_out(self) -> list[AnalyzerError]:
        """What cannot be read."""
        return self.ledger.unread

    @property
    def rows(self) -> list[Finding]:
        return self.findings

    @property
    def is_discourse(self) -> bool:
        return self.stream is None

    @property
    def label_hint(self) -> LabelHint | None:
        """Whose labels the trees seem to have, if not those of the label set."""
        if self.stream is None:
            return None
        bank = self.stream.bank
        used, counts = np.unique(bank.label[~bank.is_leaf], return_counts=True)
        names = map(SYMBOLS.name, used.tolist())
        phrases = dict(zip(names, counts.tolist(), strict=True))
        return label_hint(phrases, self.stream.labels)

    def without_known(self, known: Collection[str]) -> CheckResult:
        """The result without the findings of a baseline."""
        new = new_findings(self.findings, known)
        left_out = self.known + len(self.findings) - len(new)
        return replace(self, findings=new, known=left_out)

    def write_baseline(self, path: str) -> None:
        """Make all findings known; what is hardly suspicious is not new later."""
        write_baseline(self.findings, path, self.quiet)

    def without_ignored(self, ignored: Ignored) -> CheckResult:
        """The result without what an ignore file names."""
        left = [one for one in self.findings if not ignored.covers(one)]
        count = self.known + len(self.findings) - len(left)
        return replace(self, findings=left, known=count)

    def has(self, level: str) -> bool:
        """Whether there are findings of this level or graver."""
        return any(one.is_at_least(level) for one in self.findings)

    @property
    def summary(self) -> dict[str, int]:
        """How many of what, as in JSON."""
        if self.stream is None:
            known = {"known": self.known} if self.known else {}
            return {"documents": self.size, "findings": len(self.findings), **known}
        levels = Counter(one.level for one in self.findings)
        return {
            "trees": self.size,
            "words": int(self.stream.kept.size),
            "findings": len(self.findings),
            "groups": len({one.group for one in self.findings}),
            **{level: levels[level] for level in LEVELS},
            "known": self.known,
        }

    def frame(self) -> pd.DataFrame:
        """A row a finding."""
        import pandas as pd

        return pd.DataFrame(self.as_json())

    def as_json(self) -> list[dict[str, Any]]:
        """The findings as in JSON: every place, the edit, the analyses."""
        if self.stream is None:
            return [document_finding_json(one) for one in self.findings]
        sources = self.sources
        return [finding_json(one, sources) for one in self.findings]

    @property
    def sources(self) -> Sources:
        """The files of the sentences, to look places up in."""
        assert self.stream is not None
        return Sources(self.stream, self.encoding)

    def __repr__(self) -> str:
        noun = "document" if self.is_discourse else "tree"
        found = counted(len(self.findings), "finding")
        return f"<CheckResult: {found} in {counted(self.size, noun)}>"

    def _repr_html_(self) -> str:
        from reports.notebook import check_html

        return check_html(self)


def check(
    *inputs: Trees,
    rst: bool | None = None,
    kinds: Collection[str] = KINDS,
    select: Collection[str] | None = None,
    ignore: Collection[str] = (),
    min_confidence: float | None = None,
    labels: str | LabelSet | None = None,
    baseline: str | None = None,
    ignore_file: str | None = None,
    patterns: str | Inventory = DEFAULT_INVENTORY,
    parameters: str | EvalbParameters | None = None,
    delete: Collection[str] = (),
    function_separator: str | None = None,
    strict: bool = False,
    encoding: str = "utf-8",
    jobs: int | None = 1,
    progress: Progress | None = None,
    **loading: Any,
) -> CheckResult:
    """Where treebanks or documents contradict themselves, surest first.

    Inputs are files, globs, directories, text or treebanks. Whether they are discourse
    trees is seen from the first one, unless `rst` says so. `select` are codes, or how
    they begin, and so is `ignore`; findings that are less likely errors than
    `min_confidence` are left out: than 0.15, unless kinds or codes are chosen.
    `labels` is a label set, for documents an inventory of relations. `baseline` is
    a file of known findings, `ignore_file` one of those to leave out.

    >>> found = check("(S (NP (NN it)) (VP (VBZ rains)))\\n(S (NP) (VP (VBZ is)))\\n")
    >>> found
    <CheckResult: 1 finding in 2 trees>
    >>> found.findings[0].code, found.findings[0].message
    ('S101', 'NP has no words')
    """
    opened = [open_trees(one, encoding) for one in inputs]
    if all(isinstance(one, Input) and not one.is_text for one in opened):
        opened.sort(key=name_of)  # their order does not matter
    files = [one for one in opened if isinstance(one, Input) and not one.is_text]
    if rst is None:
        is_first = files[:1] == opened[:1]
        rst = is_first and family_of(files[0]) is Family.DISCOURSE
    for kind in kinds:
        require_choice("kind of findings", kind, KINDS)
    passed = read_ignored(ignore_file) if ignore_file else None
    there = (DISCOURSE,) if rst else KINDS
    codes = _checked_codes(select, there)
    ignored = _checked_codes(ignore, there) if ignore else []
    require_share("min_confidence", min_confidence)
    if rst:
        refused = tuple(kinds) != KINDS or len(files) < len(inputs)
        if refused or isinstance(labels, LabelSet):
            raise SettingsError(
                "documents are given as files; kinds and label sets are for sentences",
                code="E576",
            )
        found = _check_documents(files, labels, strict=strict, encoding=encoding)
        told = [
            one
            for one in found.findings
            if one.confidence >= (min_confidence or 0)
            and not one.code.startswith(tuple(ignored or ()))
            and (codes is None or one.code.startswith(tuple(codes)))
        ]
        found = replace(found, findings=told)
        if passed is not None:
            found = found.without_ignored(passed)
        return found.without_known(read_baseline(baseline)) if baseline else found
    deriver = syntax_deriver(
        patterns=patterns,
        parameters=parameters,
        delete=tuple(delete),
        function_separator=function_separator,
        **loading,
    )
    if isinstance(labels, str):
        labels = load_labels(labels)
    labels = labels or deriver.tables.parameters.labels
    known = read_baseline(baseline) if baseline else None
    left_out: list[AnalyzerError] = []
    blocks = blocks_of(
        opened,
        strict=strict,
        encoding=encoding,
        progress=progress,
        left_out=left_out,
        labels=labels,
    )
    stream = WordStream.of(blocks, labels)
    if not len(stream.bank):
        raise InputError(
            "contains no trees; expected brackets",
            Place(files[0].name if files else None),
            code="E121",
        )
    seen = examined(
        stream,
        deriver,
        kinds=kinds,
        codes=codes,
        ignored=ignored or (),
        least=min_confidence,
        jobs=jobs,
    )
    ledger = of_one_side(SENTENCE, len(stream.bank), left_out)
    ledger = ledger.plus(of_files(one for file in files for one in file.unread))
    ledger.check(", ".join(map(name_of, opened)))
    result = CheckResult(
        seen.findings,
        ledger,
        stream=stream,
        encoding=encoding,
        quiet=seen.quiet,
    )
    if passed is not None:
        result = result.without_ignored(passed)
    return result if known is None else result.without_known(known)


def _check_documents(
    inputs: Sequence[Input],
    relations: str | None,
    *,
    strict: bool,
    encoding: str,
) -> CheckResult:
    documents: list[tuple[str, Unit]] = []
    errors: list[RstError] = []
    pending = list(inputs)
    paths: dict[str, str] = {}
    while pending:
        given = pending.pop(0)
        read = read_rst(given)
        for file in given.files:
            paths.setdefault(document_name(file.name), file.name)
        documents += list(read)
        for problem in read.problems:
            # A document in two formats is read from both: they should say the same.
            source = problem.place.source if problem.place else None
            if source and problem.code == SECOND_DOCUMENT:
                pending.append(Input.of_path(source, encoding=encoding))
            elif strict:
                raise problem
            else:
                errors.append(problem)
    if not documents and not errors:
        raise InputError(
            "contains no discourse trees", Place(inputs[0].name), code="E124"
        )
    inventory = load_relation_inventory(relations) if relations else None
    found = [
        *findings_of_errors(errors, lambda source: PurePath(source).stem),
        *check_documents(documents, inventory, classes=load_relations(COARSE)),
    ]
    chosen = [
        replace(
            one,
            file=paths.get(one.document.partition(":")[0], ""),
            fingerprint=(name := document_fingerprint(one)),
            known_as=(Name(name, name),),
        )
        for one in found
    ]
    ledger = of_one_side(DOCUMENT, len(documents) + len(errors), errors)
    ledger.check(", ".join(one.name for one in inputs), stacklevel=4)
    return CheckResult(chosen, ledger)


def _checked_codes(
    select: Collection[str] | None, kinds: Collection[str]
) -> list[str] | None:
    if select is None:
        return None
    there = codes_of(kinds)
    codes = [code.strip().upper() for code in select if code.strip()]
    if not codes:
        raise SettingsError(
            "no code is selected; choose from {there:list}",
            code="E545",
            there=tuple(there),
        )
    for code in codes:
        if not any(known.startswith(code) for known in there):
            raise SettingsError(
                "no finding has the code {code_!r}; choose from {there:list}",
                code="E577",
                code_=code,
                there=tuple(there),
            )
    return codes
