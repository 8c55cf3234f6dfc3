"""Reviews of finished deals: what each decision cost, how well a seat played, and how lucky its cards were."""
