"""Stands as players jot them down."""
