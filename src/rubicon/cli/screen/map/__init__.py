"""The map of any board in terminal cells."""
