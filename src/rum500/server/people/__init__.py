"""People who played together: who is here, invitations, and leagues."""
