"""Plots, with matplotlib (extra: plots).

The modules, in the order in which data flows through them:

    style       how plots look: figures, colours, marks and lines, and names
    files       figures as SVG, PNG and PDF
    scores      scores: cumulative, by domain, system and cell; and what errors cost
    similarity  what is alike: parsers with each other, metrics with people
"""
