"""What the trees of a treebank tell of its labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.formats.reading import read_trees
from analyzer.transform.draft_labels import DraftedLabels, draft_labels
from analyzer.transform.labels import LabelSet, load_labels
from tests.support.data_paths import LANGUAGES, SHARED, needs_languages

RAW = LabelSet("raw", "", "raw")


def drafted(*trees: str, times: int = 40) -> LabelSet:
    return _draft(*trees, times=times).parsed("draft")


def _draft(*trees: str, times: int = 40) -> DraftedLabels:
    """From trees in which `#` is another number each time, labels as written."""
    lines = [
        tree.replace("#", str(number * len(trees) + at))
        for number in range(times)
        for at, tree in enumerate(trees)
    ]
    text = "\n".join(lines)
    return draft_labels(read_trees(text, treebank=RAW, grammar="ptb"), "some")


PENN = (
    "( (S (NP-SBJ-1 (DT the) (NN cat#)) (VP (VBZ sees) (NP (NN dog#))) (. .)))",
    "( (S (NP-SBJ (NN cat#)) (VP (VP (VBZ sees) (NP (-NONE- *T*-1)) (NP=1 (NN it)))"
    " (CC and) (VP (VBZ runs))) (. ?)))",
    "( (S (NP (NN cat#) (CC or) (NN dog)) (VP (VBZ runs) (PRT (RP up))) (. .)))",
)


def test_penn() -> None:
    found = drafted(*PENN)
    assert found.phrase == {"S", "NP", "VP", "PRT"}
    assert found.tag == {"DT", "NN", "VBZ", "CC", "RP", "."}
    assert found.conjunction == {"CC"}
    assert found.empty == {"-NONE-"}
    assert found.delete == found.only_punctuation == {"."}
    assert "" in found.wrapper
    assert {"-", "="} <= found.function
    assert found.bare_phrase("NP-SBJ-1") == "NP"


def test_evidence_is_in_comments() -> None:
    text = _draft(*PENN).text
    assert "# Empty elements: the words of -NONE- are *T*-1" in text
    assert "kappa" in text
    assert "() is at the top of 120 of 120 trees" in text


def test_a_preposition_between_noun_phrases_is_no_conjunction() -> None:
    found = drafted(
        "(S (NP (NP (N a#)) (PP (P of) (NP (N b#)))) (V sees))",
        "(S (NP (NP (N a#)) (K and) (NP (N b#))) (VP (V sees) (K and) (V goes)))",
    )
    assert found.conjunction == {"K"}


def test_conjunctions_in_a_phrase_of_their_own() -> None:
    found = drafted(
        "(S (NP (NP (N a#)) (CP (K and) (NP (N b#)))) (V sees))",
        "(S (N a) (VP (VP (V sees#)) (CP (K or) (VP (V goes#)))))",
    )
    assert found.conjunction == {"K"}
    own = drafted(
        "(S (sn (sn (N a#)) (co (K and)) (sn (N b#))) (V sees))",
        "(S (N a) (VP (VP (V sees#)) (co (K or)) (VP (V goes#))))",
    )
    assert own.conjunction == {"K"}


def test_functions_that_stand_before() -> None:
    found = drafted(
        "(STA+fcl (SUBJ+np (>N+art o) (H+n a#)) (P+v-fin ve) (ACC+np (H+n b#)))",
        "(STA+fcl (SUBJ+prop Ana#) (P+v-fin ve) (ACC+icl (SUBJ+n c) (P+v-inf ver)))",
    )
    assert found.function_first == {"+"}
    assert found.phrase == {"fcl", "icl", "np"}
    assert {"n", "art", "prop", "v-fin", "v-inf"} == found.tag
    assert found.function_tags("SUBJ+np") == ("SUBJ",)
    assert found.bare_tag("P+v-fin") == "v-fin"


def test_endings_of_labels_that_are_features() -> None:
    """`.ms` says nothing about the kind of phrase, `.nom` does."""
    found = drafted(
        "(S (sn (espec.ms (da el)) (grup.nom.ms (nc gato#))) (grup.verb (vm ve#)))",
        "(S (sn (espec.fs (da la)) (grup.nom.fs (nc gata#))) (grup.verb (vm ve#)))",
        "(S (sn (espec.mp (da los)) (grup.nom.mp (nc gatos#))) (grup.verb (vm ven#)))",
    )
    assert {"grup.nom", "grup.verb", "espec"} <= found.phrase
    assert found.bare_phrase("grup.nom.fs") == "grup.nom"


def test_positions_of_tags() -> None:
    places = [
        f"N{case}{number}{kind}"
        for case in "abcdefg"
        for number in "spd"
        for kind in "wxyzv"
    ]
    words = " ".join(f"({tag} a#)" for tag in places)
    found = drafted(f"(S (NP {words}) (V goes))", times=12)
    assert {found.bare_tag(tag) for tag in ("Nasw", "Nasx")} == {"Nas"}
    assert len(found.tag) <= 70


def test_what_is_no_text() -> None:
    found = drafted(
        "( (IP-MAT (NP-SBJ (N a#)) (MARK <P_#>) (VB go-go) (NP *con*)) (NR T,#.1))",
        "( (IP-MAT (NP-SBJ *exp*) (VB rain-rain) (CP (C 0) (NP (N b#)))) (NR T,#.2))",
        "( (CP (C that) (NP-1 (N x#) (N y-z))) (NR T,#.3))",
    )
    assert found.no_text == {"NR", "MARK"}
    assert found.sentence_name == {"NR"}
    assert found.is_empty_word("*con*")
    assert found.is_empty_word("0")
    assert not found.is_empty_word("goes")


def test_stressed_words_are_words() -> None:
    found = drafted("(S (NP (NN cat#)) (VP (VBZ *sleeps*) (JJ ***)))")
    assert not found.is_empty_word("*sleeps*")


def test_lemmas() -> None:
    found = drafted("(IP (NP (N hunda#-hundur)) (VB fara-fara) (. .-.))")
    assert found.lemma == {"-"}
    assert drafted("(IP (NP (N well-known#)) (VB a) (VB b))").lemma == frozenset()


def test_labels_that_no_pattern_could_be_named_after_are_cut() -> None:
    found = drafted(
        "(S|<x> (N' (A a) (N b#)) (VP/NP (V c) (PP[in] (P in) (N' (N d)))))"
    )
    assert found.phrase == {"S", "N", "VP", "PP"}


def test_words_without_tags_are_words() -> None:
    bank = read_trees("(S (NP the cat) (VP sleeps))\n" * 9, grammar="untagged")
    assert "" not in draft_labels(bank, "some").parsed("draft").wrapper


@pytest.mark.slow
@needs_languages
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("pattern", "name", "unlike"),
    [
        ("languages/french/*.gold.mrg", "french", 0),
        ("languages/german/maz-1*.xml", "tiger", 0),
        ("languages/chinese/*.gold.mrg", "chinese", 0),
        ("languages/icelandic/*.psd", "historical", 0),
        ("syntax/gold/dev.gold.mrg", "penn", 0),
    ],
)
def test_what_we_know_of_treebanks_is_found(
    pattern: str, name: str, unlike: int
) -> None:
    """Conjunctions, punctuation and phrases as in the files that we wrote."""
    files = [Path(one) for one in sorted(SHARED.glob(pattern))]
    assert files, LANGUAGES
    found = draft_labels(read_trees(files, treebank=RAW), name).parsed("draft")
    ours = load_labels(name)
    assert found.conjunction == ours.conjunction
    known = ours.phrase | ours.tag_phrase | ours.tag
    assert len(found.phrase - known) == unlike
    assert {found.bare_phrase(f"{one}-SBJ") for one in found.phrase} <= found.phrase | {
        f"{one}-SBJ" for one in found.phrase
    }
