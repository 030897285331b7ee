"""Tells of a member in one text: facts, today and the past week, merged and cached."""
