"""Mine boards in screenshots; imported only to read one, because it needs numpy."""
