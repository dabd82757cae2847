"""The tables of each analysis."""
