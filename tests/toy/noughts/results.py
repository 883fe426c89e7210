"""What the noughts desk answers."""

import msgspec


class Advice(msgspec.Struct, frozen=True):
    """The cells that keep what the game is worth."""

    worth: int
    """1 if the player to move wins with best play, 0 if nobody does, -1 if the other does."""
    cells: list[int]
    """The cells, from 0, that keep it; ascending."""
