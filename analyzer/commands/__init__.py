"""The subcommands, one a file: arguments in, printed results out."""
