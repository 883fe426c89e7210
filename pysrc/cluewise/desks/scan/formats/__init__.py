"""Other people's notations: spots as lists of numbers or JSON, walkability as text or picture.

`walls_image` is loaded by who reads one: the page goes without.
"""

from cluewise.desks.scan.formats.spots import read_clue, read_spots, read_text, write_spots
from cluewise.desks.scan.formats.terrain import read_grid, read_ground, write_grid

__all__ = [
    "read_clue",
    "read_grid",
    "read_ground",
    "read_spots",
    "read_text",
    "write_grid",
    "write_spots",
]
