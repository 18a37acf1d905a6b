"""What the full screen asks before a game begins."""
