"""The values that all else is about: a treebank as columns, and views of it.

The modules, in the order in which data flows through them:

    arrays     columns as arrays
    symbols    labels as integers
    settings   settings checked where they are made
    treebank   a treebank is a table; how one is built node by node
    tree       trees and nodes as people see them
    discourse  discourse trees in that table, and dependency trees of discourse
"""
