"""The warehouse: where runs are, whatever their tables."""
