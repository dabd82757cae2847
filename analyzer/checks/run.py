"""All checks on treebanks or documents: what `spinal check` runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from analyzer.analyses.compared import texts_of
from analyzer.analyses.opening import TreeReading
from analyzer.checks import model_findings  # noqa: F401  (for its checks)
from analyzer.checks.calibration import (
    Calibration,
    least_odds,
    read_calibration,
    recalibrated,
    size_of,
    with_odds,
)
from analyzer.checks.decisions import (
    FINE,
    WRONG,
    Decision,
    Decisions,
    decisions_of,
    known_in,
    read_decisions,
    read_known,
    write_decisions,
)
from analyzer.checks.discourse import Document, check_documents, findings_of_errors
from analyzer.checks.evidence import Exhibit, document_exhibit
from analyzer.checks.finding_json import document_finding_json, finding_json
from analyzer.checks.findings import Checked, Name, Suspect, TreeFinding, ranked
from analyzer.checks.fingerprints import (
    Ignored,
    names_of,
    new_findings,
    read_ignored,
)
from analyzer.checks.fixes import Fix, fixes_of, unit_fixes_of
from analyzer.checks.inventory import DeriverOptions, deriver_keywords
from analyzer.checks.merging import (
    NEARLY_SHOWN,
    Cause,
    below_threshold,
    confidence,
    log_odds,
    merged,
)
from analyzer.checks.nodes import Nodes
from analyzer.checks.registry import (
    CHECKS,
    DISCOURSE,
    KINDS,
    LEVELS,
    NODES,
    PARSED,
    RECURRING,
    ROWS,
    checks_of,
)
from analyzer.checks.rules import check_rows, other_labels
from analyzer.checks.sources import Sources
from analyzer.checks.variation import compare_recurring
from analyzer.checks.votes import (
    decided_otherwise,
    differing,
    supported,
    suspects_of,
    votes_of,
)
from analyzer.checks.word_stream import WordStream, read_banks
from analyzer.derivation.syntax import SyntaxDeriver, syntax_deriver
from analyzer.exceptions import (
    InputError,
    PatternError,
    Place,
    RstError,
    SettingsError,
)
from analyzer.files.inputs import Input
from analyzer.formats.blocks import Progress
from analyzer.formats.documents import (
    SECOND_DOCUMENT,
    document_name,
    read_rst,
    without_collecting,
)
from analyzer.formats.reading import Trees, open_trees
from analyzer.formats.registry import Family, family_of
from analyzer.model.discourse import Reading, Unit
from analyzer.model.settings import misuse, require_choice, require_share, several
from analyzer.model.treebank import Treebank
from analyzer.pairing.ledger import DOCUMENT, SENTENCE, Ledger, of_one_side, united
from analyzer.pairing.tasks import name_of, of_files
from analyzer.runtime.executor import processors, run_tasks
from analyzer.safe_text import counted
from analyzer.transform.documents import Roots, rooted_alone
from analyzer.transform.labels import LabelHint, LabelSet, load_labels
from analyzer.transform.relations import COARSE, load_relation_inventory, load_relations

if TYPE_CHECKING:
    import pandas as pd

# Nodes of a treebank that takes longer to check than to start processes for.
_WORTH_PROCESSES = 200_000


@dataclass(frozen=True)
class CheckResult(Checked):
    """What is suspicious in treebanks or documents.

    Its findings are `TreeFinding`s or `DocumentFinding`s; `known` ones were left out
    for a baseline, or because somebody found them `fine`. `stream` are the sentences,
    to draw what a finding is about; None for documents, which `units` has by their
    names. `decisions` are those of people, by fingerprint.
    """

    known: int = 0
    stream: WordStream | None = None
    encoding: str = "utf-8"
    below_threshold: Sequence[Name] = field(default=(), repr=False)
    units: Mapping[str, Unit] = field(default_factory=dict, repr=False)
    decisions: Decisions = field(default_factory=dict, repr=False)
    fine: list[Any] = field(default_factory=list, repr=False)
    below_level: int = 0  # findings that were left out, as others are graver
    compared: Sequence[str] = ()  # how much of each parser's output

    @property
    def size(self) -> int:
        """How many trees or documents were checked."""
        return self.ledger.gold if self.stream else self.ledger.scored

    @property
    def is_discourse(self) -> bool:
        return self.stream is None

    @property
    def files(self) -> Sequence[str]:
        """Those that findings are in."""
        listed = (finding.file for finding in (*self.findings, *self.fine))
        return self.stream.files if self.stream else list(dict.fromkeys(listed))

    @property
    def label_hint(self) -> LabelHint | None:
        """Whose labels the trees seem to have, if not those of the label set."""
        if self.stream is None:
            return None
        return other_labels(self.stream.bank, self.stream.labels)

    @property
    def notes(self) -> list[str]:
        """What changes the meaning of the findings."""
        overlaps = map(str, self.ledger.overlaps)
        return [*texts_of(self.label_hint), *overlaps, *self.compared]

    def without_known(self, known: Collection[str]) -> CheckResult:
        """The result without the findings of a baseline."""
        return self._with(new_findings(self.findings, known))

    def decided(self, decisions: Decisions) -> CheckResult:
        """The result with decisions; findings that are fine are left out."""
        known = known_in(
            decision for decision in decisions.values() if decision.verdict == FINE
        )
        fine = [finding for finding in self.findings if finding.fingerprint in known]
        left = self._with(
            [finding for finding in self.findings if finding.fingerprint not in known]
        )
        return replace(left, decisions=decisions, fine=fine)

    def at_least(self, level: str) -> CheckResult:
        """The result with the findings of this level or graver."""
        findings, fine = (
            [finding for finding in listed if finding.is_at_least(level)]
            for listed in (self.findings, self.fine)
        )
        below = self.below_level + len(self.findings) - len(findings)
        return replace(self, findings=findings, fine=fine, below_level=below)

    def without_ignored(self, ignored: Ignored) -> CheckResult:
        """The result without what an ignore file names."""
        return self._with(
            [finding for finding in self.findings if not ignored.covers(finding)]
        )

    def _with(self, findings: list[Any]) -> CheckResult:
        known = self.known + len(self.findings) - len(findings)
        return replace(self, findings=findings, known=known)

    def as_decisions(self, *, is_baseline: bool = False) -> list[Decision]:
        """A line for each finding, with its edit and what was decided on it.

        A baseline has what is hardly suspicious as well: it is not new later.
        """
        findings = [*self.findings, *self.fine]
        edits = {fix.fingerprint: fix.edit for fix in self.fixes_of(findings)}
        hardly = self.below_threshold if is_baseline else ()
        return decisions_of(findings, edits, self.decisions, hardly)

    def fixes_of(self, findings: Iterable[Any]) -> list[Fix]:
        """The edits of some findings that can be made in files."""
        if self.stream is None:
            return unit_fixes_of(findings, self.units, self.encoding)
        return fixes_of(findings, self.sources)

    def write_decisions(self, path: str, *, is_baseline: bool = False) -> None:
        """Write these lines as a file."""
        write_decisions(self.as_decisions(is_baseline=is_baseline), path)

    def calibrated(
        self, decisions: str, calibration: Calibration | None = None
    ) -> Calibration:
        """Weights of evidence, moved towards what was decided on these findings.

        `decisions` is a file of them; `calibration` where to start from, if not from
        the weights that are shipped.
        """
        verdicts = {
            key: decision.verdict == WRONG
            for decision in read_decisions(decisions).values()
            if decision.is_made
            for key in decision.known
        }
        words = int(self.stream.kept.size) if self.stream is not None else 0
        decided = (
            (finding.code, finding.evidence, verdicts[finding.fingerprint])
            for finding in self.findings
            if self.stream is not None and finding.fingerprint in verdicts
        )
        return recalibrated(calibration or read_calibration(), decided, size_of(words))

    def has(self, level: str) -> bool:
        """Whether there are findings of this level or graver."""
        return any(finding.is_at_least(level) for finding in self.findings)

    @property
    def summary(self) -> dict[str, int]:
        """How many of what, as in JSON."""
        levels = Counter(finding.level for finding in self.findings)
        sizes = {"documents": self.size}
        if self.stream is not None:
            sizes = {"trees": self.size, "words": int(self.stream.kept.size)}
        return {
            **sizes,
            "findings": len(self.findings),
            "groups": len({finding.group for finding in self.findings}),
            **{level: levels[level] for level in LEVELS},
            "known": self.known,
            "below_level": self.below_level,
        }

    def frame(self) -> pd.DataFrame:
        """A row a finding."""
        import pandas as pd

        return pd.DataFrame(self.as_json())

    def as_json(self) -> list[dict[str, Any]]:
        """The findings as in JSON: all places, the edit, analyses, what was decided."""
        if self.stream is None:
            listed = [document_finding_json(finding) for finding in self.findings]
        else:
            sources = self.sources
            listed = [finding_json(finding, sources) for finding in self.findings]
        for row in listed:
            if decision := self.decisions.get(row["fingerprint"]):
                names = ("verdict", "comment", "annotator", "date")
                row["decision"] = {name: getattr(decision, name) for name in names}
        return listed

    @property
    def exhibit(self) -> Callable[[Any], Exhibit]:
        """What people are shown of a finding; files that it looks at are read once."""
        if self.stream is not None:
            return self.sources.exhibit
        return lambda finding: document_exhibit(
            finding, self.units.get(finding.document)
        )

    @property
    def sources(self) -> Sources:
        """The files of the sentences, to look places up in."""
        assert self.stream is not None
        return Sources(self.stream, self.encoding)

    def __repr__(self) -> str:
        noun = "document" if self.is_discourse else "tree"
        findings = counted(len(self.findings), "finding")
        return f"<CheckResult: {findings} in {counted(self.size, noun)}>"


@deriver_keywords
def check(
    *inputs: Trees,
    rst: bool | None = None,
    kind: str | Collection[str] | None = None,
    select: Collection[str] | None = None,
    ignore: Collection[str] = (),
    min_confidence: float | None = None,
    labels: str | LabelSet | None = None,
    baseline: str | None = None,
    decisions: str | None = None,
    calibration: str | Calibration | None = None,
    ignore_file: str | None = None,
    roots: Roots | str = Roots.JOIN,
    strict: bool = False,
    encoding: str = "utf-8",
    grammar: str | None = None,
    jobs: int | None = 1,
    progress: Progress | None = None,
    parsed: Sequence[Trees] = (),
    only_differing: bool = False,
    **options: Unpack[DeriverOptions],
) -> CheckResult:
    """Where treebanks or documents contradict themselves, surest first.

    Inputs are files, globs, directories, text or treebanks. Whether they are discourse
    trees is seen from the first one, unless `rst` says so. `select` are codes, or how
    they begin, and so is `ignore`; findings that are less likely errors than
    `min_confidence` are left out: than 0.17, unless kinds or codes are chosen.
    `labels` is a label set, for documents an inventory of relations. `baseline` is
    a file of known findings, `decisions` one of what was decided on them (which is
    told, and what is fine left out), `ignore_file` one of those to leave out;
    `calibration` has weights of evidence, if not those that are shipped. `roots`:
    what becomes of documents of several trees, which otherwise are findings.
    `parsed` are parsers' trees of the same sentences: where several agree with each
    other against the treebank, or one does where there is no other, is a finding; with
    `only_differing`, only words on which one of them differs are told of. Further
    options are those of derivation trees: `patterns`, `params`, `delete_label`,
    `function_separator`.

    >>> result = check("(S (NP (NN it)) (VP (VBZ rains)))\\n(S (NP) (VP (VBZ is)))\\n")
    >>> result
    <CheckResult: 1 finding in 2 trees>
    >>> result.findings[0].code, result.findings[0].message
    ('S101', 'NP has no words')
    """
    opened = _opened(inputs, encoding, grammar)
    files = _files(opened)
    if rst is None:
        is_first = files[:1] == opened[:1]
        rst = is_first and family_of(files[0]) is Family.DISCOURSE
    there = tuple(KINDS)
    kinds = there if kind is None else _kinds_of(kind)
    if rst and parsed:
        raise SettingsError("E579 is for sentences, not for --rst", option="--parsed")
    if not parsed and (only_differing or (kinds == (PARSED,) and not decisions)):
        what = "--only-differing" if only_differing else f"the kind {PARSED!r}"
        raise SettingsError("E687 needs the trees", what=what)
    ignored = read_ignored(ignore_file, sorted(CHECKS)) if ignore_file else None
    codes = chosen_codes((DISCOURSE,) if rst else kinds, select, ignore)
    require_share("min_confidence", min_confidence)
    known = read_known(baseline) if baseline else None
    decided = read_decisions(decisions) if decisions else None
    if isinstance(calibration, str):
        calibration = read_calibration(calibration)
    if rst:
        if kinds != there or len(files) < len(inputs) or isinstance(labels, LabelSet):
            raise SettingsError("E576 documents are given as files")
        result = _check_documents(
            *(files, labels, codes, min_confidence or 0, roots),
            strict=strict,
            encoding=encoding,
        )
    else:
        if min_confidence is None and (select is not None or set(kinds) != set(there)):
            min_confidence = 0.0
        deriver = syntax_deriver(**options)
        labels = load_labels(labels) if isinstance(labels, str) else labels
        labels = labels or deriver.tables.parameters.labels
        banks = read_banks(opened, labels, strict=strict, progress=progress)
        stream = WordStream.of(banks, labels)
        ledger = _ledger_of(stream, files)
        reading = TreeReading(encoding=encoding, strict=strict)
        votes, compared = votes_of(stream.bank, parsed, deriver, reading)
        findings, hardly = check_treebank(
            *(stream, deriver, codes),
            least=min_confidence,
            calibration=calibration,
            jobs=jobs,
            more=[
                *suspects_of(stream.bank, votes, len(parsed)),
                *decided_otherwise(stream, decided or {}),
            ],
        )
        findings = differing(findings, votes) if only_differing else findings
        ledger += Ledger(overlaps=_overlaps(stream, deriver))
        result = CheckResult(
            *(findings, ledger, 0, stream, encoding, hardly), compared=compared
        )
    result.ledger.check(", ".join(map(name_of, opened)))
    if ignored is not None:
        result = result.without_ignored(ignored)
    if decided is not None:
        result = result.decided(decided)
    return result if known is None else result.without_known(known)


def _kinds_of(kind: str | Collection[str]) -> tuple[str, ...]:
    kinds = several(kind)
    for name in kinds:
        require_choice("kind of findings", name, tuple(KINDS))
    return kinds


def _opened(
    inputs: Iterable[Trees], encoding: str, grammar: str | None
) -> list[Input | Treebank]:
    """What is given; of files, the order does not matter."""
    if not inputs:
        raise misuse("check", "no trees are given", ["treebank"])
    opened = [open_trees(trees, encoding, grammar) for trees in inputs]
    if len(_files(opened)) == len(opened):
        opened.sort(key=name_of)
    return opened


def _overlaps(stream: WordStream, deriver: SyntaxDeriver) -> tuple[PatternError, ...]:
    """Patterns of the user that match the same production: heads follow from their
    order in the file."""
    if not deriver.inventory.is_built_in:
        Nodes(
            stream, deriver
        ).derive()  # checks did it in other processes, or not at all
    return united(deriver.constructions.overlaps)


def _files(opened: Iterable[Input | Treebank]) -> list[Input]:
    return [item for item in opened if isinstance(item, Input) and not item.is_text]


def _ledger_of(stream: WordStream, files: Sequence[Input]) -> Ledger:
    if not len(stream.bank):
        place = Place(files[0].name if files else None)
        raise InputError("E121 contains no trees", place)
    ledger = of_one_side(SENTENCE, len(stream.bank), stream.bank.problems.values())
    return ledger + of_files(unread for file in files for unread in file.unread)


def chosen_codes(
    kinds: Collection[str],
    select: Collection[str] | None = None,
    ignore: Collection[str] = (),
) -> frozenset[str]:
    """The codes of some kinds that are selected and not ignored.

    A code may be cut short: `S` or `V3` stand for all that begin so.
    """
    possible = kinds if DISCOURSE in kinds else KINDS
    there = tuple(entry.code for entry in checks_of(possible))
    codes = [entry.code for entry in checks_of(kinds)]
    if select is not None:
        selected = _beginnings(select, there)
        codes = [code for code in codes if code.startswith(selected)]
    if ignore:
        ignored = _beginnings(ignore, there)
        codes = [code for code in codes if not code.startswith(ignored)]
    return frozenset(codes)


def _beginnings(given: Collection[str], there: tuple[str, ...]) -> tuple[str, ...]:
    listed = given.split(",") if isinstance(given, str) else given
    codes = tuple(code.strip().upper() for code in listed if code.strip())
    if not codes:
        raise SettingsError("E545 no code is selected", there=there)
    for code in codes:
        if not any(known.startswith(code) for known in there):
            raise SettingsError("E577 no finding has the code", code_=code, there=there)
    return codes


# -- sentences ------------------------------------------------------------------------

# What the functions of checks are given, and those that are run together.
Task = tuple[str, tuple[Callable[..., Any], ...]]


@without_collecting()  # suspects form no cycles, and there are many
def check_treebank(
    stream: WordStream,
    deriver: SyntaxDeriver,
    codes: Collection[str] | None = None,
    *,
    least: float | None = None,
    calibration: Calibration | None = None,
    jobs: int | None = 1,
    more: Iterable[Suspect] = (),
) -> tuple[list[TreeFinding], list[Name]]:
    """The findings of some codes, surest first; and what is suspicious but no finding.

    `more` is what others suspect: parsers, and people who decided before.

    Codes are chosen before findings are merged: what is left out explains nothing away.
    Findings that are less likely errors than `least` are left out. What a treebank
    contradicts itself in can be anywhere in it, so with `jobs` it is the checks, not
    pieces of the treebank, that are shared among processes.
    """
    codes = chosen_codes(KINDS) if codes is None else codes
    limit = least_odds(int(stream.kept.size))
    least = confidence(limit) if least is None else least
    if jobs is None:
        jobs = processors() if stream.bank.label.size > _WORTH_PROCESSES else 1
    nodes, tasks = Nodes(stream, deriver), _tasks(codes)
    functions = [function for _, functions in tasks for function in functions]
    if any(function.__module__ == "__main__" for function in functions):
        jobs = 1  # a check of a script or a notebook, which other processes do not know
    parts = run_tasks(partial(_run, nodes), tasks, jobs=min(jobs, max(1, len(tasks))))
    suspects = [
        suspect for part in (*parts, more) for suspect in part if suspect.code in codes
    ]
    by_odds = with_odds(
        nodes,
        [suspect for suspect in suspects if suspect.evidence],
        calibration or read_calibration(),
        min(log_odds(least), limit - NEARLY_SHOWN),
    )
    causes = [Cause(suspect) for suspect in suspects if not suspect.evidence]
    causes += merged(nodes, by_odds, limit)
    causes = [cause for cause in causes if cause.confidence >= least]
    hardly = below_threshold(by_odds, limit)
    shown = (suspicion for cause in causes for suspicion in cause.suspicions)
    names = names_of(stream, [*shown, *hardly])
    findings = supported(ranked(cause.finding(stream, names) for cause in causes))
    return findings, [names[item] for item in hardly]


def _tasks(codes: Collection[str]) -> list[Task]:
    """What is done together, the longest first: then the others are done beside it."""
    tasks: dict[object, Task] = {}
    chosen = [
        entry for entry in checks_of(KINDS) if entry.code in codes and entry.function
    ]
    for entry in sorted(chosen, key=lambda entry: -entry.cost):
        assert entry.function is not None
        key = entry.function if entry.given == NODES else entry.given
        given, functions = tasks.get(key, (entry.given, ()))
        if entry.function not in functions:
            tasks[key] = given, (*functions, entry.function)
    return list(tasks.values())


def _run(nodes: Nodes, task: Task) -> list[Suspect]:
    given, functions = task
    if given == RECURRING:
        return list(compare_recurring(nodes, functions))
    if given == ROWS:
        return list(check_rows(nodes, functions))
    return [suspect for function in functions for suspect in function(nodes)]


# -- documents ------------------------------------------------------------------------


def _check_documents(
    inputs: Sequence[Input],
    relations: str | None,
    codes: Collection[str],
    least: float,
    roots: Roots | str,
    *,
    strict: bool,
    encoding: str,
) -> CheckResult:
    documents: list[tuple[str, Unit]] = []
    errors: list[RstError] = []
    readings: list[Reading] = []
    pending = list(inputs)
    paths: dict[str, str] = {}
    while pending:
        given = pending.pop(0)
        read = rooted_alone(read_rst(given), roots)
        readings += read.readings
        for file in given.files:
            paths.setdefault(document_name(file.name), file.name)
        documents += read
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
        raise InputError("E124 contains no discourse trees", Place(inputs[0].name))
    inventory = load_relation_inventory(relations) if relations else None
    classes = load_relations(COARSE)
    listed = [
        Document(name, root, paths.get(name.partition(":")[0], ""), inventory)
        for name, root in documents
    ]
    findings = findings_of_errors(errors) + check_documents(listed, classes, codes)
    shown = [
        finding
        for finding in findings
        if finding.code in codes and finding.confidence >= least
    ]
    ledger = of_one_side(DOCUMENT, len(documents) + len(errors), errors, readings)
    return CheckResult(shown, ledger, encoding=encoding, units=dict(documents))
