"""Other people's notations: spots as lists of numbers or JSON, walkability as text or picture.

`picture` is loaded by who reads one: the page goes without.
"""

from cluewise.desks.scan.formats.grid import read_grid, write_grid
from cluewise.desks.scan.formats.spots import read_clue, read_spots, read_text, write_spots

__all__ = ["read_clue", "read_grid", "read_spots", "read_text", "write_grid", "write_spots"]
