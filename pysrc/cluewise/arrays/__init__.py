"""The desks' exact results as numpy arrays: many boards, guesses or codes per call.

>>> from cluewise import arrays
>>> arrays.answers([[0, 0, 1, 1]], [[0, 1, 2, 3], [0, 0, 1, 1]]).tolist()
[[17, 64]]

Each desk's functions are also in a module of its name: `cluewise.arrays.sudoku.canon`. numpy is
imported with this package and by nothing else on the way to a page's first advice.

Inputs are anything that `numpy.asarray` takes, of any memory layout; they are never changed.
Results are new arrays that the caller owns. Data is copied once into the kernel's memory and once
out of it: buffers there are reused by the next call, so a view of them would not stay valid.
Errors are those of `cluewise.errors`: `BadInput` for a wrong shape, dtype or value with its place,
`BadPosition` for a position, `Contradiction` where nothing fits its clues.
"""

from cluewise.arrays.code import PartitionSizes, answers, partition_sizes, remaining
from cluewise.arrays.mines import probabilities
from cluewise.arrays.rack import WireChances, posterior
from cluewise.arrays.scan import ScanMap, classes
from cluewise.arrays.sudoku import Grouped, Solved, canon, group, keys, number, solve

__all__ = [
    "Grouped",
    "PartitionSizes",
    "ScanMap",
    "Solved",
    "WireChances",
    "answers",
    "canon",
    "classes",
    "group",
    "keys",
    "number",
    "partition_sizes",
    "posterior",
    "probabilities",
    "remaining",
    "solve",
]
