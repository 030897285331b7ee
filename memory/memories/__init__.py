"""What members let on of themselves when they speak with us: taken from their own words, kept in the ledger."""
