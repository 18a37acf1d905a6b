"""The record of a whole game: headers, every action, every outcome."""
