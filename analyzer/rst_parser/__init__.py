"""A discourse parser: trained on trees, from texts to trees.

Morey, Muller and Asher (2018), section 4.1, and what improved on it.

The modules, in the order in which data flows through them:

    lexicon     English words that say something about discourse, by what they do
    text        a text as tokens: from CoNLL-U, EDUs, discourse trees, raw text
    linear      log-linear models over hashed features, and how they learn
    edus        what is seen of each EDU: words, tags, syntax, place
    stages      trees of units in stages: sentences, paragraphs, the document
    features    what is seen of units, pairs, spans and trees
    attachment  which unit governs which, where spans are split, by which relation
    decoding    from weights to trees: the best ones over units, stage by stage
    segmenter   where EDUs begin, and how well that was found
    sentences   where the sentences of raw text begin
    tagger      tags for the words of raw text
    storage     a model as a file
    training    a parser from documents whose trees are known
    parser      RstParser: trained, saved, loaded; texts in, discourse trees out
"""
