"""Other people's notations: spots as lists of numbers or JSON, walkability as text or picture.

`picture` is loaded by who reads one: the page goes without.
"""

from cluewise.desks.scan.formats.spots import read_clue, read_spots, read_text, write_spots
from cluewise.desks.scan.formats.walls_text import read_grid, write_grid

__all__ = ["read_clue", "read_grid", "read_spots", "read_text", "write_grid", "write_spots"]
