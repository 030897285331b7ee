"""Replies: drafts, parts, buttons, receipts, and taking them back."""
