"""What is found by a question, and in which order: everything of recall that needs no store."""
