"""What can be asked of the desk: one module a verb."""
