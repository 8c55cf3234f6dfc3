"""Several servers on one PostgreSQL, whatever fails: make chaos.

Three real servers, a real database, many people who play, and a relay of our own on every way between them.
Faults happen at random, from a seed. After each round of them everything is compared from outside: what the
people's own logs say, with the database.
"""
