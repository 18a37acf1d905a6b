"""What a player asks for in an e-mail: orders, requests, and forms filled in."""
