"""CoNLL-U from a short notation."""

from __future__ import annotations


def conllu(*lines: str) -> str:
    """A word is `form/lemma/tag/head/function`, perhaps with `/misc`; a line that is
    empty ends a sentence, and one that begins with # stays.

    >>> conllu("Hi/hi/UH/0/root/Seg=B-seg")
    '1\\tHi\\thi\\t_\\tUH\\t_\\t0\\troot\\t_\\tSeg=B-seg\\n\\n'
    """
    rows: list[str] = []
    number = 0
    for line in (*lines, ""):
        if not line or line.startswith("#"):
            rows.append(line)
            number = 0 if not line else number
            continue
        for word in line.split():
            number += 1
            form, lemma, tag, head, function, *misc = word.split("/")
            columns = [str(number), form, lemma, "_", tag, "_", head, function, "_"]
            rows.append("\t".join([*columns, *(misc or ["_"])]))
    return "\n".join(rows) + "\n"
