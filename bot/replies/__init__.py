"""Makes replies and takes them back: drafts, parts, buttons, receipts."""
