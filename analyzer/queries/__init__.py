"""Queries: configurations of nodes that a person describes, and where trees have them.

The modules, in the order in which data flows through them:

    language  a query's text -> its parts
    columns   the nodes and words of a treebank in pre-order, and their relations; what
              is known of words and labels
    matching  a query on these columns
    named     queries by name, in a file: a user's own inventory
"""
