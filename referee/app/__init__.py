"""referee/app."""
