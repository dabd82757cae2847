"""More than two annotations of the same text: each pair, and all of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal, NamedTuple, Unpack

from analyzer.analyses.agreement import Agreement, agree
from analyzer.analyses.opening import ScoringOptions, TreeReading, Trees
from analyzer.exceptions import SettingsError
from analyzer.files.inputs import Input
from analyzer.metrics.kappa import CategoryPairs, krippendorff

if TYPE_CHECKING:
    import pandas as pd

CHOICES = ("label", "construction", "attachment", "tag", "function")


class PairRow(NamedTuple):
    """Two annotators: how far they agree."""

    a: str
    b: str
    brackets_f1: float | None
    f_h: float | None
    f_s: float | None
    att: float | None
    kappa_label: float | None
    kappa_construction: float | None
    kappa_tag: float | None


class AlphaRow(NamedTuple):
    """A choice: Krippendorff's alpha among all annotators."""

    choice: str
    judgements: int  # where all judge all things, their number times annotators
    alpha: float | None


@dataclass
class Annotators:
    """What `agree_all` returns."""

    names: list[str]
    pairs: dict[tuple[str, str], Agreement]

    def __repr__(self) -> str:
        return f"<Annotators: {', '.join(self.names)}>"

    @property
    def rows(self) -> list[PairRow]:
        """One row a pair of annotators."""
        rows = []
        for (a, b), one in self.pairs.items():
            kappas, total = one.kappas, one.total
            of = {name: kappa.kappa for name, kappa in kappas.items()}
            rows.append(
                PairRow(
                    a,
                    b,
                    one.scores.tally.brackets.f1,
                    total.f_h,
                    total.f_s,
                    total.att,
                    of.get("label"),
                    of.get("construction"),
                    of.get("tag"),
                )
            )
        return rows

    @property
    def alphas(self) -> list[AlphaRow]:
        """Alpha of each choice that annotators make."""
        return [row for name in CHOICES if (row := self._alpha(name)).judgements]

    def _alpha(self, name: str) -> AlphaRow:
        tables = [_choices(one, name) for one in self.pairs.values()]
        size = 2 * sum(table.total() for table in tables)
        alpha = krippendorff(tables, len(self.names))
        return AlphaRow(name, size // (len(self.names) - 1), alpha)

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=PairRow._fields)


def _choices(one: Agreement, name: str) -> CategoryPairs:
    if name == "attachment":
        together: CategoryPairs = Counter()
        for pairs in one.attachments.values():
            together.update(pairs)
        return together
    found: CategoryPairs = getattr(one, f"{name}s")
    return found


def agree_all(
    *annotations: Trees,
    names: Sequence[str] = (),
    by_characters: bool = False,
    pairing: Literal["order", "text"] = "order",
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Annotators:
    """How far three or more annotations of the same text agree.

    `names` are those of the annotators: A, B, C and so on if none are given. The
    options are those of `agree`.

    >>> one = "(S (NP (PRP I)) (VP (VBP see)))"
    >>> agree_all(one, one, one.replace("VBP", "VB")).rows[1].kappa_tag
    0.3333333333333333
    """
    if len(annotations) < 2:
        raise SettingsError("expected two or more annotations", code="E190")
    called = list(names) or [chr(ord("A") + n) for n in range(len(annotations))]
    reading = TreeReading(**options)
    given = [reading.given(one) for one in annotations]
    for one in given:
        if isinstance(one, Input):
            one.keep()  # a pipe, too, is read for each of the others
    pairs = {
        (called[i], called[j]): agree(
            given[i],
            given[j],
            by_characters=by_characters,
            pairing=pairing,
            jobs=jobs,
            **options,
        )
        for i, j in combinations(range(len(given)), 2)
    }
    return Annotators(called, pairs)
