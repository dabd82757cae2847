"""The checks that there are: each is a function that declares its code.

    @check("S101", "a phrase without words", kind="shape")
    def phrases_without_words(nodes: Nodes) -> Iterator[Suspect]: ...

What stands in the declaration is all that the rest of the product knows of a check:
which of them `--kind` and `--select` choose, what the code means, how its evidence is
weighed, and what else explains it. A function that finds several things has several
codes, and stands below several declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

ERROR, WARNING, INFO = "error", "warning", "info"
LEVELS = (ERROR, WARNING, INFO)  # gravest first
INVENTORY, DISCOURSE, PARSED = "inventory", "discourse", "parsed"
# Kinds in the order in which people read of them; those that others add come last.
_ORDER = (
    *(
        "shape",
        "pattern",
        "variation",
        "derivation",
        "tag",
        "model",
        "function",
        PARSED,
    ),
    *(INVENTORY, DISCOURSE),
)
# What the function of a check is given, and what it returns; see `run`.
NODES = "the words and phrases of a treebank -> suspects"
ROWS = "the labels of a treebank -> suspects"
RECURRING = "a treebank -> what suspects words that recur"
DOCUMENT = "a document and an inventory of relations -> findings"
COLLECTION = "all documents -> findings"

CHECKS: dict[str, Check] = {}
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(eq=False)
class Check:
    """What a code means, and how to find it; `check` is this class as a decorator.

    The chance that a suspect is an error is a logistic function of its evidence. What
    the pieces of it are called is said here, and `calibration` has a weight for each;
    a check that it does not know has `weights` of its own: a constant, and one for each
    piece. Without any, the function says the chance itself.
    """

    code: str
    text: str
    kind: str
    given: str = NODES
    level: str | None = None  # of its findings; None: from their confidence
    evidence: str = ""  # the names of its pieces, in their order
    weights: tuple[float, ...] = ()
    explained_by_tag: bool = False  # no finding of its own where a tag is wrong
    cost: int = 0  # the dearest checks are begun first, others are done beside them
    errors: str = ""  # the codes of errors of reading that say the same
    is_without_chance: bool = False  # a level and what supports it are all that is said
    function: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        # A cell of a notebook may be run again.
        known = CHECKS.get(self.code, self)
        if (known.text, known.kind) != (self.text, self.kind):
            raise ValueError(f"there is another check {self.code}: {known.text}")
        CHECKS[self.code] = self

    def __call__(self, function: Function) -> Function:
        self.function = function
        return function


check = Check


def checks_of(kinds: Collection[str]) -> list[Check]:
    """The checks of some kinds, in the order of the documentation.

    >>> from analyzer.checks import inventory, run
    >>> [one.code for one in checks_of(["tag", "inventory"])]
    ['T501', 'T502', 'P101', 'P102', 'P103', 'P104']
    """
    order = _all_kinds()
    chosen = [entry for entry in CHECKS.values() if entry.kind in kinds]
    return sorted(chosen, key=lambda entry: (order.index(entry.kind), entry.code))


def _all_kinds() -> list[str]:
    return list(dict.fromkeys([*_ORDER, *(entry.kind for entry in CHECKS.values())]))


class _Kinds(Collection[str]):
    """The kinds of checks on sentences that there are at the time."""

    def __iter__(self) -> Iterator[str]:
        return (k for k in _all_kinds() if k not in (INVENTORY, DISCOURSE))

    def __contains__(self, kind: object) -> bool:
        return any(kind == name for name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


KINDS = _Kinds()
