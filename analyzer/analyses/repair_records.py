"""What `repairs` finds, as values: errors, sentences, counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from analyzer.editing.mending import Sentence
from analyzer.editing.search import Edit
from analyzer.model.settings import Choice
from analyzer.pairing.in_step import NOTHING_MORE, Ending
from analyzer.pairing.ledger import Ledger, LeftOut

NO_EDIT = 0  # the step of an error that none mends


class Classifier(Choice):
    """Whose rules say what kind of error an edit is, and how trees are prepared."""

    KUMMERFELD = "kummerfeld"
    SPINAL = "spinal"

    @classmethod
    def what(cls) -> str:
        return "classifier"


class Status(Choice):
    """What became of a sentence."""

    OK = "ok"
    REFUSED = "refused"  # it cannot be compared with gold
    NO_PATH = "no_path_found"  # more edits are needed than may be made

    @classmethod
    def what(cls) -> str:
        return "status"


class Touched(NamedTuple):
    """What an edit is about, by our classifier: a construction as `score` names it."""

    construction: str = ""
    head: str = ""  # the word that heads it
    governor: str = ""  # the phrase that it stands in, in gold if gold has it


class Repair(NamedTuple):
    """One error of a sentence."""

    step: int  # from 1
    error_type: str
    edit: Edit
    touched: Touched


class HeadError(NamedTuple):
    """A construction that F-h misses, or that only the parse has, and its edit."""

    construction: str
    is_missing: bool
    step: int  # from 1; NO_EDIT


class BracketError(NamedTuple):
    """A wrong or missing bracket, and the step that mends it."""

    construction: str
    is_missing: bool
    step: int


class RepairedSentence(NamedTuple):
    """A sentence, its errors, and the trees as they were compared."""

    sentence: int
    status: Status
    words: int
    errors: int  # wrong and missing brackets
    repairs: list[Repair]
    text: tuple[str, ...] = ()  # its words, if it has errors
    trees: Sentence | None = None  # if they were asked for
    brackets: tuple[BracketError, ...] = ()  # by our classifier, if kept
    heads: tuple[HeadError, ...] = ()
    id: str = ""  # what the file calls it


class TypeCounts(NamedTuple):
    """How often a type occurs, and how many bracket errors that makes."""

    errors: int = 0
    nodes: int = 0

    def plus(self, other: TypeCounts) -> TypeCounts:
        return TypeCounts(self.errors + other.errors, self.nodes + other.nodes)


class RepairCounts(NamedTuple):
    """What is found in a task."""

    types: dict[str, TypeCounts]
    ledger: Ledger
    sentences: int  # how many the task has
    kept: list[RepairedSentence]  # if they were asked for; numbered from the task's
    ending: Ending = NOTHING_MORE

    def change(self, item: Callable[[LeftOut], LeftOut]) -> RepairCounts:
        """The counts, with each item of their ledger changed."""
        return self._replace(ledger=self.ledger.change(item))
