"""Reviews of finished games by the value model."""
