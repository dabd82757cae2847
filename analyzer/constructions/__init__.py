"""Patterns over children that name constructions."""
