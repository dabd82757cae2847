"""Text that is safe to show, whatever stands in the input; and plurals.

Files can hold anything, and what is printed or drawn quotes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

REPLACEMENT = "\ufffd"
LONGEST_LINE = 600
_LONGEST_ON_PAGE = 2_000
_KEPT_AT_END = 150
# Control characters could command a terminal, bidirectional overrides reorder what
# stands around them, and XML 1.0 has no way to write surrogates, U+FFFE and U+FFFF.
_BEYOND_ASCII = "\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
_UNSAFE = f"[\x00-\x1f{_BEYOND_ASCII}]"  # compiled when first needed
_UNSAFE_IN_LINES = f"[\x00-\x08\x0b-\x1f{_BEYOND_ASCII}]"


# What colours text, as our own drawings do.
_COLOR = "\x1b\\[[0-9;]*m"


def visible(text: str) -> str:
    r"""The text with the characters that would command a terminal written out.

    >>> visible("a\x1b[2J\tb"), visible("naïve\u202e")
    ('a\\x1b[2J\\tb', 'naïve\\u202e')
    """
    return text if text.isprintable() else re.sub(_UNSAFE, _written_out, text)


def visible_lines(text: str, *, color: bool = False) -> str:
    r"""Lines, perhaps of cells between tabs, that are `visible`.

    With `color`, what sets the colour of text stays: then no such thing of the input
    may be in it.

    >>> visible_lines("one\x07\n\x1b[31mtwo"), visible_lines("\x1b[1mA", color=True)
    ('one\\x07\n\\x1b[31mtwo', '\x1b[1mA')
    """
    if color:
        kept = iter(re.findall(_COLOR, text))
        parts = [visible_lines(part) for part in re.split(_COLOR, text)]
        return parts[0] + "".join(next(kept) + part for part in parts[1:])
    if text.isprintable():
        return text
    return re.sub(_UNSAFE_IN_LINES, _written_out, text)


def _written_out(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def visible_json(text: str) -> str:
    r"""JSON of the same value, without characters that would command a terminal.

    >>> visible_json('["\x9b2J"]')
    '["\\u009b2J"]'
    """
    return re.sub(_UNSAFE_IN_LINES, lambda match: f"\\u{ord(match[0]):04x}", text)


def printable(text: str) -> str:
    """One line as wide as it was, without what would move a terminal's cursor.

    >>> printable("found '\\x1b[2J'\\t!")
    "found '\ufffd[2J' !"
    """
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable()
        else " "
        if character.isspace()
        else REPLACEMENT
        for character in text
    )


def printable_lines(text: str, *, longest: int = LONGEST_LINE) -> str:
    """Lines that are `printable`, the long ones cut in their middle.

    >>> len(printable_lines("x" * 20_000_000))
    600
    """
    return "\n".join(printable(_cut(line, longest)) for line in text.split("\n"))


def drawable(text: str) -> str:
    """Text for drawings and pages: characters that do more than show themselves go.

    >>> drawable("a\\x1b[31mb")
    'a\ufffd[31mb'
    """
    return text if text.isprintable() else re.sub(_UNSAFE, REPLACEMENT, text)


def on_page(text: str) -> str:
    """Text for pages: what is `drawable` of it, the middle of a very long one left out.

    >>> len(on_page("x" * 3_000_000)) < 2_000
    True
    """
    return drawable(with_ends(text, _LONGEST_ON_PAGE))


def counted(number: int, noun: str) -> str:
    """A number and what it is of.

    >>> counted(1, "sentence"), counted(2_410, "sentence")
    ('1 sentence', '2,410 sentences')
    >>> counted(0, "match")
    '0 matches'
    """
    ending = "es" if noun.endswith("ch") else "s"
    return f"{number:,} {noun}" + ("" if number == 1 else ending)


def shortened(text: str, most: int) -> str:
    """The text, or its beginning if it is longer than `most` characters.

    >>> shortened("because it rained", 10)
    'because i…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def with_ends(text: str, most: int) -> str:
    """The text, or its beginning and its end if it is longer than `most` characters.

    >>> with_ends("because it rained all day", 18)
    'because i … ll day'
    """
    if len(text) <= most:
        return text
    return f"{text[: most // 2].rstrip()} … {text[-most // 3 :].lstrip()}"


def _cut(line: str, longest: int) -> str:
    if len(line) <= longest:
        return line
    return f"{line[: longest - _KEPT_AT_END - 1]}…{line[-_KEPT_AT_END:]}"


def numbered(sentence: int, id: str = "") -> str:
    """A sentence's number, and its name if it has one.

    >>> numbered(3), numbered(3, "ALLEN,8.16")
    ('3', '3 (ALLEN,8.16)')
    """
    return f"{sentence} ({printable(id)})" if id else str(sentence)


def did_you_mean(given: str, choices: Iterable[str]) -> str:
    """The end of a message: which of the choices is much like what was given.

    >>> did_you_mean("scroe", ["score", "show"]), did_you_mean("x", ["score"])
    ("; did you mean 'score'?", '')
    """
    from difflib import get_close_matches  # rarely needed

    def bare(name: str) -> str:  # that all options begin with hyphens is no likeness
        return name.lstrip("-").lower()

    by_name = {bare(choice): choice for choice in choices}
    close = get_close_matches(bare(given), by_name, n=1)
    return f"; did you mean '{visible(by_name[close[0]])}'?" if close else ""


_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def spreadsheet_cell(value: str | float | None) -> str | int | float:
    """A value as CSV has it: a spreadsheet must not run it as a formula.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell(None), spreadsheet_cell(0.5)
    ("'=1+1", '', 0.5)
    """
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return "'" + value
    return value


def from_spreadsheet(text: str) -> str:
    """What stood in a cell before `spreadsheet_cell`.

    >>> from_spreadsheet("'=1+1"), from_spreadsheet("'s")
    ('=1+1', "'s")
    """
    return (
        text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA_STARTS) else text
    )


def display_width(text: str) -> int:
    """Columns that a text takes in a terminal.

    >>> display_width("cat"), display_width("猫"), display_width("e\\u0301")
    (3, 2, 1)
    """
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth  # here, because most texts do without it

    return int(wcswidth(text))


_OPTION = re.compile(
    r"--([a-z][a-z-]*)(?: \(\w+=[^)]*\))?"
    r"(?:([ =])(\{\w+\}|[A-Z]+\b|\d+\b|[a-z][a-z-]*))?"
)
# Options that functions do not have; that are on or off; that take a word.
_OF_COMMANDS = re.compile(
    "apply|calibrate|conventions|dependencies|fix-list|format|gold|matrix|max-expansion|"
    "max-tree-nodes|nbest|nthreads|nworkers|parsed|system|worth|write-(baseline|decisions)"
)
_FLAGS = re.compile("count|erst|induction|mend|no-root|raised|rst|strict|unlabelled")
_WORDED = re.compile(
    "binarize|binarize-parsed|classifier|encoding|grammar|kernel|metric|missing|"
    "on-mismatch|pair|patterns|relations|roots|segmentation|shapes|tags|transform"
)


def as_keywords(text: str) -> str:
    """A message with options of commands as the keywords that functions have for them.

    >>> as_keywords("75.44 if it counts as finding nothing (--on-mismatch zero)")
    '75.44 if it counts as finding nothing (on_mismatch="zero")'
    >>> as_keywords("--jobs 1 uses a single process; --no-root leaves roots out")
    'jobs=1 uses a single process; no_root=True leaves roots out'
    """

    def keyword(option: re.Match[str]) -> str:
        name, space, value = option.groups(default="")
        if _OF_COMMANDS.fullmatch(name):
            return option[0]
        keyword = name.replace("-", "_") + "="
        if _FLAGS.fullmatch(name):
            return f"{keyword}True{space}{value}"
        if _WORDED.fullmatch(name) and value and not value.isupper():
            return f'{keyword}"{value}"'
        is_value = value.isdigit() or value.isupper() or value.startswith("{")
        return keyword + (value if is_value else space + value)

    return _OPTION.sub(keyword, text)


def wrapped(text: str, limit: int, measure: Callable[[str], int]) -> list[str]:
    """The text in lines, broken at spaces only: a long word is never cut.

    >>> wrapped("because it rained all day", 12, len)
    ['because it', 'rained all', 'day']
    """
    if measure(text) <= limit:
        return [text]
    lines: list[str] = []
    for word in filter(None, text.split(" ")):
        if lines and measure(f"{lines[-1]} {word}") <= limit:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


COLORS = {"red": 31, "green": 32, "yellow": 33, "blue": 34}


def painted(text: str, paint: int | None) -> str:
    """The text in bold and in an ANSI colour; as it is without one."""
    return text if paint is None else f"\x1b[1;{paint}m{text}\x1b[0m"
