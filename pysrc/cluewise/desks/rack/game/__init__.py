"""Rules of the game as data and functions: missions, legal moves, equipment, deadlock."""
