"""The scripted bots: one skeleton of decisions, and traits that make a character."""
