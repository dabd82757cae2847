"""Where a treebank contradicts itself: one module a kind of finding."""
