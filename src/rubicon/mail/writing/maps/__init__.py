"""The map of an e-mail: short names, the map in plain text, the picture."""
