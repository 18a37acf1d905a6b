"""The running service: hosted games, clocks, bots, accounts and e-mail, composed."""
