"""Counting, splitting and sorting codes; the only part of the desk that calls the kernel."""
