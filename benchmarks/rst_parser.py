"""How long training and parsing take, and how good the parser is, on a corpus of yours.

    .venv/bin/python benchmarks/rst_parser.py TRAIN DEV

Each folder has `dis` (or another folder of trees, --trees NAME) and `conllu`. Processor
seconds are printed, not wall time: they do not depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

from analyzer import RstParser
from analyzer.rst_parser.text import read_texts

_EDUS = 120  # of the document that the bar is about


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    parser.add_argument("dev", type=Path)
    parser.add_argument("--trees", default="dis")
    parser.add_argument("--model", type=Path, help="one that is trained already")
    parser.add_argument("--relations", default="gum")
    args = parser.parse_args()
    if args.model is None:
        started = time.process_time()
        model = RstParser.train(
            args.train / args.trees,
            syntax=args.train / "conllu",
            relations=args.relations,
        )
        print(f"training   {time.process_time() - started:8.1f} CPU seconds")
        print(f"peak       {_megabytes():8.0f} MB")
    else:
        model = RstParser.load(args.model)
    print(f"model      {len(model.to_bytes()) / 1e6:8.1f} MB")
    texts = read_texts(args.dev / "conllu").texts
    plain = [text.without_syntax() for text in texts]
    for name, given in (("with syntax", texts), ("words alone", plain)):
        model.parse(given[:1])  # tables are made once
        started = time.process_time()
        parsed = model.parse(given)
        seconds = time.process_time() - started
        edus = sum(len(one.tree) for one in parsed)
        rate = edus / _EDUS / seconds
        print(f"parsing    {rate:8.1f} documents of {_EDUS} EDUs a CPU second, {name}")
    scored = model.scored_on(args.dev / args.trees, syntax=args.dev / "conllu")
    for name, value in scored.facts["scores"]["micro_f1"].items():
        print(f"{100 * value:8.1f}   {name}")
    print(f"peak       {_megabytes():8.0f} MB")


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
