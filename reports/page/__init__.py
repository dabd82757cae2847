"""The HTML page.

The modules, in the order in which data flows through them:

    edit_data      the edits of a sentence as the error browser shows them
    error_data     the errors of a data set as the page's error browser reads them
    model          what the page shows, as values
    explanations   what constructions are, in the words of their inventory
    plot_svg       plots as elements of the page
    html           one HTML file with everything in it
    excerpts       what is drawn of two variants of a tree
    cards          the findings of `spinal check` as cards
    coverage       what the page says about coverage
    datasets       sections of the page that show data sets beside each other
    systems        sections of the page that show parsers beside each other
    findings       the findings of `spinal check` in discourse trees, as one HTML page
    sections       what the page says about each data set
    report         everything about a parser's errors as one page: `write_report`
    disagreements  what two annotators do differently, as one HTML page with both trees
"""
