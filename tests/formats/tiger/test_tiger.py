"""TIGER-XML as brackets: what is kept, what is raised, and what is refused."""

from __future__ import annotations

import gzip
import io
import tracemalloc
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer import InputError, TreeSyntaxError, read_trees
from analyzer.exceptions import InputWarning
from analyzer.formats.tiger.discontinuity import NO_PARENT, continuous
from analyzer.formats.tiger.reader import BracketLines
from analyzer.limits import Limits, limited
from tests.support.command import Ran, spinal

# -- raising -------------------------------------------------------------------


class Crossing(NamedTuple):
    """A tree with crossing branches: words first, then phrases, the root last."""

    parents: list[int]
    words: int
    heads: set[int]


@st.composite
def crossing_trees(draw: st.DrawFn) -> Crossing:
    words = draw(st.integers(1, 9))
    phrases = draw(st.integers(1, 7))
    root = words + phrases - 1
    phrase = st.integers(words, root)
    parents = [draw(phrase) for _ in range(words)]
    # Each phrase hangs under a later one: no cycles, and the last is the root.
    parents += [draw(st.integers(node + 1, root)) for node in range(words, root)]
    heads = draw(st.sets(st.integers(0, root)))
    return Crossing([*parents, NO_PARENT], words, heads)


def parents_of(children: Sequence[Sequence[int]], count: int) -> list[int]:
    parents = [NO_PARENT] * count
    for parent, those in enumerate(children):
        for child in those:
            parents[child] = parent
    return parents


def yields(parents: Sequence[int], words: int) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in parents]
    for word in range(words):
        node = word
        while node != NO_PARENT:
            found[node].add(word)
            node = parents[node]
    return found


def is_run(words: set[int]) -> bool:
    return not words or max(words) - min(words) + 1 == len(words)


def above(parents: Sequence[int], node: int) -> list[int]:
    path = []
    while (node := parents[node]) != NO_PARENT:
        path.append(node)
    return path


@given(crossing_trees())
def test_every_constituent_becomes_a_run_of_words(tree: Crossing) -> None:
    found = continuous(*tree)
    parents = parents_of(found.children, len(tree.parents))
    after = yields(parents, tree.words)
    assert all(is_run(words) for words in after)
    had_words = [bool(words) for words in yields(tree.parents, tree.words)]
    assert [bool(words) for words in after] == had_words
    for children in found.children:
        assert [min(after[child]) for child in children] == sorted(
            min(after[child]) for child in children
        )


@given(crossing_trees())
def test_continuous_trees_stay_what_they_are(tree: Crossing) -> None:
    children = continuous(*tree).children
    parents = parents_of(children, len(tree.parents))
    # Phrases without words fell out: they hang nowhere, so hang them somewhere.
    root = len(parents) - 1
    parents[:-1] = [root if parent == NO_PARENT else parent for parent in parents[:-1]]
    again = continuous(parents, tree.words, tree.heads)
    assert again.children == children
    assert not again.was_raised
    assert not again.was_lowered


@given(crossing_trees())
def test_something_moves_only_where_branches_cross(tree: Crossing) -> None:
    found = continuous(*tree)
    crossed = not all(is_run(words) for words in yields(tree.parents, tree.words))
    assert (found.was_raised or found.was_lowered) == crossed


@given(crossing_trees())
def test_children_are_raised_no_higher_than_they_must(tree: Crossing) -> None:
    """Between the old parent and the new one, nobody touches the child's words."""
    root = len(tree.parents) - 1
    found = continuous(*tree)
    parents = parents_of(found.children, len(tree.parents))
    after = yields(parents, tree.words)
    for node, parent in enumerate(parents):
        hung_under_root = node < tree.words and tree.parents[node] == root
        if parent == NO_PARENT or hung_under_root:
            continue
        path = above(tree.parents, node)
        assert parent in path
        for passed in path[: path.index(parent)]:
            touching = {min(after[node]) - 1, max(after[node]) + 1}
            assert not touching & after[passed]


def test_the_block_with_the_head_stays() -> None:
    # 0 1 | 3 under a phrase (4), 2 under another (5), both under the root (6).
    parents = [4, 4, 5, 4, 6, 6, NO_PARENT]
    assert continuous(parents, 4).children[4] == [0, 1]  # the largest
    assert continuous(parents, 4, heads={3}).children[4] == [3]
    assert continuous(parents, 4, heads={3}).children[6] == [0, 1, 5, 4]


def test_of_equal_blocks_the_leftmost_stays() -> None:
    assert continuous([3, 4, 3, 5, 5, NO_PARENT], 3).children[3] == [0]


def test_words_under_the_root_go_down_between_their_neighbours() -> None:
    # 0 , 2 . with the phrase (4) over 0 and 2, and both marks under the root (5).
    found = continuous([4, 5, 4, 5, 5, NO_PARENT], 4)
    assert found.children[4:] == [[0, 1, 2], [4, 3]]
    assert found.was_lowered
    assert not found.was_raised


# -- reading -------------------------------------------------------------------


def corpus(*sentences: str) -> str:
    return f"<corpus><body>\n{''.join(sentences)}</body></corpus>\n"


def sentence(body: str, root: str = "p1", name: str = "s1") -> str:
    return f'<s id="{name}"><graph root="{root}">{body}</graph></s>\n'


def words(*tagged: str) -> str:
    """`Ihn/PPER` → <t id="w1" …/>."""
    pairs = [one.rsplit("/", 1) for one in tagged]
    return "".join(
        f'<t id="w{number}" word={quoteattr(word)} pos={quoteattr(tag)}/>'
        for number, (word, tag) in enumerate(pairs, start=1)
    )


def phrase(name: str, category: str, *edges: str) -> str:
    """`HD:w1` → <edge label="HD" idref="w1"/>."""
    pairs = [edge.split(":") for edge in edges]
    inside = "".join(f'<edge label="{label}" idref="{to}"/>' for label, to in pairs)
    return f'<nt id="{name}" cat="{category}">{inside}</nt>'


SEEN = sentence(
    words("Ihn/PPER", "hat/VAFIN", ",/$,", "er/PPER", "gesehen/VVPP", "./$.")
    + phrase("p1", "VP", "OA:w1", "HD:w5")
    + phrase("p2", "S", "SB:w4", "HD:w2", "OC:p1")
    + phrase("p3", "VROOT", "--:p2", "--:w3", "--:w6"),
    root="p3",
)
SEEN_IN_BRACKETS = (
    "(ROOT (S (PPER Ihn) (VAFIN hat) ($, ,) (PPER er) (VP-OC (VVPP gesehen))) ($. .))"
)
YES = sentence(words("Ja/PTKANT"), root="w1", name="s2")


def brackets(xml: str | bytes, **options: bool) -> list[str]:
    """The trees of some XML, without comments and warnings."""
    data = xml.encode() if isinstance(xml, str) else xml
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        text = BracketLines(io.BytesIO(data), "a.xml", **options).read().decode()
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_virtual_root_functions_punctuation_and_crossing_branches() -> None:
    assert brackets(corpus(SEEN)) == [SEEN_IN_BRACKETS]


def test_a_root_that_is_a_phrase_or_a_word_gets_one_above() -> None:
    no_punctuation = sentence(
        words("Komm/VVIMP", "!/$.") + phrase("p1", "S", "HD:w1"), name="s3"
    )
    assert brackets(corpus(YES, no_punctuation)) == [
        "(ROOT (PTKANT Ja))",
        "(ROOT (S (VVIMP Komm)) ($. !))",
    ]


def test_words_and_labels_that_brackets_could_not_hold() -> None:
    odd = words("(/$(", "10 000/CARD", "a)b/XY", "/XY") + phrase(
        "p1", "N P", "NK:w1", "-:w2", ":w3", "NK:w4"
    )
    tree = "(ROOT (N_P ($*LRB* -LRB-) (CARD 10_000) (XY a-RRB-b) (XY )))"
    assert brackets(corpus(sentence(odd))) == [tree]
    assert read_trees(tree)[0].words == ["-LRB-", "10_000", "a-RRB-b", ""]


def test_phrases_without_words_are_left_out() -> None:
    empty = words("Ja/PTKANT") + phrase("p1", "S", "HD:w1", "MO:p2")
    assert brackets(corpus(sentence(empty + phrase("p2", "PP")))) == [
        "(ROOT (S (PTKANT Ja)))"
    ]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "ISO-8859-1", "windows-1252", "utf-8-sig", "utf-16"]
)
def test_encodings_are_those_that_the_xml_declares(
    encoding: str, tmp_path: Path
) -> None:
    declared = encoding.removesuffix("-sig")
    xml = f'<?xml version="1.0" encoding="{declared}"?>\n<!-- é -->\n'
    xml += corpus(sentence(words("schöne/ADJA"), root="w1"))
    path = tmp_path / "gold.xml"
    path.write_bytes(xml.encode(encoding))
    assert str(read_trees(path)[0]) == "(ROOT (ADJA schöne))"


def test_an_encoding_that_is_given_overrules_the_declared_one(tmp_path: Path) -> None:
    xml = '<?xml version="1.0" encoding="UTF-8"?>'
    xml += corpus(sentence(words("schöne/ADJA"), root="w1"))
    path = tmp_path / "gold.xml"
    path.write_bytes(xml.encode("latin-1"))
    bank = read_trees(path, encoding="latin-1")
    assert str(bank[0]) == "(ROOT (ADJA schöne))"


def test_subcorpora_headers_and_other_elements() -> None:
    header = '<head><annotation><feature name="pos" domain="T"><value name="NN">a (noun'
    header += "</value></feature></annotation></head>"
    assert brackets(
        f"<corpus>{header}<body><subcorpus>{YES}</subcorpus></body></corpus>"
    )
    assert brackets(f"<subcorpus name='a'>{YES}</subcorpus>") == ["(ROOT (PTKANT Ja))"]


def test_trees_are_on_the_lines_of_their_sentences() -> None:
    bank = read_trees(corpus(YES, "<!--\n\n\n-->", YES, YES))
    assert bank.line.tolist() == [2, 6, 7]


def test_lines_far_apart_make_no_trees() -> None:
    bank = read_trees(corpus(YES, "\n" * 600_000, YES), keep_blank_lines=True)
    assert bank.line.tolist() == [2, 600_003]


def test_what_brackets_cannot_keep_is_said() -> None:
    secondary = '<secedge label="SB" idref="w1"/></nt>'
    xml = corpus(SEEN.replace("</nt>", secondary, 1), YES)
    with pytest.warns(InputWarning) as caught:
        read_trees(xml)
    assert [str(one.message) for one in caught] == [
        "<text>: 1 of 2 trees has crossing branches, resolved by raising; in 1 tree "
        "words under the root moved down to their neighbours; 1 secondary edge left out"
    ]


def test_parts_in_other_files_are_not_read_and_said(tmp_path: Path) -> None:
    (tmp_path / "other.xml").write_text(f"<subcorpus>{YES}</subcorpus>")
    part = f'<subcorpus name="b" external="file:{tmp_path}/other.xml"/>\n'
    with pytest.warns(InputWarning, match="1 part in other files .* not read"):
        assert len(read_trees(corpus(YES, part))) == 1


def test_nothing_to_say_of_continuous_trees(recwarn: pytest.WarningsRecorder) -> None:
    read_trees(corpus(YES))
    assert not recwarn.list


_TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]),
    min_size=1,
    max_size=6,
)


@given(crossing_trees(), st.data())
def test_trees_in_xml_come_back(tree: Crossing, data: st.DataObject) -> None:
    """Any continuous tree, written as TIGER-XML, read, and printed."""
    children = continuous(*tree).children
    count = len(tree.parents)
    labels = data.draw(st.lists(_TEXT, min_size=count, max_size=count))
    forms = data.draw(st.lists(_TEXT, min_size=tree.words, max_size=tree.words))
    nodes = [node for node in range(tree.words, count) if children[node]]
    # Edges in any order: the words say what comes first.
    edges = {node: data.draw(st.permutations(children[node])) for node in nodes}
    xml = "".join(
        f'<t id="n{word}" word={quoteattr(forms[word])} pos={quoteattr(labels[word])}/>'
        for word in range(tree.words)
    )
    for node in data.draw(st.permutations(nodes)):
        xml += f'<nt id="n{node}" cat={quoteattr(labels[node])}>'
        xml += "".join(f'<edge label="--" idref="n{child}"/>' for child in edges[node])
        xml += "</nt>"

    def printed(node: int) -> str:
        name = labels[node].replace("(", "*LRB*").replace(")", "*RRB*")
        name = name.replace(" ", "_")
        if node >= tree.words:
            return f"({name} {' '.join(printed(child) for child in children[node])})"
        form = forms[node].replace("(", "-LRB-").replace(")", "-RRB-")
        return f"({name} {form.replace(' ', '_')})"

    expected = f"(ROOT {printed(count - 1)})"
    assert brackets(corpus(sentence(xml, root=f"n{count - 1}"))) == [expected]


# -- what is wrong --------------------------------------------------------------

GOOD_PHRASE = phrase("p1", "S", "HD:w1")
BAD_SENTENCES = {
    "no terminals": ("", "p1", "no terminals"),
    "no root": (words("a/A"), "", "the graph has no root"),
    "root not there": (words("a/A"), "p9", "the root p9 is not there"),
    "root with a parent": (
        words("a/A") + GOOD_PHRASE,
        "w1",
        "the root w1 has a parent",
    ),
    "no id": ('<t word="a" pos="A"/>', "w1", "a <t> has no id"),
    "no word": ('<t id="w1" pos="A"/>', "w1", "t w1 has no word"),
    "no tag": ('<t id="w1" word="a"/>', "w1", "t w1 has no pos"),
    "no category": (words("a/A") + '<nt id="p1"/>', "p1", "nt p1 has no cat"),
    "no idref": (
        words("a/A") + '<nt id="p1" cat="S"><edge/></nt>',
        "p1",
        "has no idref",
    ),
    "stray edge": ('<edge idref="w1"/>' + words("a/A"), "w1", "outside of any <nt>"),
    "same id": (words("a/A") + GOOD_PHRASE + GOOD_PHRASE, "p1", "id p1 a second time"),
    "dangling": (
        words("a/A") + phrase("p1", "S", "HD:w2"),
        "p1",
        "an edge to w2, which",
    ),
    "two parents": (
        words("a/A") + GOOD_PHRASE + phrase("p2", "S", "HD:p1", "HD:w1"),
        "p2",
        "w1 has two parents",
    ),
    "cycle": (
        words("a/A") + phrase("p1", "S", "HD:p2") + phrase("p2", "S", "HD:p1"),
        "w1",
        "a cycle: p[12] is above itself",
    ),
    "own parent": (
        words("a/A") + phrase("p1", "S", "HD:p1"),
        "w1",
        "a cycle: p1 is above",
    ),
    "too deep": (
        words("a/A")
        + phrase("p0", "S", "HD:w1")
        + "".join(phrase(f"p{n}", "S", f"HD:p{n - 1}") for n in range(1, 1000)),
        "p999",
        "more than 200 levels deep",
    ),
}


@pytest.mark.parametrize("name", BAD_SENTENCES)
def test_a_bad_sentence_is_named_and_the_others_are_read(name: str) -> None:
    body, root, message = BAD_SENTENCES[name]
    xml = corpus(YES, sentence(body, root, "s7"), YES)
    with pytest.warns(UserWarning, match=f"<text>:3: sentence 2: s7: .*{message}"):
        bank = read_trees(xml)
    assert [str(tree) for tree in bank] == [
        "(ROOT (PTKANT Ja))",
        "",
        "(ROOT (PTKANT Ja))",
    ]
    with pytest.raises(TreeSyntaxError, match=f":3: sentence 2: s7: .*{message}"):
        read_trees(xml, strict=True)


def test_a_tree_has_no_more_nodes_than_the_limit() -> None:
    xml = corpus(sentence(words(*["a/A"] * 11), root="w1"), YES)
    with (
        limited(Limits(tree_nodes=10)),
        pytest.raises(TreeSyntaxError, match="10 nodes"),
    ):
        read_trees(xml, strict=True)


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BROKEN = {
    "billion laughs": (
        f'<!DOCTYPE corpus [<!ENTITY l0 "ha">{LAUGHS}]>\n{corpus(YES)}',
        r":1: document types and entities are not read",
    ),
    "external entity": (
        '<!DOCTYPE corpus [<!ENTITY f SYSTEM "file:///etc/passwd">]>\n'
        + corpus(YES.replace("Ja", "&f;")),
        r":1: document types and entities are not read",
    ),
    "document type": (
        f'<!DOCTYPE corpus SYSTEM "TigerXML.dtd">\n{corpus(YES)}',
        r":1: document types and entities are not read",
    ),
    "undeclared entity": (
        corpus(YES.replace("Ja", "&f;")),
        r":2:29: broken XML: undefined entity \(in sentence s2\)",
    ),
    "cut short": (
        corpus(YES, SEEN)[:-300],
        r":3:\d+: broken XML: .* \(in sentence s1\)",
    ),
    "nothing closed": ("<corpus>\n<body>\n", r":3:1: broken XML: no element found"),
    "tags that cross": (
        corpus("<s id='s5'></graph></s>"),
        r":2:14: .* \(in sentence s5\)",
    ),
    "two roots": (corpus(YES) + corpus(YES), r":4:1: broken XML: junk after document"),
    "deep": (f"<corpus>{'<a>' * 300}", r":1: elements nested more than 200 deep"),
    "long": (
        f"<corpus><!--{'-x' * 2_000_000}",
        r"a tag or comment of more than 1,048,576",
    ),
    "within": (corpus("<s id='s5'><s/></s>"), r"a sentence within a sentence"),
    "html": (
        "<!-- x -->\n<html/>",
        r":2: is XML, but not TIGER-XML: expected <corpus>",
    ),
    "discourse": ("<rst><body/></rst>\n", r"not TIGER-XML: .*found <rst> \(discourse"),
    **{
        encoding: (
            f"<?xml version='1.0' encoding='{encoding}'?>\n<corpus/>",
            ":1: an encoding that cannot be read",
        )
        for encoding in ("klingon", "hex", "shift_jis")
    },
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_and_hostile_xml(name: str, tmp_path: Path) -> None:
    text, message = BROKEN[name]
    path = tmp_path / "gold.xml"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_trees(path)
    assert str(caught.value).startswith(str(path))
    ran = spinal("evalb", path, path)
    assert ran.code == 2
    assert ran.err.count("\n") == 1


def test_sgml_around_brackets_is_no_xml() -> None:
    with pytest.warns(UserWarning, match="found '<DOC>' outside of any bracket"):
        bank = read_trees("<DOC>\n(S (A a))\n")
    assert str(bank[1]) == "(S (A a))"


class Endless(io.RawIOBase):
    """A stream that is made as it is read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return next(self._pieces, b"")


def test_memory_does_not_grow_with_the_corpus() -> None:
    def pieces() -> Iterator[bytes]:
        yield b"<corpus><body>"
        for _ in range(200):
            yield (SEEN * 50).encode()
        yield b"</body></corpus>"

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        lines = BracketLines(Endless(pieces()), "a.xml")  # type: ignore[arg-type]
        tracemalloc.start()
        size = 0
        while data := lines.read(1 << 16):
            size += len(data)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert size == 10_000 * (len(SEEN_IN_BRACKETS) + 1)
    assert peak < 1_000_000


# -- the command line -----------------------------------------------------------


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.xml"
    path.write_text(corpus(SEEN, YES), "utf-8")
    return path


@pytest.fixture
def parsed(tmp_path: Path) -> Path:
    path = tmp_path / "parsed.mrg"
    path.write_text(f"{SEEN_IN_BRACKETS}\n(ROOT (PTKANT Ja))\n")
    return path


def said(ran: Ran) -> str:
    assert "Traceback" not in ran.err
    return ran.err


def test_commands_read_it_and_warn(gold: Path, parsed: Path) -> None:
    for arguments in (
        ("score", gold, parsed),
        ("evalb", gold, parsed),
        ("errors", gold, parsed),
        ("agree", gold, parsed),
        ("derive", gold, parsed, "1"),
        ("compare", gold, f"a={parsed}", f"b={parsed}"),
        ("show", gold),
        ("kernel", gold, parsed),
        ("patterns", "check", gold),
    ):
        ran = spinal(*arguments)
        assert ran.code in (0, 1), ran.err
        warning = f"spinal: {gold}: 1 of 2 trees has crossing branches, resolved by"
        assert said(ran).count(warning) == 1, arguments


def test_scores_are_those_of_the_brackets(gold: Path, parsed: Path) -> None:
    quiet = spinal("evalb", gold, parsed, "-q")
    assert "scored 2 of 2 sentences" in quiet.out
    assert "F1                  100.00" in quiet.out
    assert quiet.err == ""
    assert spinal("check", gold, "-q").out.count(f"{gold}:2:") >= 1


def test_compressed_directories_and_globs(gold: Path, parsed: Path) -> None:
    packed = gold.with_name("gold.xml.gz")
    packed.write_bytes(gzip.compress(gold.read_bytes()))
    assert "scored 2 of 2" in spinal("evalb", packed, parsed, "-q").out
    folder = gold.parent / "bank"
    folder.mkdir()
    (folder / "part.xml").write_bytes(gold.read_bytes())
    (folder / "page.xml").write_text("<?xml version='1.0'?><html/>")
    assert "scored 2 of 2" in spinal("evalb", folder, parsed, "-q").out
    pattern = f"{gold.parent}/bank/p*t.xml"
    assert "scored 2 of 2" in spinal("score", pattern, parsed, "-q").out


def test_bad_sentences_are_left_out_or_stop(tmp_path: Path, parsed: Path) -> None:
    path = tmp_path / "bad.xml"
    path.write_text(corpus(sentence(words("a/A"), "p9"), YES))
    ran = spinal("evalb", path, parsed)
    assert "scored 1 of 2 sentences; 1 left out: 1 malformed gold" in ran.out
    assert f"{path}:2: sentence 1: s1: the root p9 is not there" in said(ran)
    stopped = spinal("evalb", path, parsed, "--strict")
    assert stopped.code == 2
    assert "the root p9 is not there" in said(stopped)


RS3 = """<?xml version="1.0"?>
<rst><header><relations><rel name="reason" type="rst"/></relations></header><body>
<segment id="1" parent="3" relname="span">He left</segment>
<segment id="2" parent="1" relname="reason">because it rained.</segment>
<group id="3" type="span"/></body></rst>
"""


def test_discourse_trees_are_still_told_from_syntax(tmp_path: Path, gold: Path) -> None:
    document = tmp_path / "a.rs3"
    document.write_text(RS3)
    assert "holds discourse trees" in spinal("score", document, document).err
    assert spinal("rst", "score", document, document, "-q").code == 0
    shown = spinal("show", document)
    assert shown.code == 2
    assert "is XML, but not TIGER-XML: expected <corpus>, found <rst>" in shown.err
    refused = spinal("rst", "score", gold, gold)
    assert refused.code == 2
    assert f"{gold}:1: an unknown format" in refused.err


def test_other_xml_given_to_score(tmp_path: Path, parsed: Path) -> None:
    path = tmp_path / "page.xml"
    path.write_text("<?xml version='1.0'?>\n<html/>")
    ran = spinal("score", path, parsed)
    assert ran.code == 2
    assert f"{path}:2: is XML, but not TIGER-XML" in said(ran)
