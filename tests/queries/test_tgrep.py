"""The same matches as NLTK's tgrep, on GUM's dev set and all of the WSJ sample.

Where NLTK differs, it is said why: each difference is tried, too, so that a version of
NLTK that mends one is noticed.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import pytest

from analyzer import Treebank, read_trees
from analyzer.queries.language import parse_query
from analyzer.queries.matching import find_matches
from tests.support.data_paths import SYNTAX, needs_shared_data
from tests.support.naive_queries import items_of

tgrep = pytest.importorskip("nltk.tgrep", reason="NOT RUN: NLTK is not here")
from nltk.tree import ParentedTree  # noqa: E402 -- only with NLTK

# Every operator that both have, and every way to combine them.
QUERIES = """
NP
NP|VP
NP|VP|PP
/^VB/
/^(the|a)$/
__
*
"of"
"PRP$"
i@"the"
i@"np"
i@/^(THE|of)$/
NP < i@"dt"
IN < of
NP < DT
NP < (PP < (IN < of))
NP < DT < NN
NP < DT & < NN
NP < DT & !< NN
NP < DT | < PRP
NP [< DT | < PRP]
NP [< DT | < PRP] !> S
NP ![< DT | < PRP]
NP ![< DT & < NN]
NP [< DT [$. JJ | $. NN]]
NP !< DT
NP !<< /^NN/
S << NP
VP << /^VB/
S << (NP << (PP << NN))
NP << (PP << (NP << of))
S <, NP
S <1 NP
NP <2 JJ
NP <3 NN
NP <1 __ <2 __ <3 __ !<4 __
VP <- NP
VP <' NP
VP <-1 NP
NP <-2 JJ
NP <: PRP
NP <: __
__ <: (__ <: __)
S <<, DT
S <<1 DT
S <<, (NP <, DT)
VP <<' NN
S <<' /^[.]$/
NP <<: PRP
VP <<: __
NP > S
NP > (VP > S)
NP >, S
NP >1 S
NP >2 VP
NP >3 __
NP >- VP
NP >' VP
NP >-1 VP
JJ >-2 NP
NP >: PP
PRP >: NP
NP >> S
NN >> (NP > PP)
PRP >>: NP
VBD >>: VP
NP . VP
DT . NN
DT . (JJ . NN)
NP . /^VB/
VP , NP
NN , DT
/^VB/ , (NN , DT)
NP .. VP
PP .. (PP .. PP)
VP ,, NP
JJ ,, (DT ,, VBD)
NP $ VP
NP % VP
NP $ NP
NP $ (NP $ CC)
NP $. VP
NP %. VP
VP $, NP
VP %, NP
NP $.. VP
NP %.. VP
VP $,, NP
VP %,, NP
PP $,, PP
NP !$ VP
NP !$.. VP
NP !. VP
NP !, __
S !> __
S < (NP $.. (VP < (/^VB/ $. NP)))
(NP < DT) $ VP
(NP < DT) $ (VP < (NP < DT))
""".strip().splitlines()

# NLTK names what a macro describes, and nothing else; this is how it has to be told.
NAMED = {
    "S=s < /^NP/=n : =s < VP": "@ S S; @ N /^NP/; @S=s < @N=n : =s < VP",
    "NP=n <1 DT=d : =d . NN": "@ NP NP; @ DT DT; @NP=n <1 @DT=d : =d . NN",
    "NP=n < PP : =n <1 NP": "@ NP NP; @NP=n < PP : =n <1 NP",
    "VP=v <1 /^VB/=b : =b $. NP": "@ V VP; @ B /^VB/; @V=v <1 @B=b : =b $. NP",
    "/^NP/=n >1 S=s : =s << =n": "@ N /^NP/; @ S S; @N=n >1 @S=s : =s << =n",
}
# It keeps the first node that a name fits, and tries no other if the rest then fails.
FIRST_ONLY = {
    "__ < /^NP/=n : =n , __": "@ N /^NP/; * < @N=n : =n , *",
    "NP < NP=n : =n << CC": "@ NP NP; NP < @NP=n : =n << CC",
}
# NLTK asks whether a node *equals* a leftmost or rightmost descendant, not whether it
# is one: the second "the" of a sentence counts as its first word, as they look alike.
BY_EQUALITY = ["DT >>, S", "DT >>, NP", "NN >>' VP", "PRP >>' S", "IN >>, PP"]
# NLTK's leaves are strings, which know no parent: no relation upwards or sideways holds
# for them. To tgrep2 and tregex, words are nodes like others.
OF_LEAVES = ["of > IN", "of >> PP", "of . (the > DT)", "the , of", "of !> IN"]
# tregex's `@` is the basic category; NLTK's is the use of a macro.
MACROS = ["@NP < DT"]


def trees_of(name: str, first: int, last: int) -> tuple[Treebank, list[Any]]:
    bank = read_trees(SYNTAX / name)[first:last]
    # Words that NLTK would read otherwise, and trees that it cannot read, are left out.
    return bank, [ParentedTree.fromstring(str(tree)) for tree in bank]


@cache
def corpora(first: int, last: int) -> list[tuple[Treebank, list[Any], list[list[int]]]]:
    """GUM and the WSJ, as both programs have them; of each node, our row."""
    found = []
    for name in ("gold/dev.gold.mrg", "wsj_sample"):
        bank, trees = trees_of(name, first, last)
        rows = [[item.row for item in items_of(tree)] for tree in bank]
        found.append((bank, trees, rows))
    return found


def theirs(query: str, trees: list[Any], rows: list[list[int]]) -> set[int]:
    found = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        positions = list(tgrep.tgrep_positions(query, trees))
    for tree, numbers, matched in zip(trees, rows, positions, strict=True):
        at = dict(zip(tree.treepositions(), numbers, strict=True))
        found |= {at[position] for position in matched}
    return found


def ours(query: str, bank: Treebank) -> set[int]:
    return set(find_matches(parse_query(query), bank).nodes[:, 0].tolist())


def nodes_only(found: set[int], bank: Treebank) -> set[int]:
    return {node for node in found if node < bank.label.size}


def test_there_are_enough_of_them() -> None:
    assert len(set(QUERIES)) >= 60


@needs_shared_data
@pytest.mark.parametrize("query", QUERIES)
def test_the_same_nodes_as_nltk(query: str) -> None:
    for bank, trees, rows in corpora(0, 60):
        assert nodes_only(ours(query, bank), bank) == nodes_only(
            theirs(query, trees, rows), bank
        )


@needs_shared_data
@pytest.mark.slow
@pytest.mark.parametrize("query", QUERIES)
def test_the_same_nodes_as_nltk_in_all_sentences(query: str) -> None:
    for bank, trees, rows in corpora(0, 10**9):
        assert nodes_only(ours(query, bank), bank) == nodes_only(
            theirs(query, trees, rows), bank
        )


@needs_shared_data
@pytest.mark.parametrize(
    "query", ["of", '"of"', "/^[a-z]+$/", "__", 'i@"the"', "NP|of", "/ing$/"]
)
def test_the_same_words_as_nltk(query: str) -> None:
    for bank, trees, rows in corpora(0, 60):
        assert ours(query, bank) == theirs(query, trees, rows)


@needs_shared_data
@pytest.mark.parametrize("query", NAMED)
def test_the_same_named_nodes_as_nltk(query: str) -> None:
    for bank, trees, rows in corpora(0, 60):
        assert ours(query, bank) == theirs(NAMED[query], trees, rows) != set()


@needs_shared_data
@pytest.mark.parametrize("query", FIRST_ONLY)
def test_every_node_that_a_name_fits_is_tried(query: str) -> None:
    differing = 0
    for bank, trees, rows in corpora(0, 60):
        less = theirs(FIRST_ONLY[query], trees, rows)
        assert less <= ours(query, bank)
        differing += len(ours(query, bank) - less)
    assert differing  # else NLTK was mended


@needs_shared_data
@pytest.mark.slow
@pytest.mark.parametrize("query", BY_EQUALITY)
def test_leftmost_means_the_node_itself(query: str) -> None:
    differing = 0
    for bank, trees, rows in corpora(0, 10**9):
        more = theirs(query, trees, rows) - ours(query, bank)
        assert ours(query, bank) <= theirs(query, trees, rows)
        differing += len(more)
    assert differing  # else NLTK was mended


@needs_shared_data
@pytest.mark.parametrize("query", OF_LEAVES)
def test_words_have_parents_and_neighbours(query: str) -> None:
    (bank, trees, rows), *_ = corpora(0, 60)
    assert ours(query, bank) != theirs(query, trees, rows)


@needs_shared_data
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("query", MACROS)
def test_at_is_the_basic_category(query: str) -> None:
    (_, trees, _), *_ = corpora(0, 60)
    with pytest.raises(tgrep.TgrepException):
        list(tgrep.tgrep_positions(query, trees))
