"""Patterns over children that name constructions.

The modules, in the order in which data flows through them:

    inventory  pattern inventories
    names      the names of constructions, by number
    labeller   which construction a node is, and which child is its head
    language   the language of pattern inventories
"""
