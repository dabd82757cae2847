"""The tables and the JSON of each analysis, and what is shown of it: its view.

The modules, in the order in which data flows through them:

    breakdown           breakdowns
    findings            what `spinal check` and `spinal patterns` print
    heads          heads beside dependencies; drafts of inventories
    generated           what is wrong with generated trees
    kernels             kernels of trees, DiscoTK's scores and correlations
    notes               what is told below tables: what they leave out, what recurs
    functions           scores of function tags
    agreement           how far two annotations agree, or more
    constructions       construction scores
    nbest               scores of n-best lists
    domains             data sets side by side
    evalb               bracket scores, and evalb's own output
    repairs             errors by type, side by side, and what they are worth
    rst_trees           discourse trees: similarity, ambiguity, parsers, segmentations
    rst_scores          discourse scores, as the papers have them, and side by side
    systems             systems side by side
    errors              derivation trees, score events and single errors, as text
"""
