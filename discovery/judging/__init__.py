"""What a verdict means: who can read a view, and whether it can move."""
