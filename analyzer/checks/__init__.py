"""Where a treebank, a collection of documents or an inventory contradicts itself.

The modules, in the order in which data flows through them:

    findings     a finding: what is suspicious, where
    blocks       the trees to check, block by block
    word_stream  a treebank as the checks see it
    shape        what no sound tree has: each check a function under its code
    productions  productions that no pattern covers
    contrast     occurrences of the same words with different analyses -> a finding
    variation    variation n-grams: the same words, bracketed or labelled differently
    fragments    words that recur with different derivation fragments
    tags         a word between the same neighbours that is tagged differently
    discourse    discourse trees that break a rule
    baseline     known findings, so that a treebank's CI complains of new ones only
    sarif        findings as SARIF 2.1.0
    inventory    is an inventory any good? Well-formedness
    run          all kinds of checks on treebanks or documents: what `spinal check` runs
"""
