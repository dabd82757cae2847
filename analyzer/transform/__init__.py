"""Trees into other trees: normalised, binarised, mapped, reordered.

The modules, in the order in which data flows through them:

    labels         what the labels of a treebank mean; whose labels some look like
    parameters     what evalb deletes, equates and cuts off; its `.prm` parameter files
    label_tables   what evalb's parameters mean for each label
    relations      which relations a scheme has, their classes and uses
    documents      documents binarised, mapped and selected; those of several trees
    head_order     from constituents to dependencies of discourse and back
    function_tags  function tags: what labels say beyond the phrase
    pruning        trees without some nodes, without what is no text; some of the trees
    draft_labels   what the labels of a treebank mean, by its trees: a file of labels
"""
