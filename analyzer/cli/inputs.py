"""What is read, as arguments say it: specs taken apart, settings, files opened."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from analyzer.analyses.score import parsed_merges
from analyzer.cli.output import warn
from analyzer.derivation.deriver import Deriver
from analyzer.derivation.discourse import DiscourseDeriver, discourse_deriver
from analyzer.derivation.syntax import SyntaxDeriver, syntax_deriver
from analyzer.exceptions import SettingsError
from analyzer.formats.blocks import Progress
from analyzer.pairing.in_step import (
    Blocks,
    CountedTask,
    SentencePair,
    Surplus,
    open_blocks,
)
from analyzer.pairing.shards import Shards, open_input
from analyzer.pairing.sidecar import read_groups
from analyzer.runtime.executor import Backend

if TYPE_CHECKING:
    from analyzer.model.discourse import Documents


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


# The colon between two files; not that of a URL, nor the one before its port.
_BEFORE_URL = re.compile(r":(?=\w[\w+.-]*://)")
_BETWEEN_FILES = re.compile(r":(?!//|\d+/)")
_NUMBERS = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")
_LARGEST_RANGE = 1_000_000


def dataset_of(text: str) -> Dataset:
    """NAME=GOLD:PARSED, taken apart.

    >>> tuple(dataset_of("web=web.gold.mrg:web.parsed.mrg"))
    ('web', 'web.gold.mrg', 'web.parsed.mrg')
    >>> tuple(dataset_of("web=https://host:80/gold.mrg:s3://bucket/*.mrg"))
    ('web', 'https://host:80/gold.mrg', 's3://bucket/*.mrg')
    """
    name, equals, files = text.partition("=")
    colon = _BEFORE_URL.search(files) or _BETWEEN_FILES.search(files)
    gold, parsed = (files[: colon.start()], files[colon.end() :]) if colon else ("", "")
    if not (equals and name and gold and parsed):
        raise SettingsError(
            "cannot read the data set {text!r}; expected "
            "NAME=GOLD:PARSED, such as "
            "news=news.gold.mrg:news.parsed.mrg",
            code="E812",
            text=text,
        )
    return Dataset(name, gold, parsed)


def datasets_of(texts: Sequence[str]) -> list[Dataset]:
    """Data sets, each NAME=GOLD:PARSED; no name may come twice."""
    datasets = [dataset_of(text) for text in texts]
    if repeated := _repeated([one.name for one in datasets]):
        raise SettingsError(
            "two data sets have the same name: {repeated}",
            code="E813",
            repeated=repeated,
        )
    return datasets


def pair_or_datasets(texts: Sequence[str]) -> list[Dataset]:
    """Data sets; or gold and parsed of one, named by its parsed file.

    >>> pair_or_datasets(["gold.mrg", "out/parsed.mrg"])
    [Dataset(name='parsed', gold='gold.mrg', parsed='out/parsed.mrg')]
    """
    if len(texts) == 2 and not any("=" in text for text in texts):
        gold, parsed = texts
        return [Dataset(Path(parsed).stem.strip("-*?") or "parsed", gold, parsed)]
    return datasets_of(texts)


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
                "cannot read the system {path!r}; expected {expected}",
                code="E819",
                path=path,
                expected=expected,
            )
        is_alone = last_parts[_last_part(path)] == 1
        short = _last_part(path) if is_alone else path.rstrip("/")
        systems.append(NamedPath(name or short, path))
    if repeated := _repeated([one.name for one in systems]):
        raise SettingsError(
            "two systems have the same name: {repeated}; name them NAME=PATH",
            code="E814",
            repeated=repeated,
        )
    return systems


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


def files_and_numbers(items: Sequence[str]) -> tuple[list[str], set[int]]:
    """Arguments told apart: files, and sentence numbers or ranges (`3 7-9`).

    >>> files_and_numbers(["gold.mrg", "3", "7-9"])
    (['gold.mrg'], {8, 9, 3, 7})
    """
    files = [item for item in items if not _NUMBERS.fullmatch(item)]
    numbers: set[int] = set()
    for item in items:
        if found := _NUMBERS.fullmatch(item):
            first, last = int(found[1]), int(found[2] or found[1])
            if not 0 <= last - first < _LARGEST_RANGE:
                raise SettingsError(
                    "{item} is no range of sentences", code="E820", item=item
                )
            numbers.update(range(first, last + 1))
    if len(files) not in (1, 2):
        raise SettingsError(
            "one file or two, please; found {count}: {files}",
            code="E815",
            count=len(files),
            files=files,
        )
    return files, numbers


# -- settings ----------------------------------------------------------------------


def backend_of(args: argparse.Namespace) -> Backend:
    """Where the work is done, by the options of `add_work_options`."""
    if args.cluster and args.jobs is not None:
        raise SettingsError(
            "--jobs is for this machine, --cluster for others", code="E816"
        )
    checkpoint = None
    if args.checkpoint:
        from analyzer.runtime.checkpoints import Checkpoint

        checkpoint = Checkpoint(args.checkpoint, lambda text: warn([text], args))
    return Backend(args.jobs, args.cluster, checkpoint)


def groups_of(spec: str) -> list[str]:
    """The group of each sentence: FILE.tsv:COLUMN."""
    path, separator, column = spec.rpartition(":")
    if not separator or not path or not column:
        raise SettingsError(
            "cannot read --group-by {spec!r}; expected FILE.tsv:COLUMN",
            code="E817",
            spec=spec,
        )
    return read_groups(path, column)


def deriver_of(args: argparse.Namespace, spec: str) -> Deriver:
    """What derives the trees of an argument, discourse or syntax."""
    if not is_discourse(spec):
        return syntax_deriver_of(args)
    from analyzer.transform.relations import relations_name

    return discourse_deriver(
        binarize=args.binarize,
        relations=relations_name(args.relations),
        merge=parsed_merges(getattr(args, "merge", [])),
    )


def syntax_deriver_of(args: argparse.Namespace) -> SyntaxDeriver:
    return syntax_deriver(
        patterns=args.patterns,
        parameters=args.params,
        merge=parsed_merges(getattr(args, "merge", [])),
        warn=lambda message: warn([message], args),
    )


# -- opening -----------------------------------------------------------------------


def opened_pairs(
    args: argparse.Namespace,
    gold: str,
    parsed: str,
    deriver: Deriver,
    progress: Progress | None = None,
) -> tuple[Iterator[SentencePair], Callable[[], Surplus]]:
    """Gold and parsed in step, sentences or discourse trees."""
    tasks, surplus = opened_tasks(args, gold, parsed, deriver, progress)
    return (pair for task in tasks for pair in task.pairs()), surplus


def opened_pieces(
    args: argparse.Namespace,
    gold: str,
    parsed: str,
    deriver: Deriver,
    backend: Backend,
    progress: Progress | None = None,
) -> Blocks | Shards:
    """Gold and parsed as tasks, by files if the backend had better open them."""
    if isinstance(deriver, DiscourseDeriver):
        refuse_discourse(deriver, backend)
        opened = opened_tasks(args, gold, parsed, deriver, progress)
        return Blocks(*opened, (gold, parsed))
    return open_input(
        gold,
        parsed,
        # The groups are given by the numbers of sentences, which in a shard are not
        # known.
        as_shards=backend.is_for_shards and not args.group_by,
        strict=args.strict,
        encoding=args.encoding,
        progress=progress,
    )


def refuse_discourse(deriver: Deriver, backend: Backend) -> None:
    """An error if discourse trees are to be scored elsewhere."""
    if isinstance(deriver, DiscourseDeriver) and backend.is_for_shards:
        raise SettingsError(
            "discourse trees are scored in one piece: without "
            "--cluster and --checkpoint",
            code="E818",
        )


def opened_tasks(
    args: argparse.Namespace,
    gold: str,
    parsed: str,
    deriver: Deriver,
    progress: Progress | None = None,
) -> tuple[Iterator[CountedTask], Callable[[], Surplus]]:
    """Gold and parsed in blocks that can be scored anywhere."""
    if not isinstance(deriver, DiscourseDeriver):
        blocks = open_blocks(
            gold,
            parsed,
            strict=args.strict,
            encoding=args.encoding,
            progress=progress,
        )
        return blocks.tasks, lambda: blocks.surplus
    from analyzer.analyses.rst_results import RstSettings
    from analyzer.pairing.by_name import document_pairs
    from analyzer.transform.relations import load_relations

    found = document_pairs(
        read_documents(args, gold),
        read_documents(args, parsed),
        RstSettings(
            binarize=args.binarize,
            relations=args.relations,
            relation_map=load_relations(args.relations),
        ),
    )
    warn([f"{one.document}: {one.reason}" for one in found.left_out], args)
    return iter([found.pair]), lambda: Surplus(0, 0)


def read_documents(
    args: argparse.Namespace,
    spec: str,
    *,
    keep_texts: bool = True,
    jobs: int | None = 1,
) -> Documents:
    """The documents of a file or folder; those that cannot be read are told of."""
    from analyzer.formats.documents import read_rst

    documents = read_rst(
        spec,
        encoding=args.encoding,
        strict=args.strict,
        jobs=jobs,
        keep_texts=keep_texts,
    )
    warn(documents.problems, args)
    return documents


def is_discourse(spec: str) -> bool:
    """Whether an argument is of discourse trees."""
    from analyzer.formats.registry import Family, family_of

    return family_of(spec) is Family.DISCOURSE
