"""The screens as cells: three layouts, and what opens over them."""
