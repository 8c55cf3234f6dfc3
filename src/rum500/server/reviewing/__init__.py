"""Reviews of finished deals: which are wanted, the work in processes of their own, and what is kept."""
