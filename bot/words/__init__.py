"""Every sentence the bot says, in five languages."""
