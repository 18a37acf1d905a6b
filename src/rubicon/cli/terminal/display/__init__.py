"""What a terminal game prints: the board, the seats, the story of the game, the summary."""
