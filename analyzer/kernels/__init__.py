"""Tree kernels: how alike two trees are, by the fragments they share.

The modules, in the order in which data flows through them:

    nodes          what is compared: nodes, their children and productions
    node_pairs     pairs of nodes that are worth something, laid out in an array
    subset_trees   values of such pairs: subset trees and complete subtrees
    partial_trees  values of such pairs: partial trees
    sums           these added up, tree by tree, in blocks of bounded memory
    tree_kernel    TreeKernel: matrices, pairs, normalisation
    comparisons    named trees from files: pairs, the nearest, a matrix
"""

from analyzer.kernels.tree_kernel import DEFAULT_DECAY, DEFAULT_MU, KERNELS, TreeKernel

__all__ = ["DEFAULT_DECAY", "DEFAULT_MU", "KERNELS", "TreeKernel"]
