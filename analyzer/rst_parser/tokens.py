"""A text as tokens: words, and what is known of their tags, syntax and places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from analyzer.exceptions import InputError, Place

UNKNOWN = "_"  # as CoNLL-U writes it
NO_GOVERNOR = -1  # the root of a sentence
# Marks of the first token of an EDU: GUM's, and the two of the DISRPT shared tasks.
_MARKS = ("Discourse=", "BeginSeg=", "Seg=B")


@dataclass(frozen=True)
class TokenText:
    """One entry a token, in the order of the text.

    governors: positions of tokens, `NO_GOVERNOR` for the root of a sentence.
    sentences, paragraphs: numbers that never fall.
    edu_starts: the first token of each EDU; None if nothing marks them.
    """

    forms: Sequence[str]
    lemmas: Sequence[str]
    tags: Sequence[str]
    governors: Sequence[int]
    functions: Sequence[str]
    sentences: Sequence[int]
    paragraphs: Sequence[int]
    speakers: Sequence[str]
    spaces: Sequence[bool]  # whether white space follows
    edu_starts: Sequence[int] | None = None
    has_syntax: bool = True
    name: str = ""

    def __len__(self) -> int:
        return len(self.forms)

    @property
    def is_masked(self) -> bool:
        """Whether most words are hidden behind underscores, for want of a licence."""
        return 2 * sum(form.strip("_") == "" for form in self.forms) > len(self)

    @property
    def has_tags(self) -> bool:
        return bool(self.tags) and self.tags[0] != UNKNOWN

    def edus(self) -> list[tuple[int, int]]:
        """The tokens of each EDU, as half-open spans."""
        starts = self.edu_starts if self.edu_starts is not None else [0]
        return list(pairwise([*starts, len(self)]))

    def edu_texts(self) -> list[str]:
        """The text of each EDU, white space as in the text."""
        return [self.text(start, end) for start, end in self.edus()]

    def text(self, start: int, end: int) -> str:
        pieces = []
        for at in range(start, end):
            pieces.append(self.forms[at])
            if self.spaces[at]:
                pieces.append(" ")
        return "".join(pieces).strip()

    def with_edus(self, starts: Sequence[int]) -> TokenText:
        return replace(self, edu_starts=list(starts))

    def without_syntax(self) -> TokenText:
        """These words and places, with neither tags nor syntax."""
        count = len(self)
        return replace(
            self,
            lemmas=[form.lower() for form in self.forms],
            tags=[UNKNOWN] * count,
            governors=[NO_GOVERNOR] * count,
            functions=[UNKNOWN] * count,
            has_syntax=False,
        )


def is_word_conllu(text: str) -> bool:
    """Whether a text is CoNLL-U with a word a line, not an EDU a line."""
    for line in text.split("\n"):
        if not line or line.startswith("#"):
            continue
        columns = line.split("\t")
        return len(columns) == 10 and "Nuclearity=" not in columns[5]
    return False


def read_tokens(text: str, source: str = "<text>") -> list[TokenText]:
    """The documents of a CoNLL-U text; `# newdoc` begins a new one.

    >>> [one] = read_tokens("1\\tHi\\thi\\tINTJ\\tUH\\t_\\t0\\troot\\t_\\tSeg=B-seg\\n")
    >>> one.forms, one.edu_starts
    (['Hi'], [0])
    """
    found = [builder.finish() for builder in _built(text, source)]
    if not found:
        raise InputError("contains no tokens", Place(source), code="E150")
    return found


def _built(text: str, source: str) -> Iterator[_Builder]:
    builder = _Builder()
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip("\r")
        if line.startswith("# newdoc") and builder.forms:
            yield builder
            builder = _Builder()
        if line.startswith("#"):
            builder.comment(line)
        elif not line.strip():
            builder.end_sentence()
        else:
            builder.token(line, Place(source, number))
    builder.end_sentence()
    if builder.forms:
        yield builder


class _Builder:
    """Collects the lines of one document."""

    def __init__(self) -> None:
        self.forms: list[str] = []
        self.lemmas: list[str] = []
        self.tags: list[str] = []
        self.governors: list[int] = []
        self.functions: list[str] = []
        self.sentences: list[int] = []
        self.paragraphs: list[int] = []
        self.speakers: list[str] = []
        self.spaces: list[bool] = []
        self.starts: list[int] = []
        self.name = ""
        self._sentence = 0
        self._paragraph = 0
        self._speaker = ""
        self._first = 0  # token of this sentence
        self._ids: dict[str, int] = {}
        self._heads: list[tuple[str, Place]] = []

    def comment(self, line: str) -> None:
        name, _, value = line[1:].partition("=")
        name, value = name.strip(), value.strip()
        if name == "newdoc id":
            self.name = value
        elif name.startswith("newpar") and self.forms:
            self._paragraph += 1
        elif name == "speaker":
            self._speaker = value

    def token(self, line: str, place: Place) -> None:
        columns = line.split("\t")
        if len(columns) != 10:
            raise InputError(
                "found {count:column}; expected 10, with tabs between them",
                place,
                code="E151",
                count=len(columns),
            )
        if "-" in columns[0] or "." in columns[0]:
            return  # several words written as one; words that are not written
        misc = columns[9]
        self._ids[columns[0]] = len(self.forms)
        self._heads.append((columns[6], place))
        if any(part.startswith(_MARKS) for part in misc.split("|")):
            self.starts.append(len(self.forms))
        self.forms.append(columns[1])
        self.lemmas.append(columns[1].lower() if columns[2] == UNKNOWN else columns[2])
        self.tags.append(columns[3] if columns[4] == UNKNOWN else columns[4])
        self.functions.append(columns[7])
        self.sentences.append(self._sentence)
        self.paragraphs.append(self._paragraph)
        self.speakers.append(self._speaker)
        self.spaces.append("SpaceAfter=No" not in misc)

    def end_sentence(self) -> None:
        for head, place in self._heads:
            if head in ("0", UNKNOWN):
                self.governors.append(NO_GOVERNOR)
            elif head in self._ids:
                self.governors.append(self._ids[head])
            else:
                raise InputError(
                    "found head {head!r}; no token of the sentence has that number",
                    place,
                    code="E152",
                    head=head[:20],
                )
        if self._heads:
            self._sentence += 1
            self._speaker = ""
        self._ids, self._heads = {}, []

    def finish(self) -> TokenText:
        starts = self.starts or None
        if starts and starts[0]:
            starts = [0, *starts]
        return TokenText(
            self.forms,
            self.lemmas,
            self.tags,
            self.governors,
            self.functions,
            self.sentences,
            self.paragraphs,
            self.speakers,
            self.spaces,
            starts,
            any(tag != UNKNOWN for tag in self.tags),
            self.name,
        )
