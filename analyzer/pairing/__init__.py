"""Gold beside parsed, and which of it can be compared.

The modules, in the order in which data flows through them:

    edits         the shortest edit that turns the words of gold into those of a parse
    file_names    the files of two folders beside each other: by their names
    ledger        what was scored, what was left out and why
    in_step       gold beside parsed: read in step, in blocks of equally many trees
    words         which pairs of sentences can be compared, word by word
    characters    different tokens or EDUs of the same text
    by_text       sentences of two releases beside each other
    sidecar       one data set as several
    faithfulness  which words of gold a parse has kept
    inputs        two inputs as blocks of pairs
    shards        an input as tasks to score
    placing       words of both sides in the places of one text
    mismatches    what becomes of pairs of trees that cannot be compared word by word
    by_name       documents of the same name beside each other
"""
