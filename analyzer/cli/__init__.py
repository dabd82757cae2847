"""The command line: arguments in, results printed."""
