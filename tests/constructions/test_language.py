"""The language of inventories: what loads, what does not and why."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import (
    Inventory,
    PatternError,
    load_inventory,
    parse_inventory,
)
from analyzer.checks.inventory import (
    check_inventory,
    labels_of,
)
from analyzer.constructions.inventory import Child
from analyzer.exceptions import InputError, SettingsError
from tests.support.examples import some
from tests.support.pattern_usage import listed, used

# -- what does not load --------------------------------------------------------------


FOO = "unknown class or label 'FOO'; expected a Penn Treebank label, a class"
ONCE = "may be missing or repeated; expected it exactly once in each alternative"
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
            "already used on line 1; expected a new",
        ),
        ("NP-t, VP-t, NP-t: (head:TAG)", 1, 13, "the name NP-t is already used"),
        ("class A = NN\nclass A = DT", 2, 7, "A is defined twice; expected"),
        ("class TAG = NN", 1, 7, "TAG is defined twice; expected a new name"),
        ("class NP = NN", 1, 7, "would hide the label NP; expected a new name"),
        ("class A NN", 1, 9, "found 'NN'; expected '='"),
        ("class A = ", 1, 10, "found the end of the line; expected"),
        ("NP-t: DT{3,1} (head:NN)", 1, 9, "{3,1} does not compile; expected"),
        ("NP-t: DT{,1} (head:NN)", 1, 9, "found '{,1}'; expected"),
        ("NP-t: DT** (head:NN)", 1, 10, "found '*'; expected"),
        ("NP-t: DT** (head:NN)\nVP-t: (head:VB)\n", 1, 10, "found '*'; expected"),
        ("NP-t, NX-t: DT NN", 1, 1, "NP-t has no head"),
        ("NP-t, NX-t: DT (head:NN)?", 1, 16, "the head of NP-t"),
        ("NP-t: DT{99999999999999} (head:NN)", 1, 9, "does not compile; expected"),
        (
            "NP-t ^(head:NN)$",
            1,
            1,
            "expected 'class' or 'mark' or a name such as NP-t, then ':'",
        ),
        (
            "NP: (head:NN)",
            1,
            1,
            "found 'NP'; expected 'class' or 'mark' or a name such as NP-t",
        ),
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
        ("hello world", 1, 1, "found 'hello'; expected 'class' or 'mark' or a name"),
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


@settings(deadline=None, max_examples=some(80))
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
    inventory = parse_inventory(pattern)
    (found,) = inventory.patterns
    is_mixed = found.is_mixed(inventory.labels)
    assert (found.is_recursive, is_mixed) == (recursive, mixed)
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
    assert labels_of(usage, labeller) == {"SN": 1}


def test_conjunctions_can_be_redefined() -> None:
    given = parse_inventory("class CONJ = CC | 'KON'\nNP-crd: (head:TAG) CONJ TAG\n")
    for word in ("CC", "KON"):
        children = given.children(["NN", word, "NN"])
        assert [head for _, head in given.matches("NP", children)] == [0]
    # TAG follows: a conjunction is no tag.
    assert not given.matches("NP", given.children(["KON", "CC", "NN"]))


@pytest.mark.parametrize(
    "text",
    [
        "class A = NN\nclass CONJ = CC\nNP-t: (head:A)\n",
        "class CONJ = TAG except NN\nNP-t: (head:NN)\n",
        "class CONJ = ANY\nNP-t: (head:NN)\n",
        "NP-t: (head:NN)\nclass CONJ = CC\n",
    ],
)
def test_conjunctions_are_tags_and_come_first(text: str) -> None:
    with pytest.raises(PatternError, match="CONJ must be a list of tags"):
        parse_inventory(text)


def test_examples_may_have_labels_that_nothing_is_known_of() -> None:
    """A label that is in no set may be a phrase as well as a tag."""
    text = (
        "NP-modr: (head:NP) NT+\n"
        "    yes: NP -> NP LCP\n"
        "    no:  NP -> LCP\n"
        "NP-t: TAG* (head:TAG)\n"
        "    yes: NP -> ADJX\n"
    )
    assert [*parse_inventory(text).failed_examples()] == []
    wrong = parse_inventory("NP-modr: (head:NP) NT+\n    yes: NP -> LCP NP\n")
    assert len([*wrong.failed_examples()]) == 1


def test_lines_may_break_between_names_and_alternatives() -> None:
    given = parse_inventory(
        "class A = NN |\n    NNS\nNP-t,\n    NX-t: (head:A |\n    NNP) # a word\n"
    )
    assert [pattern.name for pattern in given.patterns] == ["NP-t", "NX-t"]
    assert given.patterns[0].source == "(head:A | NNP)"
