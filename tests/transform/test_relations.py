"""Maps of relations that ship with the project."""

from __future__ import annotations

from analyzer.transform.relations import load_relations
from tests.support.data_paths import RST, needs_rst_data


def test_the_map_of_rst_dt() -> None:
    relations = load_relations("rstdt")
    assert relations is not None
    assert len(set(relations.values())) == 18
    assert relations["elaboration-object-attribute-e"] == "elaboration"
    assert relations["comment-topic"] == "topic-comment"
    for passes_through in ("list-e", "same-unit-e", "contingency-e", "span"):
        assert passes_through not in relations


@needs_rst_data
def test_the_map_of_gum_is_the_one_of_the_oracle() -> None:
    assert load_relations("gum") == load_relations(str(RST / "gum_relmap.txt"))
