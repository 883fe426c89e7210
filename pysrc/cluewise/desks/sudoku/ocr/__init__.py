"""Recognition of boards in pictures: lattice, cells, symbols, decoding by the rules."""
