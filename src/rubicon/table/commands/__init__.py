"""What changes a hosted game: orders, dice, votes, forks."""
