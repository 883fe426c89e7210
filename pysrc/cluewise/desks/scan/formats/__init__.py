"""Other people's notations: spots as lines of numbers, walkability as text or picture."""

from cluewise.desks.scan.formats.grid import read_grid, write_grid
from cluewise.desks.scan.formats.picture import read_picture
from cluewise.desks.scan.formats.spots import read_spots, write_spots

__all__ = ["read_grid", "read_picture", "read_spots", "write_grid", "write_spots"]
