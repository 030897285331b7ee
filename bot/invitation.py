"""The permissions the bot needs in a server, and the link that invites it with them."""

import discord

NEEDED: dict[str, str] = {
    "view_channel": "View Channels",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "read_message_history": "Read Message History",
    "embed_links": "Embed Links",
    "add_reactions": "Add Reactions",
}
"""By their name in discord.py, as Discord's own pages call them."""

PERMISSIONS = discord.Permissions(**dict.fromkeys(NEEDED, True))


def missing_permissions(granted: discord.Permissions) -> list[str]:
    if granted.administrator:
        return []
    return [label for name, label in NEEDED.items() if not getattr(granted, name)]


def invite_link(application_id: int) -> str:
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))
