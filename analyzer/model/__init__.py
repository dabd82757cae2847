"""The values that all else is about: symbols, the treebank as columns, its views."""
