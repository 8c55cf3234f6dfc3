"""Several servers that share a database: leases, owners of tables, and forwarding of requests."""
