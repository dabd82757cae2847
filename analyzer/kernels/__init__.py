"""Tree kernels: how alike two trees are, by the fragments they share.

The modules, in the order in which data flows through them:

    nodes          what tree kernels compare
    node_pairs     pairs of nodes that are worth something, laid out in one array
    partial_trees  partial trees (Moschitti 2006)
    subset_trees   subset trees (Collins and Duffy 2002)
    sums           values of pairs of nodes, added up tree by tree
    tree_kernel    definitions, and the object that computes them
    comparisons    trees of files, by their names, and how alike they are by a kernel
"""
