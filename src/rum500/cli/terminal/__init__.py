"""A match at the terminal: the table as lines of text, typed plays, and everything stored in a file."""
