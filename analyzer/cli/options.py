"""Every option that two commands or more share: a row each, and groups of rows."""

from __future__ import annotations

from analyzer.cli.declarations import Group, Option, at_least, percent, picture_file
from analyzer.transform.parameters import BUILT_IN

_WIDEST = 100_000  # columns of a drawing

# -- what is read ------------------------------------------------------------------

GOLD = Option("GOLD")
PAIR = (GOLD, Option("PARSED"))
SYSTEMS = Option("[NAME=]PARSED", nargs="+", dest="inputs")
ENCODING = Option("--encoding  encoding of the files (default: utf-8)", default="utf-8")
STRICT = Option("--strict  stop at the first malformed tree")
INPUT = Group("input", ENCODING, STRICT, is_rare=True)
GRAMMAR = Option(
    "--grammar NAME|FILE.lark  the dialect of brackets that the files are in, such as "
    "untagged, square or slash, or a grammar of your own (see docs/grammars.md)",
    is_setting=True,
)
# Of commands that read syntactic trees: all of them have what is added here.
TREE_INPUT = Group("input", *INPUT.rows, GRAMMAR, is_rare=True)
SENTENCE = Option(
    "--sentence ID  only the sentence with this name (ALLEN,8.16), or with this "
    "number if the file has no names; may be repeated",
    action="append",
)
# One file or two, and sentences of them; see `inputs.files_and_numbers`.
FILES_AND_NUMBERS = Option(
    "FILE [FILE] [N ...]  one file or two (gold, parsed), then sentence numbers or "
    "ranges",
    nargs="+",
    dest="inputs",
)

# -- which sentences go together ---------------------------------------------------

MAX_LEFT_OUT = Option(
    "--max-left-out P%  fail (exit 2) if more than P %% of gold are left out", percent
)
# What may become of a parse that cannot be compared with gold.
_POLICIES = {
    "skip": "is left out (skip, as EVALB does)",
    "zero": "counts as finding nothing (zero)",
    "align": "is scored by those words that it shares with gold (align; see "
    "docs/generated.md)",
    "error": "stops the run (error)",
}


_IN_ORDER = (
    "order: the n-th sentence of one side with the n-th of the other (default); text: "
    "those with the same text, wherever they stand; id: those with the same id (of "
    "--id, or of files that have ids)"
)
PAIR_BY = Option(
    f"--pair {{order,text,id,characters,jp-evalb}}  {_IN_ORDER}; characters: brackets "
    "over one text, whatever its sentences and tokens; jp-evalb: the same, as that "
    "program aligns words (docs/characters.md)",
    default="order",
)
# Where words are compared one by one.
PAIR_SENTENCES_BY = Option(f"--pair {{order,text,id}}  {_IN_ORDER}", default="order")

TAGS = Option(
    "--tags {own,gold,parsed}  whose tags the words of both sides have: each its own "
    "(default), or those of one, where the other has none (see docs/grammars.md)",
    default="own",
)


UNITS = Option(
    "--units [NAME=]FILE.tsv:COLUMN  the document of each sentence, from a column of "
    "a file with one line for each sentence: intervals and tests are then by documents "
    "(default: by ids or files that are documents, else by sentences; see "
    "docs/scores.md); of several data sets, NAME= says which, and it may be repeated",
    action="append",
    is_input=True,
)


def pairing(*policies: str, rows: tuple[Option, ...] = (PAIR_BY, TAGS)) -> Group:
    """Which sentences go together, and what becomes of those that do not fit."""
    *texts, last = [_POLICIES[policy] for policy in policies]
    on_mismatch = Option(
        f"--on-mismatch  a failed or mismatched parse {', '.join(texts)}, or {last}",
        default="skip",
        choices=policies,
    )
    rows = *rows, on_mismatch, MAX_LEFT_OUT
    return Group("what is compared", *rows, is_rare=True)


PAIRING = pairing(*_POLICIES, rows=(PAIR_BY, TAGS, UNITS))
# Documents go by their names.
DOCUMENT_PAIRING = pairing("skip", "zero", "align", "error", rows=())
# Parses that a language model wrote.
ANSWERS = (
    Option(
        "--mend  take parsed trees out of the text around them, and repair those whose "
        "meaning is certain: brackets missing or too many at the end, several words in "
        "a leaf, other brackets (see docs/generated.md)"
    ),
    Option(
        "--field NAME  the parsed file has records (JSON, JSON lines, CSV, TSV), and "
        "each has an answer in this field, as response or choices.0.message.content"
    ),
    Option(
        "--gold-field NAME  gold is in this field of such records; the same file, say"
    ),
    Option("--id NAME  the field of such records that has the id of the sentence"),
)
_MEND, _FIELD, _GOLD_FIELD, _ID = ANSWERS
# Where neither side is gold.
ANSWERS_OF_BOTH = (
    _MEND.but(
        help="take trees out of the text around them, and repair those whose meaning "
        "is certain (see docs/generated.md)"
    ),
    _FIELD.but(
        help="the files have records (JSON, JSON lines, CSV, TSV), and each has a tree "
        "in this field, as response or choices.0.message.content"
    ),
    _GOLD_FIELD.but(help="A is in this field of such records; the same file, say"),
    _ID,
)
ANSWERS_ALONE = (*ANSWERS_OF_BOTH[:2], _ID)  # where a file is read by itself
GENERATED = Group(
    "answers of language models",
    *ANSWERS,
    Option(
        "--faithfulness  a table of what is wrong with the parsed trees: form, words, "
        "labels; --mend includes it"
    ),
    is_rare=True,
)
MENDED_PAIRING = pairing(*_POLICIES, rows=(PAIR_BY, TAGS, UNITS, *ANSWERS))
QUERIES = Option(
    "--queries FILE.toml  queries by name, as constructions of your own: lines such as "
    'of-phrase = "NP < (PP=of < (IN < of))" (see docs/howto/queries.md)',
    is_input=True,
)
GROUP_BY = Option(
    "--group-by FILE.tsv:COLUMN  the group of each sentence, from a column of a file "
    "with one line for each sentence",
    is_input=True,
)
TRAIN = Option(
    "--train TREEBANK  the parser's training data, to mark what occurs in it",
    is_input=True,
)
# One data set made into several.
GROUPS = (
    GROUP_BY.but(
        help="divide one data set into several: a column of this file, which has one "
        "line for each sentence, names them"
    ),
    Option("--reference NAME  the data set to compare with"),
)


def resampling(resamples: int, what: str) -> tuple[Option, Option]:
    """How often sentences are drawn for tests and intervals, and from which seed."""
    from analyzer.metrics.significance import DEFAULT_SEED

    seed = f"--seed N  seed of the random numbers (default: {DEFAULT_SEED})"
    return (
        Option(
            f"--resamples N  {what} (default: {resamples:,})", at_least(1), resamples
        ),
        Option(seed, at_least(0), DEFAULT_SEED),
    )


# -- how trees are understood ------------------------------------------------------

TREEBANK = Option(
    "--treebank --patterns NAME  annotation scheme: an inventory, a label set, or a "
    "file of one. It says what is not text, and which --params are the default (see "
    "docs/treebanks.md)",
    dest="treebank",
    is_setting=True,
)
_PARAMS = (
    f"--params SET  evalb parameters: {', '.join(BUILT_IN)}, or a .prm file "
    "(default: collins, or what suits the treebank)"
)
DELETE_LABEL = Option(
    "--delete-label LABEL  delete this label too (such as ROOT); may be repeated",
    action="append",
)
NO_ROOT = Option(
    "--no-root  leave the roots of trees out on both sides (TOP, ROOT, S1, no label "
    "…), which EVALB counts unless the parameters delete them"
)
PARAMETERS = Option(_PARAMS, is_setting=True), DELETE_LABEL, NO_ROOT
MERGE = Option(
    "--merge NAME=NAME,NAME  score constructions as one, as NP-t=NP-t,NP-pos; may be "
    "repeated",
    action="append",
)
SEPARATOR = Option(
    "--function-separator CHARACTERS  what separates function tags from labels, as * "
    "in NP*SBJ (default: that of the treebank, -= for Penn's)"
)
FUNCTIONS = Option(
    "--functions  score function tags (NP-SBJ) as well; see docs/functions.md"
)
# Of commands that score constructions.
SCORED = MERGE, NO_ROOT
FUNCTION_TAGS = Group("function tags", SEPARATOR, is_rare=True)
SCORED_FUNCTION_TAGS = Group("function tags", FUNCTIONS, SEPARATOR, is_rare=True)


def constructions(*more: Option) -> Group:
    """How trees become derivation trees."""
    from analyzer.transform.labels import DEFAULT_INVENTORY

    patterns = Option(
        "--patterns --treebank INVENTORY  pattern inventory, by name or file; it "
        "describes its treebank (default: %(default)s)",
        default=DEFAULT_INVENTORY,
        is_setting=True,
    )
    params = Option(_PARAMS, is_setting=True)
    return Group("constructions", patterns, params, DELETE_LABEL, *more)


ROOTS = Option(
    "--roots {join,drop,forest,error}  a document of several trees gets a unit over "
    "them (join, default), loses the segments that are attached to nothing, such as "
    "titles, on both sides (drop), counts tree by tree (forest), or is malformed "
    "(error)",
    default="join",
)


BINARIZE_PARSED = Option(
    "--binarize-parsed {yes,no}  for the metrics of discourse trees: binarise "
    "predictions as gold (yes, default), or score them as they are, as the papers' "
    "own program does (no)"
)
MULTINUCLEAR = Option(
    "--multinuclear LIST  relations between nuclei, separated by commas; or a file of "
    "them; or trees to learn them from (default: joint, same-unit, textual)"
)


def discourse_trees(binarize: str) -> Group:
    """How discourse trees are shaped before they are compared."""
    from analyzer.transform.relations import built_in_maps

    how = "how n-ary units are made binary (default: %(default)s)"
    maps = f"fine (default), coarse, {', '.join(built_in_maps())}, or a file of pairs"
    return Group(
        "discourse trees",
        Option(f"--binarize {{right,left,none}}  {how}", default=binarize),
        ROOTS,
        Option(
            f"--relations MAP  {maps}: label, class", default="fine", is_setting=True
        ),
    )


def compared_trees(
    function_tags: Group = SCORED_FUNCTION_TAGS, pairing: Group = MENDED_PAIRING
) -> tuple[Group, ...]:
    """How trees of sentences or documents are read, understood and paired."""
    right = discourse_trees("right")
    return constructions(*SCORED), function_tags, right, pairing, TREE_INPUT


# -- where the work is done --------------------------------------------------------

JOBS = Option(
    "--jobs N  processes to share the work (default: one for each processor for large "
    "inputs); the numbers are the same",
    int,
)
CLUSTER = Option(
    "--cluster ADDRESS  a Dask scheduler whose workers share the work, as "
    "tcp://host:8786; the workers must be able to read the files (see docs/cluster.md)"
)
# Of commands that score in parts.
WORK = Group("work", JOBS, CLUSTER, is_rare=True)

# -- what comes out ----------------------------------------------------------------

# What a table can be printed as.
ONE_TABLE = ("csv", "tsv", "jsonl")  # a file, a row a line
FORMATS = ("text", "markdown", "latex", *ONE_TABLE, "html", "json")
_QUIET = "no advice; warnings that change what a number means stay"
QUIET = Option(f"-q --quiet  {_QUIET}")
VERBOSE = Option("-v --verbose  all warnings, not just ten")
WIDE = Option("--wide  all columns of tables, however narrow the terminal is")
MESSAGES = (QUIET.but(help=f"no progress, {_QUIET}"), VERBOSE)


def output(*formats: str) -> Group:
    """The format of the result, a directory for all of it, and how much is told."""
    form = f"--format FORMAT  one of {', '.join(formats)} (default: text)"
    folder = Option(
        "--output DIR  write tables in all formats, and all plots, there too",
        is_output=True,
    )
    dark = Option("--dark  plots of --output for a dark background")
    chosen = Option(form, default="text", choices=formats)
    return Group("output", chosen, folder, dark, WIDE, *MESSAGES)


OUTPUT = output(*FORMATS)
BY_SENTENCE = Option("--by-sentence  a table per sentence as well")
REPAIRS = Option(
    "--repairs {spinal,kummerfeld}  errors by type as well, as spinal repairs counts "
    "them (docs/repairs.md), by this classifier (default: spinal)",
    nargs="?",
    const="spinal",
)
CAUSES = Option("--causes  why heads, edges, attachments are wrong (docs/causes.md)")


# How trees are drawn.
def drawing(
    width: str = "--width N  columns to draw in (default: terminal)",
) -> tuple[Option, ...]:
    """How trees are drawn, in the terminal or as a picture."""
    return (
        Option(
            "--picture --svg FILE  write a picture, not text: .svg, .pdf, .png or .tex "
            "(LaTeX, forest), by the ending; -: SVG to standard output",
            picture_file,
            is_output=True,
        ),
        Option(width, at_least(1, most=_WIDEST)),
        Option("--color {auto,always,never}", default="auto"),
    )


DRAWING = drawing()
