"""Check several servers on one PostgreSQL while everything fails in turn: make chaos.

There are three real servers, a real database, many people who play, and a relay on every connection between
them. Faults happen at random, from a seed. After each round of faults, what each person received is compared
with the database.
"""
