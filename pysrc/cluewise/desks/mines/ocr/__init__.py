"""OCR of mine boards in screenshots; imported on demand, because it needs numpy."""
