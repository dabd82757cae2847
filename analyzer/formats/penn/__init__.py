"""Penn Treebank brackets.

The modules, in the order in which data flows through them:

    records      how a file divides into records; words that are brackets
    scanner      the fast reader
    faults       what is wrong with a record
    identifiers  names of sentences in files of brackets, and comments between them
    generated    trees as language models write them
    reader       a file of brackets, cut into blocks of whole trees; how a block is read
"""
