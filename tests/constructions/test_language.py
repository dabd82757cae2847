"""The language of inventories: what loads, what does not and why; English."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import (
    Inventory,
    Labeller,
    PatternError,
    load_inventory,
    parse_inventory,
    read_trees,
)
from analyzer.analyses.score import settings as scoring_settings
from analyzer.checks.inventory import (
    Usage,
    check_inventory,
    check_overlap,
    labels_of,
    usage_of,
)
from analyzer.constructions.inventory import KNOWN_LABELS, Child, Pattern
from analyzer.exceptions import InputError, SettingsError
from tests.support.data_paths import EXAMPLES, SYNTAX, needs_shared_data

# -- what does not load --------------------------------------------------------------


def listed(text: str) -> list[str]:
    return text.split()


FOO = "unknown class or label 'FOO'; expected a Penn Treebank label, a class"
ONCE = "may be missing or repeated; expected it on every way through the pattern, once"
ONE_CHILD = "must be one child; expected labels or classes separated by '|'"


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("NP-t: FOO* (head:TAG)", 1, 7, FOO),
        ("# why\n\nNP-t:\n  (head:FOO)", 4, 9, FOO),
        ("\tNP-t: DT\t(head:FOO)", 1, 17, FOO),
        ("NP-t: (head:nn)", 1, 13, "unknown class or label 'nn'"),
        ("class A = NN\nclass B = FOO", 2, 11, FOO),
        ("class A = NN except FOO", 1, 21, FOO),
        ("NP-t: DT* NN", 1, 1, "NP-t has no head; expected exactly one group (head:…)"),
        (
            "NP-t: (head:DT) (head:NN)",
            1,
            17,
            "NP-t has two heads; expected exactly one",
        ),
        ("NP-t: (head:NN) (?!(head:NN))", 1, 20, "two heads"),
        ("NP-t: DT (head:NN)?", 1, 10, ONCE),
        ("NP-t: DT (head:NN)+", 1, 10, ONCE),
        ("NP-t: (head:NN){2}", 1, 7, ONCE),
        ("NP-t: ((head:NN) DT)*", 1, 8, ONCE),
        ("NP-t: DT ((head:NN) | NN)", 1, 11, ONCE),
        ("NP-t: DT | (head:NN)", 1, 12, ONCE),
        ("NP-t: (?=(head:NN)) NN", 1, 10, ONCE),
        ("NP-t: (?!(head:NN)) NN", 1, 10, ONCE),
        ("NP-t: (head:NN DT)", 1, 7, ONE_CHILD),
        ("NP-t: (head:NN*)", 1, 7, ONE_CHILD),
        ("NP-t: (head:)", 1, 13, "found ')'; expected"),
        (
            "NP-t: (head:NN)\n\nNP-t: DT (head:NN)",
            3,
            1,
            "line 1 already; expected a new",
        ),
        ("NP-t, VP-t, NP-t: (head:TAG)", 1, 13, "the name NP-t stands on line 1"),
        ("class A = NN\nclass A = DT", 2, 7, "class A is defined twice; expected"),
        ("class TAG = NN", 1, 7, "class TAG is defined twice; expected a new name"),
        ("class NP = NN", 1, 7, "would hide the label NP; expected a new name"),
        ("class A NN", 1, 9, "found 'NN'; expected '='"),
        ("class A = ", 1, 10, "found the end of the line; expected"),
        ("NP-t: DT{3,1} (head:NN)", 1, 9, "{3,1} does not compile; expected"),
        ("NP-t: DT{,1} (head:NN)", 1, 9, "found '{,1}'; expected"),
        ("NP-t: DT** (head:NN)", 1, 10, "found '*'; expected"),
        ("NP-t: DT{99999999999999} (head:NN)", 1, 9, "does not compile; expected"),
        ("NP-t ^(head:NN)$", 1, 1, "expected 'class' or a name such as NP-t, then ':'"),
        ("NP: (head:NN)", 1, 1, "found 'NP'; expected 'class' or a name such as NP-t"),
        ("NP-t, : (head:NN)", 1, 7, "found ':'; expected a name such as NP-t"),
        ("NP-t:", 1, 6, "found the end of the line; expected '(' or '(head:'"),
        ("NP-t: (DT (head:NN)", 1, 20, "found the end of the line; expected ')'"),
        ("NP-t: (head:NN\nVP-t: (head:VB)", 1, 15, "the end of the line; expected ')'"),
        ("NP-t: DT) (head:NN)", 1, 9, "found ')'; expected the end of the line"),
        ("NP-t: 'quote (head:NN)", 1, 7, "expected '(' or '(head:' or ANY or a label"),
        ("NP-t: [a-z]+ (head:NN)", 1, 7, "found '[a-z]+'; expected"),
        (
            "yes: NP -> NN\nNP-t: (head:NN)",
            1,
            1,
            "an example; expected a pattern above",
        ),
        (
            "NP-t: (head:NN)\n  yes: VP -> NN",
            2,
            8,
            "of VP under NP-t; expected one of NP",
        ),
        ("NP-t: (head:NN)\n  no: NP NN", 2, 10, "found 'NN'; expected '->'"),
        ("NP-t: (head:NN)\n  yes: NP ->", 2, 13, "end of the line; expected a child"),
        ("hello world", 1, 1, "found 'hello'; expected 'class' or a name"),
        ("", 1, 1, "no patterns; expected lines such as"),
        ("# nothing but this\n", 1, 1, "no patterns; expected lines such as"),
    ],
)
def test_bad_inventories_get_place_and_what_was_expected(
    text: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(PatternError) as caught:
        parse_inventory(text, source="mine.pat")
    error = caught.value
    assert error.place is not None
    assert (error.place.source, error.place.line, error.place.column) == (
        "mine.pat",
        line,
        column,
    )
    assert message in str(error)
    assert str(error).startswith(f"mine.pat:{line}:{column}: ")
    if error.excerpt:
        shown, caret = error.excerpt.splitlines()
        # The caret stands under the column, counted in the line as shown.
        assert caret.index("^") - 4 == column - 1
        assert shown[4:].strip() == text.splitlines()[line - 1].strip().replace(
            "\t", " "
        )


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.sampled_from(
            [
                *listed(
                    "NP-t VP-x : , ( ) (head: NN NP FOO 'x' ' * + ? {2} {3,1} | ^ $"
                ),
                *listed("# = class except yes: no: -> ANY (?! (?= (a)"),
                *("[^\\ ]+", "\n", "\n", "\t"),
            ]
        ),
        max_size=14,
    )
)
def test_no_text_makes_it_crash(pieces: list[str]) -> None:
    text = " ".join(pieces)
    error = None
    try:
        assert parse_inventory(text).patterns
    except PatternError as caught:
        error = caught
    if error is not None:
        assert error.place is not None
        assert 1 <= error.place.line <= text.count("\n") + 1
        assert "expected" in str(error)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"no pattern file 'nosuch'.*english"):
        load_inventory("nosuch")
    (tmp_path / "latin.pat").write_bytes(b"# \xe9\nNP-t: (head:NN)\n")
    with pytest.raises(InputError, match=r"latin.pat:1: byte 0xE9 is not UTF-8"):
        load_inventory(tmp_path / "latin.pat")
    (tmp_path / "bad.pat").write_text("NP-t: NN\n")
    with pytest.raises(PatternError, match=r"bad.pat:1:1: NP-t has no head"):
        load_inventory(str(tmp_path / "bad.pat"))


# -- what loads ----------------------------------------------------------------------


def matched(inventory: Inventory, production: str) -> list[tuple[str, int]]:
    """The patterns that match 'NP -> DT NN', each with its head (from 0)."""
    parent, children = production.split(" -> ")
    found = inventory.matches(parent, inventory.children(children.split()))
    return [(pattern.name, head) for pattern, head in found]


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("(head:TAG)", ["NN", "PRP$", "-LRB-", "unheard-of"], ["CC", "NP", "NN NN"]),
        ("(head:CONJ)", ["CC"], ["NN", "CONJP"]),
        ("(head:NT)", ["NP", "VP"], ["CONJP", "NML", "NN"]),
        ("(head:CONJP)", ["CONJP"], ["CC"]),
        ("(head:ANY)", ["CC", "NP", "CONJP", "$"], ["NN NN"]),
        ("ANY* (head:NN)", ["NN", "CC NP NN"], ["NN NP"]),
        ("DT? (head:NN)", ["NN", "DT NN"], ["DT DT NN"]),
        ("DT{2} (head:NN)", ["DT DT NN"], ["DT NN", "DT DT DT NN"]),
        ("DT{1,2} (head:NN)", ["DT NN", "DT DT NN"], ["NN", "DT DT DT NN"]),
        ("DT{1,} (head:NN)", ["DT NN", "DT DT DT NN"], ["NN"]),
        ("(DT|JJ NN)* (head:NN)", ["JJ NN DT NN", "NN"], ["JJ NN"]),
        ("(head:NN|NNS)", ["NN", "NNS"], ["NNP"]),
        ("(head:NN) | DT (head:NN)", [], []),
        ("(?!DT) ANY (head:NN)", ["JJ NN"], ["DT NN"]),
        ("(?=DT JJ) ANY* (head:NN)", ["DT JJ NN"], ["DT NN"]),
        ("(head:NN) (?!ANY)", ["NN"], ["NN NN"]),
        ("'PRP$' (head:NN)", ["PRP$ NN"], ["PRP NN"]),
        ("'#' (head:CD) # pounds", ["# CD"], ["CD"]),
        ("'NP' (head:NN)", ["NP NN"], ["VP NN"]),
        ("^(head:NN)$", ["NN"], ["DT NN"]),
        ("( head : NN )", ["NN"], ["DT"]),
        ("DT(head:NN)DT", ["DT NN DT"], ["NN"]),
    ],
)
def test_what_patterns_match(pattern: str, yes: list[str], no: list[str]) -> None:
    if not yes:  # two groups are two heads, even if only one can match
        with pytest.raises(PatternError, match="two heads"):
            parse_inventory(f"NP-t: {pattern}")
        return
    inventory = parse_inventory(f"NP-t: {pattern}")
    assert all(matched(inventory, f"NP -> {children}") for children in yes)
    assert not any(matched(inventory, f"NP -> {children}") for children in no)
    assert not matched(inventory, f"VP -> {yes[0]}")


def test_a_tag_and_a_phrase_of_one_name_are_two_things() -> None:
    inventory = parse_inventory("NP-t: (head:NP)\nNP-q: 'NP' (head:NN)")
    assert inventory.matches("NP", [Child("NP", False)])
    assert not inventory.matches("NP", [Child("NP", True)])
    for is_leaf in (True, False):  # a label in quotes is both
        assert inventory.matches("NP", [Child("NP", is_leaf), Child("NN", True)])


def test_where_two_ways_lead_the_first_is_taken() -> None:
    inventory = parse_inventory("NP-t: (ANY*(?=NN) | ANY*) (head:TAG) ANY*")
    assert matched(inventory, "NP -> DT NN JJ NN PP") == [("NP-t", 3)]
    assert matched(inventory, "NP -> DT JJ PP") == [("NP-t", 1)]


def test_classes() -> None:
    inventory = parse_inventory(
        """
        class NOUN = NN | NNS | 'NN-X'
        class WORD = TAG except POS, NOUN   # one class in another
        class REST = ANY except WORD | NOUN
        NP-n: (head:NOUN)
        NP-w: (head:WORD)
        NP-r: (head:REST)
        """
    )
    names = {
        label: [name for name, _ in matched(inventory, f"NP -> {label}")]
        for label in ("NN", "NN-X", "JJ", "POS", "NP", "CC")
    }
    assert names == {
        "NN": ["NP-n"],
        "NN-X": ["NP-n"],
        "JJ": ["NP-w"],
        "POS": ["NP-r"],
        "NP": ["NP-r"],
        "CC": ["NP-r"],
    }


def test_names_share_a_pattern_comments_and_examples() -> None:
    inventory = parse_inventory(
        "# not about it\n\n# The head is\n#   last (a cat).\n"
        "NP-t,NX-t : DT* (head:TAG)  # so\n\n"
        "    yes: NP -> DT NN  # like this\n    no: NX -> NP\n"
    )
    for pattern, nonterminal in zip(inventory.patterns, ("NP", "NX"), strict=True):
        assert pattern.nonterminal == nonterminal
        assert pattern.source == "DT* (head:TAG)"
        assert pattern.comment == "The head is last (a cat)."
        assert [one.is_positive for one in pattern.examples] == [True, False]
        assert pattern.examples[0].children == ("DT", "NN")
    assert [pattern.line for pattern in inventory.patterns] == [5, 5]


def test_what_is_in_quotes_is_no_comment() -> None:
    (pattern,) = parse_inventory("QP-t: '#'? (head:CD)  # pounds").patterns
    assert pattern.source == "'#'? (head:CD)"


def test_white_space_and_line_ends_do_not_matter() -> None:
    one = parse_inventory("NP-t: DT* (head:NN)\nVP-t: (head:VB)")
    other = parse_inventory(
        "\r\n\tNP-t :\r\n   DT *( head: NN )\r\n VP-t:(head:VB)\r\n"
    )
    assert [p.expression for p in one.patterns] == [
        p.expression for p in other.patterns
    ]


def test_examples_are_checked() -> None:
    inventory = parse_inventory(
        "NP-t, NX-t: (head:NN)\n  yes: NP -> DT NN\n  no: NX -> NN\n  yes: NX -> NN\n",
        source="mine.pat",
    )
    assert [str(finding.place) for finding in check_inventory(inventory)] == [
        "mine.pat:2",
        "mine.pat:3",
    ]
    first, second = check_inventory(inventory)
    assert first.code == second.code == "P101"
    assert first.message == "NP-t should match NP -> DT NN"
    assert second.message == "NX-t should not match NX -> NN"


def test_the_hash_changes_with_the_patterns() -> None:
    one, other = parse_inventory("NP-t: (head:NN)"), parse_inventory("NP-t: (head:NP)")
    assert one.hash != other.hash
    assert len(one.hash) == 8


# -- recursive, mixed, foreign -------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "recursive", "mixed"),
    [
        ("NP-modr: (head:NP) PP", True, False),
        ("NP-q: (head:'NP') PP", True, True),  # in quotes it may be a tag as well
        ("NP-t: (head:TAG)", False, False),
        ("NP-nt: (head:QP)", False, False),
        ("NP-x: (head:NT)", True, True),
        ("NP-x: (head:ANY)", True, True),
        ("NP-x: (head:NP|QP)", True, True),
        ("class REST = NT except NP\nNP-x: (head:REST)", False, False),
        ("class SELF = NP\nNP-x: (head:SELF)", True, False),
        ("CONJP-x: (head:NT)", False, False),  # NT has no CONJP
        ("CONJP-x: (head:CONJP)", True, False),
        ("VP-aux: TAG (head:VP)", True, False),
        ("S-vp: ANY* (head:VP)", False, False),
    ],
)
def test_recursive_and_mixed(pattern: str, recursive: bool, mixed: bool) -> None:
    (found,) = parse_inventory(pattern).patterns
    assert (found.is_recursive, found.is_mixed) == (recursive, mixed)
    codes = [finding.code for finding in check_inventory(parse_inventory(pattern))]
    assert codes == ["P102"] * mixed


def test_each_name_has_its_own_nonterminal() -> None:
    inventory = parse_inventory("NP-x, VP-x: (head:NP)")
    assert [pattern.is_recursive for pattern in inventory.patterns] == [True, False]


def test_foreign_nonterminals_are_findings_unless_the_data_has_them() -> None:
    inventory = parse_inventory("SN-t: (head:TAG)")
    (finding,) = check_inventory(inventory)
    assert finding.code == "P103"
    assert "SN" in finding.message
    assert not [*check_inventory(inventory, ["SN"])]
    usage, labeller = used(inventory, "(SN (N chat))")
    assert labels_of(usage, labeller) == {"SN"}


def used(inventory: Inventory, *files: str) -> tuple[Usage, Labeller]:
    tables, labeller = scoring_settings(patterns=inventory)
    return usage_of(map(read_trees, files), tables, labeller), labeller


def test_overlap_is_found_and_named() -> None:
    inventory = parse_inventory("NP-t: ANY* (head:NN)\nNP-u: (head:NP) ANY*")
    usage, labeller = used(
        inventory, "(NP (NN a))\n(S (NP (NP (NN b)) (NN c)))\n(NP (NP (NN d)) (NN e))\n"
    )
    (finding,) = check_overlap(usage, labeller)
    assert (finding.code, finding.place) == ("P201", "<text>:2")
    assert finding.message == (
        "NP -> NP NN is matched by NP-t and NP-u (2 times): (NP (NP (NN b)) (NN c))"
    )
    assert usage.constructions == Counter({"NP-t": 5})
    assert (usage.brackets, usage.uncovered) == (6, 1)  # S


# -- English -------------------------------------------------------------------------

ENGLISH = load_inventory("english")
NONTERMINALS = listed(
    "S SBAR SBARQ SINV SQ ADJP ADVP CONJP FRAG INTJ LST NAC NML NP NX PP PRN PRT QP "
    "RRC UCP VP WHADJP WHADVP WHNP WHPP X EDITED META TYPO EMBED"
)
TABLE_2 = listed(
    "NP-t VP-t PP-t S-vp NP-modr VP-aux SBAR-s ADVP-t NML-t ADJP-t QP-t NP-crd VP-crd "
    "S-crd FRAG-nt"
)


def test_english_is_small_and_well_formed() -> None:
    assert len(ENGLISH.patterns) <= 60
    assert [*check_inventory(ENGLISH)] == []  # examples hold, no mixed heads
    assert [*ENGLISH.failed_examples()] == []
    assert not [pattern.name for pattern in ENGLISH.patterns if pattern.is_mixed]


def test_english_handles_every_nonterminal() -> None:
    assert set(ENGLISH.nonterminals) >= set(NONTERMINALS)


def test_english_has_the_names_of_table_2() -> None:
    names = {pattern.name: pattern for pattern in ENGLISH.patterns}
    assert names.keys() >= set(TABLE_2)
    assert names.keys() & {"SQ-vp", "SQ-v"}
    # "-" in the column att of the paper's Table 2
    recursive = {"NP-modr", "VP-aux", "NP-crd", "VP-crd", "S-crd"}
    assert {name for name in TABLE_2 if names[name].is_recursive} == recursive


@pytest.mark.parametrize("pattern", ENGLISH.patterns, ids=lambda p: p.name)
def test_english_patterns_are_explained_by_examples(pattern: Pattern) -> None:
    assert len(pattern.comment) > 20
    own = [one for one in pattern.examples if one.parent == pattern.nonterminal]
    assert {one.is_positive for one in own} == {True, False}


@pytest.mark.parametrize("pattern", ENGLISH.patterns, ids=lambda p: p.name)
def test_english_patterns_are_quick_on_long_productions(pattern: Pattern) -> None:
    """No pattern needs more than a moment for sixty children, matched or not."""
    tags = [Child(label, True) for label in ("NN", "DT", "CC", "POS", "VB", "RB", "JJ")]
    phrases = [
        Child(label, False)
        for label in ("NP", "PP", "ADVP", "NML", "QP", "S", pattern.nonterminal)
    ]
    runs = [[child] * 60 for child in (*tags, *phrases)]
    runs += [[*tags, *phrases] * 4 + [Child("-RRB-", True)] * 4]
    runs += [[child] * 59 + [end] for child in (*tags, *phrases) for end in tags[2:4]]
    start = time.perf_counter()
    for children in runs:
        pattern.head_of(children)
    assert time.perf_counter() - start < 1.0


def _random_children() -> st.SearchStrategy[list[Child]]:
    labels = [*sorted(KNOWN_LABELS - set(NONTERMINALS)), "PRP$", "$", "-LRB-"]
    child = st.builds(Child, st.sampled_from(labels), st.just(True)) | st.builds(
        Child, st.sampled_from(NONTERMINALS), st.just(False)
    )
    return st.lists(child, min_size=1, max_size=7)


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(NONTERMINALS), _random_children())
def test_english_heads_are_children_of_the_right_kind(
    parent: str, children: list[Child]
) -> None:
    """Whatever matches, a recursive construction is headed by its own nonterminal."""
    for pattern, at in ENGLISH.matches(parent, children):
        is_own = children[at] == Child(parent, is_leaf=False)
        assert is_own == pattern.is_recursive


# -- English on treebanks ------------------------------------------------------------


def english_usage(*paths: Path) -> tuple[Usage, Labeller]:
    return used(ENGLISH, *map(str, paths))


def coverage(usage: Usage) -> float:
    return 100 * (1 - usage.uncovered / usage.brackets)


WSJ = SYNTAX / "wsj_sample"
GUM = [*sorted((SYNTAX / "gold").glob("*")), *sorted((SYNTAX / "parsed").glob("*"))]


def _without_overlap(*paths: Path) -> Usage:
    usage, labeller = english_usage(*paths)
    assert [finding.message for finding in check_overlap(usage, labeller)] == []
    return usage


@pytest.mark.parametrize("genre", ["news", "web"])
def test_english_on_the_examples(genre: str) -> None:
    bar = 98.7 if genre == "news" else 97.6
    assert coverage(_without_overlap(EXAMPLES / f"{genre}.gold.mrg")) >= bar
    parsed = [EXAMPLES / f"{genre}.{parser}.mrg" for parser in ("chart", "greedy")]
    bar = 98.9 if genre == "news" else 97.6
    assert coverage(_without_overlap(*parsed)) >= bar


@needs_shared_data
def test_english_on_news() -> None:
    assert coverage(_without_overlap(WSJ / "wsj01.mrg")) >= 98.7
    parsed = [path for path in sorted(WSJ.glob("*.mrg")) if path.stem != "wsj01"]
    assert len(parsed) == 13
    assert coverage(_without_overlap(*parsed)) >= 98.9


@needs_shared_data
@pytest.mark.parametrize("path", GUM, ids=lambda path: path.stem)
def test_english_on_web_and_speech(path: Path) -> None:
    assert coverage(_without_overlap(path)) >= 97.6


@needs_shared_data
def test_english_on_odds_and_ends() -> None:
    folders = [SYNTAX / "tricky", *(SYNTAX / "evalb_samples").glob("*")]
    for folder in folders:
        for path in sorted([*folder.glob("*.gld"), *folder.glob("*.tst")]):
            _without_overlap(path)
