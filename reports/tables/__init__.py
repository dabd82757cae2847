"""The tables and the JSON of each analysis, and what is shown of it: its view.

The modules, in the order in which data flows through them:

    breakdown           breakdowns
    find                matches of a query: in context, as a table, as counts
    findings            what `spinal check` and `spinal patterns` print
    heads          heads beside dependencies; drafts of inventories
    generated           what is wrong with generated trees
    kernels             kernels of trees, DiscoTK's scores and correlations
    notes               what is told below tables: what they leave out, what recurs
    causes              why heads, edges and attachments are wrong
    functions           scores of function tags
    agreement           how far two annotations agree, or more
    queries             scores of queries, and what one side has alone
    constructions       construction scores
    nbest               scores of n-best lists
    domains             data sets side by side
    generalise          what a parser learns, generalises, loses
    evalb               bracket scores, and evalb's own output
    repairs             errors by type, side by side, and what they are worth
    rst_trees           discourse trees: similarity, ambiguity, parsers, segmentations
    rst_scores          discourse scores, and side by side
    rst_published       the papers' tables, with our rows among theirs
    systems             systems side by side, each by its output or by several runs
    errors              derivation trees, score events, errors and edits, as text
"""
