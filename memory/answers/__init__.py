"""Answers questions from everything that is known, by a model or by quotation."""
