"""Keeps the ledger of facts: telling, forgetting, contradicting, editing and undoing."""
