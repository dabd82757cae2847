"""The language of queries: what is understood, and what is said of the rest."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import QueryError
from analyzer.queries.language import (
    ANY,
    FOLDED,
    IS,
    REGEX,
    Choice,
    Query,
    Relation,
    Text,
    parse_query,
)
from tests.support.examples import some


def texts(query: str) -> tuple[Text, ...]:
    description = parse_query(query).pattern.description
    assert description is not None
    return description.alternatives


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("NP", Text(IS, "NP")),
        ("NP-SBJ-1", Text(IS, "NP-SBJ-1")),
        ("-LRB-", Text(IS, "-LRB-")),
        ("PRP$", Text(IS, "PRP$")),
        ("*T*-1", Text(IS, "*T*-1")),
        ("elaboration/S", Text(IS, "elaboration/S")),
        ("Straße", Text(IS, "Straße")),
        ("1990", Text(IS, "1990")),
        ('"."', Text(IS, ".")),
        (r'"a\"b\\"', Text(IS, 'a"b\\')),
        ("__", Text(ANY)),
        ("*", Text(ANY)),
        (r"/^a\/b$/", Text(REGEX, "^a/b$")),
        ("i@The", Text(FOLDED, "the")),
        ('i@"U.S."', Text(FOLDED, "u.s.")),
        ("i@/^u/", Text(REGEX, "(?i:^u)")),
    ],
)
def test_texts(query: str, expected: Text) -> None:
    assert texts(query) == (expected,)


def relations(query: str) -> list[tuple[str, int]]:
    return [
        (one.operator, one.number)
        for one in parse_query(query).pattern.requirements
        if isinstance(one, Relation)
    ]


@pytest.mark.parametrize(
    ("spellings", "expected"),
    [
        ("<, <1", ("<N", 1)),
        ("<- <' <` <-1", ("<N", -1)),
        (">- >' >` >-1", (">N", -1)),
        ("<12", ("<N", 12)),
        ("<-2", ("<N", -2)),
        ("<<- <<' <<`", ("<<-", 0)),
        ("<<, <<1", ("<<,", 0)),
        ("$. $+ %. %+", ("$.", 0)),
        ("$, $- %,", ("$,", 0)),
        ("$.. $++ %..", ("$..", 0)),
        ("$,, $-- %,,", ("$,,", 0)),
        ("$ %", ("$", 0)),
    ],
)
def test_spellings_of_one_relation(spellings: str, expected: tuple[str, int]) -> None:
    for spelling in spellings.split():
        assert relations(f"A {spelling} B") == [expected]
        assert relations(f"A{spelling}B" if "1" not in spelling else "A <1 B")


def test_and_binds_more_closely_than_or() -> None:
    (choice,) = parse_query("A < B & < C | < D !< E").pattern.requirements
    assert isinstance(choice, Choice)
    assert [len(branch) for branch in choice.branches] == [2, 2]
    first, second = parse_query("A < B|C [< D | < E]").pattern.requirements
    assert isinstance(first, Relation)
    assert isinstance(second, Choice)


def test_a_bar_before_a_relation_is_not_between_labels() -> None:
    for text in ("A < B | < C", "A < B |< C", "A < B|!< C", "A < B | [< C]"):
        assert len(parse_query(text).pattern.requirements) == 1, text
        assert isinstance(parse_query(text).pattern.requirements[0], Choice), text


def test_names_are_in_the_order_of_the_text() -> None:
    query = parse_query("(S=s < (NP=np < DT=d)) $ VP=v : PP=p")
    assert query.names == ("s", "np", "d", "v", "p")
    assert parse_query("S < NP=np").names == ("match", "np")


def test_what_needs_derivations() -> None:
    for text in ("A <# B", "A ~> b", "A{head=b}", "A < (B [< C | < __{X-t}])"):
        assert parse_query(text).needs_derivation, text
    for text in ("A < B", "A{words>3, function=SBJ, text=/x/}"):
        assert not parse_query(text).needs_derivation, text


def test_descriptions_read_back_the_same() -> None:
    for text in ("!@NP|VP", "/^N/", "i@the", "__{head=of|in, words>=3}"):
        (one,) = parse_query(text).descriptions()
        assert parse_query(str(one)).descriptions() == [one]


@pytest.mark.parametrize(
    ("query", "column", "said"),
    [
        ("", 1, "expected a label or word"),
        ("NP <", 5, "expected a label or word"),
        ("NP < (VP", 9, "expected ')'"),
        ("NP < VP)", 8, "expected the end of the query"),
        ("NP & < VP", 4, "found '&'"),
        ("NP [< VP", 9, "']'"),
        ("NP ^ VP", 4, "a relation such as"),
        ("NP < =x", 6, "no node is called 'x'"),
        ("(NP=x)=y", 7, "two names"),
        ("NP < VP=match", 8, "'match'"),
        ("NP <0 VP", 4, "not a relation"),
        ("NP !< VP=x", 9, "names a node inside a negation"),
        ("NP ![< VP=x | < PP]", 10, "names a node inside a negation"),
        ("NP{heads=of}", 4, "did you mean 'head'?"),
        ("NP{words=few}", 10, "is a number"),
        ("NP{head<of}", 8, "is no number"),
        ("NP{", 4, "an attribute"),
        ("/(/", 1, "does not compile"),
        ("NP\n< VP <", 7, "expected a label or word"),
    ],
)
def test_what_is_wrong_has_its_place(query: str, column: int, said: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse_query(query)
    error = caught.value
    assert said in str(error)
    assert error.place is not None
    assert error.place.column == column
    assert error.excerpt is not None
    *_, shown, mark = error.excerpt.splitlines()
    assert shown.strip() == query.splitlines()[-1:][0].strip() if query else True
    assert mark.index("^") == column + 3


def test_queries_have_bounds() -> None:
    with pytest.raises(QueryError, match="characters; expected"):
        parse_query("NP < " * 10_000 + "NP")
    with pytest.raises(QueryError, match="nested too deep"):
        parse_query("(" * 1_000 + "NP" + ")" * 1_000)
    with pytest.raises(QueryError, match="nested too deep"):
        parse_query("NP " + "[" * 1_000 + "< NP" + "]" * 1_000)


PIECES = st.sampled_from(
    [
        *(
            "NP",
            "VP",
            "__",
            "<",
            "<<",
            "<,",
            "<-2",
            ">",
            "$..",
            ".",
            ",",
            "|",
            "&",
            "!",
        ),
        *("?", "(", ")", "[", "]", "=x", "=y", ":", "{", "}", "/a/", '"b"', "@", "i@"),
        *("words", "3"),
    ]
)


@settings(max_examples=some(200))
@given(st.lists(PIECES).map(" ".join) | st.text(max_size=30))
def test_any_text_is_a_query_or_an_error_of_queries(text: str) -> None:
    with suppress(QueryError):
        query = parse_query(text)
        assert isinstance(query, Query)
        assert len(set(query.names)) == len(query.names)
