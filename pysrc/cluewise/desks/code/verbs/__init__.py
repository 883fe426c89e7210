"""What can be asked of the code desk, one module a verb."""
