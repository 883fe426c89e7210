"""What can be asked of the rack desk, one module a verb."""
