"""What is read, as arguments say it: specs taken apart, settings, files opened."""

from __future__ import annotations

import glob
import re
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from analyzer.cli.output import exit_code, note, warn, warner
from analyzer.cli.progress import ReadingBar
from analyzer.exceptions import AnalyzerError, SettingsError
from analyzer.files.inputs import Input
from analyzer.runtime.executor import Backend
from analyzer.transform.labels import default_labels
from analyzer.transform.parameters import load_parameters

if TYPE_CHECKING:
    from analyzer.analyses.opening import ScoringOptions
    from analyzer.model.discourse import Documents
    from analyzer.pairing.ledger import Ledger
    from analyzer.transform.head_order import Multinuclear


# -- specs -------------------------------------------------------------------------


class Dataset(NamedTuple):
    """Gold and parsed files, and what to call them."""

    name: str
    gold: str
    parsed: str


class NamedPath(NamedTuple):
    """A file or folder, and what to call it."""

    name: str
    path: str


def worst_code(
    datasets: Sequence[Dataset], ledgers: Iterable[tuple[str, Ledger]]
) -> int:
    """What a command exits with, by data set; each of them is told of."""
    sources = {dataset.name: dataset for dataset in datasets}
    # Data sets that groups make have no file of their own.
    return max(
        exit_code(ledger, *sources.get(name, datasets[0])[1:])
        for name, ledger in ledgers
    )


# The colon between two files; not that of a URL, nor the one before its port, nor the
# one after a drive of Windows.
_BEFORE_URL = re.compile(r":(?=\w[\w+.-]+://)")
_BETWEEN_FILES = re.compile(r"(?!(?<=^[A-Za-z]):[\\/]):(?!//|\d+/)")
_NUMBERS = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")
_LARGEST_RANGE = 1_000_000


def two_files(text: str) -> tuple[str, str]:
    r"""FILE:FILE, taken apart; both are empty if it is not of this form.

    >>> two_files(r"C:\trees\gold.mrg:D:\parsed.mrg")
    ('C:\\trees\\gold.mrg', 'D:\\parsed.mrg')
    """
    colon = _BEFORE_URL.search(text) or _BETWEEN_FILES.search(text)
    return (text[: colon.start()], text[colon.end() :]) if colon else ("", "")


def dataset_of(text: str) -> Dataset:
    """NAME=GOLD:PARSED, taken apart.

    >>> tuple(dataset_of("web=web.gold.mrg:web.parsed.mrg"))
    ('web', 'web.gold.mrg', 'web.parsed.mrg')
    >>> tuple(dataset_of("web=https://host:80/gold.mrg:s3://bucket/*.mrg"))
    ('web', 'https://host:80/gold.mrg', 's3://bucket/*.mrg')
    """
    name, equals, files = text.partition("=")
    gold, parsed = two_files(files)
    if not (equals and name and gold and parsed):
        raise SettingsError("E812 cannot read the data set", text=text)
    return Dataset(name, gold, parsed)


def datasets_of(texts: Sequence[str]) -> list[Dataset]:
    """Data sets, each NAME=GOLD:PARSED; no name may come twice."""
    datasets = [dataset_of(text) for text in texts]
    if repeated := _repeated([dataset.name for dataset in datasets]):
        raise SettingsError("E813 two data sets have the same name", repeated=repeated)
    return datasets


def with_names(texts: Sequence[str], names: Sequence[str]) -> list[str]:
    """Data sets with names: those that have none are called so, by their place.

    >>> with_names(["a:b", "web=b:c", "d:e", "f:g"], ["train", "dev", "new"])
    ['train=a:b', 'web=b:c', 'new=d:e', 'new-2=f:g']
    """
    last = len(names) - 1
    called = [
        names[at] if at <= last else f"{names[-1]}-{at - last + 1}"
        for at in range(len(texts))
    ]
    return [
        text if "=" in text.partition(":")[0] else f"{name}={text}"
        for text, name in zip(texts, called, strict=True)
    ]


def pair_or_datasets(texts: Sequence[str]) -> list[Dataset]:
    """Data sets; or gold and parsed of one, named by its parsed file.

    >>> pair_or_datasets(["gold.mrg", "out/parsed.mrg"])
    [Dataset(name='parsed', gold='gold.mrg', parsed='out/parsed.mrg')]
    """
    if len(texts) == 2 and not any(map(_is_dataset, texts)):
        gold, parsed = texts
        return [Dataset(Path(parsed).stem.strip("-*?") or "parsed", gold, parsed)]
    return datasets_of(texts)


def has_systems(texts: Sequence[str]) -> bool:
    """Whether these are gold and two systems or more, not data sets.

    >>> has_systems(["gold.mrg", "a.mrg", "b.mrg"]), has_systems(["a=b:c", "d=e:f"])
    (True, False)
    """
    return len(texts) > 2 and not _is_dataset(texts[0])


def _is_dataset(text: str) -> bool:
    """Whether it is not a file, though it may have '=' in its name."""
    return "=" in text and not Path(text).exists()


def systems_of(texts: Sequence[str], *, expected: str | None = None) -> list[NamedPath]:
    """Systems, each NAME=PATH, or a path that is named by its last part.

    Paths whose last part is the same are named by the whole path. With `expected`,
    the form to ask for, all must have been given a name.

    >>> systems_of(["ours=run7/", "theirs.mrg"])
    [NamedPath(name='ours', path='run7/'), NamedPath(name='theirs', path='theirs.mrg')]
    >>> [name for name, _ in systems_of(["one/out.mrg", "two/out.mrg"])]
    ['one/out.mrg', 'two/out.mrg']
    """
    taken_apart = [_name_and_path(text) for text in texts]
    last_parts = Counter(_last_part(path) for name, path in taken_apart if not name)
    systems = []
    for name, path in taken_apart:
        if not name and expected:
            raise SettingsError(
                "E819 cannot read the system", path=path, expected=expected
            )
        is_alone = last_parts[_last_part(path)] == 1
        short = _last_part(path) if is_alone else path.rstrip("/")
        systems.append(NamedPath(name or short, path))
    if repeated := _repeated([system.name for system in systems]):
        raise SettingsError("E814 two systems have the same name", repeated=repeated)
    return systems


def runs_of(texts: Sequence[str], gold: str) -> dict[str, list[str]]:
    """Systems with several runs, by name; nothing if none has more than one.

    Runs are separated by commas, or are what a glob stands for: files if gold is a
    file, folders if it is a folder.

    >>> runs_of(["A=a1.mrg,a2.mrg", "B=b.mrg"], "gold.mrg")
    {'A': ['a1.mrg', 'a2.mrg'], 'B': ['b.mrg']}
    >>> runs_of(["A=a1.mrg", "B=b.mrg"], "gold.mrg")
    {}
    """
    runs: dict[str, list[str]] = {}
    for name, spec in systems_of(texts):
        paths = [spec] if Path(spec).exists() else [p for p in spec.split(",") if p]
        runs[name] = [path for part in paths for path in _alone(part, gold)]
    return runs if any(len(paths) > 1 for paths in runs.values()) else {}


def _alone(path: str, gold: str) -> list[str]:
    """The runs that a glob stands for; other paths are one run, whatever is in them."""
    if Path(path).exists() or not glob.has_magic(path):
        return [path]
    paths = sorted(glob.glob(path, recursive=True))
    is_folder = Path(gold).is_dir()
    is_one = is_folder or Path(gold).is_file()  # else gold itself is many files
    runs = [run for run in paths if Path(run).is_dir() is is_folder]
    return runs if is_one and len(runs) > 1 else [path]


def _name_and_path(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if equals and name and path and not Path(text).exists():
        return name, path
    return "", text


def _last_part(path: str) -> str:
    return Path(path).name.removesuffix(".mrg") or path


def _repeated(names: Sequence[str]) -> str | None:
    """The first name that comes twice."""
    return next((name for name, n in Counter(names).items() if n > 1), None)


def files_and_numbers(
    items: Sequence[str], ids: Sequence[str] = ()
) -> tuple[list[str], set[int | str]]:
    """Arguments told apart: files, and sentence numbers or ranges (`3 7-9`).

    `ids` are what files call further sentences.

    >>> files_and_numbers(["gold.mrg", "3", "7-9"])
    (['gold.mrg'], {8, 9, 3, 7})
    """
    files = [item for item in items if not _NUMBERS.fullmatch(item)]
    numbers: set[int | str] = set(ids)
    for item in items:
        if span := _NUMBERS.fullmatch(item):
            first, last = int(span[1]), int(span[2] or span[1])
            if not 0 <= last - first < _LARGEST_RANGE:
                raise SettingsError("E820 is not a range of sentences", item=item)
            numbers.update(range(first, last + 1))
    if len(files) not in (1, 2):
        raise SettingsError(
            "E815 expected one or two files, found", count=len(files), files=files
        )
    return files, numbers


# -- settings ----------------------------------------------------------------------


def given_options(args: Namespace, *names: str) -> list[str]:
    """Which of these options have another value than their default, as people write."""
    default = args.command_parser.get_default
    given = [name for name in names if getattr(args, name) != default(name)]
    return [f"--{name.replace('_', '-')}" for name in given]


def backend_of(args: Namespace) -> Backend:
    """Where the work is done, by the options of the group "work"."""
    if args.cluster and args.jobs is not None:
        raise SettingsError("E816 --jobs is for this machine, --cluster for")
    return Backend(args.jobs, args.cluster)


def reading_options(args: Namespace, bar: ReadingBar | None = None) -> dict[str, Any]:
    """How trees are read and paired, by the options of a command that it has."""
    names = "mend field gold_field id strict encoding tags max_left_out"
    known = [name for name in names.split() if hasattr(args, name)]
    options = passed_on(args, " ".join(known))
    return {**options, "pair": args.pair, "progress": bar.add if bar else None}


def bracket_options(args: Namespace, bar: ReadingBar | None = None) -> dict[str, Any]:
    """The same, and how brackets are scored by any command that scores them."""
    return {
        **reading_options(args, bar),
        "delete_label": args.delete_label,
        "no_root": args.no_root,
        "function_separator": args.function_separator,
        "on_mismatch": args.on_mismatch,
        "backend": backend_of(args),
    }


def passed_on(args: Namespace, names: str) -> dict[str, Any]:
    """Options that a function takes by the same names, with blanks between these."""
    return {name: getattr(args, name) for name in names.split()}


def deriver_options(args: Namespace) -> dict[str, Any]:
    """How derivation trees of sentences are made, by the options of a command."""
    return {
        "patterns": args.patterns,
        "params": args.params,
        "delete_label": args.delete_label,
        "function_separator": args.function_separator,
        "warn": warner(args),
    }


def scoring_options(
    args: Namespace, bar: ReadingBar | None = None, *, on_mismatch: str | None = None
) -> ScoringOptions:
    """How trees are read, understood and paired, by the options of a command."""
    # None: the parameters of the treebank.
    params = (
        None if args.params is None else load_parameters(args.params, warn=warner(args))
    )
    options: ScoringOptions = {
        **cast("ScoringOptions", reading_options(args, bar)),
        "patterns": args.patterns,
        "params": params,
        "merge": args.merge,
        "functions": getattr(args, "functions", False),
        "function_separator": args.function_separator,
        "delete_label": args.delete_label,
        "no_root": args.no_root,
        "on_mismatch": on_mismatch or args.on_mismatch,
        "units": _units_of(getattr(args, "units", None) or ()),
    }
    if hasattr(args, "binarize"):  # the command takes discourse trees, too
        options["binarize"] = args.binarize
        options["relations"] = args.relations
        options["roots"] = args.roots
    return options


def _units_of(texts: Sequence[str]) -> str | dict[str, str] | None:
    """The documents of sentences: FILE.tsv:COLUMN, or that of each data set by name."""
    units = [_name_and_path(text) for text in texts]
    unnamed = [path for name, path in units if not name]
    if len(units) <= 1 and len(unnamed) == len(units):
        return unnamed[0] if unnamed else None
    if unnamed:
        raise SettingsError("E486 --units is given", n=len(texts), spec=unnamed[0])
    if repeated := _repeated([name for name, _ in units]):
        raise SettingsError("E813 two data sets have the same name", repeated=repeated)
    return dict(units)


# -- opening -----------------------------------------------------------------------


def input_of(args: Namespace, *specs: str) -> Input:
    """The files that arguments stand for. They are never texts, as in Python."""
    given = Input.of_paths(specs, encoding=args.encoding)
    if getattr(args, "grammar", None):
        from analyzer.formats.dialects import read_by

        read_by(args.grammar, given)
    return given


# How labels with function tags look in any treebank that has them.
_MANY = 3
_WITH_FUNCTION = re.compile(r"\([A-Z]{1,6}-[A-Z]{3}\b")


def pair_of(args: Namespace) -> tuple[Input, Input]:
    """Gold and parsed; a warning if they seem to be swapped."""
    gold, parsed = input_of(args, args.gold), input_of(args, args.parsed)
    warn(_swap_note(gold, parsed), args)
    return gold, parsed


def _swap_note(gold: Input, parsed: Input) -> list[str]:
    """That gold and parsed may be swapped, if only parsed has what parsers leave out.

    Treebanks have function tags and traces; most parsers write neither.
    """
    starts = []
    for side in (gold, parsed):
        with suppress(AnalyzerError):  # whoever reads it will tell
            starts += [side.files[0].start()] if side.files else []
    if len(starts) < 2 or not starts[0].strip():
        return []
    traces = [f"({tag} " for tag in default_labels().empty]
    in_gold, in_parsed = (
        len(_WITH_FUNCTION.findall(start)) + sum(map(start.count, traces))
        for start in starts
    )
    if in_gold or in_parsed < _MANY:
        return []
    return [
        f"only {parsed.name} has function tags or traces: are gold and parsed swapped?"
    ]


def inputs_of(
    args: Namespace, datasets: Sequence[Dataset]
) -> list[tuple[str, Input, Input]]:
    """Data sets with the files that their arguments stand for."""
    return [
        (name, input_of(args, gold), input_of(args, parsed))
        for name, gold, parsed in datasets
    ]


def read_documents(
    args: Namespace,
    spec: str,
    *,
    keep_texts: bool = True,
    jobs: int | None = 1,
    tells: bool = True,
    multinuclear: Multinuclear | None = None,
    graphs: bool = False,
) -> Documents:
    """The documents of a file or folder.

    It `tells` of those that cannot be read, and of what was read otherwise than it is
    written, where no ledger does.
    """
    from analyzer.formats.documents import read_rst
    from analyzer.pairing.ledger import reading_lines
    from analyzer.transform.documents import rooted_alone

    documents = read_rst(
        input_of(args, spec),
        strict=args.strict,
        jobs=jobs,
        keep_texts=keep_texts,
        multinuclear=multinuclear,
        graphs=graphs,
    )
    if tells:
        documents = rooted_alone(documents, args.roots)
        note(documents.problems, args)
        warn(reading_lines((-1, reading) for reading in documents.readings), args)
    return documents


def is_discourse(given: Input) -> bool:
    """Whether an argument is of discourse trees."""
    from analyzer.formats.registry import Family, family_of

    return family_of(given) is Family.DISCOURSE
