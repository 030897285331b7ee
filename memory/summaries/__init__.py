"""Summarises days: one summary for all members of a guild, made at night or by quotation."""
