"""Tables of the terminal, one module a desk."""
