"""What verdicts mean: the cell of the matrix, and whether a view can move."""
