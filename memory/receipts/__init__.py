"""Remembers what each reply was made from, and which replies have to be taken back."""
