"""Other programs' notations: maps, method packs; pictures of walls, which the page reads itself."""
