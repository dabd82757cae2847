"""Pages of errors, made from texts and treebanks."""

from __future__ import annotations

from analyzer.analyses.report import score_for_page
from analyzer.model.treebank import Treebank, TreebankBuilder
from reports.page.html import page_html
from reports.page.sections import report_page

HOSTILE = [
    "<script>alert(1)</script>",
    '"onload=alert(1)',
    "&amp;",
    "</script>",
    "<img src=x onerror=alert(1)>",
    "<!--",
    "${1}",
    "\u202egnp",
]


def page_of(
    gold: str | Treebank,
    parsed: str | Treebank,
    *,
    name: str = "a",
    limit: int = 10_000,
) -> str:
    data = score_for_page([(name, gold, parsed)], max_instances=limit)
    return page_html(report_page(data, title="T", lead="L"))


def hostile_banks() -> tuple[Treebank, Treebank]:
    """Gold and parsed that differ, with words and labels that would be markup."""
    banks = []
    for is_gold in (True, False):
        builder = TreebankBuilder("hostile")
        builder.open("S")
        builder.open('NP<i>"')
        for word in HOSTILE[:4]:
            builder.leaf("NN", word)
        builder.close()
        builder.open("VP")
        builder.leaf("VB", "is")
        if is_gold:
            builder.open("NP")
        for word in HOSTILE[4:]:
            builder.leaf("NN", word)
        if is_gold:
            builder.close()
        builder.close()
        builder.close()
        builder.end_tree(line=1)
        banks.append(builder.finish())
    return banks[0], banks[1]


def long_sentences(count: int, length: int) -> tuple[str, str]:
    """Sentences with one PP each that the parser attaches elsewhere."""
    sides: tuple[list[str], list[str]] = ([], [])
    for number in range(count):
        phrases = " ".join(
            f"(NP (DT the) (JJ word{(number * 7 + n) % 9000}) (NN thing{n}))"
            for n in range(length // 3)
        )
        np, pp = "(NP (DT a) (NN trip))", "(PP (IN to) (NP (NNP Florida)))"
        for side, object_ in zip(sides, (f"(NP {np} {pp})", f"{np} {pp}"), strict=True):
            side.append(f"(S {phrases} (VP (VB make) {object_}))")
    return "\n".join(sides[0]), "\n".join(sides[1])
