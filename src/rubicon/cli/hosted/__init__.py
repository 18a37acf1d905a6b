"""Games on a server, played at the terminal: the same screens and prompt as a game alone."""
