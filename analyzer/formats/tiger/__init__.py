"""TIGER-XML."""
