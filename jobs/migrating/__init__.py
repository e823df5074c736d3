"""The stages of a migration: plan, apply, verify, undo."""
