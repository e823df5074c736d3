"""What the commands share: configuration, Spark session, warehouse, and what executors run."""
