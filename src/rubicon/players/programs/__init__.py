"""Programs of any language that play a seat: a line of JSON for a decision, a line back."""
