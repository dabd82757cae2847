"""From a parse to gold by edits: what kinds of error it makes (Kummerfeld et al. 2012).

The modules, in the order in which data flows through them:

    labels             the phrase labels of English
    workbench          the tree that a search works on: edited step by step
    gains              what a move gains, from the keys of brackets
    moves              children of one bracket that should be another's: the best move
    search             from a parse to gold by edits: the greedy search
    types              what kind of error an edit is
    chinese            what kind of error an edit is, in Chinese
    chinese_reference  what kind of error it is by the reference's rules for Chinese
    preparing          trees as a search compares them
    mending            which edit mends which bracket
    mended_trees       parses in which only some errors are mended, as columns
"""
