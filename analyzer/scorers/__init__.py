"""Scores, a family a file: mostly the choice of a key to join on."""
