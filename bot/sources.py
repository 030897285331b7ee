"""An answer with links to what it draws upon."""

from memory.core.audience import Audience
from memory.core.outcomes import Answer

MOST_LINKS = 5


def jump_link(guild_id: int, channel_id: int, message_id: int) -> str:
    return f"https://discord.com/channels/{guild_id}/{channel_id}/{message_id}"


def with_sources(answer: Answer, audience: Audience) -> str:
    """The links stand small below the text. What the readers could not open is never linked."""
    text = answer.text.strip()
    open_to_all = [source for source in dict.fromkeys(answer.sources) if source.channel_id in audience.sources]
    if not text or not open_to_all:
        return text
    links = " · ".join(
        f"[{number}]({jump_link(audience.guild_id, source.channel_id, source.message_id)})"
        for number, source in enumerate(open_to_all[:MOST_LINKS], start=1)
    )
    return f"{text}\n-# ↪ {links}"
