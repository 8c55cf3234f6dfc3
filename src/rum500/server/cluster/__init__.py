"""Several servers that share a database: leases, owners of tables, and requests passed to them."""
