"""One function for each question; the commands of the same names print its result."""
