"""The HTML page.

The modules, in the order in which data flows through them:

    model          what the page shows, as values
    html           one HTML file with everything in it
    review         the findings of `spinal check` as cards to decide on, or as tables
    comparisons    sections of the page that show parsers or data sets side by side
    sections       what the page says about each data set
    report         everything about a parser's errors as one page: `report`
    disagreements  what two annotators do differently, as one HTML page with both trees
"""
