"""Discourse trees: one module a format.

The modules, in the order in which data flows through them:

    building             what the formats share
    dis                  RST-DT's .dis
    rs3                  RSTTool's and rstWeb's .rs3, and rstWeb's .rs4
    dependencies         dependency trees in columns: CoNLL-U, .rsd, tables, triples
    arcs                 dependencies and graphs: SciDTB, dialogues, DISRPT
    brackets             bracketed strings: one we write, and those that parsers do
    units_json           discourse trees as JSON
    spans_and_decisions  parsers' output that is no tree but a list
"""
