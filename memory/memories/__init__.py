"""Takes memories from what members let on of themselves when they speak with us, and keeps them in the ledger."""
