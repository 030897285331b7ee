"""What can stop the bot for good. The text of each is a sentence for the person who runs it.

    BotError
    ├── TokenRefusedError    Discord does not know the token
    └── GatewayRefusedError  Discord ended the connection and will not take it back as it is

A lost connection is not here: discord.py and `bot.running` try again until they are told to stop.
"""

import aiohttp
import discord

TROUBLE = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)
"""What Discord's REST API raises while it is in trouble; it is asked again later."""


class BotError(Exception):
    """The bot cannot run until a person changes something."""


class TokenRefusedError(BotError):
    def __init__(self) -> None:
        super().__init__(
            "DISCORD_TOKEN was refused by Discord: copy it anew from the developer portal (Bot, Reset Token), "
            "or leave it out to use the local guild."
        )


class GatewayRefusedError(BotError):
    def __init__(self, code: int) -> None:
        super().__init__(
            f"Discord closed the connection with code {code} and does not take this bot back as it is: "
            "see “Gateway Close Event Codes” in Discord's documentation."
        )
