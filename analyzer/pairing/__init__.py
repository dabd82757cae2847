"""Gold beside parsed, and which of it can be compared.

The modules, in the order in which data flows through them:

    ledger      what was scored, what was left out and why
    in_step     gold beside parsed: read in step, in blocks of equally many trees
    texts       what a sentence says, however it is tokenised and escaped
    same_text   what all sides have, by name; sentences of the same text
    words       which pairs of sentences can be compared, word by word; roots that count
    tags        words without tags, or with those of the other side
    characters  different tokens or EDUs of the same text
    one_text    one text in other sentences and other tokens: where its words stand
    jp_evalb    the same, as jp-evalb aligns sentences and words
    edits       the shortest edit that turns the words of gold into those of a parse
    tasks       two inputs as tasks to score: blocks, or pairs of files; groups of them
    mismatches  what becomes of pairs of trees that cannot be compared word by word
    partners    documents of the same name
"""
