"""Plots, with matplotlib (extra: plots).

The modules, in the order in which data flows through them:

    style       how plots look
    files       figures as SVG, PNG and PDF
    scores      plots, with matplotlib (the extra `plots`)
    breakdown   breakdowns as plots: a panel a score, cells from top to bottom
    discotk     plots of correlations, in the style of `reports.plots.scores`
    repairs     what errors are worth, as a waterfall: from the parse to gold
    similarity  plots of similarity between parsers: heat map and dendrogram
"""
