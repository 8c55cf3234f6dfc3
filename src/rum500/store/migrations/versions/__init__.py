"""One module for each version of the database, named by its number."""
