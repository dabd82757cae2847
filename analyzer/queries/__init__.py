"""Queries: configurations of nodes that a person describes, and where trees have them.

The modules, in the order in which data flows through them:

    language  a query's text -> its parts
    matching  a query on the columns of a treebank
    named     queries by name, in a file: a user's own inventory
"""
