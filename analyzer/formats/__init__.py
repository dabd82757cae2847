"""What trees look like in files, and which format a file is in.

The modules, in the order in which data flows through them:

    blocks     what every reader of syntactic trees serves
    penn       Penn Treebank brackets
    tiger      TIGER-XML
    rst        discourse trees: one module a format
    registry   every format of trees: what it looks like, how it is read and written
    objects    trees of other programs as a treebank
    reading    from a path, a stream or a text to syntactic trees
    documents  documents from files, globs, directories, URLs and standard input
"""
