"""The games on a server on the full screen, and a table until its game starts."""
