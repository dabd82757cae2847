"""Keys, the one join, counts, and what is made of them.

The modules, in the order in which data flows through them:

    join               the one join behind every score
    ratios             ratios from counts, with one policy for what is undefined
    signature          every setting that can move a number
    brackets           bracket scores, the same numbers as EVALB's
    rst                the metrics of Morey, Muller and Asher (2017, 2018)
    pools              sentences pooled by their counts, and what is drawn from them
    significance       is a difference real? Paired bootstrap and approximate
    kappa              Cohen's kappa: agreement corrected for chance
    function_counts    how often function tags occur and are right
    functions          scores of function tags, on the brackets that evalb matches
    spine_differences  in what the spines of a word differ
    constructions      scores per construction
    recurring          annotation or parser? Differences that recur
    sentence_counts    what is kept of each sentence of a system
"""
