"""Penn Treebank brackets.

The modules, in the order in which data flows through them:

    records        how a file divides into records
    scanner        the fast reader
    bracket_words  words that are round brackets, written as such
    faults         where a record stops being well formed, told without Lark
    grammar        the reference reader
    bad_lines      which lines of a block are not well formed
    first_trees    of each line its first tree
    identifiers    names of sentences in files of brackets
    corpus_search  comments between the trees of the Penn historical corpora
    mending        trees as language models write them
    answers        how a file of a language model's answers divides into records
    blocks         blocks of whole trees as text, and how they are read
    reader         a file of brackets, cut into blocks of whole trees
    strings        bracketings that a program has in memory, one string a tree
"""
