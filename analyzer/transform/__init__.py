"""Trees into other trees: what evalb deletes, binary units, relation maps."""
