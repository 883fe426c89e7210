"""Classes of equal pulses, routes between them, and the fewest scans that can be enough."""
