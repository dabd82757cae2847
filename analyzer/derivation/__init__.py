"""Heads, spines and how they attach."""
