"""Databases as sources: views that exist already are discovered, never written."""
