"""A match at the terminal: the table drawn line by line, plays typed, everything kept on file."""
