"""Whether a message is for us, however it reaches us: every message passes here, and nearly none is.

A quick look comes first. It may only ever err on the side of listening; `memory.commands.addressing` decides.
"""

import string
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import discord

from bot.readable import Page, Readable
from memory.commands.addressing import Addressed, address
from memory.core.values import AuthorKind, Message

_NO_LETTERS = string.punctuation + string.whitespace + "¿¡"


class Earshot:
    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        heads = tuple(name.split()[0].lower() for name in names)
        self._heads = heads if all(head.isascii() and head.isalnum() for head in heads) else None
        self._longest = max(map(len, heads))

    def may_be_addressed(self, text: str) -> bool:
        """By name or mention; a reply to us is another matter."""
        if self._heads is None or "<@" in text:
            return True
        # Behind code, quotes and links the author's own words may begin anywhere.
        if "`" in text or "> " in text or "://" in text:
            return True
        head = text.lstrip(_NO_LETTERS)[: self._longest]
        return not head.isascii() or head.lower().startswith(self._heads)

    def addressed(self, text: str, guild: discord.Guild, self_id: int, *, reply_to_us: bool) -> Addressed | None:
        if not reply_to_us and not self.may_be_addressed(text):
            return None
        return address(
            text,
            names=self._names,
            bot_id=self_id,
            bot_role_ids=() if guild.self_role is None else (guild.self_role.id,),
            reply_to_us=reply_to_us,
        )

    def listened_to(self, page: Page, place: Readable, away_until: datetime | None = None) -> list[Message]:
        """The messages of a page, with what each wants of us; unanswered is what was said while we were away."""
        return [self._listened_to(message, page, place, away_until) for message in page.messages]

    def _listened_to(self, message: Message, page: Page, place: Readable, away_until: datetime | None) -> Message:
        if message.author_kind is not AuthorKind.PERSON:
            return message
        reply_to_us = message.message_id in page.replies_to_us
        addressed = self.addressed(message.text, place.guild, place.guild.me.id, reply_to_us=reply_to_us)
        if addressed is None:
            return message
        is_unanswered = away_until is not None and message.sent_at < away_until
        return replace(message, wish=addressed.intent, is_unanswered=is_unanswered)
