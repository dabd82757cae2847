"""The tables and the JSON of each analysis.

The modules, in the order in which data flows through them:

    annotators          more than two annotators, as tables and JSON
    breakdown           breakdowns as tables and JSON
    discotk             DiscoTK's scores and correlations as tables and JSON
    errors              derivation trees, score events and single errors, as text
    evalb_layout        evalb's own output, column for column
    findings            what `spinal check` prints: lines for people, and tables
    generated           what is wrong with generated trees, as a table and JSON
    kernels             what `spinal kernel` prints
    omissions           what a table does not show, told below it and in JSON
    recurring           annotation or parser? The differences that recur, in words
    agreement           how far two annotations agree, as tables and JSON
    constructions       construction scores as tables and JSON
    domains             data sets side by side
    evalb               bracket scores as tables and JSON
    patterns            pattern inventories as tables: listed, checked, explained
    repairs             errors by type, sentence by sentence and one by one
    worth               what repairs are worth
    repair_comparisons  types of error of systems and of data sets side by side
    rst_ambiguity       how ambiguous dependency trees are, as a table
    rst_parser          a trained discourse parser, and segmentations, as tables
    rst_scores          discourse scores as tables and JSON, and as the papers have them
    rst_similarity      pairwise similarity as tables, shaded maps and dendrograms
    systems             systems side by side
    functions           scores of function tags as tables
    rst_systems         the metrics of discourse parsers side by side
"""
