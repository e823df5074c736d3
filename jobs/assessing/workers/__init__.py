"""What executors run to assess."""
