"""Rhetorical structure: discourse trees as the same table, and their scores.

The modules, in the order in which data flows through them:

    documents      discourse trees as a Treebank: labels `relation/N`, leaves are EDUs
    dis            RST-DT's .dis: read and written
    relations      fine relation -> class
    binarising     n-ary units to binary ones, right-heavy or left-heavy
    columns        heads, children, nuclearity and relation of every unit
    parseval       RST-Parseval, attachment decisions, dependencies: each a key
    scoring        documents paired by name, micro and macro
"""
