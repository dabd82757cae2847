"""Penn Treebank brackets.

The modules, in the order in which data flows through them:

    records  how a file divides into records, a record being what counts as one sentence
    scanner  the fast reader: a block of well-formed brackets to columns, without a loop
    faults   where a record stops being well formed, told without Lark
    grammar  the reference reader
    blocks   blocks of whole trees as text, and how they are read
    reader   a file of brackets, cut into blocks of whole trees
"""
