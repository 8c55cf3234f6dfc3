"""A match at the terminal: the table in lines of text, typed plays, everything stored in a file."""
