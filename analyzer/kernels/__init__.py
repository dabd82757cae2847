"""Tree kernels: how alike two trees are, by the fragments they share.

The modules, in the order in which data flows through them:

    nodes        what tree kernels compare: nodes, and pairs of them in one array
    tree_kernel  definitions, values of pairs of nodes, the object that computes them
    comparisons  trees of files, by their names, and how alike they are by a kernel
"""
