"""Parallel work: pools of tasks, their executors, and the cache of results."""
