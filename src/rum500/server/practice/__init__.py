"""Practice: positions in which a guest chooses a play, which is then judged."""
