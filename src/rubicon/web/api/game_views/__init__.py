"""What the API shows of a game, as typed data: no client has to read a text of the notation."""
