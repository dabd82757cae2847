"""Scores of function tags: what `score(…, functions=True)` adds to its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.analyses.compared import frame_of
from analyzer.exceptions import SettingsError
from analyzer.metrics.counts import plus, total_of
from analyzer.metrics.functions import FunctionTally, LevelTally, TagCounts
from analyzer.metrics.measures import TOTAL, Measure, Row, row_type
from analyzer.metrics.ratios import f_score, ratio
from analyzer.transform.function_tags import FunctionTags

if TYPE_CHECKING:
    import pandas as pd

# As Blaheta and Charniak (2000): F-fn is over the tags of matched brackets, end-to-end
# F over all.
F_FN = Measure("f_fn", "2 matched", "gold_on_matched + parsed_on_matched", "F-fn")
END_TO_END_F = Measure("end_to_end_f", "2 matched", "gold + parsed", "end-to-end F")
EXACT_SET = Measure("exact_set", "exact", "brackets_matched", "exact set")
STRICT_F = Measure("strict_f", "2 exact", "brackets_gold + brackets_parsed", "strict F")
MEASURES = (
    Measure("precision", "matched", "parsed_on_matched", "P-fn"),
    Measure("recall", "matched", "gold_on_matched", "R-fn"),
    F_FN,
)
# A function tag, or several together: `gold` and `parsed` are all there are,
# `…_on_matched` those on brackets that both sides have; `matched` are right there.
TagRow = row_type(
    *("TagRow", "tag", *TagCounts._fields),
    *(measure.name for measure in (*MEASURES, END_TO_END_F)),
    module=__name__,
)
# A function tag on the F-s matches of a construction.
ConstructionTagRow = row_type(
    *("ConstructionTagRow", "construction", "tag", "gold", "parsed", "matched"),
    *(measure.name for measure in MEASURES),
    module=__name__,
)


def tag_row(tag: str, counts: TagCounts) -> Row:
    """The ratios of a tag; None where undefined."""
    measures = (*MEASURES, END_TO_END_F)
    return TagRow(tag, *counts, *(measure.of(counts) for measure in measures))


class TagConfusion(NamedTuple):
    """What gold has, what the parser has instead; NONE for nothing."""

    gold: str
    parsed: str
    times: int


@dataclass(frozen=True)
class LevelScores:
    """The function tags of brackets, or of words."""

    tally: LevelTally
    tags: FunctionTags

    def __repr__(self) -> str:
        shown = "undefined" if self.f_fn is None else f"{100 * self.f_fn:.1f}"
        return f"<LevelScores: F-fn {shown}, {self.matched:,} matched>"

    @property
    def matched(self) -> int:
        """Brackets that evalb matches; words whose tags agree."""
        return self.tally.brackets.matched

    @property
    def exact_set(self) -> float | None:
        """Of the matched ones, the share with equal sets of tags, empty ones too."""
        return ratio(self.tally.exact, self.matched)

    @property
    def f_fn(self) -> float | None:
        """F over tags, on matched brackets alone (Blaheta and Charniak 2000)."""
        return F_FN.of(self.tally.total)

    @property
    def end_to_end_f(self) -> float | None:
        """F over all tags of both sides: right where the bracket is found, too."""
        return END_TO_END_F.of(self.tally.total)

    @property
    def strict_f(self) -> float | None:
        """F over brackets, the set of tags in their key."""
        counts = self.tally.brackets
        return f_score(self.tally.exact, counts.gold, counts.parsed)

    @property
    def rows(self) -> list[Row]:
        """One row a tag, most frequent in gold first."""
        counts = self.tally.tags
        names = sorted(counts, key=lambda n: (-counts[n].gold, -counts[n].parsed, n))
        return [tag_row(name, counts[name]) for name in names]

    @property
    def total(self) -> Row:
        """All tags together."""
        return tag_row(TOTAL, self.tally.total)

    @property
    def groups(self) -> list[Row]:
        """One row a group of tags, as the label set has them; then all others."""
        sums: dict[str, TagCounts] = {name: TagCounts() for name, _ in self.tags.groups}
        for tag, counts in self.tally.tags.items():
            group = self.tags.group_of.get(tag, "other")
            sums[group] = plus(sums.get(group, TagCounts()), counts)
        rows = [tag_row(name, counts) for name, counts in sums.items()]
        return [row for row in rows if row.gold or row.parsed] if sums else []

    @property
    def confusions(self) -> list[TagConfusion]:
        """Tags of matched ones that are wrong, most frequent first."""
        rows = [
            TagConfusion(gold, parsed, count)
            for gold, beside in self.tally.confusions.items()
            for parsed, count in beside.items()
        ]
        return sorted(rows, key=lambda row: (-row.times, row.gold, row.parsed))

    def frame(self) -> pd.DataFrame:
        """The rows and the total as a DataFrame, indexed by tag."""
        return frame_of([*self.rows, self.total], self.total._fields, "tag")

    def as_json(self) -> dict[str, Any]:
        """What programs rely on; see docs/json.md."""
        return {
            "matched": self.matched,
            "gold": self.tally.brackets.gold,
            "parsed": self.tally.brackets.parsed,
            "exact": self.tally.exact,
            "f_fn": self.f_fn,
            "exact_set": self.exact_set,
            "strict_f": self.strict_f,
            "end_to_end_f": self.end_to_end_f,
            "total": self.total._asdict(),
            "tags": [row._asdict() for row in self.rows],
            "groups": [row._asdict() for row in self.groups],
            "confusions": [
                {"gold": gold, "parsed": parsed, "count": times}
                for gold, parsed, times in self.confusions
            ],
        }


@dataclass(frozen=True)
class FunctionScores(LevelScores):
    """The function tags of brackets; beside them those of words."""

    words: LevelScores | None  # None where no word of either side has any
    by_construction: Mapping[str, Mapping[str, TagCounts]]  # on F-s matches

    @classmethod
    def from_tally(cls, counts: FunctionTally, tags: FunctionTags) -> FunctionScores:
        words = LevelScores(counts.words, tags) if counts.words.tags else None
        return cls(counts.phrases, tags, words, counts.constructions)

    def __repr__(self) -> str:
        return super().__repr__().replace("LevelScores", "FunctionScores")

    @property
    def construction_rows(self) -> list[Row]:
        """A row a construction and tag, most frequent in gold first."""
        rows = [
            ConstructionTagRow(
                name,
                tag,
                counts.gold_on_matched,
                counts.parsed_on_matched,
                counts.matched,
                *(measure.of(counts) for measure in MEASURES),
            )
            for name, tags in self.by_construction.items()
            for tag, counts in tags.items()
        ]
        return sorted(rows, key=lambda row: (-row.gold, -row.parsed, row[:2]))

    def construction_frame(self) -> pd.DataFrame:
        """Constructions and their tags as a DataFrame."""
        names = ("construction", "tag", "gold", "parsed", "matched")
        columns = (*names, *(measure.name for measure in MEASURES))
        return frame_of(self.construction_rows, columns)

    def as_json(self) -> dict[str, Any]:
        return {
            **super().as_json(),
            "constructions": [row._asdict() for row in self.construction_rows],
            "words": self.words.as_json() if self.words else None,
        }

    @staticmethod
    def require_tags_of(
        tallies: Iterable[FunctionTally | None], tags: FunctionTags | None
    ) -> None:
        """SettingsError if one side has no function tags in all of these together."""
        counts = [tally for tally in tallies if tally is not None]
        if tags is None or not any(tally.phrases.brackets.matched for tally in counts):
            return
        whole = total_of(counts, FunctionTally())
        FunctionScores.from_tally(whole, tags).require_tags()

    def require_tags(self) -> None:
        """SettingsError if one side has no function tags at all."""
        levels = (self.tally, *([self.words.tally] if self.words else []))
        totals = [level.total for level in levels]
        for side, other in (("gold", "parsed"), ("parsed", "gold")):
            if not any(getattr(total, side) for total in totals):
                has_other = any(getattr(total, other) for total in totals)
                raise SettingsError(
                    "E592 no function tags, so they cannot be scored",
                    sides=f"{side} has" if has_other else "gold and parsed have",
                    separators=" ".join(self.tags.separators),
                )
