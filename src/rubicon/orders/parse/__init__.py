"""From any text to orders, or to everything that is wrong with it."""
