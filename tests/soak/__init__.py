"""Nights in a row on an estate that lives: `make soak`, or `make soak NIGHTS=20 SEED=7`."""
