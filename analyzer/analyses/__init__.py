"""One module a question; the command of the same name prints its result.

The modules, in the order in which data flows through them:

    opening             gold and parsed, in any form that an analysis takes
    compared            one runner for all analyses, and what their results share
    functions           scores of function tags
    errors              the errors of a parser one by one: `errors`
    find                where trees have what a query describes: `find`
    derive              derivation trees sentence by sentence: `derive`
    instances           one row for each construction of gold and of the parser
    causes              why heads, edges and attachments are wrong
    find_pairs          queries over gold and parsed: `find_pairs`
    generated           what language models do to trees: `faithfulness`
    evalb               bracket scores as EVALB computes them: `evalb`
    show                trees of single sentences, and what differs: `show`
    conventions         one pair of files under all the scoring conventions in use
    erst                secondary edges and signals of discourse, scored
    score               the paper's tables for one data set: `score`
    nbest               several parses of each sentence: `score_nbest`
    tace                annotations of documents compared as RST-Tace does
    disagreements       what two annotators do differently
    agreement           annotations of the same text: `agree`
    cgel_agreement      the same by CGELBank's tree edit distance: `cgel_agreement`
    domain_gap          several data sets side by side: `domains`
    generalise          what a parser learns, generalises, loses: `generalise`
    breakdown           scores by what a construction is like: `breakdown`
    metric_objects      scores for a training loop
    attribution         both views of one error: edits, and what the scores count
    repairs             what kinds of error a parser makes
    repair_comparisons  in which types of error parsers, or data sets, differ
    generated_documents  what language models do to the text of documents
    rst_scores          every metric of Morey, Muller and Asher: `score_rst`
    rst_relations       which relation holds: `classify_relations`
    rst_systems         the metrics of discourse parsers compared
    similarity          how alike parsers are: `similarity`
    rst_trees           discourse trees: `convert`, `ambiguity`, `show_rst`
    systems             several systems on the same sentences: `compare`
    runs                several runs of each system: `compare_runs`
    worth               what a repair is worth
    error_data          the errors of a data set as a page's error browser reads them
    report              all that a page about parsers shows
"""
