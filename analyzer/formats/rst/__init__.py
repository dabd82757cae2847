"""Discourse trees: one module a format.

The modules, in the order in which data flows through them:

    building         trees from what files say of them: places, spans, decisions
    dis_grammar      the reference reader of .dis
    dis              RST-DT's .dis format
    dis_scanner      the fast reader of .dis
    rs3              RSTTool's and rstWeb's .rs3, and rstWeb's .rs4
    rs3_writer       writing .rs3: the counterpart of `analyzer.formats.rst.rs3`
    dependency_rows  dependency trees as files list them, a row an EDU
    rsd              .rsd, GUM's dependencies
    conllu           dependency trees in columns
    bracket_labels   what the labels of bracketed strings mean
    brackets         bracketed strings: one we write, and those that parsers do
    units_json       discourse trees as JSON
    lists            parsers' output that is no tree but a list
    dispatch         a document in each format of discourse trees
"""
