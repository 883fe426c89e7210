"""Lists of boards: answers by line, annotations, the index of near duplicates."""
