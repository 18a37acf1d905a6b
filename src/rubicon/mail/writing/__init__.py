"""Outgoing e-mails about games: text, HTML, the picture of the map, the form, the deadline."""
