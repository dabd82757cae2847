"""Files that nobody should have written; `catalogue` lists them all."""
