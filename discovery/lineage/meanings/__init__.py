"""What engines understand otherwise though they spell it alike: kept, or said to be lost."""
