"""The page's Python side: the worker, its messages, the console and its help."""
