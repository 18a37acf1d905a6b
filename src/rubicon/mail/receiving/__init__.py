"""Takes e-mails from the world: LMTP, SMTP and mailboxes."""
