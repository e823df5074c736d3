"""Reports: rows in, files out. Pure: the same rows give the same bytes."""
