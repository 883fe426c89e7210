"""Other people's notations: spots as lines of numbers, walkability as text or PNG."""

from cluewise.desks.scan.formats.grid import read_grid, write_grid
from cluewise.desks.scan.formats.png import read_png
from cluewise.desks.scan.formats.spots import read_spots, write_spots

__all__ = ["read_grid", "read_png", "read_spots", "write_grid", "write_spots"]
