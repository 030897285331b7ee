"""Defines the values that every room speaks in: messages, members, facts, outcomes. They are frozen and pure."""
