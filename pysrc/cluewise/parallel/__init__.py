"""Parallel work: the task scheduler, its backends, and the result cache."""
