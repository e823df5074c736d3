"""A Hive Metastore's own database as a source."""
