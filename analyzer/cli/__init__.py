"""The command line: arguments in, an analysis called, its result printed.

The modules, in the order in which data flows through them:

    declarations  what a command is, and an option; types of values
    options       every option that two commands or more share
    streams       standard output and standard error, whatever they are
    output        what comes out: results, what a person is told about them
    progress      progress bars on standard error, for people who wait
    inputs        what is read, as arguments say it
    parsers       parsers of commands, and their help
    score         the paper's Table 2 for one data set
    evalb         bracket scores, the same numbers as EVALB's
    errors        the errors of a construction one by one; confusions
    derive        derivation trees, one file's or two side by side
    domains       data sets side by side, and where the gap comes from
    generalise    what a parser has not learnt, does not generalise, loses
    compare       systems side by side, and which differences are real
    agree         how far two annotations of the same text agree, and where not
    report        everything about one data set or several, as one HTML page
    find          where trees have what a query describes
    check         where a treebank contradicts itself
    patterns      list, check, explain or draft a pattern inventory
    show          trees in brackets, drawn in the terminal, or as a picture
    schema        what the JSON of a command contains
    kernel        how alike trees are, by tree kernels
    rst_scores    discourse trees compared
    rst_trees     discourse trees one by one: drawn, converted, counted
    rst_parser    a discourse parser, made and used
    discotk       discourse trees and kernels for judging machine translation
    main          the command `spinal`: the only place that parses arguments and exits
    breakdown     scores by word, tag, length, governor, distance and more
    instances     one row for each construction of gold and of the parser
    repairs       errors by type, as edits that turn the parse into gold
"""
