"""The game in a terminal: what is drawn, what is typed, and how a game is kept."""
