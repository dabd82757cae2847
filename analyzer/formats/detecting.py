"""Which format a discourse tree is in, by what it begins with.

Apart from the readers, for every command looks: is this syntax or discourse?
"""

from __future__ import annotations

import re

_COMMENTS = re.compile(r"(?:#[^\n]*+\n|\s++)*+")
_SHAPES = [
    (
        "dis",
        re.compile(
            r"(?://TT_ERR\s*)*\(\s*(?:Root|Nucleus|Satellite)\s*(?:\(\s*|$)"
            r"(?:(?:span|leaf)\b|$)"
        ),
    ),
    ("rs3", re.compile(r"<(?:\?xml|rst\b|!--|!DOCTYPE\s+rst)")),
    ("json", re.compile(r'\{[^{}]*"format"\s*:\s*"rst"')),
    ("brackets", re.compile(r"(?:Parse)?Tree\(")),
    ("spans", re.compile(r"\[?\s*\(\s*\(\s*\d+\s*,\s*\d+\s*\)\s*,\s*[uU]?['\"]")),
    ("spans", re.compile(r"[(\[\s]*\d+\s*[-:]\s*(?:Nucleus|Satellite|Root)\s*[:=]")),
    ("decisions", re.compile(r"[(\[]*\s*\d++[^\n]*\b(?:NS|SN|NN)[\s,;:-]")),
    ("brackets", re.compile(r"\(")),
    ("table", re.compile(r"(?:edu|id)[\t,]", re.IGNORECASE)),
    ("triples", re.compile(r"\d+[ \t]+\d+[ \t]+\S+[ \t]*(?:\r?\n|$)")),
]
_COLUMNS = re.compile(r"\d+\t[^\n]*")
_HEIGHT = 2  # the third column of .rsd; of CoNLL-U that is a lemma
_SUFFIXED = re.compile(r"\t\d+\t[^\t\n]+_[rm](?:\t|$)", re.MULTILINE)


def detect(text: str) -> str:
    """The name of the format that a text is in; '' if it is none that is known.

    >>> detect("( Root (span 1 2)"), detect("<rst>"), detect("(NS-Cause (1) (2))")
    ('dis', 'rs3', 'brackets')
    """
    text = text.removeprefix("\ufeff")
    comments = _COMMENTS.match(text)
    start = comments.end() if comments else 0
    columns = _COLUMNS.match(text, start)
    if columns:
        cells = columns[0].split("\t")
        if len(cells) >= 8:
            is_rsd = cells[_HEIGHT].isdigit() or _SUFFIXED.search(text)
            return "rsd" if is_rsd else "conllu"
    for name, shape in _SHAPES:
        if shape.match(text, start):
            return name
    return ""
