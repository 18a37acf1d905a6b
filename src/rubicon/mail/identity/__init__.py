"""Who wrote an e-mail, and what it may do: tokens, alignment of the sender, one-time codes."""
