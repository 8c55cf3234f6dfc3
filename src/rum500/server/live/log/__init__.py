"""A table's log: its entries, and the state that follows from them."""
