"""Python code of the page's workers: jobs, messages, the console and its help."""
