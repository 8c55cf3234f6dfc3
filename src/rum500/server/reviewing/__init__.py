"""Reviews of finished deals: which are requested, the review processes, and the stored results."""
