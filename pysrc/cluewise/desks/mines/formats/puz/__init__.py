"""The .puz format: read, write, its XML, label layout, campaigns."""
