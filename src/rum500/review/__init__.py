"""Reviews of finished deals: what each decision cost, how well a seat played, how lucky its cards were."""
