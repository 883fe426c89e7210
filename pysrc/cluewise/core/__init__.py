"""Ideas that every desk shares and that know no game."""
