"""Rhetorical structure: discourse trees as the same table, and their scores.

The modules, in the order in which data flows through them:

    documents      discourse trees as a Treebank: labels `relation/N`, leaves are EDUs
    assembling     trees from spans and decisions; places in a text
    dis            RST-DT's .dis: read and written; dis_grammar: the reference reader
    relations      fine relation -> class
    binarising     n-ary units to binary ones, right-heavy or left-heavy
    dtrees         head-ordered dependency trees, from constituents and back
    heuristics     nuclearity and order for dependencies that have none
    rs3            .rs3 and .rs4, through hardened_xml; rs3_writing: the way back
    rsd, conll     dependencies in columns, through dependency_rows
    brackets       bracketed strings, ours and parsers'; bracket_labels: their labels
    json_format    a flat table of units
    parser_outputs lists of spans and of decisions
    formats        which format is it? read and written
    reading        documents from files and directories
    ambiguity      how many constituent trees a dependency tree stands for
    differences    what two analyses of a document do not share
    columns        heads, children, nuclearity and relation of every unit
    parseval       RST-Parseval, attachment decisions, dependencies: each a key
    scoring        documents paired by name, micro and macro
    inventories    which relations a scheme has, mono- or multinuclear
    checks         conditions that documents break; what is rare in a collection
    tace           agreement by constituent, attachment, nuclearity, relation
    agreement      two annotations of the same documents
    similarity     each system as the reference of the others, and clusters
"""
