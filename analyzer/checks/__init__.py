"""Where a treebank, a collection of documents or an inventory contradicts itself.

The modules, in the order in which data flows through them:

    findings         a finding: what is suspicious, where
    blocks           the trees to check, block by block
    word_stream      a treebank as the checks see it
    shape            what no sound tree has: each check a function under its code
    productions      productions that no pattern covers
    baseline         known findings, so that a treebank's CI complains of new ones only
    inventory        is an inventory any good? Well-formedness
    calibration      the chance that a candidate is an error, from its evidence
    experts          a small model of choices that has never seen the choice it judges
    discourse_texts  a document as the checks of discourse trees look at it
    discourse_model  choices in discourse trees that the rest of the collection speaks
    discourse        discourse trees that break a rule
    items            words and phrases as one table of items
    surroundings     what stands around words and phrases
    choices          the choices that annotation is made of
    attachments      what each constituent could attach to, and what it does attach to
    candidates       candidates for findings
    contrast         occurrences of the same words with different analyses -> candidates
    variation        variation n-grams
    fragments        words that recur with different derivation fragments
    mothers          a phrase whose children, in this place, always have another mother
    doubts           choices that the experts, who have seen all others
    identity         what a suspicious place keeps in another version of its file
    settling         candidates that one edit would settle -> one finding
    sentences        all kinds of checks on the sentences of a treebank
    sources          trees as they stand in their files
    edits            what an edit changes in the text of a tree
    fixes            the edits that findings suggest, in files
    fix_lists        fixes as a table to be ticked
    patches          fixes as a patch
    places           findings in JSON: every place, with its line, words and characters
    sarif            findings as SARIF 2.1.0
    run              all kinds of checks on treebanks or documents
"""
