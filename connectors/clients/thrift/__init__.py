"""How Thrift's questions and answers travel to a metastore: sockets, TLS, SASL, HTTP, logins."""
