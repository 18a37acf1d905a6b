"""The order language: a turn as one text, with conditions (`docs/orders.md`)."""
