"""Algorithms on boards (`Cells`): the kernel's as functions, and those in Python."""
