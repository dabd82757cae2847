"""What trees look like in files, and which format a file is in.

The modules, in the order in which data flows through them:

    blocks       what every reader of syntactic trees serves
    penn         Penn Treebank brackets
    rst          discourse trees: one module a format
    built        files whose trees are built one by one as they are read
    tiger        TIGER-XML
    conll_2012   the columns of CoNLL-2012 and OntoNotes (`_gold_conll`, `_auto_conll`)
    discbracket  brackets whose words have numbers
    export       the export format of NeGra, versions 3 and 4
    lemmas       brackets whose words have lemmas
    objects      trees of other programs as a treebank
    opening      a stream of trees in a format that is known
    shapes       how files of syntactic trees begin: what tells one format from another
    registry     every format of trees: what it looks like, how it is read and written
    reading      from a path, a stream or a text to syntactic trees
    documents    documents from files, globs, directories, URLs and standard input
"""
