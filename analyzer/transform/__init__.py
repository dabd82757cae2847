"""Trees into other trees: normalised, binarised, mapped, reordered.

The modules, in the order in which data flows through them:

    labels         what the labels of a treebank mean
    parameters     what evalb deletes, equates and cuts off; its `.prm` parameter files
    label_tables   what evalb's parameters mean for each label
    binarize       n-ary units to binary ones (Morey et al. 2018, section 2.1)
    relations      which relations a scheme has, their classes and uses
    documents      documents selected and reshaped, without leaving the columns
    head_order     from constituents to dependencies of discourse and back
    heuristics     nuclearity and order for d-trees that have none (2018, section 4.1)
    function_tags  function tags: what labels say beyond the phrase
    label_hints    whose labels these look like
    plain_text     the text of a treebank: without what its label set says is none of it
    pruning        trees without some of their nodes, or some of the trees
"""
