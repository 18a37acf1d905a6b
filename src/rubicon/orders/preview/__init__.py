"""What orders may come to, with chances; no dice are rolled."""
