"""Store `gravitino-store`: Gravitino's relational store."""
