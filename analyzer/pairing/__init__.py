"""Gold beside parsed: which trees, words and documents are compared."""
