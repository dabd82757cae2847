"""Keys, joins, counts and what is made of them."""
