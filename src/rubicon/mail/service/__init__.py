"""Carries out what players ask for by e-mail, and answers each message once."""
