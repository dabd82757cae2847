"""Plots (extra: plots)."""
