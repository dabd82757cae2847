"""Penn Treebank brackets."""
