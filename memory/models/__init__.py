"""Asks language models within budgets, and keeps a record of every call."""
