"""Gravitino as a target: its relational store."""
