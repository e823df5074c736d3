"""Store `gravitino-rest`: the REST API of a Gravitino server."""
