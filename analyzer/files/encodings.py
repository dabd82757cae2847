"""Which encoding a text seems to be in that is not UTF-8."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from analyzer.exceptions import AnalyzerError, Place, TreeSyntaxError

_NOT_ASCII = re.compile(rb"[\x80-\xff]+")
# Of several bytes a character, and which characters tell that a text is in them.
_OF_SEVERAL_BYTES = {
    "euc_jp": "[\u3040-\u30ff]",
    "shift_jis": "[\u3040-\u30ff]",
    "euc_kr": "[\uac00-\ud7a3]",
    "big5": "[\u4e00-\u9fff]",
    "gb18030": "[\u4e00-\u9fff]",  # takes nearly anything
}
# Alphabets other than Latin: small letters, which are most of a text.
_ALPHABETS = {
    "cp1251": "[\u0430-\u044f]",
    "koi8_r": "[\u0430-\u044f]",
    "iso8859_7": "[\u03ac-\u03ce]",
    "iso8859_8": "[\u05d0-\u05ea]",
}
_MOST = 0.8
NOT_UTF8 = "E211"  # the error for a sentence


def likely_encoding(data: bytes) -> str:
    """The encoding that fits a text which is not UTF-8; latin-1 if none fits better.

    >>> likely_encoding("(NN été) (NN œuf)".encode("cp1252"))
    'cp1252'
    >>> likely_encoding("(NN погода) (VB идет)".encode("koi8_r"))
    'koi8_r'
    """
    runs = _NOT_ASCII.findall(data)
    if sum(map(len, runs)) > 1.5 * len(runs):  # words of Latin letters have few of them
        for encodings, least in ((_ALPHABETS, _MOST), (_OF_SEVERAL_BYTES, 0.3)):
            for encoding, letters in encodings.items():
                if _share(data, encoding, letters) >= least:
                    return encoding
    is_windows = any(0x80 <= byte < 0xA0 for run in runs for byte in run)
    return "cp1252" if is_windows else "latin-1"


def once_a_file(errors: Sequence[AnalyzerError]) -> dict[int, AnalyzerError]:
    """Errors by their place in a list, one for all sentences that are not UTF-8."""
    of_files: dict[str | None, list[int]] = {}
    for at, error in enumerate(errors):
        if error.code == NOT_UTF8 and error.place:
            of_files.setdefault(error.place.source, []).append(at)
    kept = dict(enumerate(errors))
    several = (
        (source, places) for source, places in of_files.items() if len(places) > 1
    )
    for source, places in several:
        guesses = Counter(str(kept.pop(at).fields["encoding"]) for at in places)
        first = errors[places[0]].place
        kept[places[0]] = TreeSyntaxError(
            "E245 are not UTF-8",
            Place(source, first.line if first else None),
            sentences=len(places),
            encoding=guesses.most_common(1)[0][0],
        )
    return dict(sorted(kept.items()))


def _share(data: bytes, encoding: str, letters: str) -> float:
    """Of all that is not ASCII, the share of these letters; 0 if it does not fit."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    others = re.findall(r"[^\x00-\x7f]", text)
    return len(re.findall(letters, text)) / len(others) if others else 0.0
