"""Practice: positions in which a guest chooses one play, which is then judged."""
