"""A board: territories, borders, continents and cards, read from a TOML file."""
