"""Makes, shows, changes and delivers reminders on Discord."""
