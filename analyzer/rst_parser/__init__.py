"""A discourse parser: trained on trees, from texts to trees.

Morey, Muller and Asher (2018), section 4.1, and what improved on it.

The modules, in the order in which data flows through them:

    tokens          a text as tokens
    words           English words that say something about discourse, by what they do
    plain           raw text as tokens: paragraphs, sentences and words by rules
    hashing         features as numbers: strings hashed once, and combined as columns
    clauses         the syntax of EDUs: heads, governors, clauses that are interrupted
    edus            what is seen of each EDU: words, tags, syntax, place
    units           units of a stage, and what is seen of each
    pairs           what is seen of two units, one of which may govern the other
    spans           what is seen of a span of units that is split in two
    linear          log-linear models over sparse binary features
    fitting         how weights are learnt
    arcs            which unit governs which
    eisner          the best projective dependency tree
    binary          the best binary tree, by arcs and splits together
    decoding        from scores to trees: groups of one size together
    stages          trees of units in stages: sentences, paragraphs, the document
    splits          where a span is split in two, and where its head is
    surroundings    what is around an arc in its tree
    labels          by which relation, and as nucleus or satellite
    second_look     what a first look at EDUs says of the tokens around
    segmenting      where EDUs begin
    tagging         tags for the words of raw text
    parsed          what a parser made of some texts: a result
    model           what a trained parser consists of, and how it turns EDUs into trees
    aligning        EDUs laid over tokens that were read from another file
    inputs          texts to parse: CoNLL-U, EDUs one a line, discourse trees
    corpus          what a parser learns from: trees with their tokens
    parts           how large the parts of a trained parser are
    training        a parser from documents whose trees are known
    model_file      a model as a file
    archive         models as arrays with names, and back
    parser          RstParser: trained, saved, loaded; texts in, discourse trees out
    segment_scores  how well EDU boundaries were found
"""
