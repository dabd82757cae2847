"""Keys, the one join, counts, and what is made of them.

The modules, in the order in which data flows through them:

    join               the one join behind every score
    ratios             ratios from counts, and kappa; what is undefined is None
    counts             counts that add up, and counts by sentence
    measures           what is measured, declared once
    signature          every setting that can move a number
    brackets           bracket scores, the same numbers as EVALB's
    rst                the metrics of Morey, Muller and Asher (2017, 2018)
    significance       is a difference real? Paired bootstrap and randomisation
    intervals          how sure a ratio is: documents, or sentences, resampled
    functions          scores of function tags, on the brackets that evalb matches
    spine_differences  in what the spines of a word differ
    constructions      scores per construction
    recurring          annotation or parser? Differences that recur
"""
