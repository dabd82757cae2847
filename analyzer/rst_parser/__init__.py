"""A discourse parser: trained on trees, from texts to trees.

Morey, Muller and Asher (2018), section 4.1, and what improved on it.

The modules, in the order in which data flows through them:

    tokens          a text as tokens
    words           english words that say something about discourse, by what they do
    plain           raw text as tokens: paragraphs, sentences and words by rules
    hashing         features as numbers: strings hashed once, and combined as columns
    edus            what is seen of each EDU: words, tags, syntax, place
    templates       which properties of two units make a feature together
    linear          log-linear models over sparse binary features
    fitting         how weights are learnt
    arcs            which unit governs which
    eisner          the best projective dependency tree
    stages          trees of units in stages: sentences, paragraphs, the document
    labels          by which relation, and as nucleus or satellite
    ordering        in which order a head's dependents are attached: left against right
    segmenting      where EDUs begin
    tagging         tags for the words of raw text
    model           what a trained parser consists of, and how it turns EDUs into trees
    training        a parser from documents whose trees are known
    model_file      a model as a file
    archive         models as arrays with names, and back
    aligning        EDUs laid over tokens that were read from another file
    inputs          texts to parse: CoNLL-U, EDUs one a line, discourse trees
    parser          rstParser: trained, saved, loaded; texts in, discourse trees out
    segment_scores  how well EDU boundaries were found
"""
