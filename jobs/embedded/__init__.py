"""A real estate on this machine: a metastore of PySpark's own jars, a PostgreSQL of a wheel."""
