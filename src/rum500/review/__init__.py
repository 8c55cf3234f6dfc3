"""Reviews of finished deals: the loss of each decision, how well a seat played, how lucky its cards were."""
