"""The values that all else is about: a treebank as columns, and views of it.

The modules, in the order in which data flows through them:

    arrays        columns as arrays
    symbols       labels as integers
    kernel        the compiled kernel, where there is one
    settings      settings checked where they are made
    values        equality of results that hold arrays
    yields        the words of nodes that have gaps
    families      who is whose parent, from depths
    treebank      a treebank is a table
    builder       a treebank built node by node
    tree          trees and nodes as people see them
    discourse     discourse trees in the table of `analyzer.model.treebank`
    dependencies  dependency trees of discourse: one entry an EDU
"""
