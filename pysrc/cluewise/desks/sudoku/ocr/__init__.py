"""Boards read from pictures: lattice, cells, symbols, and the rules that choose a reading."""
