"""What every command prints, kept in a folder: run it before and after a move.

    python benchmarks/manifest.py OUT             runs all commands of this checkout
    python benchmarks/manifest.py OUT --against BEFORE     and lists what differs
    python benchmarks/manifest.py OUT --only 'rst score'   those that begin so

Each command line of `LINES` becomes a file of OUT: exit code, standard output, standard
error and whatever files it wrote. Commands run in forked processes of one interpreter,
in the folder of the samples (or `../shared/data`; without it, what needs it is named
and left out). There are no times and no absolute paths in what they print, so that two
checkouts that do the same are equal byte for byte.
"""

# ruff: noqa: E501  (a command line is easier to read in one piece)
from __future__ import annotations

import argparse
import contextlib
import filecmp
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
DATA = ROOT.parent / "shared" / "data"
TABLES = ("text", "markdown", "latex", "csv", "tsv", "json", "html")
SOME = ("text", "json")

NEWS = "{ex}/news.gold.mrg {ex}/news.chart.mrg"
WEB = "{ex}/web.gold.mrg {ex}/web.chart.mrg"
BOTH = "{ex}/web.gold.mrg chart={ex}/web.chart.mrg greedy={ex}/web.greedy.mrg"
SETS = "news={ex}/news.gold.mrg:{ex}/news.chart.mrg web={ex}/web.gold.mrg:{ex}/web.chart.mrg"
GUM = "{data}/syntax/gold/dev.gold.mrg {data}/syntax/parsed/dev.berkeley-sm4.mrg"
GUM2 = GUM + " {data}/syntax/parsed/dev.berkeley-sm1.mrg"
WSJ = "{data}/syntax/wsj_sample"
RST = "{data}/rst/gold/dis {data}/rst/pred/sr"
RSTS = "{data}/rst/gold/dis sr={data}/rst/pred/sr hilda={data}/rst/pred/hilda"
TB = "{ex}/treebanks"
ZH = f"{TB}/chinese.gold.mrg {TB}/chinese.parsed.mrg"
FR = f"{TB}/french.gold.mrg {TB}/french.parsed.mrg"
DE = f"{TB}/german.gold.xml {TB}/german.parsed.mrg"
JA = f"{TB}/japanese.gold.psd {TB}/japanese.parsed.psd"
PS = f"{TB}/letters.gold.psd {TB}/letters.parsed.psd"
DISC = "{ex}/discourse {ex}/discourse_chart"
DISCS = "{ex}/discourse chart={ex}/discourse_chart greedy={ex}/discourse_greedy"
FAR = "{data}/languages/faroese/far_split0.gold.psd {data}/languages/faroese/far_split0"
STAR = "--patterns historical --functions --function-separator *"
GOLD_DEV = "{data}/syntax/gold/dev.gold.mrg"
# Files of treebanks that are not plain Penn brackets, and of other programs.
DIALECTS = [
    "{data}/" + str(file.relative_to(DATA))
    for folder in ("languages/*", "syntax_more/*", "syntax/evalb_samples", WSJ[7:])
    for file in sorted(DATA.glob(f"{folder}/*"))[:12]
    if file.is_file()
]
COMMANDS = """
score derive errors repairs breakdown instances domains compare agree report kernel
check patterns evalb show rst discotk
"""
RST_ACTIONS = "score convert similarity ambiguity show train parse segment"
DISCOTK_ACTIONS = "score correlate tune represent"

# A command line, and in how many formats it is run.
LINES: list[tuple[str, tuple[str, ...]]] = [
    (f"score {NEWS}", TABLES),
    (f"score {NEWS} --by-sentence", TABLES),
    (f"score {NEWS} --min-share 1 --sort f_h --columns construction,gold,f_h,att", SOME),
    (f"score {NEWS} --top 5 --merge NP-modr=NP-t", SOME),
    (f"score {NEWS} --on-mismatch zero -v", SOME),
    (f"score {NEWS} --faithfulness", TABLES),
    (f"score {FAR}.e1.psd {STAR}", TABLES),
    (f"score {NEWS} --functions", ("text",)),
    (f"score {WEB} --jobs 2", SOME),
    (f"score {GUM}", SOME),
    (f"score {GUM} --params {{data}}/syntax/params/COLLINS.prm", SOME),
    (f"score {ZH} --patterns chinese", SOME),
    (f"score {FR} --patterns french", SOME),
    (f"score {DE} --patterns german", SOME),
    (f"score {JA} --patterns japanese", SOME),
    (f"score {PS} --patterns historical", SOME),
    *((f"score {FAR}.ice.psd --on-mismatch {name}", SOME) for name in ("align", "zero", "error")),
    (f"score {DISC}", ("text",)),
    ("score {data}/syntax/tricky/*.gld {data}/syntax/tricky/*.tst", SOME),
    ("score {ex}/news.gold.mrg {ex}/web.chart.mrg", SOME),
    ("score {ex}/news.gold.mrg missing.mrg", SOME),
    (f"evalb {NEWS}", (*TABLES, "evalb")),
    (f"evalb {NEWS} --by-label", TABLES),
    (f"evalb {NEWS} --by-sentence", TABLES),
    (f"evalb {NEWS} --conventions", TABLES),
    (f"evalb {GUM}", (*SOME, "evalb")),
    (f"evalb {GUM} --params {{data}}/syntax/params/new.prm --by-label --by-sentence", SOME),
    (f"evalb {GUM} --params {{data}}/syntax/params/spmrl.prm", (*SOME, "evalb")),
    (f"evalb {GUM} --conventions", SOME),
    (f"evalb {DE} --treebank german --raised", SOME),
    (f"evalb {ZH} --treebank chinese --by-label", SOME),
    (f"errors {NEWS}", TABLES),
    (f"errors {NEWS} --construction PP-t --kind att --limit 6", SOME),
    (f"errors {NEWS} --confusions", TABLES),
    (f"errors {NEWS} --kind span-right", SOME),
    (f"errors {FAR}.e1.psd {STAR} --limit 60", SOME),
    (f"errors {NEWS} --sentence 3", SOME),
    (f"errors {GUM} --jobs 2 --limit 400", SOME),
    (f"errors {DISC}", SOME),
    (f"errors {RST} --relations coarse --limit 60", SOME),
    (f"errors {NEWS} --construction NOPE", ("text",)),
    (f"errors {ZH} --patterns chinese", SOME),
    (f"repairs {NEWS}", TABLES),
    (f"repairs {NEWS} --list", TABLES),
    (f"repairs {NEWS} --by-sentence", TABLES),
    (f"repairs {NEWS} --crossed --classifier spinal", TABLES),
    (f"repairs {NEWS} --worth construction --classifier spinal", SOME),
    (f"repairs {NEWS} --worth", TABLES),
    (f"repairs {NEWS} --draw 3 --width 100", ("",)),
    (f"repairs {GUM}", SOME),
    (f"repairs {GUM} --crossed --top 10 --classifier spinal", SOME),
    (f"repairs {GUM} --worth", SOME),
    (f"repairs {ZH} --patterns chinese", SOME),
    (f"repairs {ZH} --patterns chinese --list", SOME),
    (f"breakdown {NEWS} --by tag", TABLES),
    (f"breakdown {BOTH} --by length --construction NP-t", TABLES),
    (f"breakdown {NEWS} --by governor,distance --construction PP-t", SOME),
    (f"breakdown {WEB} --by group --group-by {{ex}}/web.tsv:genre", SOME),
    (f"breakdown {GUM} --by known --train {{data}}/syntax/gold/train_sample.gold.mrg", SOME),
    (f"breakdown {GUM2} --by construction --top 20", SOME),
    (f"breakdown {DISC} --by length", SOME),
    (f"instances {NEWS}", ("csv", "tsv")),
    (f"instances {NEWS} --construction PP-t", ("csv",)),
    (f"instances {DISC}", ("csv",)),
    (f"instances {WEB} --group-by {{ex}}/web.tsv:genre", ("csv",)),
    (f"domains {SETS}", TABLES),
    (f"domains {SETS} --measure recall --top 5 --reference web", SOME),
    (f"domains {SETS} --repairs", TABLES),
    (f"domains dev={GOLD_DEV}:{{data}}/syntax/parsed/dev.berkeley-sm4.mrg "
     "--group-by {data}/syntax/sidecar/dev.tsv:genre", SOME),
    (f"domains a={DISC.replace(' ', ':')} b={{ex}}/discourse:{{ex}}/discourse_greedy", SOME),
    (f"compare {BOTH}", TABLES),
    (f"compare {BOTH} --repairs", TABLES),
    (f"compare {BOTH} --metric f_h --resamples 500", SOME),
    (f"compare {GUM2} --resamples 500", SOME),
    (f"compare {FAR}.e1.psd {{data}}/languages/faroese/far_split0.ei0.psd {STAR} "
     "--resamples 200", SOME),
    (f"compare {DISCS} --resamples 200", TABLES),
    (f"compare {RSTS} --relations coarse --resamples 200", SOME),
    ("agree {ex}/annotators/anna.mrg {ex}/annotators/ben.mrg", TABLES),
    ("agree {ex}/annotators/anna.mrg {ex}/annotators/ben.mrg --examples 3", SOME),
    ("agree {ex}/web.gold.mrg {ex}/web.chart.mrg {ex}/web.greedy.mrg", TABLES),
    (f"agree {DISC}", TABLES),
    ("agree {ex}/discourse {ex}/discourse_chart {ex}/discourse_greedy", SOME),
    (f"agree {RST} --relations coarse", SOME),
    ("agree {data}/rst_corpora/double/A {data}/rst_corpora/double/B --segmentation offsets", SOME),
    (f"report {NEWS} --html out.html", ("",)),
    (f"report {BOTH} --html out.html --resamples 200", ("",)),
    (f"report {SETS} --html out.html", ("",)),
    (f"report {DISC} --html out.html", ("",)),
    (f"report {DISCS} --html out.html --resamples 100", ("",)),
    (f"report {WEB} --group-by {{ex}}/web.tsv:genre --html out.html", ("",)),
    (f"report {GUM} --html out.html --max-instances 500", ("",)),
    (f"report {FAR}.e1.psd {STAR} --html out.html", ("",)),
    ("kernel {ex}/news.gold.mrg {ex}/news.chart.mrg", TABLES),
    ("kernel {ex}/news.gold.mrg --matrix", ("text", "csv")),
    ("kernel {ex}/news.gold.mrg --nearest 3", SOME),
    ("kernel {ex}/news.gold.mrg {ex}/news.chart.mrg --kernel ptk --decay 0.4", SOME),
    (f"kernel {DISC}", SOME),
    ("check {ex}/web.gold.mrg", (*TABLES, "sarif")),
    ("check {ex}/web.gold.mrg --level error --limit 5", SOME),
    (f"check {GOLD_DEV} --limit 200", SOME),
    (f"check {GOLD_DEV} --limit 100 --kind variation", SOME),
    ("check {data}/consistency/icepahc/2011 --patterns historical --limit 100", SOME),
    (f"check {TB}/notices.mrg", TABLES),
    (f"check {TB}/chinese.gold.mrg --patterns chinese", SOME),
    (f"check {TB}/german.gold.xml --patterns german", SOME),
    ("check {data}/rst/gold/dis --rst --limit 100", SOME),
    ("check {ex}/discourse --rst", TABLES),
    ("check {ex}/web.gold.mrg --write-baseline base.jsonl", ("text",)),
    ("check {ex}/web.gold.mrg --patch fix.diff --write-decisions fix.jsonl", ("text",)),
    ("patterns list", TABLES),
    ("patterns list {ex}/news.gold.mrg", TABLES),
    ("patterns check", SOME),
    ("patterns check {ex}/news.gold.mrg", SOME),
    ("patterns explain NP -> NP PP", SOME),
    *((f"patterns list --patterns {name}", ("text",)) for name in
      ("chinese", "french", "german", "japanese", "historical", "rst")),
    (f"derive {NEWS} 6 --width 120", ("",)),
    (f"derive {NEWS} 1-4 --style json", ("",)),
    (f"derive {NEWS} 1-9 --style table", ("",)),
    (f"derive {NEWS} 2 --svg out.svg", ("",)),
    ("derive {ex}/news.gold.mrg 1-5", ("",)),
    (f"derive {DISC} 1-2", ("",)),
    (f"derive {RST} 1-3 --style table", ("",)),
    (f"show {NEWS} 1-4", ("",)),
    (f"show {NEWS} 1-4 --style line", ("",)),
    (f"show {NEWS} 1-4 --style indented", ("",)),
    (f"show {NEWS} 2 --svg out.svg", ("",)),
    (f"show {DE} 1-3", ("",)),
    (f"show {JA} 1-3", ("",)),
    (f"rst score {DISC}", TABLES),
    (f"rst score {DISCS}", TABLES),
    (f"rst score {DISC} --by-document --constructions", SOME),
    (f"rst score {DISC} --published", SOME),
    ("rst score {data}/rst/gold/dis {data}/rst/pred_fine/sr --constructions "
     "--levels {data}/rst/gold/rsd", SOME),
    (f"rst score {RST} --relations coarse --by-relation", SOME),
    ("rst score {data}/rst_corpora/end_to_end/gold {data}/rst_corpora/end_to_end/pred "
     "--segmentation offsets", SOME),
    (f"rst score {RST} --relations coarse", SOME),
    (f"rst score {RST} --relations coarse --by-document", SOME),
    (f"rst score {RST} --relations coarse --as-released --binarize none", SOME),
    (f"rst score {RST} --relations coarse --no-root --parseval-root", SOME),
    (f"rst score {RSTS} --relations coarse", SOME),
    ("rst score {data}/rst/gold/rs4 {data}/rst/gold/rsd", SOME),
    *((f"rst convert --to {name} {{ex}}/discourse -o out", ("",)) for name in
      ("dis", "rs3", "rsd", "conllu", "json", "brackets")),
    *((f"rst convert --to {name} {{data}}/rst/gold/rs4 -o out --binarize right", ("",))
      for name in ("dis", "rs3", "rsd", "conllu", "json", "brackets")),
    ("rst convert --to dis {data}/rst/gold/rsd -o out --order strict", ("",)),
    ("rst convert --to json {data}/rst/fixtures -o out", ("",)),
    ("rst similarity gold={ex}/discourse c={ex}/discourse_chart g={ex}/discourse_greedy", TABLES),
    ("rst similarity a={data}/rst/pred/sr b={data}/rst/pred/hilda c={data}/rst/pred/dep "
     "d={data}/rst/pred/rb --metric S --metric F", SOME),
    ("rst ambiguity {ex}/discourse", TABLES),
    ("rst ambiguity {data}/rst/gold/dis", SOME),
    ("rst show {ex}/discourse/bakery.tsv", ("",)),
    ("rst show {ex}/discourse/bakery.tsv {ex}/discourse_chart/bakery.tsv --width 120", ("",)),
    ("rst show {ex}/discourse/bakery.tsv --svg out.svg", ("",)),
    ("rst show {data}/rst/gold/dis --style dependencies", ("",)),
    ("rst train {ex}/discourse -o m.model --seed 3 -q", ("text", "json")),
    ("rst train {ex}/discourse -o m.model -q && rst parse m.model "
     "{ex}/discourse_text/library.txt", ("",)),
    ("rst train {ex}/discourse -o m.model -q && rst parse m.model --to confidence "
     "{ex}/discourse_text/library.txt", ("",)),
    ("rst train {ex}/discourse -o m.model -q && rst segment m.model "
     "{ex}/discourse_text/library.txt", ("text",)),
    ("rst train {data}/rst_parser/dev -o m.model -q && rst parse m.model -o out "
     "{data}/rst_parser/dev", ("",)),
    ("discotk correlate --scores {data}/mt/wmt13-fr-en/fr-en.segscores.tsv.gz "
     "--rankings {data}/mt/wmt13-fr-en/wmt13-fr-en-test.csv.gz", SOME),
    ("discotk tune --scores {data}/mt/wmt13-fr-en/fr-en.segscores.tsv.gz "
     "--rankings {data}/mt/wmt13-fr-en/wmt13-fr-en-train.csv.gz", SOME),
    ("discotk represent {ex}/discourse", ("",)),
    ("discotk represent {data}/rst/gold/dis --as lex2.1", ("",)),
    ("discotk score --reference {ex}/discourse --system c={ex}/discourse_chart "
     "--system g={ex}/discourse_greedy", TABLES),
    ("discotk score --reference {ex}/discourse --system c={ex}/discourse_chart "
     "--as nolex", SOME),
    *((f"{name} --help", ("",)) for name in COMMANDS.split()),
    *((f"{name} --help-all", ("",)) for name in COMMANDS.split() if name not in ("rst", "discotk")),
    *((f"rst {name} --help-all", ("",)) for name in RST_ACTIONS.split()),
    *((f"discotk {name} --help-all", ("",)) for name in DISCOTK_ACTIONS.split()),
    ("--help", ("",)),
    ("score", ("",)),
    ("score --no-such-option a b", ("",)),
    (f"score {NEWS} --format nope", ("",)),
    (f"score {NEWS} --patterns nope", ("",)),
    ("rst score {ex}/discourse {ex}/nothing", ("",)),
    ("check {ex}/nothing.mrg", ("",)),
    # Data as it comes.
    *((f"show {file} 1-3 --style line", ("",)) for file in DIALECTS),
    ("show {data}/languages/french/sequoia.odd.gold.mrg 1-20 --style line", ("",)),
    *((f"rst convert --to dis {{data}}/rst_corpora/{name} -o out", ("",)) for name in
      ("apa", "double/A", "end_to_end/pred", "gum9_neural/topdown/run2", "pcc2",
       "ru_rst", "scidtb/A")),
    ("rst convert --to json {data}/rst_parser/dev/conllu -o out", ("",)),
]  # fmt: skip


def command_lines() -> Iterator[str]:
    """Each of the lines, with its format."""
    for line, formats in LINES:
        for name in formats:
            yield f"{line} --format {name}" if name else line


def words_of(line: str) -> list[str]:
    """A line as arguments, globs filled in, relative to the folder that it runs in."""
    if line.startswith("patterns explain"):
        return ["patterns", "explain", "NP -> NP PP", *line.split()[6:]]
    words: list[str] = []
    for word in line.format(ex=EXAMPLES, data=DATA).split():
        folder = Path(word).parent
        if word.startswith("/") and "*" in word:
            words += sorted(map(str, folder.glob(Path(word).name))) or [word]
        else:
            words.append(word)
    return words


def run(line: str, out: Path) -> None:
    """One command line, and what it did, into a file of `out`."""
    shown = line.replace("{", "").replace("}", "")
    digest = hashlib.sha256(line.encode()).hexdigest()[:6]
    name = re.sub(r"[^\w=.,:-]+", "_", shown)[:150] + f".{digest}"
    with tempfile.TemporaryDirectory() as folder:
        told = [f"$ spinal {line}\n".encode()]
        for part in line.split(" && "):
            code = _forked(words_of(part), Path(folder))
            told += [f"exit {code}\n".encode()]
            for stream in ("stdout", "stderr"):
                file = Path(folder, f".{stream}")
                told += [f"--- {stream}\n".encode(), file.read_bytes()]
                file.unlink()
        for file in sorted(Path(folder).rglob("*")):
            if file.is_file() and file.suffix != ".model":
                where = file.relative_to(folder)
                told += [f"--- file {where}\n".encode(), file.read_bytes()]
        text = b"".join(told)
    for path, shown in ((EXAMPLES, b"{ex}"), (DATA, b"{data}"), (ROOT, b"{root}")):
        text = text.replace(str(path).encode(), shown)
    # Files of a folder may be named relative to where the command runs.
    text = re.sub(rb"(\.\./)+\S*?/(examples|shared/data)/", rb"{\2}/", text)
    (out / name).write_bytes(text)


def _forked(arguments: list[str], folder: Path) -> int:
    """A command in a process of its own; its exit code."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    os.chdir(folder)
    for number, name in ((1, ".stdout"), (2, ".stderr")):
        file = os.open(name, os.O_CREAT | os.O_WRONLY)
        os.dup2(file, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    from analyzer.cli.main import main

    code = 70
    try:
        code = main(arguments)
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--against", type=Path, help="what another checkout gave")
    parser.add_argument("--only", default="", help="command lines that begin so")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    if os.environ.get("PYTHONHASHSEED") != "0":  # in which order sets are
        os.execve(
            sys.executable,
            [sys.executable, *sys.argv],
            {**os.environ, "PYTHONHASHSEED": "0"},
        )
    os.environ.update(COLUMNS="100", NO_COLOR="1", PYTHONHASHSEED="0")
    import numpy  # noqa: F401  (once, for all of them)

    lines = [line for line in command_lines() if line.startswith(options.only)]
    if not DATA.is_dir():
        print(f"NOT RUN: what needs {DATA}", file=sys.stderr)
        lines = [line for line in lines if "{data}" not in line]
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    with ThreadPoolExecutor(1) as one:
        list(one.map(lambda line: run(line, options.out), lines))
    print(f"{len(lines)} command lines in {options.out}")
    if options.against is None:
        return 0
    names = sorted(file.name for file in options.out.iterdir())
    _, differing, missing = filecmp.cmpfiles(
        options.out, options.against, names, shallow=False
    )
    for name in differing:
        print("differs:", name)
    for name in missing:
        print("new:", name)
    print(f"{len(names) - len(differing) - len(missing)} are equal")
    return 1 if differing or missing else 0


if __name__ == "__main__":
    sys.exit(main())
