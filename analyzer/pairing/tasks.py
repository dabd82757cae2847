"""Two inputs as tasks to score: blocks that this process cuts, or pairs of files.

Gold and parsed are read in step: files, folders whose files are paired by name, trees
in memory. When they are files of the same names, or equally many, and a cluster shares
the work, a pair of files is a task: a shard, which a worker opens itself. The outcome
is that of one reader who goes through all pairs: sentences are numbered through, and
what blank lines mean is decided on the first files. The two files of a shard must hold
equally many sentences. If not, those that both have are scored, and an error names the
shard.
"""

from __future__ import annotations

import copy
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    InputWarning,
    PairingError,
    Place,
    SettingsError,
)
from analyzer.files.inputs import TREE_ENDINGS, Input, InputFile, Origin, UnreadFile
from analyzer.files.small_files import read_lines
from analyzer.files.sources import STDIN
from analyzer.files.urls import is_url
from analyzer.formats.blocks import NO_FIELDS
from analyzer.formats.reading import (
    Pairing,
    ReadOptions,
    Tags,
    TreeReader,
    Trees,
    tree_files,
    trees_by_file,
)
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import (
    NO_SUMMARY,
    CountedTask,
    Found,
    Pair,
    PairReader,
    PairTask,
    Part,
    Result,
    TaskAround,
    TaskSummary,
    UnreadPair,
    blank_line_policies,
    likely_policies,
    trees_left,
)
from analyzer.pairing.ledger import NOTHING_LEFT_OVER, Ledger, LeftOut, Reason, Surplus
from analyzer.runtime.executor import Backend, run_tasks
from analyzer.transform.pruning import without_nontext

_MAGIC = re.compile(r"[*?[]")
_PACKED = frozenset({".gz", ".bz2", ".xz"})


class Blocks:
    """The input cut into blocks by this process."""

    def __init__(
        self,
        tasks: Iterator[CountedTask],
        names: tuple[str, str],
        left_over: Callable[[], Ledger] = Ledger,  # known once all tasks are read
        unread: Sequence[Sequence[UnreadFile]] = (),
    ) -> None:
        self.tasks = tasks
        self._left_over = left_over
        self.names = names
        self._unread = unread
        self.how = NOTHING_LEFT_OVER  # it was read, if not as usual

    def counts(
        self, work: Callable[[PairTask], Result], backend: Backend
    ) -> Iterator[Result]:
        """What the work counts in each block, in order."""
        return run_tasks(work, self.tasks, backend=backend)

    def pairs(self) -> Iterator[Pair]:
        """Gold and parsed in step, read here."""
        return (pair for task in self.tasks for pair in task.pairs())

    @property
    def unread(self) -> list[UnreadFile]:
        """The files of gold and parsed that were not read, so far."""
        return [file for side in self._unread for file in side]

    def ledger(self) -> Ledger:
        """What no block tells: sentences that one side has more, files not read."""
        return self._left_over() + of_files(self.unread) + self.how


def open_blocks(gold: Trees, parsed: Trees, options: ReadOptions) -> Blocks:
    """Gold and parsed in step, in blocks that can be read and scored anywhere."""
    labels = options.labels
    opened = options.open(gold), options.open(parsed)
    names = name_of(opened[0]), name_of(opened[1])
    first, second = opened
    if isinstance(first, Treebank) and isinstance(second, Treebank):
        count = min(len(first), len(second))
        surplus = Surplus(len(first) - count, len(second) - count)
        pair = Pair(first[:count], second[:count], 1)
        if labels is not None:
            gold_text = without_nontext(pair.gold, labels)
            pair = Pair(gold_text, without_nontext(pair.parsed, labels), 1)
        return Blocks(iter([pair]), names, lambda: surplus.ledger(*names))
    if names == (STDIN, STDIN):
        raise SettingsError("E522 standard input")

    unread = [side.unread for side in opened if isinstance(side, Input)]
    if isinstance(first, Input) and isinstance(second, Input):
        # Others are told of, and no longer among these.
        _ = options.for_gold.files(first), options.files(second)
        if files := paired_files(first, second):
            by_file = _FilePairs(files, first, second, options)
            return Blocks(by_file.blocks(), names, lambda: by_file.left_over, unread)
    readers = TreeReader(first, options.for_gold), TreeReader(second, options)
    both = PairReader(*readers, by_line=options.by_line)
    return Blocks(both.blocks(), names, lambda: both.surplus.ledger(*names), unread)


class _FilePairs:
    """Gold and parsed as pairs of files of the same name, sentences numbered through.

    What blank lines mean is decided on the first files.
    """

    def __init__(
        self, files: PairedFiles, gold: Input, parsed: Input, options: ReadOptions
    ) -> None:
        self._files = files
        self._gold, self._parsed = gold, parsed
        self._options = options
        self.left_over = NOTHING_LEFT_OVER  # known once all blocks are taken

    def blocks(self) -> Iterator[UnreadPair]:
        blanks: tuple[bool, bool] | None = None
        before = 0
        for gold, parsed in self._files.pairs:
            options = self._options
            sides = (
                TreeReader(self._gold.alone(gold), options.for_gold),
                TreeReader(self._parsed.alone(parsed), options),
            )
            for side in sides:
                side.sentences = before
            pair = PairReader(*sides, blanks, by_line=options.by_line)
            yield from pair.blocks()
            blanks = sides[0].keep_blank_lines, sides[1].keep_blank_lines
            before = sides[0].sentences
            self.left_over += pair.surplus.ledger(gold.name, parsed.name)
        self.left_over += _without_partner(
            self._files, self._gold, self._parsed, self._options
        )


def _without_partner(
    files: PairedFiles, gold: Input, parsed: Input, options: ReadOptions
) -> Ledger:
    """The ledger of files that the other side has not; their trees are counted."""
    ledger = NOTHING_LEFT_OVER
    for in_gold, side, other, alone in (
        (True, gold, parsed, files.only_gold),
        (False, parsed, gold, files.only_parsed),
    ):
        reason = Reason.ONLY_GOLD if in_gold else Reason.ONLY_PARSED
        for file in alone:
            error = PairingError(
                "E416 has no file of this name", Place(file.name), other=other.name
            )
            how = options.for_gold if in_gold else options
            reader = TreeReader(side.alone(file), how)
            trees = trees_left(reader)
            name = os.path.basename(file.name)
            item = LeftOut(
                0, reason, error, document=name, trees=trees, in_gold=in_gold
            )
            ledger += Ledger(
                gold=trees * in_gold, parsed=trees * (not in_gold), items=(item,)
            )
    return ledger


def name_of(trees: Input | Treebank) -> str:
    """What to call them in a message."""
    return trees.name if isinstance(trees, Input) else trees.source


def of_files(unread: Iterable[UnreadFile]) -> Ledger:
    """The ledger of files that could not be read; nobody knows what was in them."""
    items = (
        LeftOut(0, Reason.UNREADABLE, file.error, in_gold=False)
        for file in unread
        if file.is_loss
    )
    return Ledger(items=tuple(items))


# -- the files of two folders beside each other: by their names ------------------------
#
# Sentences are paired in order, so a file that one folder lacks would set all that
# follow beside others. Files of the same name go together, then; what has no partner is
# named.


class PairedFiles(NamedTuple):
    """Files that go together, in gold's order, and those without partner."""

    pairs: list[tuple[InputFile, InputFile]]
    only_gold: list[InputFile]
    only_parsed: list[InputFile]


def paired_files(gold: Input, parsed: Input) -> PairedFiles | None:
    """The files of two folders, or globs, by name; None if no name is on both sides.

    Names are compared with their endings, without those of tree files (`a.mrg` and
    `a.parse`), and up to their first dot (`a.gold.mrg` and `a.out.mrg`): in the way
    that pairs most files and never makes two names of a side one.
    """
    if not all(side.origin in (Origin.FOLDER, Origin.GLOB) for side in (gold, parsed)):
        return None
    names = _names(gold), _names(parsed)
    candidates: list[list[tuple[int, int]]] = []
    for shortened in (str, _without_endings, _up_to_first_dot):
        places = [_places(side, shortened) for side in names]
        if places[0] is not None and places[1] is not None:
            others = places[1]
            candidates.append(
                [(at, others[n]) for n, at in places[0].items() if n in others]
            )
    pairs = max(candidates, key=len, default=[])
    if not pairs:
        return None
    of_gold, of_parsed = {at for at, _ in pairs}, {at for _, at in pairs}
    return PairedFiles(
        [(gold.files[left], parsed.files[right]) for left, right in pairs],
        [file for at, file in enumerate(gold.files) if at not in of_gold],
        [file for at, file in enumerate(parsed.files) if at not in of_parsed],
    )


def _names(side: Input) -> list[str]:
    """The files' names, from the folder on that all are in."""
    top = side.name
    if side.origin is Origin.GLOB:  # the folders before the first `*`
        top = _MAGIC.split(top)[0].rpartition("/")[0]
    folder = os.path.join(top, "") if top else ""
    names = [file.name for file in side.files]
    if not all(name.startswith(folder) for name in names):  # URLs may be rewritten
        return [os.path.basename(name) for name in names]
    return [name.removeprefix(folder) for name in names]


def _places(
    names: Sequence[str], shortened: Callable[[str], str]
) -> dict[str, int] | None:
    """Where each name stands; None if two are the same."""
    places = {shortened(name): at for at, name in enumerate(names)}
    return places if len(places) == len(names) else None


def _without_endings(name: str) -> str:
    """A name without what says which kind of file it is.

    >>> _without_endings("00/wsj_0001.mrg.gz")
    '00/wsj_0001'
    """
    stem, ending = os.path.splitext(name)
    if ending.lower() in TREE_ENDINGS | _PACKED:
        return _without_endings(stem)
    return name


def _up_to_first_dot(name: str) -> str:
    folder, last = os.path.split(name)
    return os.path.join(folder, last.partition(".")[0])


# -- shards ----------------------------------------------------------------------------


@dataclass
class ShardPair:
    """Two files that are read where they are scored."""

    gold: str
    parsed: str
    keep_blank_lines: tuple[bool, bool]
    options: ReadOptions
    summary: TaskSummary = field(default=NO_SUMMARY, init=False)

    def pairs(self) -> Iterator[Pair]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InputWarning)
            reader = PairReader(
                self._reader(self.gold),
                self._reader(self.parsed),
                self.keep_blank_lines,
                by_line=self.options.by_line,
            )
            for block in reader.blocks():
                yield from block.pairs()
        notes: list[tuple[str, str]] = []
        for warning in caught:
            if isinstance(warning.message, InputWarning):
                notes.append((warning.message.source, warning.message.note))
            else:
                warnings.warn_explicit(
                    warning.message, warning.category, warning.filename, warning.lineno
                )
        self.summary = TaskSummary(reader.surplus, tuple(notes))

    def _reader(self, path: str) -> TreeReader:
        if not is_url(path) and not os.path.isfile(path):
            import socket

            raise InputError(
                "E128 no such file on", Place(path), socket=socket.gethostname()
            )
        given = Input.of_path(path, encoding=self.options.encoding)
        return TreeReader(given, self.options, is_continued=True)


class Shards:
    """The input as pairs of files."""

    def __init__(
        self,
        paths: Sequence[tuple[str, str]],
        options: ReadOptions,
        *,
        unread: list[UnreadFile],
        names: tuple[str, str],
        left_over: Ledger = NOTHING_LEFT_OVER,
    ) -> None:
        self._paths = paths
        self._options = options
        self.unread = unread
        self.names = names
        self._keep_blank_lines = _keep_blank_lines(*paths[0], options)
        self._left_over = left_over
        self.how = NOTHING_LEFT_OVER  # it was read, if not as usual

    def counts(
        self, work: Callable[[PairTask], Part[Found]], backend: Backend
    ) -> Iterator[Part[Found]]:
        """The counts of each shard, its sentences numbered as those of the whole."""
        parts = run_tasks(work, self._tasks(), backend=backend)
        before = 0
        for names in self._paths:
            try:
                part = next(parts)
            except AnalyzerError as error:
                raise _of_all(error, names, before) from error
            items = tuple(
                item._replace(
                    sentence=item.sentence + before,
                    error=_of_all(item.error, names, before),
                )
                for item in part.ledger.items
            )
            before += part.ledger.gold
            self._left_over += part.summary.surplus.ledger(*names)
            given = {_from_anywhere(name): name for name in names}
            for source, note in part.summary.warnings:
                warning = InputWarning(given.get(source, source), note)
                warnings.warn(warning, stacklevel=2)
            if self._options.progress:
                self._options.progress(sum(map(_size, names)))
            yield part._replace(ledger=replace(part.ledger, items=items))
        next(parts, None)  # to its end

    def _tasks(self) -> Iterator[ShardPair]:
        # A function that tells this process how far it is need not travel.
        options = self._options._replace(progress=None)
        for gold, parsed in self._paths:
            yield ShardPair(
                _from_anywhere(gold),
                _from_anywhere(parsed),
                self._keep_blank_lines,
                options,
            )

    def ledger(self) -> Ledger:
        """What no shard's counts tell: sentences that one of two files has more,
        and files that were not read."""
        return self._left_over + of_files(self.unread) + self.how


def open_input(
    gold: Trees, parsed: Trees, options: ReadOptions, *, as_shards: bool = False
) -> Blocks | Shards:
    """Gold and parsed as tasks; files as shards if that is asked for and fits."""
    first, second = options.open(gold), options.open(parsed)
    if options.tags is not Tags.OWN:
        from analyzer.pairing.tags import TaggedTask  # few runs do

        opened = open_input(first, second, options._replace(tags=Tags.OWN))
        assert isinstance(opened, Blocks)
        tasks = opened.tasks
        opened.tasks = (
            TaggedTask(task, options.tags, options.labels) for task in tasks
        )
        opened.how += Ledger(tags=options.tags)
        return opened
    opened = _open(first, second, options, as_shards=as_shards)
    opened.how = Ledger(reading=options.settings(first, second))
    return opened


def _open(
    first: Input | Treebank,
    second: Input | Treebank,
    options: ReadOptions,
    *,
    as_shards: bool,
) -> Blocks | Shards:
    if options.pairing.is_over_one_text:
        return _blocks_over_one_text(first, second, options)
    if options.pairing is not Pairing.ORDER:
        return _blocks_by_name(first, second, options)
    shards = None
    if as_shards and not options.mend and options.fields == NO_FIELDS:
        shards = _shards(first, second, options)
    return shards or open_blocks(first, second, options)


def _blocks_by_name(
    gold: Input | Treebank, parsed: Input | Treebank, options: ReadOptions
) -> Blocks:
    """All sentences of gold beside those of the same text or id; both are read."""
    from analyzer.pairing.same_text import pairs_by_id, pairs_by_text  # few runs do

    by_name = pairs_by_id if options.pairing is Pairing.ID else pairs_by_text
    pairs, left_over = by_name(
        trees_by_file(gold, options.for_gold), trees_by_file(parsed, options)
    )
    unread = [side.unread for side in (gold, parsed) if isinstance(side, Input)]
    names = name_of(gold), name_of(parsed)
    return Blocks(iter(pairs), names, lambda: left_over, unread)


def _blocks_over_one_text(
    gold: Input | Treebank, parsed: Input | Treebank, options: ReadOptions
) -> Blocks:
    """All sentences of gold, by the places of words in the text of both sides.

    Files of the same name have one text; if there are none, each side has.
    """
    from analyzer.pairing.jp_evalb import placed_as_jp_evalb  # few runs do
    from analyzer.pairing.one_text import pairs_over_one_text, placed

    is_characters = options.pairing is Pairing.CHARACTERS
    place = placed if is_characters else placed_as_jp_evalb
    texts: list[tuple[Input | Treebank, Input | Treebank]] = [(gold, parsed)]
    ledger, first, pairs = NOTHING_LEFT_OVER, 1, []
    unread = [side.unread for side in (gold, parsed) if isinstance(side, Input)]
    if isinstance(gold, Input) and isinstance(parsed, Input):
        # Others are told of, and no longer among these.
        _ = options.for_gold.files(gold), options.files(parsed)
        if files := paired_files(gold, parsed):
            texts = [(gold.alone(a), parsed.alone(b)) for a, b in files.pairs]
            ledger = _without_partner(files, gold, parsed, options)
    for text in texts:
        gold_trees = Treebank.join(trees_by_file(text[0], options.for_gold))
        parsed_trees = Treebank.join(trees_by_file(text[1], options))
        text_pairs, left_over = pairs_over_one_text(
            gold_trees,
            parsed_trees,
            place(gold_trees, parsed_trees),
            options.pairing,
            first,
        )
        pairs += text_pairs
        first += len(gold_trees)
        ledger += left_over
    names = name_of(gold), name_of(parsed)
    return Blocks(iter(pairs), names, lambda: ledger, unread)


def _shards(
    gold: Input | Treebank, parsed: Input | Treebank, options: ReadOptions
) -> Shards | None:
    """Equally many files on both sides that anybody can open; or None."""
    if isinstance(gold, Treebank) or isinstance(parsed, Treebank):
        return None
    if gold.grammar or parsed.grammar:  # a file that workers may not have
        return None
    sides = [tree_files(side) for side in (gold, parsed)]
    if named := paired_files(gold, parsed):
        sides = [list(side) for side in zip(*named.pairs, strict=True)]
    paths = [[file.path for file in side] for side in sides]
    files, others = ([path for path in side if path] for side in paths)
    if not len(files) == len(others) == len(paths[0]) == len(paths[1]) > 1:
        return None
    left_over = NOTHING_LEFT_OVER
    if named:
        left_over = _without_partner(named, gold, parsed, ReadOptions())
    return Shards(
        list(zip(files, others, strict=True)),
        options,
        unread=[*gold.unread, *parsed.unread],
        names=(gold.name, parsed.name),
        left_over=left_over,
    )


def _keep_blank_lines(
    gold: str, parsed: str, options: ReadOptions
) -> tuple[bool, bool]:
    """What blank lines mean, from the first files."""
    readers = [
        TreeReader(Input.of_path(path, encoding=options.encoding))
        for path in (gold, parsed)
    ]
    with closing(readers[0]), closing(readers[1]), warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # its shard will tell
        policies = likely_policies if options.by_line else blank_line_policies
        return policies(*readers)


def _from_anywhere(path: str) -> str:
    """A name that means the same to workers that were started elsewhere."""
    return path if is_url(path) else os.path.abspath(path)


def _of_all(error: AnalyzerError, names: Sequence[str], before: int) -> AnalyzerError:
    """An error of a shard as one of the whole input: files by the names given."""
    place = error.place
    if place is None:
        return error
    given = {_from_anywhere(name): name for name in names}
    moved = copy.copy(error)
    moved.place = replace(
        place,
        source=given.get(place.source or "", place.source),
        sentence=None if place.sentence is None else place.sentence + before,
    )
    return moved


def _size(path: str) -> int:
    with suppress(OSError):
        return os.path.getsize(path)
    return 0


# -- one data set as several: sentences grouped by a column of a file ------------------


@dataclass(frozen=True)
class GroupedTask(TaskAround):
    """A task, and the group of each of its sentences, which its pairs then know."""

    groups: Sequence[str]
    known_as: str = "groups"  # or "units": the field of a pair

    def pairs(self) -> Iterator[Pair]:
        start = 0
        for pair in self.task.pairs():
            end = start + len(pair.gold)
            names: dict[str, Any] = {self.known_as: self.groups[start:end]}
            yield pair._replace(**names)
            start = end


def by_group(pair: Pair) -> Iterator[tuple[str, Pair]]:
    """A block cut where the group of its sentences changes: groups and parts."""
    groups = pair.groups or [""] * pair.sentences
    if not groups:
        return
    starts = [at for at in range(len(groups)) if not at or groups[at - 1] != groups[at]]
    for start, end in zip(starts, [*starts[1:], len(groups)], strict=True):
        known = {tree - start: why for tree, why in pair.known.items() if tree >= start}
        part = Pair(
            pair.gold[start:end],
            pair.parsed[start:end],
            pair.first_sentence + start,
            known,
            places=pair.places and pair.places[start:end],
            once=pair.once,
            units=pair.units and pair.units[start:end],
        )
        yield groups[start], pair if len(groups) == end - start else part


def group_tasks(
    tasks: Iterable[CountedTask], groups: Sequence[str], known_as: str = "groups"
) -> Iterator[CountedTask]:
    """Tasks with the groups of their sentences; there must be as many of both."""
    start = 0
    for task in tasks:
        names = groups[start : start + task.sentences]
        start += task.sentences
        if len(names) < task.sentences:
            raise SettingsError("E505 the", noun=known_as, n=len(groups))
        yield GroupedTask(task, names, known_as)
    if start < len(groups):
        raise SettingsError("E504 the", noun=known_as, n=len(groups), start=start)


def groups_of(
    given: str | Sequence[str] | None, datasets: int, option: str = "--group-by"
) -> Sequence[str] | None:
    """The group of each sentence, if asked for: as they are, or FILE.tsv:COLUMN.

    Only of one data set can several be made.
    """
    if given is not None and datasets > 1:
        raise SettingsError("E807 --group-by makes data sets of one pair of")
    return _column(given, option) if isinstance(given, str) else given


def _column(spec: str, option: str) -> list[str]:
    path, separator, column = spec.rpartition(":")
    if not separator or not path or not column:
        raise SettingsError("E817 cannot read", option=option, spec=spec)
    return read_groups(path, column)


def read_groups(path: str, column: str) -> list[str]:
    """A column of a tab-separated sidecar file, one line a sentence.

    The first line names the columns. If there is a column `line`, the sentences are
    put in its order.
    """
    rows = [line.split("\t") for line in read_lines(path) if line.strip()]
    if not rows:
        raise InputError("E130 is empty", Place(path, 1))
    header = rows[0]
    if column not in header:
        names = ", ".join(header)
        raise InputError("E131 there are", Place(path, 1), column=column, names=names)
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(header):
            raise InputError(
                "E133 fields, expected",
                Place(path, number),
                count=len(row),
                count_2=len(header),
            )
    values = [row[header.index(column)] for row in rows[1:]]
    if "line" not in header:
        return values
    numbers = [row[header.index("line")] for row in rows[1:]]
    if sorted(numbers, key=lambda n: (len(n), n)) != [
        str(n) for n in range(1, len(numbers) + 1)
    ]:
        raise InputError(
            "E132 the column 'line' does not count from 1 to",
            Place(path, 2),
            count=len(numbers),
        )
    by_number = {int(n): value for n, value in zip(numbers, values, strict=True)}
    return [by_number[n] for n in range(1, len(values) + 1)]
