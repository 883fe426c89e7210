"""Puzzle generation: board shapes, local search, search by the kinds of moves."""
