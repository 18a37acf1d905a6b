"""Play by e-mail: reads incoming e-mail, finds whose it is, and what it asks for."""
