"""Discourse trees: one module a format."""
