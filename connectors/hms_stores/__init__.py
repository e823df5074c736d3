"""The stores in a Hive Metastore: entries as engines write them, and as Iceberg does."""
