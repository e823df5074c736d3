"""What is in a warehouse, what differs between its runs, and what of it may go."""
