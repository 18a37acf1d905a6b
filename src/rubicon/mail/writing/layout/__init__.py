"""How an e-mail is written down: its document, as text and as HTML, the message, the calendar."""
