"""What executors run to plan and to write."""
