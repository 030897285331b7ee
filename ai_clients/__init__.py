"""Asks language and embedding models. A leaf: knows no Discord, no memory, no database."""
