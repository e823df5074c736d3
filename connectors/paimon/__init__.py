"""Paimon's REST catalogs: the source, the store, and the server that both ask."""
