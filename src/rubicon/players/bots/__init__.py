"""Bots that anybody writes: what they see, what they answer, and how they are found."""
