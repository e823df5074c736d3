"""The commands: the only place that knows Spark and wires the adapters to the core."""
