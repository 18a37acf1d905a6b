"""How procedures are compiled by Numba, and where their machine code is stored."""
