"""What the desk advises: the areas of the map, where to walk next, whole routes, practice."""
