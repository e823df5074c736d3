"""Clients that several connectors share."""
