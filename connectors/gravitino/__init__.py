"""Gravitino as a target: two stores over what they share."""
