"""Boards in pictures: lattices of cells, and the ink of every cell, with numpy.

Pictures are arrays of float32 from 0 (black) to 1 (white), `(height, width)` for grey and
`(height, width, 3)` for colours; the centre of a pixel has integer coordinates. A lattice of n×n
cells is an array `(n + 1, n + 1, 2)` of x and y in pixels, row by row.

Nothing outside this package and a desk's `ocr/` imports it before a picture is to be read, because
numpy is large.
"""
