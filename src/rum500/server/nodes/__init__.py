"""Several nodes on one database: who owns which table, and the way to the owner."""
