"""Counting deals: from a position to the kernel and back."""
