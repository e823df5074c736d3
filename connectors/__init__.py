"""Adapters round the core: sources, stores and judges, independent of each other."""
