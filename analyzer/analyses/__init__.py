"""One function a question; the command of the same name prints its result.

The modules, in the order in which data flows through them:

    opening             gold and parsed, in any form that an analysis takes
    sentence_words      the words that are compared, by number
    errors              single errors: which word, what gold has
    events              what the scores say of each construction of a word
    derive              derivation trees sentence by sentence: `derive`
    disagreements       what two annotators do differently
    categories          which categories two annotators chose for the same thing
    factors             agreement on discourse
    rst_results         what scores of discourse trees are: rows, averages, settings
    similarity          how alike parsers are
    ambiguity           how many constituent trees a dependency tree can mean
    convert             discourse trees from one format to another
    annotations         two annotations of a block side by side
    functions           scores of function tags
    find_errors         the errors of a parser one by one, and what it does instead
    generated           what language models do to trees
    bracket_scores      what `evalb` counts and gives back
    evalb               bracket scores as EVALB computes them: `evalb`
    conventions         one pair of files under all the scoring conventions in use
    instance_rows       every construction of every word as a row
    instances           one row for each construction of gold and of the parser
    score_rows          rows of the paper's tables
    score_work          a task of `score`
    score               the paper's tables for one data set
    agreement           two annotations of the same text
    annotators          more than two annotations of the same text
    cells               cells of a breakdown
    gap                 where the gap between two data sets comes from
    domains             several data sets side by side: `compare_domains`
    overview            what a page about a parser shows
    breakdown           scores by what a construction is like
    metric_objects      scores for a training loop
    repair_records      what `repairs` finds, as values
    repair_links        both views of one error
    repair_views        how the scores see the edits of a sentence
    repair_search       the edits of each sentence of a task, named and counted
    repairs             what kinds of error a parser makes
    repair_comparisons  in which types of error parsers, or data sets, differ
    repair_stages       the trees that a search goes through
    rst_encodings       gold and parsed documents under every encoding
    rst_scores          every metric of Morey, Muller and Asher
    rst_systems         the metrics of discourse parsers compared
    show_rst            discourse trees to be drawn
    system_rows         rows of compared systems
    system_conventions  annotation or parser? What several systems say about it
    systems             several systems on the same sentences
    system_functions    function tags of systems on the same sentences
    worth               what a repair is worth
"""
