"""The lines of a transcript: what each kind says, and how it is checked."""
