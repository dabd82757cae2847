"""From a parse to gold by edits: what kinds of error it makes (Kummerfeld et al. 2012).

The modules, in the order in which data flows through them:

    workbench  the tree that a search works on: edited step by step
    moves      children of one bracket that should be another's: the best move
    search     from a parse to gold by edits: the greedy search
    types      what kind of error an edit is
    chinese    what kind of error an edit is, in Chinese
    preparing  trees as a search compares them
    mending    edits made again: which mends which bracket, trees with some of them
"""
