"""Shows, exports and erases what is held: /privacy and /channel-memory."""
