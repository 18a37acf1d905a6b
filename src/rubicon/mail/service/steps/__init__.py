"""The steps of a message: what each does, and the one-time codes that some of them need."""
