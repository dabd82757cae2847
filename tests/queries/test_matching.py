"""Queries on columns: examples by hand, and the same matches as the obvious way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import QueryError, Treebank, read_trees
from analyzer.derivation.syntax import syntax_deriver
from analyzer.model.treebank import TreebankBuilder
from analyzer.queries.columns import first_word, label, last_word, tree_of
from analyzer.queries.language import parse_query
from analyzer.queries.matching import find_matches
from tests.support.examples import some
from tests.support.naive_queries import naive_matches

SAW = """\
(S (NP-SBJ (DT the) (NN man)) (VP (VBD saw) (NP (NP (DT a) (NN picture)) \
(PP (IN of) (NP (PRP$ his) (NN wife))))) (. .))
(S (NP-SBJ (PRP I)) (VP (VBP see) (NP (PRP you))))
"""


def shown(query: str, text: str = SAW, **options: object) -> list[list[str]]:
    """The labels of each match's nodes, with their words."""
    bank = read_trees(text)
    found = find_matches(parse_query(query), bank, **options)  # type: ignore[arg-type]
    starts, ends = first_word(bank, found.nodes), last_word(bank, found.nodes)
    return [
        [
            f"{label(bank, node)}: {' '.join(bank.forms(slice(a, b)))}"
            if node >= 0
            else ""
            for node, a, b in zip(*columns, strict=True)
        ]
        for columns in zip(
            found.nodes.tolist(), starts.tolist(), ends.tolist(), strict=True
        )
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("NP < (PP < (IN < of))", [["NP: a picture of his wife"]]),
        ("PRP$", [["PRP$: his"]]),
        ("@NP < PRP", [["NP-SBJ: I"], ["NP: you"]]),
        ("NP < PRP", [["NP: you"]]),
        ("of", [["of: of"]]),
        ("of > IN=tag", [["of: of", "IN: of"]]),
        ("i@THE|I", [["the: the"], ["I: I"]]),
        ("!__", []),
        ("/^VB/=verb . (@NP=object > VP)", [
            ["VBD: saw", "NP: a picture of his wife"],
            ["VBP: see", "NP: you"],
        ]),
        ('S <- (/^\\.$/=stop <: ".")', [
            ["S: the man saw a picture of his wife .", ".: ."]
        ]),
        ("S < /SBJ/=s ?< (/\\./=stop < __)", [
            ["S: the man saw a picture of his wife .", "NP-SBJ: the man", ".: ."],
            ["S: I see you", "NP-SBJ: I", ""],
        ]),
        ("VP [< VBD=past | < VBP=present]", [
            ["VP: saw a picture of his wife", "VBD: saw", ""],
            ["VP: see you", "", "VBP: see"],
        ]),
        ("S=s << NN=noun : =noun , DT", [
            ["S: the man saw a picture of his wife .", "NN: man"],
            ["S: the man saw a picture of his wife .", "NN: picture"],
        ]),
        ("PP : PRP", []),
        ("PRP=a : (PRP=b .. =a)", [["PRP: you", "PRP: I"]]),
        ("DT=a : (DT=b !== =a)", [
            ["DT: the", "DT: a"], ["DT: a", "DT: the"],
        ]),
    ],
)  # fmt: skip
def test_examples(query: str, expected: list[list[str]]) -> None:
    assert shown(query) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        # Heads: the verb heads S and VP, the noun its NPs.
        ("S <<# __{word=/./}=verb", [
            ["S: the man saw a picture of his wife .", "saw: saw"],
            ["S: I see you", "see: see"],
        ]),
        ("S <# __=child", [
            [
                "S: the man saw a picture of his wife .",
                "VP: saw a picture of his wife",
            ],
            ["S: I see you", "VP: see you"],
        ]),
        ("NP ># NP", [["NP: a picture"]]),
        ("VBD >># __=above", [
            ["VBD: saw", "S: the man saw a picture of his wife ."],
            ["VBD: saw", "VP: saw a picture of his wife"],
        ]),
        # Attachment: what a word, or the spine of a phrase, depends on.
        ("__=a{word=/./} ~> saw", [["man: man"], ["picture: picture"]]),
        ("PP ~> picture", [["PP: of his wife"]]),
        ("the ~> NN=noun", [["the: the", "NN: man"]]),
        ("saw <~ NP", [["saw: saw"]]),
        ("NP{head=picture, words>2}", [["NP: a picture of his wife"]]),
        ("NP{headtag=/^PRP/}", [["NP: you"]]),
        ("PP{governor=/^pic/}", [["PP: of his wife"]]),
        ("__{NP-modr}", [["NP: a picture of his wife"]]),
        ("__{construction=/^PP-/}", [["PP: of his wife"]]),
        ("__{function=SBJ, words=1}", [["NP-SBJ: I"]]),
        ("NP{words!=2, text=/his/}", [["NP: a picture of his wife"]]),
        ("__{tag=/^V/}", [["VBD: saw"], ["VBP: see"]]),
        ('__{text="his wife"}', [["NP: his wife"]]),
    ],
)  # fmt: skip
def test_what_derivations_say(query: str, expected: list[list[str]]) -> None:
    assert shown(query, deriver=syntax_deriver()) == expected


def test_relations_end_where_a_tree_does() -> None:
    text = "(A (B b))\n(C (D d))\n(E (F f)) (G (H h))\n"
    for query in ("B . D", "b .. d", "C , B", "d ,, b", "b , c", "F . H", "f .. h"):
        assert shown(query, text) == [], query
    # Of several trees on a line, each is one.
    assert shown("E : G", text) == []


def test_numbers_of_words_come_after_those_of_nodes() -> None:
    bank = read_trees(SAW)
    found = find_matches(parse_query("wife|you"), bank).nodes[:, 0]
    assert found.tolist() == [bank.label.size + 7, bank.label.size + 11]
    assert tree_of(bank, found).tolist() == [0, 1]


# -- random trees and queries ----------------------------------------------------------

LABELS, WORDS = st.sampled_from("ABC"), st.sampled_from("abA")


@st.composite
def banks(draw: st.DrawFn) -> Treebank:
    builder = TreebankBuilder()

    def add(depth: int) -> None:
        if depth == 0 or draw(st.integers(0, 2)) == 0:
            builder.leaf(draw(LABELS), draw(WORDS))
            return
        builder.open(draw(LABELS))
        for _ in range(draw(st.integers(1, 3))):
            add(depth - 1)
        builder.close()

    for line in range(draw(st.integers(1, 3))):
        for _ in range(draw(st.integers(0, 2))):  # no tree, one, or two
            add(draw(st.integers(1, 4)))
        builder.end_tree(line)
    return builder.finish()


OPERATORS = [
    "<",
    "<<",
    "<,",
    "<1",
    "<2",
    "<-",
    "<-2",
    "<:",
    "<<,",
    "<<-",
    "<<:",
    ">",
    ">>",
    ">,",
    ">2",
    ">-",
    ">-2",
    ">:",
    ">>,",
    ">>-",
    ">>:",
    "$",
    "$.",
    "$,",
    "$..",
    "$,,",
    "$+",
    "$-",
    "$++",
    "$--",
    ".",
    "..",
    ",",
    ",,",
    "==",
    "%",
    "<'",
    ">>'",
]


@st.composite
def queries(draw: st.DrawFn) -> str:
    given_names: list[str] = []

    def node(depth: int, may_name: bool, scope: list[str]) -> str:
        if scope and depth < 3 and draw(st.integers(0, 4)) == 0:
            described = draw(st.sampled_from(["", "A", "!A"]))
            text = f"{described}={draw(st.sampled_from(scope))}"
        else:
            text = draw(st.sampled_from(["A", "B", "__", "A|B", "!A", "a", "/[ab]/"]))
            if may_name and draw(st.booleans()):
                name = f"n{len(given_names)}"
                given_names.append(name)
                scope.append(name)
                text += f"={name}"
        wanted = draw(st.integers(0, 2)) if depth else 0
        relations = [relation(depth - 1, may_name, scope) for _ in range(wanted)]
        return " ".join([text, *relations])

    def relation(depth: int, may_name: bool, scope: list[str]) -> str:
        sign = draw(st.sampled_from(["", "", "", "!", "?"]))
        may_name &= sign != "!"
        inner = list(scope)
        if draw(st.integers(0, 3)) == 0:
            branches = []
            for _ in range(draw(st.integers(1, 2))):
                of_branch = list(inner)
                branches.append(relation(depth, may_name, of_branch))
                scope += [name for name in of_branch if name not in scope]
            return f"{sign}[{' | '.join(branches)}]"
        text = node(depth, may_name, inner)
        scope += [name for name in inner if name not in scope]
        return f"{sign}{draw(st.sampled_from(OPERATORS))} ({text})"

    scope: list[str] = []
    first = node(3, True, scope)
    segments = [node(1, True, scope) for _ in range(draw(st.integers(0, 1)))]
    return " : ".join([first, *segments])


@settings(max_examples=some(150))
@given(banks(), queries())
def test_matches_are_those_of_the_obvious_way(bank: Treebank, text: str) -> None:
    query = parse_query(text)
    found = find_matches(query, bank).nodes
    expected = {row for tree in bank for row in naive_matches(query, tree)}
    rows = list(map(tuple, found.tolist()))
    assert set(rows) == expected
    assert len(rows) == len(expected)
    nodes, of_word = bank.label.size, bank.leaf_node.tolist()
    first = [
        of_word[node - nodes] + 0.5 if node >= nodes else node
        for node in found[:, 0].tolist()
    ]
    assert first == sorted(first)


@settings(max_examples=some(30))
@given(banks(), queries(), st.integers(1, 6))
def test_few_rows_at_once_change_nothing_but_what_is_given_up(
    bank: Treebank, text: str, most: int
) -> None:
    query = parse_query(text)
    whole = find_matches(query, bank).nodes
    bounded = find_matches(query, bank, most_rows=most)
    left = tree_of(bank, whole[:, 0])
    kept = [
        row
        for row, tree in zip(whole.tolist(), left, strict=True)
        if tree not in bounded.given_up
    ]
    assert bounded.nodes.tolist() == kept


# -- what could take for ever ----------------------------------------------------------


def long_sentence(words: int) -> Treebank:
    """One sentence, branching to the right at every word."""
    builder = TreebankBuilder()
    for number in range(words):
        builder.open("X")
        builder.leaf("T", f"w{number}")
    for _ in range(words):
        builder.close()
    builder.end_tree(1)
    return builder.finish()


@pytest.mark.parametrize(
    "text",
    [
        "__ << (__ << (__ << __))",
        "__ .. (__ .. __)",
        "__ !<< (__ .. (__ ,, (__ >> __)))",
        "__ [<< (__ $ __) | ![.. __ & ,, __]] <<- w2999",
    ],
)
def test_plain_queries_take_one_look_at_any_tree(text: str) -> None:
    bank = long_sentence(3_000)
    found = find_matches(parse_query(text), bank)
    assert not found.given_up


@pytest.mark.parametrize(
    "text",
    [
        "__=a << (__=b << (__=c << __=d))",
        "__=a .. (__=b .. __=c)",
        "__=a !<< (__ .. (__ , =a))",
        "__=a << (__ << =a)",
    ],
)
def test_too_many_combinations_are_given_up_tree_by_tree(text: str) -> None:
    both = Treebank.join([long_sentence(3_000), read_trees("(X (T a) (T b))")])
    found = find_matches(parse_query(text), both)
    assert found.given_up in ((0,), ())
    alone = find_matches(parse_query(text), both[1:]).nodes
    assert found.nodes[tree_of(both, found.nodes[:, 0]) == 1].shape == alone.shape


def test_no_more_rows_than_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.queries.matching._MOST_CELLS", 100)
    many = read_trees("(X (A a) (A a))\n" * 50)
    with pytest.raises(QueryError, match="more than 50 matches"):
        find_matches(parse_query("A=a $ A=b"), many)
    assert len(find_matches(parse_query("A=a $.. A=b"), many).nodes) == 50


def test_a_regex_that_runs_wild_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.queries.language._SECONDS", 0.05)
    bank = read_trees(f"(X {'a' * 40}b)")
    with pytest.raises(QueryError, match="takes too long"):
        find_matches(parse_query("/(a|aa)+$/"), bank)
