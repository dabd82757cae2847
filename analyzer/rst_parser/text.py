"""A text as tokens, from whatever it is in: CoNLL-U, EDUs, discourse trees, raw text.

Raw text is split by rules. Blank lines part paragraphs; what single line breaks mean,
`laid_out` says. A sentence ends at . ! ? … with what closes it, before a word that can
begin one, if the word before the stop is no known abbreviation or single letter; and at
the end of a line that counts, or of a paragraph. Words are split as in the Penn
Treebank and GUM: clitics and hyphens apart.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cache
from itertools import accumulate, count, pairwise
from pathlib import Path
from typing import Any

from analyzer.exceptions import AnalyzerError, InputError, PairingError, Place
from analyzer.files.inputs import Input, InputFile
from analyzer.formats.documents import document_name, file_text, numbered
from analyzer.formats.registry import Family, detect, parse_documents
from analyzer.formats.word_dependencies import (
    NO_GOVERNOR,
    conllu_columns,
    governor_of,
)
from analyzer.limits import limits
from analyzer.model.discourse import DependencyTree, Unit
from analyzer.model.settings import require_choice
from analyzer.rst_parser.lexicon import ABBREVIATIONS

UNKNOWN = "_"  # as CoNLL-U writes it
# Marks of the first token of an EDU: GUM's, and the two of the DISRPT shared tasks.
_MARKS = ("Discourse=", "BeginSeg=", "Seg=B")
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*")
_CLITICS = "s|re|ve|ll|d|m"
_STOPS = frozenset((".", "!", "?", "…", "...", "。", "！", "？"))
_CLOSING = frozenset("\"'”’)]}»")
_MARKUP = re.compile(r"\s*<(?P<what>[PsS])>\s*$")  # how RST-DT ends paragraphs
_DEEPEST = 60  # steps up that are looked at: a tree of a broken file may have a cycle
_SHOWN = 30  # characters of a text in a message
# Of text that is broken where lines are full: its width at most, and how many of the
# breaks are so. Sentences of a line, on average, that is a paragraph.
_WIDEST, _MOSTLY = 120, 0.8
SEVERAL = 1.5  # sentences of a line, on average, that is a paragraph
# As many may differ between a tree's text and its syntax: all together, or of all.
_FEW_CHARACTERS, _FEW = 2, 0.01
_SYNTAX_ENDINGS = (".conllu", ".conll", ".tok")
AUTO, TEXT, EDUS, CONLLU, TREES = KINDS = ("auto", "text", "edus", "conllu", "trees")
TextSource = str | Path | Input | Sequence[str | Path]


@dataclass(frozen=True)
class TokenText:
    """One entry a token, in the order of the text.

    governors: positions of tokens, `NO_GOVERNOR` for the root of a sentence.
    sentences, paragraphs: numbers that never fall.
    edu_starts: the first token of each EDU; None if nothing marks them.
    pieces: of raw text, whose sentences are guessed: numbers of lines or paragraphs
    with whose ends a sentence ends.
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
    pieces: Sequence[int] | None = None

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
        pieces = [
            f"{form} " if has_space else form
            for form, has_space in zip(self.forms, self.spaces, strict=True)
        ]
        return ["".join(pieces[start:end]).strip() for start, end in self.edus()]

    def sentence_spans(self) -> list[tuple[int, int]]:
        """The tokens of each sentence, as half-open spans."""
        return spans_of_numbers(self.sentences)

    def depth(self, at: int) -> int:
        """How many tokens govern a token, one above the other."""
        depth = 0
        while self.governors[at] != NO_GOVERNOR and depth < _DEEPEST:
            at, depth = self.governors[at], depth + 1
        return depth

    def without_syntax(self) -> TokenText:
        """These words and places, with neither tags nor syntax."""
        return replace(self, **_words_alone(self.forms))


def spans_of_numbers(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The half-open spans in which numbers that never fall stay the same.

    >>> spans_of_numbers([0, 0, 1])
    [(0, 2), (2, 3)]
    """
    starts = [at for at in range(1, len(numbers)) if numbers[at] != numbers[at - 1]]
    return list(pairwise([0, *starts, len(numbers)]))


def _words_alone(forms: Sequence[str]) -> dict[str, Any]:
    """What is known of words without tags and syntax."""
    return {
        "lemmas": [form.lower() for form in forms],
        "tags": [UNKNOWN] * len(forms),
        "governors": [NO_GOVERNOR] * len(forms),
        "functions": [UNKNOWN] * len(forms),
        "has_syntax": False,
    }


# -- CoNLL-U ---------------------------------------------------------------------------


def is_word_conllu(text: str) -> bool:
    """Whether a text is CoNLL-U with a word a line, not an EDU a line."""
    lines = text.split("\n")
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    first = next(rows, [])
    if len(first) != 10 or "Nuclearity=" in first[5]:
        return False
    has_tags = first[3:5] != ["_", "_"]
    return has_tags or not any(map(_is_of_rsd, (first, *rows)))


def _is_of_rsd(row: Sequence[str]) -> bool:
    """Whether it has a height in place of a lemma, a side after the relation, or more
    than a word."""
    if len(row) < 8:
        return False
    has_side = row[7].endswith(("_r", "_m"))
    return row[2].isdigit() or has_side or " " in row[1].strip()


def read_tokens(text: str, source: str = "<text>") -> list[TokenText]:
    """The documents of a CoNLL-U text; `# newdoc` begins a new one.

    >>> [hi] = read_tokens("1\\tHi\\thi\\tINTJ\\tUH\\t_\\t0\\troot\\t_\\tSeg=B-seg\\n")
    >>> hi.forms, hi.edu_starts
    (['Hi'], [0])
    """
    builders = [_Builder()]
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip("\r")
        if line.startswith("# newdoc") and builders[-1].rows:
            builders[-1].end_sentence()
            builders.append(_Builder())
        if line.startswith("#"):
            builders[-1].comment(line)
        elif not line.strip():
            builders[-1].end_sentence()
        else:
            builders[-1].token(line, Place(source, number))
    builders[-1].end_sentence()
    if not builders[0].rows:
        raise InputError("E150 contains no tokens", Place(source))
    return [builder.finish() for builder in builders if builder.rows]


class _Builder:
    """Collects the lines of one document."""

    def __init__(self) -> None:
        # As `TokenText` has them, without governors: those are known at the end.
        self.rows: list[tuple[str, str, str, str, int, int, str, bool]] = []
        self._governors: list[int] = []
        self._starts: list[int] = []
        self._name = self._speaker = ""
        self._sentence = self._paragraph = 0
        self._ids: dict[str, int] = {}
        self._heads: list[tuple[str, Place]] = []

    def comment(self, line: str) -> None:
        name, _, value = line[1:].partition("=")
        name, value = name.strip(), value.strip()
        if name == "newdoc id":
            self._name = value
        elif name.startswith("newpar") and self.rows:
            self._paragraph += 1
        elif name == "speaker":
            self._speaker = value

    def token(self, line: str, place: Place) -> None:
        columns = conllu_columns(line, place)
        number, form, lemma, coarse, tag, _, head, function, _, misc = columns
        if "-" in number or "." in number:
            return  # several words written as one; words that are not written
        self._ids[number] = len(self.rows)
        self._heads.append((head, place))
        if any(part.startswith(_MARKS) for part in misc.split("|")):
            self._starts.append(len(self.rows))
        lemma = form.lower() if lemma == UNKNOWN else lemma
        tag = coarse if tag == UNKNOWN else tag
        has_space = "SpaceAfter=No" not in misc
        places = self._sentence, self._paragraph
        word = form, lemma, tag, function
        self.rows.append((*word, *places, self._speaker, has_space))

    def end_sentence(self) -> None:
        self._governors += [
            governor_of(head, self._ids, place) for head, place in self._heads
        ]
        if self._heads:
            self._sentence += 1
            self._speaker = ""
        self._ids, self._heads = {}, []

    def finish(self) -> TokenText:
        starts = self._starts or None
        if starts and starts[0]:
            starts = [0, *starts]
        columns: list[Any] = [list(column) for column in zip(*self.rows, strict=True)]
        words, others = columns[:3], columns[3:]
        has_syntax = any(tag != UNKNOWN for tag in words[2])
        known = [*words, self._governors, *others, starts, has_syntax, self._name]
        return TokenText(*known)


# -- raw text --------------------------------------------------------------------------


@cache
def _token() -> re.Pattern[str]:
    known = "|".join(sorted(map(re.escape, ABBREVIATIONS), reverse=True))
    return re.compile(
        r"https?://\S+|www\.\S+|[\w.+-]+@[\w-]+\.[\w.]+"
        rf"|\b(?:{known})\.(?!\w)"  # Dr.
        r"|\w+(?=n['’]t\b)|n['’]t\b"  # do n't
        rf"|['’](?:{_CLITICS})\b"
        r"|(?:[A-Za-z]\.){2,}"  # U.S.
        r"|\d+(?:[.,:]\d+)*"
        r"|\.{2,}|--+|\w+|[^\w\s]",
        re.IGNORECASE,
    )


def tokenize(text: str) -> list[tuple[str, bool]]:
    """Words, and whether white space follows each.

    >>> [word for word, _ in tokenize("Don't re-use it: U.S. law, 3.5%.")]
    ['Do', "n't", 're', '-', 'use', 'it', ':', 'U.S.', 'law', ',', '3.5', '%', '.']
    """
    words = []
    for match in _token().finditer(text):
        end = match.end()
        words.append((match[0], end == len(text) or text[end].isspace()))
    return words


def read_plain(text: str, name: str = "") -> TokenText:
    """A raw text as tokens in sentences and paragraphs."""
    words: list[tuple[str, bool]] = []
    sentences: list[int] = []
    paragraphs: list[int] = []
    pieces: list[int] = []
    sentence = number_of_piece = -1
    for number, paragraph in enumerate(laid_out(text.replace("\r\n", "\n"))):
        for piece in paragraph:
            here = tokenize(piece)
            here[-1] = here[-1][0], True  # a line ends as a blank does
            begins = set(sentence_starts([word for word, _ in here]))
            number_of_piece += 1
            pieces += [number_of_piece] * len(here)
            for at, word in enumerate(here):
                sentence += at in begins
                words.append(word)
                sentences.append(sentence)
                paragraphs.append(number)
    plain = _of_words(words, sentences, paragraphs, None, name)
    return replace(plain, pieces=pieces)


def laid_out(text: str) -> list[list[str]]:
    """The paragraphs of a text, each as pieces that end where a sentence must.

    Blank lines part paragraphs. Where lines are broken because they are full, as next
    to all are that the next word does not fit into, their ends mean nothing. Elsewhere
    a line ends a sentence (headings, items, verse, a sentence a line); and if there are
    no blank lines, and lines have several sentences, it is a paragraph.

    >>> laid_out("Trees\\nThey grow. They are\\nold.")
    [['Trees', 'They grow. They are', 'old.']]
    >>> laid_out("They grow, and they\\nare very old and\\ntall.")
    [['They grow, and they are very old and tall.']]
    """
    blocks = [
        [line.strip() for line in block.split("\n") if _token().search(line)]
        for block in _PARAGRAPH.split(text)
    ]
    blocks = [lines for lines in blocks if lines]
    width = max((len(line) for lines in blocks for line in lines), default=0)
    full = [
        len(line) + 1 + len(after.split()[0]) > width
        for lines in blocks
        for line, after in pairwise(lines)
    ]
    if width <= _WIDEST and sum(full) >= _MOSTLY * len(full):
        return [[" ".join(lines)] for lines in blocks]
    if len(blocks) == 1:
        [lines] = blocks
        words = ([word for word, _ in tokenize(line)] for line in lines)
        if sum(len(sentence_starts(line)) for line in words) >= SEVERAL * len(lines):
            return [[line] for line in lines]
    return blocks


def sentence_starts(words: Sequence[str]) -> list[int]:
    """Where the sentences of a paragraph begin.

    >>> sentence_starts("Mr. Li left . [ 2 ] He was “ tired . ” So ?".split())
    [0, 7, 13]
    """
    starts = [0] if words else []
    is_quoting = False  # within straight quotation marks, which do not say it
    at = 0
    while at < len(words):
        if words[at] not in _STOPS and not _is_ending(words[at]):
            is_quoting ^= words[at] == '"'
            at += 1
            continue
        is_sure = words[at] != "." or not _is_short(words[at - 1] if at else "")
        at += 1
        while at < len(words):
            if words[at] == '"':
                if not is_quoting:
                    break
                is_quoting = False
            elif _is_note(words[at : at + 3]):
                at += 2
            elif words[at] not in _STOPS and words[at] not in _CLOSING:
                break
            at += 1
        if at < len(words) and is_sure and can_begin(words[at]):
            starts.append(at)
    return starts


def _is_note(words: Sequence[str]) -> bool:
    """Whether words are the number of a note, which belongs to what is before it."""
    return len(words) == 3 and (words[0], words[2]) == ("[", "]") and words[1].isdigit()


def _is_ending(word: str) -> bool:
    """Whether a word may end a sentence with its own stop."""
    return word.lower() in ("etc.", "p.m.", "a.m.", "inc.", "jr.", "al.")


def _is_short(word: str) -> bool:
    """Whether a stop after the word belongs to it."""
    return word.lower() in ABBREVIATIONS or (len(word) == 1 and word.isupper())


def can_begin(word: str) -> bool:
    """Whether a word may begin a sentence, as it is written."""
    return not word[0].islower() and word not in (",", ";", ":", "-", "–")


def case(form: str) -> str:
    """How a word is written.

    >>> [case(form) for form in ("Paris", "USA", "I", "re-use", "3rd", ".")]
    ['Aa', 'A', 'Aa', 'a-', 'a0', 'a.']
    """
    kind = "Aa" if form[:1].isupper() else "a"
    kind = "A" if len(form) > 1 and form.isupper() else kind
    if form.isalpha():
        return kind
    return kind + ("-" if "-" in form else "0" if any(map(str.isdigit, form)) else ".")


def of_edus(edus: Sequence[str], name: str = "") -> TokenText:
    """EDUs as tokens. A sentence ends where an EDU ends as one; `<P>` ends a paragraph.

    >>> text = of_edus(["He left", "because it rained.", "We stayed."])
    >>> text.edu_starts, sorted(set(text.sentences))
    ([0, 2, 6], [0, 1])
    """
    words: list[tuple[str, bool]] = []
    sentences: list[int] = []
    paragraphs: list[int] = []
    sizes = []
    sentence = paragraph = 0
    for at, edu in enumerate(edus):
        marked = _MARKUP.search(edu)
        here = tokenize(_MARKUP.sub("", edu)) or [(edu.strip() or UNKNOWN, True)]
        here[-1] = here[-1][0], True
        words += here
        sizes.append(len(here))
        sentences += [sentence] * len(here)
        paragraphs += [paragraph] * len(here)
        following = edus[at + 1].strip() if at + 1 < len(edus) else ""
        last = [word for word, _ in here if word not in _CLOSING] or [""]
        is_stop = last[-1] in _STOPS or _is_ending(last[-1])
        can_follow = not following or can_begin(following.lstrip("\"'“‘([") or "X")
        if marked or (is_stop and can_follow):
            sentence += 1
        if marked and marked["what"] == "P":
            paragraph += 1
    starts = [0, *accumulate(sizes)][:-1]
    return _of_words(words, sentences, paragraphs, starts, name)


def _of_words(
    words: Sequence[tuple[str, bool]],
    sentences: Sequence[int],
    paragraphs: Sequence[int],
    starts: Sequence[int] | None,
    name: str,
) -> TokenText:
    forms = [word for word, _ in words]
    return TokenText(
        forms=forms,
        sentences=sentences,
        paragraphs=paragraphs,
        speakers=[""] * len(forms),
        spaces=[has_space for _, has_space in words],
        edu_starts=starts,
        name=name,
        **_words_alone(forms),
    )


# -- EDUs laid over tokens that were read from another file ----------------------------


def syntax_files(
    source: TextSource | None, encoding: str = "utf-8"
) -> dict[str, InputFile]:
    """Files of CoNLL-U by the names of their documents."""
    files = [] if source is None else _input(source, encoding).files
    named_so = [file for file in files if _is_syntax(file.name)]
    return {document_name(file.name): file for file in named_so or files}


def _is_syntax(name: str) -> bool:
    """Whether a file is called as CoNLL-U is, compressed or not."""
    return any(ending in Path(name).suffixes for ending in _SYNTAX_ENDINGS)


def edu_tokens(
    name: str,
    edus: Sequence[str],
    syntax: Mapping[str, InputFile],
    notes: list[AnalyzerError] | None = None,
) -> TokenText:
    """The tokens of a document with these EDUs; EDUs alone if no file has them.

    With `notes`, to which it is added, a difference of a few characters is passed over,
    and of a document that differs in more only the words are used.
    """
    file = syntax.get(name)
    if file is None:
        return of_edus(edus, name)
    texts = read_tokens(file_text(file), file.name)
    if len(texts) > 1:
        place = Place(file.name)
        raise InputError("E157 a file of syntax has one", place, count=len(texts))
    tokens = replace(texts[0], name=name)
    try:
        return _aligned(tokens, edus, file.name)
    except PairingError as error:
        if notes is None:
            raise
        nearly = _nearly_aligned(tokens, edus)
        at, message = error.place, error.message
        if nearly is not None:
            notes.append(PairingError("E959 aligned all the same", at, message=message))
            return nearly
        notes.append(PairingError("E960 used without syntax", at, message=message))
        return of_edus(edus, name)


def _nearly_aligned(text: TokenText, edus: Sequence[str]) -> TokenText | None:
    """The tokens with the EDUs of nearly the same text; None if too much differs.

    >>> text = of_edus(["A lot ta do", "he said."])
    >>> _nearly_aligned(text, ["a lot ta do", "he said."]).edu_starts
    [0, 4]
    """
    pieces = ["".join(edu.split()) for edu in edus]
    forms = ["".join(form.split()) for form in text.forms]
    wanted, there = "".join(pieces), "".join(forms)
    blocks = SequenceMatcher(None, wanted, there, autojunk=False).get_matching_blocks()
    differing = max(len(wanted), len(there)) - sum(block.size for block in blocks)
    if differing > max(_FEW_CHARACTERS, _FEW * len(wanted)):
        return None
    begins = [0, *accumulate(map(len, forms))]
    starts = []
    for at in [0, *accumulate(map(len, pieces))][:-1]:
        block = max((match for match in blocks if match.a <= at), default=None)
        place = min(at - block.a, block.size) + block.b if block else 0
        starts.append(bisect_left(begins, place))
    is_rising = all(
        start < other for start, other in pairwise([-1, *starts, len(text)])
    )
    return replace(text, edu_starts=starts) if is_rising else None


def _aligned(text: TokenText, edus: Sequence[str], source: str) -> TokenText:
    """The tokens, with the EDUs of a tree of the same text; white space aside.

    PairingError, with the EDU, where the texts differ or an EDU begins within a token.
    """

    def differ(number: int, edu: str, token: str) -> PairingError:
        return PairingError(
            "E430 does not match its tokens",
            Place(source),
            number=number,
            name=text.name,
            edu=edu[:_SHOWN],
            token=token[:_SHOWN],
        )

    starts: list[int] = []
    at = 0
    left = ""  # of the token at hand
    for number, edu in enumerate(edus, start=1):
        wanted = "".join(edu.split())
        if left:
            raise differ(number, wanted, left)
        starts.append(at)
        while wanted:
            if not left:
                if at == len(text):
                    raise differ(number, wanted, "")
                left = "".join(text.forms[at].split())
                at += 1
            size = min(len(left), len(wanted))
            if left[:size] != wanted[:size]:
                raise differ(number, wanted, left)
            left, wanted = left[size:], wanted[size:]
    if at < len(text) or left:
        raise differ(len(edus), "", left or text.forms[at])
    return replace(text, edu_starts=starts)


# -- files -----------------------------------------------------------------------------


# Names that say that there are trees, never words, whatever is in the file.
_TREES = re.compile(
    r"\.(?:dis|rs[34d]|rels|dep|brackets|json)(?:\.(?:gz|bz2|xz))?$", re.I
)


@dataclass
class Texts:
    """What was read, and what could not be."""

    texts: list[TokenText] = field(default_factory=list)
    problems: list[AnalyzerError] = field(default_factory=list)


def _input(source: TextSource, encoding: str) -> Input:
    if isinstance(source, Input):
        return source
    if isinstance(source, str | Path):
        return Input.of_path(str(source), encoding=encoding)
    return Input.of_paths(source, encoding=encoding)


def read_texts(
    source: TextSource,
    *,
    kind: str = AUTO,
    syntax: TextSource | None = None,
    encoding: str = "utf-8",
) -> Texts:
    """The texts of files, globs or folders, told apart by what is in them.

    auto: CoNLL-U by its columns, discourse trees by their names or how they begin,
    `.edus` by name, everything else raw text. What cannot be read is among the
    problems.
    """
    require_choice("input", kind, KINDS)
    read = Texts()
    beside = syntax_files(syntax, encoding)
    taken: set[str] = set()
    for file in list(_input(source, encoding).files):
        try:
            texts = _read(file, kind, beside)
        except AnalyzerError as error:
            read.problems.append(error.at(error.place or Place(file.name)))
            continue
        for text in texts:
            read.texts.append(replace(text, name=_free(text.name, taken)))
    return read


def _free(name: str, taken: set[str]) -> str:
    """A name that no document had before."""
    numbered = (name if number < 2 else f"{name}:{number}" for number in count(1))
    free = next(other for other in numbered if other not in taken)
    taken.add(free)
    return free


def _read(
    file: InputFile, kind: str, syntax: Mapping[str, InputFile]
) -> list[TokenText]:
    text, place = file_text(file), Place(file.name)
    name = document_name(file.name)
    if not text.strip():
        raise InputError("E141 is empty", place)
    if kind == AUTO:
        kind = _kind(file.name, text)
    if kind == CONLLU:
        texts = read_tokens(text, file.name)
        if len(texts) == 1:
            return [replace(texts[0], name=name)]
        return [
            replace(text, name=text.name or f"{name}:{number}")
            for number, text in enumerate(texts, start=1)
        ]
    if kind == TREES:
        return [
            edu_tokens(entry.name, edus_of(entry.document.tree), syntax)
            for entry in numbered(name, file.name, parse_documents(text, file.name))
        ]
    if kind == EDUS:
        edus = [line.strip() for line in text.split("\n") if line.strip()]
        allowed = limits().tree_nodes
        if 2 * len(edus) > allowed:
            raise InputError("E159 at most", place, edus=len(edus), allowed=allowed)
        return [edu_tokens(name, edus, syntax)]
    plain = read_plain(text, name)
    if not len(plain):
        raise InputError("E158 contains no words", place)
    return [plain]


def _kind(name: str, text: str) -> str:
    if _TREES.search(name):
        return TREES
    if is_word_conllu(text):
        return CONLLU
    if ".edus" in name:
        return EDUS
    format = detect(text, Family.DISCOURSE)
    if format is None:
        return TEXT
    if format.name in ("decisions", "triples", "brackets"):
        # Raw text may begin with a bracket or a number, too.
        try:
            parse_documents(text, name)
        except AnalyzerError:
            return TEXT
    return TREES


def edus_of(tree: Unit | DependencyTree) -> list[str]:
    """The texts of a tree's EDUs."""
    if isinstance(tree, DependencyTree):
        return list(tree.texts)
    return [unit.text for unit in tree.walk() if unit.is_edu]
