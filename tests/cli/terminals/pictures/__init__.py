"""Pictures of the terminal's screens."""
