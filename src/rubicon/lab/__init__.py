"""Many games at once for programs that learn: batches, features and environments."""
