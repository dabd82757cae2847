"""What trees look like in files, and which format a file is in.

The modules, in the order in which data flows through them:

    blocks       what a format is, and what every reader of syntactic trees serves
    answers      answers of language models in records: JSON, a table
    penn         Penn Treebank brackets
    rst          discourse trees: one module a format
    incremental  files whose trees are built one by one as they are read
    crossing     crossing branches resolved
    tiger        TIGER-XML; the export format of NeGra, versions 3 and 4
    conll_2012   the columns of CoNLL-2012 and OntoNotes (`_gold_conll`, `_auto_conll`)
    dialects     bracketed languages other than plain Penn brackets: each is a grammar
    objects      trees of other programs as a treebank
    registry     every format of trees, and which of them a file is in
    reading      from a path, a stream or a text to syntactic trees
    nbest        n-best lists: several parses of each sentence
    documents    documents from files, globs, directories, URLs and standard input
    word_dependencies  dependencies of words, in CoNLL-U, to lay beside trees
"""
