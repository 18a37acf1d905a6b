"""`rubicon play` as a process on a pseudo-terminal."""
