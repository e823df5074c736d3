"""Catalogs that speak Iceberg as sources. pyiceberg lists and loads views in REST catalogs only."""
