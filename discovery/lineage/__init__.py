"""What a view reads, and who stands on it."""
