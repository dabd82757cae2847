"""One discourse tree in every format that can hold it."""

from __future__ import annotations

from analyzer.formats.registry import FORMATS, Family, detect
from tests.support.rst_strategies import Shape, shape, tree_of

KNOWN = {one.name for one in FORMATS if one.family is Family.DISCOURSE}

# One tree in every format: a list of two, and a reason for the first of them.
TREE = "[N:list[N:span S:reason] N:list]"
TEXTS = ["He left", "because it rained.", "She stayed."]

SPECIMENS = {
    "dis": """
( Root (span 1 3)
  ( Nucleus (span 1 2) (rel2par list)
    ( Nucleus (leaf 1) (rel2par span) (text _!He left_!) )
    ( Satellite (leaf 2) (rel2par reason) (text _!because it rained._!) )
  )
  ( Nucleus (leaf 3) (rel2par list) (text _!She stayed._!) )
)
""",
    "dis: RST-DT's quirks": """
//TT_ERR
( Root (span 1 3) //TT_ERR
  ( Nucleus (span 1 2) (rel2par list//TT_ERR)
    ( Nucleus (leaf 1) (rel2par span) (text _!He left_!) ) ( Satellite (leaf 2)
      (rel2par reason) (text <s><EDU>because it rained.</EDU></s>) ) )//TT_ERR
  ( Nucleus (leaf 3) (rel2par list) (text _!She stayed._!//TT_ERR) ) )
""",
    "rs3": """<?xml version="1.0" encoding="ISO-8859-1"?>
<rst><header><relations>
  <rel name="reason" type="rst"/><rel name="list" type="multinuc"/>
</relations></header><body>
  <segment id="1" parent="5" relname="span">He left</segment>
  <segment id="2" parent="1" relname="reason">
    because it rained.
  </segment>
  <segment id="3" parent="4" relname="list">She stayed.</segment>
  <group id="4" type="multinuc"/>
  <group id="5" type="span" parent="4" relname="list"/>
</body></rst>
""",
    "rs4": """<rst><header><relations>
  <rel name="reason" type="rst"/><rel name="list" type="multinuc"/>
</relations><sigtypes><sig type="dm" subtypes="dm"/></sigtypes></header><body>
  <segment id="1" parent="5" relname="span">He left</segment>
  <segment id="2" parent="1" relname="reason">because it rained.</segment>
  <segment id="3" parent="4" relname="list">She stayed.</segment>
  <group id="4" type="multinuc"/>
  <group id="5" type="span" parent="4" relname="list"/>
  <secedges><secedge id="3-2" source="3" target="2" relname="reason"/></secedges>
  <signals><signal source="2" type="dm" subtype="dm" tokens="3"/></signals>
</body></rst>
""",
    "rs3: a satellite of a nucleus that is in no span": """
<rst><header><relations><rel name="reason" type="rst"/>
<rel name="list" type="multinuc"/></relations></header><body>
<segment id="1" parent="9" relname="list">He left</segment>
<segment id="2" parent="1" relname="reason">because it rained.</segment>
<segment id="3" parent="9" relname="list">She stayed.</segment>
<group id="9" type="multinuc"/></body></rst>
""",
    "rsd": (
        "1\tHe left\t0\t_\t_\tsid=1\t0\tROOT\t_\t_\n"
        "2\tbecause it rained.\t0\t_\t_\tsid=1\t1\treason_r\t_\t_\n"
        "3\tShe stayed.\t1\t_\t_\tsid=2\t1\tlist_m\t_\tdm-and-1-gold\n"
    ),
    "conllu": (
        "# newdoc id = weather\n"
        "1\tHe left\t_\t_\t_\tNuclearity=N|Rank=1\t0\tROOT\t_\t_\n"
        "2\tbecause it rained.\t_\t_\t_\tNuclearity=S|Rank=1\t1\treason\t_\t_\n"
        "3\tShe stayed.\t_\t_\t_\tNuclearity=N|Rank=2\t1\tlist\t_\t_\n\n"
    ),
    "table": (
        "edu\thead\tlabel\tnuc\trank\ttext\n"
        "1\t0\tROOT\tN\t1\tHe left\n"
        "2\t1\treason\tSatellite\t1\tbecause it rained.\n"
        "3\t1\tlist\tNucleus\t2\tShe stayed.\n"
    ),
    "json": """{"format": "rst", "version": 1,
 "edus": ["He left", "because it rained.", "She stayed."],
 "units": [
  {"span": [1, 3], "nuclearity": "root", "parent": null},
  {"span": [1, 2], "nuclearity": "nucleus", "relation": "list", "parent": 1},
  {"span": [1, 1], "nuclearity": "nucleus", "relation": "span", "parent": 2},
  {"span": [2, 2], "nuclearity": "satellite", "relation": "reason", "parent": 2},
  {"span": [3, 3], "nuclearity": "nucleus", "relation": "list", "parent": 1}]}
""",
    "brackets": (
        "(Root (Nucleus:list (Nucleus:span _!He left!_)"
        " (Satellite:reason _!because it rained.!_)) (Nucleus:list _!She stayed.!_))\n"
    ),
    "brackets: gCRF": """(list[N][N]
  (reason[N][S]
    _!He left!_
    _!because it rained.!_)
  _!She stayed.!_)
""",
    "brackets: HILDA in Python": (
        "ParseTree('list[N][N]', [ParseTree('reason[N][S]', "
        "['He left', \"because it rained.\"]), 'She stayed.'])"
    ),
    "brackets: Surdeanu": """(list
  (reason (LeftToRight)
    (TEXT:He left)
    (TEXT:because it rained.))
  (TEXT:She stayed.))
""",
    "brackets: Surdeanu as evaluated": (
        "(list (reason:NS (TEXT He left) (TEXT because it rained.)) (TEXT She stayed.))"
    ),
}
# The same tree where the format has no texts, or writes relations its own way.
WITHOUT_TEXTS = {
    "brackets: Hayashi's HILDA": (
        "(Root (Nucleus:list (Nucleus:span leaf1_1_1) (Satellite:reason leaf2_1_1))"
        " (Nucleus:list leaf3_2_1))"
    ),
    "brackets: Braud 2016": "(NN-list (NS-reason (1 ) (2)) (3))",
    "brackets: numbers": "(Root (N:list (N:span 1) (S:reason 2)) (N:list 3))",
    "spans: DPLP": (
        "((1, 1), 'Nucleus', 'span')\n((2, 2), 'Satellite', 'reason')\n"
        "((1, 2), 'Nucleus', 'list')\n((3, 3), 'Nucleus', 'list')\n"
    ),
    "spans: a Python list": (
        "[((1, 2), 'Nucleus', 'list'), ((3, 3), 'Nucleus', 'list'), "
        "((1, 1), 'Nucleus', 'span'), ((2, 2), 'Satellite', 'reason')]"
    ),
    "spans: pairs": (
        "(1-Nucleus:list-2, 3-Nucleus:list-3) (1-Nucleus:span-1, 2-Satellite:reason-2)"
    ),
    "spans: Lin": (
        "(1:Nucleus=list:2,3:Nucleus=list:3) (1:Nucleus=span:1,2:Satellite=reason:2)"
    ),
    "spans: isanlp": (
        "(1:Nucleus=list;entropy=0.50000:2,3:Nucleus=list:3) "
        "(1:Nucleus=span;entropy=nan:1,2:Satellite=reason:2)"
    ),
    "ntt: decisions": (
        "(nucleus-nucleus:list (nucleus-satellite:reason (text 0) (text 1)) (text 2))"
    ),
    "ntt: units": (
        "(ROOT (nucleus:list (nucleus:span (text 0)) (satellite:reason (text 1))) "
        "(nucleus:list (text 2)))"
    ),
    "decisions": "1-2 3 NN list\n1 2 NS reason\n",
    "decisions: with brackets": "(1, 2) NS reason\n(1-2, 3) NN-list\n",
}

DIS, RS3, RSD = SPECIMENS["dis"], SPECIMENS["rs3"], SPECIMENS["rsd"]


def named_format(name: str) -> str:
    return name.partition(":")[0]


def expected(texts: list[str] | None = None) -> Shape:
    root = tree_of(TREE)
    words = iter(texts or [""] * 3)
    for unit in root.walk():
        if unit.is_edu:
            unit.text = next(words)
    return shape(root)


def detected(text: str) -> str:
    """The name of the format that a discourse tree is recognised to be in."""
    found = detect(text, Family.DISCOURSE)
    return found.name if found else ""
